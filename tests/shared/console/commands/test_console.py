"""/console: the owner is told the address; /console off ends all sign-ins."""

from shared.chat.store.bots import FirestoreOwners
from shared.console.commands.console import ConsoleAccess, respond
from shared.console.signin.owners import AgentOwners, agents_of
from shared.telegram.markdown.render import render
from tests.shared.commands.requests import asked
from tests.shared.fixtures import OpenHarness
from tests.shared.letting_in import answer, own

URL = "https://console.example.org/the-door"


def test_the_button_opens_a_mini_app() -> None:
    response = respond(asked(result=ConsoleAccess(url=URL)))
    assert [(button.text, button.opens) for button in response.buttons] == [("Open the console", URL)]
    assert response.is_apart
    assert "console.example.org/the-door" in render(response.text)[0].text


def test_an_address_of_this_machine_is_told_as_text_since_telegram_refuses_it_elsewhere() -> None:
    response = respond(asked(result=ConsoleAccess(url="http://127.0.0.1:8090/the-door")))
    shown = render(response.text)[0]
    assert (response.buttons, shown.entities) == ((), ())
    assert shown.text.endswith("On the computer that I run on, open http://127.0.0.1:8090/the-door")


async def test_only_the_owner_is_told_and_may_sign_everybody_out(open_harness: OpenHarness) -> None:
    owner, guest = [await open_harness(bot="the console") for _ in range(2)]
    await own(owner)
    owners = owner.tick_services.agents["lull"].dispatcher.ports[FirestoreOwners]
    assert "no console here" in (await answer(owner, "/console"))["text"]
    await owners.keep_console("lull", URL)
    told = await answer(owner, "/console")
    assert "console.example.org/the-door" in told["text"]
    assert "console.example.org" not in str((await answer(guest, "/console"))["text"])
    before = owner.clock.now
    assert "signed out" in (await answer(owner, "/console off"))["text"]
    known = await AgentOwners(owners.client, ["lull"]).read()
    assert agents_of(owner.person, known, before) == ()
