"""Lists: which entries a page has, what its numbers are, and how many there are."""

import pytest

from shared.commands.listing import PAGE, count_told, day_told, page_of, turning
from shared.wording.words import words_in
from tests.shared.commands.requests import asked
from tests.shared.own_words import NEWER, OLDER
from tests.shared.values import NOW

ENGLISH = words_in("en")


@pytest.mark.parametrize(
    ("total", "wanted", "number", "last", "numbers"),
    [
        (0, 0, 0, 0, []),
        (0, 7, 0, 0, []),
        (1, 0, 0, 0, [1]),
        (PAGE, 0, 0, 0, list(range(1, PAGE + 1))),
        (PAGE, 1, 0, 0, list(range(1, PAGE + 1))),
        (PAGE + 1, 1, 1, 1, [PAGE + 1]),
        (3 * PAGE, 1, 1, 2, list(range(PAGE + 1, 2 * PAGE + 1))),
        (3 * PAGE, 99, 2, 2, list(range(2 * PAGE + 1, 3 * PAGE + 1))),
        (3 * PAGE, -1, 0, 2, list(range(1, PAGE + 1))),
    ],
)
def test_a_page_is_some_of_the_list_by_its_numbers(
    total: int, wanted: int, number: int, last: int, numbers: list[int]
) -> None:
    page = page_of(list(range(1, total + 1)), wanted)
    assert (page.number, page.last, page.total) == (number, last, total)
    assert page.numbered == tuple((n, n) for n in numbers)


def test_where_there_are_several_pages_it_is_told_which_and_how_many() -> None:
    assert count_told(page_of(range(PAGE), 0), ENGLISH) == ""
    assert count_told(page_of(range(24), 1), ENGLISH) == "Page 2 of 4, 24 in all"


def test_a_page_is_turned_where_there_is_another() -> None:
    turned = [
        [(one.text, one.data) for one in turning(page_of(range(3 * PAGE), number), NEWER, OLDER, str)]
        for number in range(3)
    ]
    assert turned == [[(OLDER, "1")], [(NEWER, "0"), (OLDER, "2")], [(NEWER, "1")]]


def test_a_day_is_told_by_the_clock_of_who_asks() -> None:
    assert day_told(NOW, asked()) == f"{NOW.day} {NOW:%B}"
