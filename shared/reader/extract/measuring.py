"""How much text, and of what kind, every element of a page holds: counted once, from the leaves up."""

from typing import NamedTuple, TypeAlias

from lxml.html import HtmlElement

#: elements that begin a block of their own; text inside the others is part of the line around them
BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main",
    "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
#: a block with this much text of its own, most of it no link, is a piece of prose and not a label
PROSE_CHARACTERS = 100


class Size(NamedTuple):
    """What an element holds, in characters: everything, what is in links, what is prose; and how many links."""

    text: int = 0
    linked: int = 0
    prose: int = 0
    links: int = 0
    #: of the text, what stands in no block below this element, and what of that is in links
    line: int = 0
    line_linked: int = 0


Sizes: TypeAlias = dict[HtmlElement, Size]
NOTHING = Size()


def measured(root: HtmlElement) -> Sizes:
    """The size of the root and of every element below it."""
    sizes: Sizes = {}
    for element in reversed(list(root.iter())):
        if isinstance(element.tag, str):
            sizes[element] = _of(element, sizes)
    return sizes


def _of(element: HtmlElement, sizes: Sizes) -> Size:
    text = line = _visible(element.text)
    linked = prose = links = line_linked = 0
    for child in element:
        size, tail = sizes.get(child, NOTHING), _visible(child.tail)
        text, linked, prose, links = (
            text + size.text + tail,
            linked + size.linked,
            prose + size.prose,
            links + size.links,
        )
        line += tail
        if child.tag not in BLOCKS:
            line, line_linked = line + size.line, line_linked + size.line_linked
    if element.tag == "a":
        return Size(text, text, prose, int(text > 0), line, line)
    if element.tag in BLOCKS and line >= PROSE_CHARACTERS and line_linked < line / 2:
        prose += line
    return Size(text, linked, prose, links, line, line_linked)


def _visible(text: str | None) -> int:
    return len(" ".join(text.split())) if text else 0
