"""Mentions, commands and a person's own words, found by Telegram's entities, which count in UTF-16 units."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.text import EntityType
from shared.deciding.addressing import QUIET, folded_words, is_named_by_command, mentioned_people, mentions, spans
from tests.shared.examples import BOT_ID, JSON_VALUES, PROPERTY, said


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
    assert not mentions(said("Bob", entities=(entity("text_mention", 0, 3, user={"id": []}),)), BOT_ID, "lull_bot")


def test_everybody_who_is_mentioned_is_known_by_id_or_username() -> None:
    text_mention = entity("text_mention", 10, 3, user={"id": 5})
    message = said("@Ann_A and Bob", entities=(entity("mention", 0, 6), text_mention))
    assert mentioned_people(message) == {"ann_a", 5}


def test_a_command_may_carry_the_name() -> None:
    named = said("/help@Lull_Bot", entities=(entity("bot_command", 0, 14),))
    other = said("/help@other_bot", entities=(entity("bot_command", 0, 15),))
    assert is_named_by_command(named, "lull_bot")
    assert not is_named_by_command(other, "lull_bot")
    assert not is_named_by_command(said("/help", entities=(entity("bot_command", 0, 5),)), "lull_bot")


@pytest.mark.parametrize("kind", sorted(QUIET))
def test_code_links_quotations_and_whole_names_are_not_the_persons_own_words(kind: str) -> None:
    message = said("👩 Lull says lull", entities=(entity(kind, 3, 4),))
    assert folded_words(message) == "👩 says lull"


def test_other_entities_change_nothing() -> None:
    assert folded_words(said("Lull says", entities=(entity("bold", 0, 4),))) == "lull says"


ODD = [(-5, 3), (0, 10**9), (10**9, 1), (None, 3), (0, "3"), (1, -1), (0, 0), (True, True)]


@pytest.mark.parametrize(("offset", "length"), ODD)
def test_an_entity_out_of_bounds_harms_nobody(offset: object, length: object) -> None:
    message = said("👩 ok", entities=(entity("mention", offset, length), entity("code", offset, length)))
    assert "".join(spans(message, EntityType.MENTION)) in "👩 ok" or offset is True
    assert set(folded_words(message)) <= set("👩 ok�")


@PROPERTY
@given(st.text(max_size=20) | st.just("a\ud83db"), st.lists(st.dictionaries(st.text(max_size=6), JSON_VALUES)))
def test_whatever_the_entities_are_there_is_an_answer(text: str, entities: list[dict[str, Any]]) -> None:
    kinds = ("mention", "text_mention", "bot_command", "code")
    shaped = tuple({"type": kinds[place % 4], **e} for place, e in enumerate(entities))
    message = said(text, entities=shaped)
    assert mentions(message, BOT_ID, "lull_bot") in {True, False}
    assert is_named_by_command(message, "lull_bot") in {True, False}
    assert isinstance(folded_words(message), str)
