import pytest

from shared.planning.format.markdown_text import (
    TaskHeading,
    closing_fences,
    ends_a_thought,
    fences_of,
    heading_in,
    is_cut_heading,
    is_mark,
    may_become_a_mark,
)


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# «send»", TaskHeading("send", "")),
        ("# «send» 12345\r", TaskHeading("send", "12345")),
        ("   ### « send 12 » id=a", TaskHeading("send", "12  id=a")),
        ("#<<clear-conversation>>", TaskHeading("clear-conversation", "")),
        ("# «SEND»: 5", TaskHeading("SEND", ": 5")),
        ("# «dance»", TaskHeading("dance", "")),
    ],
)
def test_a_heading_names_its_kind(line: str, heading: TaskHeading) -> None:
    assert heading_in(line) == heading


@pytest.mark.parametrize(
    "line",
    [
        "# send",
        "«send»",
        "\\# «send»",
        "    # «send»",
        "####### «send»",
        "> # «send»",
        "# «Dune»",
        "# «Le Petit Prince»",
        "# «Кобзар»",
        "# «être»",
        "# «»",
        "# «send",
        "",
    ],
)
def test_titles_and_other_lines_are_no_headings(line: str) -> None:
    assert heading_in(line) is None


def test_fences_open_and_close_as_in_commonmark() -> None:
    lines = ["a", "```py", "~~~", "`````", "b", "1. ~~~", "```", "  ~~~~", "c ``` d", "```a`b"]
    fences = fences_of(lines)
    assert [line for line, inside in zip(lines, fences.inside, strict=True) if not inside] == [
        *("a", "b", "c ``` d", "```a`b")
    ]
    assert (fences.openings, fences.is_open) == ((1, 5), False)
    assert list(closing_fences(lines, 1)) == [6, 3]


def test_a_fence_that_is_never_closed_holds_the_rest() -> None:
    fences = fences_of(["a", "- ````", "```", "b"])
    assert (fences.inside, fences.openings, fences.is_open) == ((False, True, True, True), (1,), True)


@pytest.mark.parametrize("line", ["# «", "#«se", "## <<send", "# «send 12", "# <<send>", "# «se\r"])
def test_a_heading_may_be_cut(line: str) -> None:
    assert is_cut_heading(line)
    assert heading_in(line) is None


@pytest.mark.parametrize("line", ["#", "# a", "# «send»", "# «Dune, or", "«se"])
def test_what_is_whole_or_something_else_is_not_cut(line: str) -> None:
    assert not is_cut_heading(line)


def test_the_end_of_a_thought_stands_alone() -> None:
    assert ends_a_thought(" </THINK>\r")
    assert not ends_a_thought("so </think>")
    assert not ends_a_thought("<think>")


def test_marks_are_what_the_reader_of_a_plan_takes_notice_of() -> None:
    assert all(map(is_mark, ("# «send»", "# «se", "```", "- ~~~ x", "</thinking>")))
    assert not any(map(is_mark, ("# send", "``", "a ```", "\\```", "")))


@pytest.mark.parametrize(
    "line", ["#", "## ", "# <", "# «s", "`", "  ~~", "```py", "<", "</thi", "\\", "\\- `", "- ``", "-", "2. ", "12"]
)
def test_an_unfinished_line_may_become_a_mark(line: str) -> None:
    assert may_become_a_mark(line)


@pytest.mark.parametrize("line", ["", "# T", "a #", "`a", "hi", "< b", "- a", "-1", "12 "])
def test_most_lines_cannot(line: str) -> None:
    assert not may_become_a_mark(line)


def test_long_lines_are_read_in_no_time() -> None:
    for line in (
        "# «" + " " * 200_000 + "é",
        "# «" + "a " * 100_000,
        "- " * 100_000,
        " " * 200_000,
        "`" * 200_000 + "a`",
    ):
        assert heading_in(line) is None
        is_mark(line)
        may_become_a_mark(line)
