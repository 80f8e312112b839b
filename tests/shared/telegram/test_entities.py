"""Message entities that can be stored."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.telegram.entities import MOST_ENTITIES, NUMBERS, TEXTS, entities_of, shifted
from tests.shared.updates import RAW
from tests.shared.values import JSON_VALUES, PROPERTY


def test_every_kind_of_entity_is_kept_as_telegram_wrote_it() -> None:
    message = RAW["text_all_entity_types"]["message"]
    kept = entities_of(message)
    assert [entity["type"] for entity in kept] == [entity["type"] for entity in message["entities"]]
    for entity, found in zip(kept, message["entities"], strict=True):
        user = {"user": {"id": found["user"]["id"]}} if "user" in found else {}
        assert entity == found | user


def test_a_captions_entities_count() -> None:
    entity = {"type": "bold", "offset": 0, "length": 1}
    assert entities_of({"caption_entities": [entity]}) == (entity,)
    assert entities_of({"entities": [], "caption_entities": [entity]}) == (entity,)


@pytest.mark.parametrize("found", [None, 7, "bold", {"type": "bold"}])
def test_what_is_no_list_is_none(found: object) -> None:
    assert entities_of({"entities": found}) == ()


@PROPERTY
@given(st.lists(JSON_VALUES | st.dictionaries(st.sampled_from([*TEXTS, *NUMBERS, "user"]), JSON_VALUES)))
def test_only_known_fields_of_the_right_type_are_kept(found: list[object]) -> None:
    kept = entities_of({"entities": found})
    assert len(kept) <= MOST_ENTITIES
    for entity in kept:
        assert set(entity) <= {*TEXTS, *NUMBERS, "user"}
        assert json.loads(json.dumps(entity, ensure_ascii=False).encode()) == entity
        assert all(-(2**63) <= entity[name] < 2**63 for name in NUMBERS if name in entity)


def test_a_message_has_no_more_entities_than_telegram_gives_it() -> None:
    assert len(entities_of({"entities": [{"type": "bold"}] * 500})) == MOST_ENTITIES


def test_places_are_counted_as_telegram_counts_them() -> None:
    bold: dict[str, object] = {"type": "bold", "offset": 2, "length": 1}
    assert shifted([bold, {"type": "bold"}], "a👍\n") == ({**bold, "offset": 6}, {"type": "bold"})
    assert shifted([bold], "") == (bold,)
