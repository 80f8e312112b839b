"""Tables in columns."""

from shared.formatting.blocks import table_text


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert table_text([["a", "bb"], ["ccc", ""]]) == "a   | bb\n----+---\nccc |"


def test_wide_letters_take_two_columns_and_accents_none() -> None:
    assert table_text([["日本", "x"], ["abc", "y"], ["e\u0301", "z"]]) == "日本 | x\n-----+--\nabc  | y\ne\u0301    | z"


def test_rows_may_be_short() -> None:
    assert table_text([["a", "b"], ["c"]]) == "a | b\n--+--\nc |"
