"""lull's messages as the Bot API's objects."""

import pytest

from shared.base.text import Entity, EntityType, FormattedText
from shared.telegram.outbound.bot import keyboard, link_preview, reply_parameters, telegram_entities
from shared.values.channel import Button


def test_a_link_is_previewed_only_if_it_is_named() -> None:
    assert link_preview(FormattedText("http://a.b")).is_disabled
    assert link_preview(FormattedText("http://a.b", preview="http://a.b")).url == "http://a.b"


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


@pytest.mark.parametrize(
    ("labels", "rows"),
    [
        (["tea"] * 10, [1] * 10),
        (["tea"] * 11, [2, 2, 2, 2, 2, 1]),
        (["x" * 19, *["tea"] * 11], [1, 2, 2, 2, 2, 2, 1]),
        ([*["tea"] * 3, "x" * 19, *["tea"] * 8], [2, 1, 1, 2, 2, 2, 2]),
        (["1", "2", *["tea"] * 10, "3"], [2, 2, 2, 2, 2, 2, 1]),
    ],
)
def test_short_labels_of_a_long_list_stand_two_by_two(labels: list[str], rows: list[int]) -> None:
    made = keyboard([Button(label, str(number)) for number, label in enumerate(labels)])
    assert made is not None
    assert [len(row) for row in made.inline_keyboard] == rows
    assert [button.text for row in made.inline_keyboard for button in row] == labels


def test_a_message_is_quoted_by_its_id() -> None:
    quoted = reply_parameters(7)
    assert quoted is not None
    assert quoted.message_id == 7
    assert reply_parameters(None) is None


def test_entities_are_telegrams_own() -> None:
    part = FormattedText("ab", (Entity(EntityType.TEXT_LINK, 0, 1, url="http://a.b/"), Entity(EntityType.BOLD, 1, 1)))
    told = [entity.to_telegram() for entity in part.entities]
    assert [entity.to_dict() for entity in telegram_entities(part)] == told
