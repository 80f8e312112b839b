"""The type of a web page, such as article or forum, by its metadata. The type decides which elements are content."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from lxml.html import HtmlElement


class PageType(StrEnum):
    """Types of web pages. For each type, the content is found in a different way."""

    ARTICLE = "article"
    #: a page that calls itself an article, as many systems say of any page
    PAGE = "page"
    #: a discussion: the posts are the content, the profiles of their authors are not
    FORUM = "forum"
    #: a single thing for sale: reviews of it are not the content
    PRODUCT = "product"
    #: anything else: documentation, lists, shops, services
    OTHER = "other"


ARTICLES = re.compile(
    r"(?:News|Opinion|Analysis|Tech|Scholarly|Medical)*Article|BlogPosting|LiveBlogPosting|Report|Recipe"
)
FORUMS = re.compile(r"DiscussionForumPosting|QAPage")
FORUM_SOFTWARE = re.compile(r"phpbb|vbulletin|discourse|xenforo|mybb|\bsmf\b|invision|vanilla|nodebb|flarum", re.I)
FORUM_ADDRESS = re.compile(
    r"//(?:forums?|community|discuss|boards?)\.|/forums?/|viewtopic|showthread|/threads?/|/topic/", re.I
)
DATES = (
    "//meta[@property='article:published_time' or @itemprop='datePublished' or @name='parsely-pub-date'"
    " or @name='pubdate' or @name='date']|//*[@itemprop='datePublished']|//*[contains(@itemtype, 'Article')]"
    "|//*[contains(@itemtype, 'BlogPosting')]"
)


@dataclass(frozen=True)
class PageMetadata:
    """The type of a page, and the text in its metadata."""

    type: PageType
    #: the text that the page has for search engines; empty if there is none
    text: str = ""


def page_metadata(tree: HtmlElement, url: str) -> PageMetadata:
    """Return the type of a page, and the text in its metadata."""
    items = [item for script in tree.xpath("//script[@type='application/ld+json']") for item in _items(script.text)]
    kinds = {kind for item in items for kind in _kinds(item)}
    texts = [str(item.get("articleBody") or "") for item in items]
    return PageMetadata(_type(tree, url, kinds), max(texts, key=len, default=""))


def _type(tree: HtmlElement, url: str, kinds: set[str]) -> PageType:
    opengraph = tree.xpath("string(//meta[@property='og:type']/@content)").lower()
    if any(map(FORUMS.fullmatch, kinds)) or _is_forum(tree, url):
        return PageType.FORUM
    if any(map(ARTICLES.fullmatch, kinds)):
        return PageType.ARTICLE
    if "Product" in kinds or "product" in opengraph or tree.xpath("//*[contains(@itemtype, 'schema.org/Product')]"):
        return PageType.PRODUCT
    is_dated = bool(tree.xpath(DATES))
    if is_dated and opengraph in {"article", ""}:
        return PageType.ARTICLE
    return PageType.PAGE if opengraph == "article" else PageType.OTHER


def _is_forum(tree: HtmlElement, url: str) -> bool:
    software = tree.xpath("string(//meta[@name='generator']/@content)") + tree.xpath("string(//body/@id)")
    return bool(FORUM_SOFTWARE.search(software) or FORUM_ADDRESS.search(url))


def _items(script: str | None) -> Iterator[dict[str, Any]]:
    """Yield every object in a JSON-LD script, at any depth; nothing if the script is broken."""
    try:
        todo = [json.loads(script or "", strict=False)]
    except (ValueError, RecursionError):
        return
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            yield value
        todo += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _kinds(item: dict[str, Any]) -> list[str]:
    kinds = item.get("@type", ())
    return [str(kind) for kind in (kinds if isinstance(kinds, list) else [kinds])]
