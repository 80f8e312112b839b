import pytest

from local.telegram.numerals import whole_number


@pytest.mark.parametrize(("written", "number"), [("0", 0), ("-100", -100), (" 7 ", 7), (7, 7)])
def test_numbers(written: object, number: int) -> None:
    assert whole_number(written) == number


@pytest.mark.parametrize("written", ["", "-", "--5", "5.0", "x", "²", "٣", "1" * 19, None, "1e3"])
def test_no_numbers(written: object) -> None:
    assert whole_number(written) is None
