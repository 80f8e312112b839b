"""Mentions and commands, by Telegram's entities, in UTF-16."""

import pytest

from shared.deciding.addressing import is_named_by_command, mentions, spans
from tests.shared.values import BOT_ID, said


def entity(kind: str, offset: object, length: object, **more: object) -> dict[str, object]:
    return {"type": kind, "offset": offset, "length": length, **more}


@pytest.mark.parametrize(
    ("text", "offset", "length", "expected"),
    [
        ("@lull_bot hi", 0, 9, True),
        ("@LULL_Bot hi", 0, 9, True),
        ("👩‍👩‍👧 @lull_bot", 9, 9, True),
        ("@lull_bots hi", 0, 10, False),
        ("@lull_bot hi", 0, 8, False),
        ("@someone hi", 0, 8, False),
    ],
)
def test_a_mention_is_what_its_entity_covers(text: str, offset: int, length: int, expected: bool) -> None:
    message = said(text, entities=(entity("mention", offset, length),))
    assert mentions(message, BOT_ID, "lull_bot") is expected


def test_a_name_without_an_entity_is_no_mention() -> None:
    assert not mentions(said("`@lull_bot`", entities=(entity("code", 0, 11),)), BOT_ID, "lull_bot")
    assert not mentions(said("@lull_bot"), BOT_ID, "lull_bot")


def test_a_link_to_the_account_is_a_mention() -> None:
    assert mentions(said("lull", entities=(entity("text_mention", 0, 4, user={"id": BOT_ID}),)), BOT_ID, "lull_bot")
    assert not mentions(said("Bob", entities=(entity("text_mention", 0, 3, user={"id": 5}),)), BOT_ID, "lull_bot")
    assert not mentions(said("Bob", entities=(entity("text_mention", 0, 3, user="x"),)), BOT_ID, "lull_bot")


def test_a_command_may_carry_the_name() -> None:
    named = said("/help@Lull_Bot", entities=(entity("bot_command", 0, 14),))
    other = said("/help@other_bot", entities=(entity("bot_command", 0, 15),))
    assert is_named_by_command(named, "lull_bot")
    assert not is_named_by_command(other, "lull_bot")
    assert not is_named_by_command(said("/help", entities=(entity("bot_command", 0, 5),)), "lull_bot")


@pytest.mark.parametrize(("offset", "length"), [(-5, 3), (0, 10**9), (10**9, 1), (None, 3), (0, "3"), (1, -1)])
def test_an_entity_out_of_bounds_harms_nobody(offset: object, length: object) -> None:
    message = said("👩 ok", entities=(entity("mention", offset, length),))
    assert "".join(spans(message, "mention")) in "👩 ok"
