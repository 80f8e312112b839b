"""The tree of a web page: parsed within limits, measured, and converted to markdown."""

import html as entities
import re
from typing import NamedTuple, TypeAlias
from urllib.parse import urljoin, urlsplit

from html_to_markdown import ConversionOptions, PreprocessingOptions, convert
from lxml import etree, html
from lxml.html import HtmlElement

from shared.base.errors import ExtractionFailed

#: the maximum characters and elements of a page; the rest is cut off, so that any page is read in seconds
MAX_CHARACTERS, MAX_ELEMENTS = 3_000_000, 20_000
#: the pattern of tags with a hundred attributes, or with thousands of characters in their attributes. The parser
#: compares each attribute with each other one, so such tags are removed; what this misses is stopped by the limits of
#: the process
PIECE = r"""(?:[^<>"']++|"[^"<>]*+"|'[^'<>]*+')"""
CROWDED_TAG = re.compile(rf"""<([a-zA-Z][^\s<>/"']*+)(?:[^<>"']{{2000,}}+|{PIECE}{{200,}}+){PIECE}*+(?=>)""")
MAX_ATTRIBUTES = 40
PARSER = html.HTMLParser(encoding="utf-8", collect_ids=False, remove_comments=True, remove_pis=True)
#: elements that people do not see
UNSEEN = (
    "audio", "button", "canvas", "datalist", "dialog", "embed", "iframe", "img", "input", "label", "link", "map",
    "math", "meta", "noscript", "object", "option", "picture", "script", "select", "style", "svg", "template",
    "textarea", "video",
)  # fmt: skip
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary"}
SCHEMES = {"http", "https", "mailto"}


def tree_of(page: str, url: str) -> HtmlElement:
    """Parse a page, including its scripts and metadata. Raises ExtractionFailed if it is not a page."""
    source = CROWDED_TAG.sub(r"<\1", page[:MAX_CHARACTERS]).encode("utf-8", "replace")
    try:
        tree = html.document_fromstring(source, parser=PARSER)
    except (etree.ParserError, etree.XMLSyntaxError) as cause:
        raise ExtractionFailed("the page is empty, or is not a web page") from cause
    for place, element in enumerate(list(tree.iter())):
        if len(element.attrib) > MAX_ATTRIBUTES:
            element.attrib.clear()
        if place >= MAX_ELEMENTS and (parent := element.getparent()) is not None:
            parent.remove(element)
    _show_what_robots_see(tree)
    _make_links_absolute(tree, url)
    return tree


def without_unseen(tree: HtmlElement) -> HtmlElement:
    """Return the body of the tree without the elements that people do not see. The tree is changed."""
    body = tree if (found := tree.find(".//body")) is None else found
    for button in list(body.iter("button")):
        # the button is a question that unfolds its answer, not an action
        parent = button.getparent()
        if len("".join(button.itertext()).split()) >= 5 or (parent is not None and str(parent.tag) in HEADINGS):
            button.drop_tag()
    etree.strip_elements(body, *UNSEEN, with_tail=False)
    return body


def title_of(tree: HtmlElement) -> str:
    """Return the title that the page declares for link previews (`og:title`), or else the text of <title>."""
    shared = tree.xpath("string(//meta[@property='og:title']/@content)")
    return " ".join(entities.unescape(shared or tree.findtext(".//title") or "").split())


def _show_what_robots_see(tree: HtmlElement) -> None:
    """Unwrap each <noscript> that contains a long text: on some pages (Discourse), the text is nowhere else."""
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
    """Return a link's target as an absolute address; "" if its scheme is not allowed."""
    if not target or target.startswith("#"):
        return ""
    try:
        full = urljoin(base, target.strip())
        return full if urlsplit(full).scheme in SCHEMES else ""
    except ValueError:
        return ""


#: elements that begin a block; the text in any other element is part of the line around the element
BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main",
    "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
#: the minimum characters of a block, mostly outside of links, that is prose and not a label
PROSE_CHARACTERS = 100


class ElementSize(NamedTuple):
    """The size of an element in characters: its text, the text in links, and the prose; and the number of links."""

    text: int = 0
    linked: int = 0
    prose: int = 0
    links: int = 0
    #: the characters that are in no block inside this element; and below, those of them that are in links
    line: int = 0
    line_linked: int = 0


Sizes: TypeAlias = dict[HtmlElement, ElementSize]
NOTHING = ElementSize()


def measure(root: HtmlElement) -> Sizes:
    """Return the sizes of the root and of every element inside it."""
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
#: the characters of a cell beyond which the table is for layout, not for data
CELL_CHARACTERS = 600
#: the maximum characters of a part of the page; a model is shown fewer
MOST_MARKDOWN = 400_000
#: the address of a link in markdown, with its title if it has one
ADDRESS = re.compile(r"\]\((?:<[^>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)")


def without_addresses(markdown: str) -> str:
    """Remove the addresses of links, so that only the visible words remain."""
    return ADDRESS.sub("]", markdown)


def markdown_of(part: HtmlElement) -> str:
    """Return an element as markdown with headings, lists, tables, code and links, not pictures. Changes the element."""
    _unfold_layout(part)
    _bound_spans(part)
    for link in part.iter("a"):
        if not any(map(str.strip, link.itertext())):
            link.attrib.clear()
    text = convert(html.tostring(part, encoding="unicode", with_tail=False), OPTIONS).content or ""
    return text[:MOST_MARKDOWN].strip()


def _unfold_layout(part: HtmlElement) -> None:
    """Turn layout tables, with their rows and cells, into <div> elements."""
    layout = {table for table in part.iter("table") if _is_layout(table)}
    cells = [
        e
        for e in part.iter("tbody", "thead", "tfoot", "tr", "td", "th")
        if next(e.iterancestors("table"), None) in layout
    ]
    for element in (*layout, *cells):
        element.tag = "div"


def _bound_spans(part: HtmlElement) -> None:
    """Limit the spans of table cells: for a span of a million columns, the markdown would have a million cells."""
    for cell in part.iter("td", "th"):
        for span in ("colspan", "rowspan"):
            if not re.fullmatch(r"[1-9]", cell.get(span, "1")):
                del cell.attrib[span]


def _is_layout(table: HtmlElement) -> bool:
    """Return whether a table is for layout: it contains other tables, has one column, or has long texts in cells."""
    if next(table.iterdescendants("table"), None) is not None:
        return True
    rows = [[cell for cell in row if cell.tag in {"td", "th"}] for row in table.iter("tr")]
    return max(map(len, rows), default=0) < 2 or any(
        sum(map(len, cell.itertext())) > CELL_CHARACTERS for row in rows for cell in row
    )
