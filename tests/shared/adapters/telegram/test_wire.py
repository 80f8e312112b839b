"""What lull says, in the Bot API's objects."""

from shared.adapters.telegram.wire import keyboard, previewed, replying, telegram_entities
from shared.models.channel import Button
from shared.models.text import Entity, EntityType, FormattedText


def test_a_link_is_previewed_only_if_it_is_named() -> None:
    assert previewed(FormattedText("http://a.b")).is_disabled
    assert previewed(FormattedText("http://a.b", preview="http://a.b")).url == "http://a.b"


def test_buttons_stand_one_in_a_row() -> None:
    made = keyboard((Button("one", "1"), Button("two", "2")))
    assert made is not None
    assert [[button.text for button in row] for row in made.inline_keyboard] == [["one"], ["two"]]
    assert keyboard(()) is None


def test_numbers_stand_side_by_side_and_eight_fill_a_row() -> None:
    labels = ["1", "2", "3", "Older ›", "4", "12345", "Tea", *map(str, range(5, 15))]
    made = keyboard([Button(label, label) for label in labels])
    assert made is not None
    assert [[button.text for button in row] for row in made.inline_keyboard] == [
        ["1", "2", "3"], ["Older ›"], ["4"], ["12345"], ["Tea"], [str(n) for n in range(5, 13)], ["13", "14"]
    ]  # fmt: skip


def test_a_message_is_quoted_by_its_id() -> None:
    quoted = replying(7)
    assert quoted is not None
    assert quoted.message_id == 7
    assert replying(None) is None


def test_entities_are_telegrams_own() -> None:
    part = FormattedText("ab", (Entity(EntityType.TEXT_LINK, 0, 1, url="http://a.b/"), Entity(EntityType.BOLD, 1, 1)))
    told = [entity.to_telegram() for entity in part.entities]
    assert [entity.to_dict() for entity in telegram_entities(part)] == told
