"""/pronouns."""

import pytest

from shared.chat.store.chats import FirestoreChats
from shared.chat.store.people import FirestorePeople
from shared.commands.command import CommandResponse
from shared.commands.pronouns import LONGEST_PRONOUNS, respond, set_or_read_pronouns
from shared.llm.ports.world import PortRegistry
from shared.telegram.markdown.render import render
from shared.values.chat_key import ChatKey
from shared.values.message import Author
from tests.shared.commands.requests import asked
from tests.shared.own_words import FORGOTTEN, NO_PRONOUNS


def test_shows_the_current_pronouns() -> None:
    said = render(respond(asked("they/them", result="they/them")).text)[0].text
    assert said == "Your pronouns are they/them. To make me forget them: /pronouns -"
    assert render(respond(asked("", result="*she*")).text)[0].text.startswith("Your pronouns are *she*.")
    assert respond(asked("", result="")) == CommandResponse(text=NO_PRONOUNS)
    assert respond(asked("-", result="")) == CommandResponse(text=FORGOTTEN)


def test_too_long_ones_are_not_taken() -> None:
    text = respond(asked("x" * (LONGEST_PRONOUNS + 1), result="he")).text
    assert f"{LONGEST_PRONOUNS + 1} characters. The maximum is {LONGEST_PRONOUNS}" in text


@pytest.mark.parametrize(
    ("argument", "kept"),
    [
        ("they/them", "they/them"),
        ("  вона /\n її ", "вона / її"),
        ("", "he"),
        ("x" * 41, "he"),
        ("-", ""),
        ("\u200b", "he"),
    ],
)
async def test_they_are_kept_for_the_person(chats: FirestoreChats, key: ChatKey, argument: str, kept: str) -> None:
    people, person = FirestorePeople(chats.client), Author(id=key.chat_id, name="Ann")
    request = asked(argument, person=person)
    await people.keep_pronouns(person.id, "he", request.now)
    assert await set_or_read_pronouns(request, PortRegistry({FirestorePeople: people})) == kept
    assert (await people.profile(person.id)).pronouns == kept
