"""Entities in the Bot API's form, including malformed entities and unknown kinds."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from shared.base.text import (
    NOWHERE,
    Entity,
    EntityType,
    entities_from,
    shift_entities,
    starts_with_command,
    utf16_length,
)
from shared.values.message import AnyEntry, Edit, Message
from tests.shared.examples import ANN, JSON_VALUES, NOW, PROPERTY, said

ENTRIES: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)
FIELDS = (
    "type", "offset", "length", "url", "language", "user", "custom_emoji_id", "unix_time", "date_time_format",
    "flavour",
)  # fmt: skip
#: stored entities of each kind, and of an unknown kind
STORED: list[dict[str, Any]] = [
    *({"type": kind.value, "offset": place, "length": 3} for place, kind in enumerate(EntityType)),
    {"type": "text_link", "offset": 0, "length": 3, "url": "https://a.b"},
    {"type": "pre", "offset": 0, "length": 3, "language": "py"},
    {"type": "text_mention", "offset": 0, "length": 3, "user": {"id": 5}},
    {"type": "custom_emoji", "offset": 0, "length": 2, "custom_emoji_id": "7"},
    {"type": "date_time", "offset": 0, "length": 3, "unix_time": 0, "date_time_format": "r"},
    {"type": "moon_phase", "offset": 0, "length": 3},
]
ODD_ENTITIES = st.lists(
    st.dictionaries(st.sampled_from(FIELDS), JSON_VALUES | st.dictionaries(st.just("id"), JSON_VALUES)) | JSON_VALUES,
    max_size=4,
)


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: str(stored["type"]))
def test_an_entity_is_stored_as_the_bot_api_has_it(stored: dict[str, Any]) -> None:
    (entity,) = entities_from([stored])
    assert entity.to_telegram() == stored
    assert isinstance(entity.type, EntityType) or entity.type == "moon_phase"


@pytest.mark.parametrize(
    "entry", [said("hey"), Edit(at=NOW, message_id=1, author=ANN, text="hey")], ids=["said", "edit"]
)
def test_an_entry_is_stored_with_the_same_entities(entry: Message | Edit) -> None:
    document = entry.model_dump() | {"entities": STORED}
    read = ENTRIES.validate_python(document)
    assert list(read.model_dump()["entities"]) == STORED
    assert json.loads(read.model_dump_json())["entities"] == STORED
    assert ENTRIES.validate_json(read.model_dump_json()) == read


@PROPERTY
@given(ODD_ENTITIES | JSON_VALUES)
def test_no_odd_entity_makes_an_entry_unreadable(odd: object) -> None:
    read = ENTRIES.validate_python(said("hey").model_dump() | {"entities": odd})
    assert isinstance(read, Message)
    assert ENTRIES.validate_python(read.model_dump()) == read
    assert ENTRIES.validate_json(read.model_dump_json()) == read


@PROPERTY
@given(ODD_ENTITIES, st.text(max_size=12) | st.just("a\ud83db"))
def test_only_what_can_be_stored_is_kept_of_an_odd_entity(odd: list[object], text: str) -> None:
    kept = entities_from(odd)
    assert entities_from([entity.to_telegram() for entity in kept]) == kept
    for entity in kept:
        stored = entity.to_telegram()
        assert set(stored) <= set(FIELDS) - {"flavour"}
        assert json.loads(json.dumps(stored, ensure_ascii=False).encode()) == stored
        assert all(-(2**63) <= stored.get(name, 0) < 2**63 for name in ("offset", "length", "unix_time"))
        assert utf16_length(entity.text_in(text)) <= utf16_length(text)
    assert starts_with_command(kept) in {True, False}


@pytest.mark.parametrize(
    "odd",
    [{}, {"type": "bold"}, {"type": "bold", "offset": -1, "length": 3}, {"type": "bold", "offset": 0, "length": -1}],
)
def test_an_entity_without_a_place_covers_nothing(odd: dict[str, object]) -> None:
    (entity,) = entities_from([odd])
    assert (entity.text_in("hey"), entity.in_utf16) == ("", slice(0, 0))


def test_a_stretch_is_counted_in_utf_16() -> None:
    assert Entity(EntityType.BOLD, 3, 4).text_in("👍 so 👍") == "so "[:2] + " \N{REPLACEMENT CHARACTER}"
    assert Entity(EntityType.BOLD, 3, 2).text_in("👍 so 👍") == "so"
    assert Entity(EntityType.BOLD, 3, 99).text_in("👍 so 👍") == "so 👍"


def test_entities_of_a_text_behind_another_move_along() -> None:
    bold, nowhere = Entity(EntityType.BOLD, 2, 1), Entity(EntityType.BOLD)
    assert shift_entities([bold, nowhere], "a👍\n") == (Entity(EntityType.BOLD, 6, 1), nowhere)
    assert shift_entities([bold], "") == (bold,)
    assert nowhere.offset == NOWHERE


@pytest.mark.parametrize(
    ("entity", "expected"),
    [
        (Entity(EntityType.BOT_COMMAND, 0, 5), True),
        (Entity("bot_command", 0, 5), True),
        (Entity(EntityType.BOT_COMMAND, 4, 5), False),
        (Entity(EntityType.BOT_COMMAND), False),
        (Entity(EntityType.MENTION, 0, 5), False),
    ],
)
def test_a_command_stands_at_the_start(entity: Entity, expected: bool) -> None:
    assert starts_with_command([Entity(EntityType.BOLD, 0, 1), entity]) is expected
