"""The main text of an HTML page as markdown."""

import trafilatura
from lxml.html import HtmlElement

from shared.errors import ExtractionFailed
from shared.extracting.decoding import decoded_html


def read_webpage(body: bytes, content_type: str, url: str) -> tuple[str, str]:
    """The title and the main text, in markdown with absolute links. Raises ExtractionFailed if there is none."""
    tree = trafilatura.load_html(decoded_html(body, content_type))
    if tree is None:
        raise ExtractionFailed("the page is empty")
    title = _title(tree)
    text = trafilatura.extract(tree, url=url, output_format="markdown", include_comments=False, include_links=True)
    return title, text or ""


def _title(tree: HtmlElement) -> str:
    return " ".join((tree.findtext(".//title") or "").split())
