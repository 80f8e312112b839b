"""Tables in columns; a table that continues in another message repeats its header."""

import pytest

from shared.base.text import Entity, EntityType, FormattedText, utf16_length
from shared.telegram.markdown.blocks import header_of, table_text, with_header
from shared.telegram.markdown.cutting import cut
from shared.telegram.markdown.render import convert, render


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert table_text([["a", "bb"], ["ccc", ""]]) == "a   | bb\n----+---\nccc |"


def test_wide_letters_take_two_columns_and_accents_none() -> None:
    assert table_text([["日本", "x"], ["abc", "y"], ["e\u0301", "z"]]) == "日本 | x\n-----+--\nabc  | y\ne\u0301    | z"


def test_rows_may_be_short() -> None:
    assert table_text([["a", "b"], ["c"]]) == "a | b\n--+--\nc |"


LONG = "| no | what |\n| --- | --- |\n" + "\n".join(f"| {n} | the thing {n} 😀 |" for n in range(400))


def test_each_message_of_a_long_table_begins_with_its_header() -> None:
    parts = render(f"See:\n\n{LONG}\n\nThat is all.")
    assert len(parts) > 2
    header = header_of(convert(LONG).text)
    assert header.startswith("no  | what")
    for part in parts[1:]:
        assert part.text.startswith(header)
        assert utf16_length(part.text) <= 4096
        assert part.entities[0].type is EntityType.PRE
        assert part.entities[0].offset == 0
    rows = [row for part in parts for row in part.text.splitlines() if "the thing" in row]
    assert [int(row.split("|")[0]) for row in rows] == list(range(400)), "each row once"
    assert parts[-1].text.endswith("That is all.")
    assert parts[-1].entities[0].end < utf16_length(parts[-1].text) - len("That is all.")


def test_a_table_with_one_column_is_known_too() -> None:
    assert header_of(table_text([["what"], ["a"], ["longer"]])) == "what\n------\n"


@pytest.mark.parametrize("text", ["a\nb\nc", "a\n---", "Title\n---\nmuch longer than its line", "", "a\n-- -\nb"])
def test_other_code_has_no_header(text: str) -> None:
    assert header_of(text) == ""


def test_what_follows_the_first_row_moves_behind_the_header() -> None:
    part = FormattedText("row\n\nb", (Entity(EntityType.PRE, 0, 3), Entity(EntityType.BOLD, 5, 1)))
    shown = with_header(part, "h\n-\n")
    assert (shown.text, shown.entities) == (
        "h\n-\nrow\n\nb",
        (Entity(EntityType.PRE, 0, 7), Entity(EntityType.BOLD, 9, 1)),
    )


def test_a_header_that_would_fill_the_message_is_not_repeated() -> None:
    text = table_text([["a" * 30], *([str(n) * 20] for n in range(9))])
    parts = cut(FormattedText(text, (Entity(EntityType.PRE, 0, len(text)),)), longest=64)
    assert sum("aaa" in part.text for part in parts) == 1
