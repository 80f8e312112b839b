"""Entities in the form that Telegram accepts."""

from shared.base.text import Entity, EntityType


def test_an_entity_of_the_bot_api_has_only_the_fields_of_its_kind() -> None:
    assert Entity(EntityType.BOLD, 1, 2).to_telegram() == {"type": "bold", "offset": 1, "length": 2}
    assert Entity(EntityType.PRE, 0, 2, language="py").to_telegram()["language"] == "py"
    link = Entity(EntityType.TEXT_LINK, 0, 2, url="http://a.b")
    assert (link.to_telegram()["url"], link.end) == ("http://a.b", 2)
