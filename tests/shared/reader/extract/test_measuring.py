"""Sizes of elements."""

from lxml import html

from shared.reader.extract.tree import NOTHING, PROSE_CHARACTERS, ElementSize, measure


def size_of(source: str) -> ElementSize:
    root = html.fragment_fromstring(source)
    return measure(root)[root]


def test_space_is_counted_once() -> None:
    assert size_of("<div> a  <b>bc</b>\n d </div>") == ElementSize(text=4, line=4)


def test_links_are_counted_with_their_text() -> None:
    size = size_of("<div>see <a href='/'>this <b>one</b></a> <a></a></div>")
    assert size == ElementSize(text=10, linked=7, links=1, line=10, line_linked=7)


def test_a_long_line_is_prose_unless_it_is_links() -> None:
    long = "x" * PROSE_CHARACTERS
    assert size_of(f"<div><p>{long[1:]}</p></div>").prose == 0
    assert size_of(f"<div><p>{long[1:]}<i>x</i></p></div>").prose == PROSE_CHARACTERS
    assert size_of(f"<div><p><a>{long}</a>!</p></div>").prose == 0


def test_nothing_holds_nothing() -> None:
    assert size_of("<div></div>") == NOTHING
