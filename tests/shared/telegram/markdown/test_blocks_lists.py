"""Numbers of lists."""

from shared.telegram.markdown.blocks import item_numbers
from shared.telegram.markdown.source import read


def numbers(markdown: str) -> list[str]:
    return [mark for _, mark in sorted(item_numbers(*read(markdown)).items())]


def test_numbers_stay_as_they_are_written() -> None:
    assert numbers("3. a\n7. b\n\n8) c") == ["3.", "7.", "8)"]
    assert numbers("007. a") == ["7."]


def test_equal_numbers_count_up() -> None:
    assert numbers("1. a\n1. b\n   1. x\n   1. y\n1. c") == ["1.", "2.", "1.", "2.", "3."]


def test_other_lists_have_none() -> None:
    assert numbers("- a\n- b") == []


def test_numbers_count_at_any_indentation() -> None:
    assert numbers("- a:\n    1. x\n    2. y") == ["1.", "2."]
    assert numbers("- a:\n\t1. x\n\t2. y") == ["1.", "2."]
    assert numbers("> - a\n>     1) x") == ["1)"]
