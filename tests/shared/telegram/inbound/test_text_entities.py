"""Message entities as Telegram sends them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.text import EntityType
from shared.telegram.inbound.text import MOST_ENTITIES, entities_of
from tests.shared.examples import JSON_VALUES, PROPERTY
from tests.shared.updates import RAW


def test_every_kind_of_entity_is_kept_as_telegram_wrote_it() -> None:
    message = RAW["text_all_entity_types"]["message"]
    kept = entities_of(message)
    assert all(isinstance(entity.type, EntityType) for entity in kept)
    for entity, found in zip(kept, message["entities"], strict=True):
        user = {"user": {"id": found["user"]["id"]}} if "user" in found else {}
        assert entity.to_telegram() == found | user


def test_a_captions_entities_count() -> None:
    entity = {"type": "bold", "offset": 0, "length": 1}
    assert [e.to_telegram() for e in entities_of({"caption_entities": [entity]})] == [entity]
    assert [e.to_telegram() for e in entities_of({"entities": [], "caption_entities": [entity]})] == [entity]


@pytest.mark.parametrize("found", [None, 7, "bold", {"type": "bold"}])
def test_what_is_no_list_is_none(found: object) -> None:
    assert entities_of({"entities": found}) == ()


@PROPERTY
@given(JSON_VALUES | st.lists(JSON_VALUES), JSON_VALUES)
def test_no_json_raises(found: object, captions: object) -> None:
    assert len(entities_of({"entities": found, "caption_entities": captions})) <= MOST_ENTITIES


def test_a_message_has_no_more_entities_than_telegram_gives_it() -> None:
    assert len(entities_of({"entities": [{"type": "bold"}] * 500})) == MOST_ENTITIES
