"""Commands: their text and their addressee. The decision to answer a command and its execution use the same rule."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.text import WrittenCommand
from shared.commands.parse import command_of
from shared.deciding.addressing import is_for_agent, written_command
from shared.deciding.rules import decide_in
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.message import Author, Message, QuotedMessage
from tests.shared.deciding.groups import ROBO, circumstances, command, group
from tests.shared.examples import BOB, JSON_VALUES, ME, PROPERTY, said


def written(text: str, **fields: Any) -> Message:
    return said(text, entities=command(text), **fields)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/Help@Lull_Bot me", WrittenCommand("help", "lull_bot", " me")),
        ("/help", WrittenCommand("help")),
        ("/help!", WrittenCommand("help", "", "!")),
        ("/etc/passwd", None),
        ("/help@", None),
        ("/", None),
        ("help", None),
    ],
)
def test_a_command_is_what_a_message_starts_with(text: str, expected: WrittenCommand | None) -> None:
    assert written_command(written(text)) == expected
    assert written_command(said(text)) is None
    assert written_command(written(text, forwarded_from=BOB)) is None
    assert written_command(said(f"see {text}", entities=({"type": "bot_command", "offset": 4, "length": 5},))) is None


@pytest.mark.parametrize(
    ("before", "text", "to", "expected"),
    [
        ((), "/help", None, True),
        ((), "/help@LULL_bot", None, True),
        ((), "/help@robo_bot", None, False),
        ((), "/roll", None, False),
        (("Robo: hi",), "/help", None, False),
        (("Robo: hi",), "/help", ME, True),
        (("Robo: hi",), "/help@lull_bot", None, True),
        (("lull: hi", "Robo: hi"), "/help", BOB, False),
        (("Robo: hi", "lull: hi"), "/help", None, True),
        ((), "/help@robo_bot", ME, False),
    ],
)
def test_in_a_group_it_is_the_agents_where_telegram_would_give_it_to_it(
    before: tuple[str, ...], text: str, to: Author | None, expected: bool
) -> None:
    *earlier, message = group(*before, f"Ann: {text}")
    message = evolve(message, reply=QuotedMessage(message_id=1, author=to) if to else None)
    found = written_command(message)
    assert found is not None
    assert is_for_agent(found, message, circumstances(earlier)) is expected


@pytest.mark.parametrize("text", ["/help", "/roll"])
def test_in_a_private_chat_every_command_is_the_agents(text: str) -> None:
    message = written(text)
    assert is_for_agent(WrittenCommand(text[1:]), message, circumstances(kind=ChatKind.PRIVATE))


TALK = st.lists(st.sampled_from(["Ann: hm", "Robo: hi", "lull: hi", "Bob > lull: ok", "Ann: @lull_bot hi"]), max_size=4)
COMMANDS = st.sampled_from(["/help", "/help@lull_bot", "/help@robo_bot", "/mute x", "/etc/passwd", "/HELP!", "/roll"])


@PROPERTY
@given(TALK, COMMANDS, st.booleans(), st.none() | st.sampled_from([ME, BOB, ROBO]))
def test_what_is_run_was_decided_to_be_answered(
    before: list[str], text: str, is_muted: bool, to: Author | None
) -> None:
    *earlier, message = group(*before, f"Ann: {text}")
    message = evolve(message, reply=QuotedMessage(message_id=1, author=to) if to else None)
    place = circumstances(earlier, is_muted=is_muted)
    is_run = command_of(message, place) is not None
    assert decide_in(message, place).respond or not is_run
    assert is_run or decide_in(message, place).reason != "a command"


@PROPERTY
@given(st.text(max_size=20), st.lists(st.dictionaries(st.sampled_from(["type", "offset", "length"]), JSON_VALUES)))
def test_whatever_the_entities_are_there_is_an_answer(text: str, entities: list[dict[str, Any]]) -> None:
    message = said(text, entities=tuple(entities))
    assert written_command(message) is None or text.startswith("/")
