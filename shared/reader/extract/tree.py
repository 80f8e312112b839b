"""A page as a tree: what nobody sees is gone, and links are absolute."""

import html as entities
import re
from urllib.parse import urljoin, urlsplit

from lxml import etree, html
from lxml.html import HtmlElement

from shared.base.errors import ExtractionFailed

#: what is read of a page; more is cut off, so that any page is read in seconds
MAX_CHARACTERS, MAX_ELEMENTS = 3_000_000, 20_000
#: a tag with a hundred attributes, or thousands of characters of them; the parser compares each with each.
#: what hides from this is left to the limits of the process
PIECE = r"""(?:[^<>"']++|"[^"<>]*+"|'[^'<>]*+')"""
CROWDED_TAG = re.compile(rf"""<([a-zA-Z][^\s<>/"']*+)(?:[^<>"']{{2000,}}+|{PIECE}{{200,}}+){PIECE}*+(?=>)""")
MAX_ATTRIBUTES = 40
PARSER = html.HTMLParser(encoding="utf-8", collect_ids=False, remove_comments=True, remove_pis=True)
#: elements that say nothing to a reader
UNSEEN = (
    "audio", "button", "canvas", "datalist", "dialog", "embed", "iframe", "img", "input", "label", "link", "map",
    "math", "meta", "noscript", "object", "option", "picture", "script", "select", "style", "svg", "template",
    "textarea", "video",
)  # fmt: skip
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary"}
SCHEMES = {"http", "https", "mailto"}


def tree_of(page: str, url: str) -> HtmlElement:
    """The page's tree, with scripts and metadata still in it. Raises ExtractionFailed for what is no page."""
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
    """The tree's body, less what a reader does not see; the tree itself is changed."""
    body = tree if (found := tree.find(".//body")) is None else found
    for button in list(body.iter("button")):
        # a question that unfolds its answer, and not a thing to be done
        parent = button.getparent()
        if len("".join(button.itertext()).split()) >= 5 or (parent is not None and str(parent.tag) in HEADINGS):
            button.drop_tag()
    etree.strip_elements(body, *UNSEEN, with_tail=False)
    return body


def title_of(tree: HtmlElement) -> str:
    """The title that the page gives itself for sharing, or else its window's."""
    shared = tree.xpath("string(//meta[@property='og:title']/@content)")
    return " ".join(entities.unescape(shared or tree.findtext(".//title") or "").split())


def _show_what_robots_see(tree: HtmlElement) -> None:
    """Some pages (Discourse) have their text in <noscript>, and else only a script that would fetch it."""
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
    """An address that may be shown, or nothing: within the page, of another scheme, or none at all."""
    if not target or target.startswith("#"):
        return ""
    try:
        full = urljoin(base, target.strip())
        return full if urlsplit(full).scheme in SCHEMES else ""
    except ValueError:
        return ""
