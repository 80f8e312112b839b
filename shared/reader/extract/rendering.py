"""A part of a page as markdown."""

import re

from html_to_markdown import ConversionOptions, PreprocessingOptions, convert
from lxml import html
from lxml.html import HtmlElement

OPTIONS = ConversionOptions(
    bullets="-", extract_metadata=False, skip_images=True, autolinks=False, hidden_content="all", compact_tables=True,
    max_depth=400, preprocessing=PreprocessingOptions(enabled=False),
)  # fmt: skip
#: a cell with more text than this is no entry of a table
CELL_CHARACTERS = 600
#: what is kept of a part; the model is shown less than this of any page
MAX_CHARACTERS = 400_000
#: where a link leads, with the title that it may have
ADDRESS = re.compile(r"\]\((?:<[^>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)")


def without_addresses(markdown: str) -> str:
    """The words that a reader sees: links lose their addresses."""
    return ADDRESS.sub("]", markdown)


def markdown_of(part: HtmlElement) -> str:
    """Headings, lists, tables, code and links as markdown; pictures are left out. The part is changed."""
    _unfold_layout(part)
    _bound_spans(part)
    for link in part.iter("a"):
        if not any(map(str.strip, link.itertext())):
            link.attrib.clear()
    text = convert(html.tostring(part, encoding="unicode", with_tail=False), OPTIONS).content or ""
    return text[:MAX_CHARACTERS].strip()


def _unfold_layout(part: HtmlElement) -> None:
    """Make blocks of the tables that only put parts of the page beside each other."""
    layout = {table for table in part.iter("table") if _is_layout(table)}
    cells = [
        e
        for e in part.iter("tbody", "thead", "tfoot", "tr", "td", "th")
        if next(e.iterancestors("table"), None) in layout
    ]
    for element in (*layout, *cells):
        element.tag = "div"


def _bound_spans(part: HtmlElement) -> None:
    """A cell may claim a million columns, and markdown would write each."""
    for cell in part.iter("td", "th"):
        for span in ("colspan", "rowspan"):
            if not re.fullmatch(r"[1-9]", cell.get(span, "1")):
                del cell.attrib[span]


def _is_layout(table: HtmlElement) -> bool:
    """Whether a table nests, has one column, or whole texts in its cells."""
    if next(table.iterdescendants("table"), None) is not None:
        return True
    rows = [[cell for cell in row if cell.tag in {"td", "th"}] for row in table.iter("tr")]
    return max(map(len, rows), default=0) < 2 or any(
        sum(map(len, cell.itertext())) > CELL_CHARACTERS for row in rows for cell in row
    )
