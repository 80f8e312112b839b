"""The tree of a web page: parsed within limits, measured, and rendered as markdown."""

import html as entities
import re
from typing import NamedTuple, TypeAlias
from urllib.parse import urljoin, urlsplit

from html_to_markdown import ConversionOptions, PreprocessingOptions, convert
from lxml import etree, html
from lxml.html import HtmlElement

from shared.base.errors import ExtractionFailed

#: limits of a page; the rest is cut off, so that any page is read in seconds
MAX_CHARACTERS, MAX_ELEMENTS = 3_000_000, 20_000
#: a tag with a hundred attributes or thousands of characters in them. The parser compares each with each, so they
#: are removed; what this misses is caught by the process's limits
PIECE = r"""(?:[^<>"']++|"[^"<>]*+"|'[^'<>]*+')"""
CROWDED_TAG = re.compile(rf"""<([a-zA-Z][^\s<>/"']*+)(?:[^<>"']{{2000,}}+|{PIECE}{{200,}}+){PIECE}*+(?=>)""")
MAX_ATTRIBUTES = 40
PARSER = html.HTMLParser(encoding="utf-8", collect_ids=False, remove_comments=True, remove_pis=True)
#: elements that a reader does not see
UNSEEN = (
    "audio", "button", "canvas", "datalist", "dialog", "embed", "iframe", "img", "input", "label", "link", "map",
    "math", "meta", "noscript", "object", "option", "picture", "script", "select", "style", "svg", "template",
    "textarea", "video",
)  # fmt: skip
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary"}
SCHEMES = {"http", "https", "mailto"}


def tree_of(page: str, url: str) -> HtmlElement:
    """Parse a page, with scripts and metadata. Raises ExtractionFailed if it is no page."""
    source = CROWDED_TAG.sub(r"<\1", page[:MAX_CHARACTERS]).encode("utf-8", "replace")
    try:
        tree = html.document_fromstring(source, parser=PARSER)
    except (etree.ParserError, etree.XMLSyntaxError) as cause:
        raise ExtractionFailed("the page is empty, or is no web page") from cause
    for place, element in enumerate(list(tree.iter())):
        if len(element.attrib) > MAX_ATTRIBUTES:
            element.attrib.clear()
        if place >= MAX_ELEMENTS and (parent := element.getparent()) is not None:
            parent.remove(element)
    _show_what_robots_see(tree)
    _make_links_absolute(tree, url)
    return tree


def without_unseen(tree: HtmlElement) -> HtmlElement:
    """Return the tree's body without the elements that a reader does not see. The tree is changed."""
    body = tree if (found := tree.find(".//body")) is None else found
    for button in list(body.iter("button")):
        # a question that unfolds its answer, not an action
        parent = button.getparent()
        if len("".join(button.itertext()).split()) >= 5 or (parent is not None and str(parent.tag) in HEADINGS):
            button.drop_tag()
    etree.strip_elements(body, *UNSEEN, with_tail=False)
    return body


def title_of(tree: HtmlElement) -> str:
    """Return the page's title for sharing, or else the window's title."""
    shared = tree.xpath("string(//meta[@property='og:title']/@content)")
    return " ".join(entities.unescape(shared or tree.findtext(".//title") or "").split())


def _show_what_robots_see(tree: HtmlElement) -> None:
    """Unwrap <noscript> with a text in it: some pages (Discourse) have their text only there."""
    for element in list(tree.iterfind(".//noscript")):
        if len(element.findall(".//p")) > 2 and len(list(element.itertext())) > 20:
            element.drop_tag()


def _make_links_absolute(tree: HtmlElement, url: str) -> None:
    base = tree.xpath("string(//base/@href)")
    for link in tree.iter("a"):
        target = _absolute(link.get("href", ""), urljoin(url, base) if base else url)
        link.attrib.clear()
        if target:
            link.set("href", target)


def _absolute(target: str, base: str) -> str:
    """Return an absolute address with an allowed scheme, or ""."""
    if not target or target.startswith("#"):
        return ""
    try:
        full = urljoin(base, target.strip())
        return full if urlsplit(full).scheme in SCHEMES else ""
    except ValueError:
        return ""


#: elements that begin a block; text in other elements is part of the surrounding line
BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main",
    "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
#: a block with at least this many characters, mostly outside links, is prose and not a label
PROSE_CHARACTERS = 100


class ElementSize(NamedTuple):
    """An element's characters in all, in links and in prose, and its number of links."""

    text: int = 0
    linked: int = 0
    prose: int = 0
    links: int = 0
    #: text that is in no block below this element, and the part of it in links
    line: int = 0
    line_linked: int = 0


Sizes: TypeAlias = dict[HtmlElement, ElementSize]
NOTHING = ElementSize()


def measure(root: HtmlElement) -> Sizes:
    """Return the size of the root and of every element below it."""
    sizes: Sizes = {}
    for element in reversed(list(root.iter())):
        if isinstance(element.tag, str):
            sizes[element] = _of(element, sizes)
    return sizes


def _of(element: HtmlElement, sizes: Sizes) -> ElementSize:
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
        return ElementSize(text, text, prose, int(text > 0), line, line)
    if element.tag in BLOCKS and line >= PROSE_CHARACTERS and line_linked < line / 2:
        prose += line
    return ElementSize(text, linked, prose, links, line, line_linked)


def _visible(text: str | None) -> int:
    return len(" ".join(text.split())) if text else 0


OPTIONS = ConversionOptions(
    bullets="-", extract_metadata=False, skip_images=True, autolinks=False, hidden_content="all", compact_tables=True,
    max_depth=400, preprocessing=PreprocessingOptions(enabled=False),
)  # fmt: skip
#: a cell with more text belongs to a layout, not to a table of data
CELL_CHARACTERS = 600
#: most characters of a part; a model is shown fewer
MOST_MARKDOWN = 400_000
#: a link's address with its optional title
ADDRESS = re.compile(r"\]\((?:<[^>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)")


def without_addresses(markdown: str) -> str:
    """Remove the addresses of links, so that only visible words remain."""
    return ADDRESS.sub("]", markdown)


def markdown_of(part: HtmlElement) -> str:
    """Return an element as markdown with headings, lists, tables, code and links, without pictures. It is changed."""
    _unfold_layout(part)
    _bound_spans(part)
    for link in part.iter("a"):
        if not any(map(str.strip, link.itertext())):
            link.attrib.clear()
    text = convert(html.tostring(part, encoding="unicode", with_tail=False), OPTIONS).content or ""
    return text[:MOST_MARKDOWN].strip()


def _unfold_layout(part: HtmlElement) -> None:
    """Turn layout tables into blocks."""
    layout = {table for table in part.iter("table") if _is_layout(table)}
    cells = [
        e
        for e in part.iter("tbody", "thead", "tfoot", "tr", "td", "th")
        if next(e.iterancestors("table"), None) in layout
    ]
    for element in (*layout, *cells):
        element.tag = "div"


def _bound_spans(part: HtmlElement) -> None:
    """Remove large spans: a cell may claim a million columns, and each would be written."""
    for cell in part.iter("td", "th"):
        for span in ("colspan", "rowspan"):
            if not re.fullmatch(r"[1-9]", cell.get(span, "1")):
                del cell.attrib[span]


def _is_layout(table: HtmlElement) -> bool:
    """Return whether a table nests others, has one column, or holds whole texts in its cells."""
    if next(table.iterdescendants("table"), None) is not None:
        return True
    rows = [[cell for cell in row if cell.tag in {"td", "th"}] for row in table.iter("tr")]
    return max(map(len, rows), default=0) < 2 or any(
        sum(map(len, cell.itertext())) > CELL_CHARACTERS for row in rows for cell in row
    )
