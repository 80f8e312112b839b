"""/help lists what works in the chat."""

from shared.commands.command import Audience
from shared.commands.help import respond
from shared.commands.registry import commands
from shared.telegram.markdown.render import render
from shared.values.chat_key import ChatKind
from shared.values.trust import TrustTier
from tests.shared.commands.requests import asked


def test_it_lists_what_works_in_this_chat() -> None:
    private = render(respond(asked()).text)[0].text
    shown = {c.name: c.is_for(ChatKind.PRIVATE) and c.audience is not Audience.OWNER for c in commands()}
    assert {name: f"/{name}" in private for name in shown} == shown
    owners = render(respond(asked(trust=TrustTier.OWNER)).text)[0].text
    told = {c.name: c.is_for(ChatKind.PRIVATE) and c.name not in {"claim", "join"} for c in commands()}
    assert {name: f"/{name}" in owners for name in told} == told
    known = render(respond(asked(trust=TrustTier.KNOWN)).text)[0].text
    assert ("/claim" in known, "/join" in known) == (True, False)
    of_owners = [line.split()[1] for line in owners.splitlines()[-4:]]
    assert of_owners == ["/people", "/requests", "/invite", "/console"], "they stand together"
    assert "/mute [30m, 2h, 1d] – Mute me" in private
    assert "administrators" not in private
    group = render(respond(asked(kind=ChatKind.SUPERGROUP)).text)[0].text
    assert "/start" not in group
    assert "/new [text] – Start a new conversation (administrators)" in group
    assert "/whoami – See your ID and access\n" in f"{group}\n"


def test_it_speaks_the_persons_language() -> None:
    found = respond(asked(kind=ChatKind.GROUP, language="uk-UA")).text
    assert found.startswith("Команди, які тут працюють:")
    assert "(для адміністраторів)" in found
    assert respond(asked(language="sv")).text == respond(asked()).text
