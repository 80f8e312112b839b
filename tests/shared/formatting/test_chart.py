"""The chart is a picture that others can read, and its bars are as high as what they show."""

import io

import pytest
from PIL import Image

from shared.formatting.chart import HEIGHT, WIDTH, _labels, _round_above, bar_chart

BARS = {(0x6A, 0xA9, 0xE9), (0x1F, 0x6F, 0xC4)}


def drawn(*values: float, unit: str = "$") -> Image.Image:
    return Image.open(io.BytesIO(bar_chart(values, unit))).convert("RGB")


def heights(picture: Image.Image) -> list[int]:
    """The heights of the bars, from the left."""
    columns = [sum(picture.getpixel((x, y)) in BARS for y in range(HEIGHT)) for x in range(WIDTH)]
    return [columns[x] for x in range(1, WIDTH) if columns[x] and not columns[x - 1]]


def test_each_value_has_its_bar() -> None:
    picture = drawn(1, 2, 0, 0.5)
    assert picture.size == (WIDTH, HEIGHT)
    one, two, half = heights(picture)
    assert (two, one) == (2 * one, 2 * half)


def test_what_is_little_is_seen() -> None:
    assert heights(drawn(1000, 0.001))[1] == 2


@pytest.mark.parametrize("count", [1, 7, 28, 31])
def test_a_month_has_room(count: int) -> None:
    assert len(heights(drawn(*range(1, count + 1), unit=""))) == count


def test_without_anything_there_is_a_scale_and_no_bar() -> None:
    assert heights(drawn(0)) == []


@pytest.mark.parametrize(("most", "top"), [(0.01, 0.01), (0.07, 0.1), (1, 1), (1.2, 2), (37, 50), (10**20, 10**20)])
def test_the_scale_ends_with_a_round_number(most: float, top: float) -> None:
    assert _round_above(most) == pytest.approx(top)


@pytest.mark.parametrize(
    ("top", "unit", "labels"),
    [
        (0.1, "$", ("$0", "$0.05", "$0.10")),
        (0.01, "$", ("$0", "$0.005", "$0.010")),
        (1, "$", ("$0", "$0.50", "$1.00")),
        (2, "$", ("$0", "$1", "$2")),
        (5, "", ("0", "2.5", "5.0")),
        (20, "", ("0", "10", "20")),
    ],
)
def test_the_numbers_of_the_scale_have_as_many_digits(top: float, unit: str, labels: tuple[str, ...]) -> None:
    assert _labels(top, unit) == labels
