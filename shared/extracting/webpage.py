"""The main text of an HTML page as markdown: the article that trafilatura finds, or the page less what is around it."""

from copy import deepcopy
from dataclasses import dataclass

import trafilatura
from lxml import html
from lxml.html import HtmlElement

from shared.extracting.decoding import decoded_html
from shared.extracting.lines import without_fillers
from shared.extracting.measuring import PROSE_CHARACTERS, Size
from shared.extracting.page_type import PageType, Stated, stated
from shared.extracting.posts import posts_in
from shared.extracting.pruning import pruned
from shared.extracting.rendering import markdown_of, without_addresses
from shared.extracting.tree import title_of, tree_of

BETWEEN_POSTS = "\n\n---\n\n"


def read_webpage(body: bytes, content_type: str, url: str) -> tuple[str, str]:
    """The title and the main text, in markdown with absolute links. Raises ExtractionFailed if it is no page."""
    tree = tree_of(decoded_html(body, content_type), url)
    title, page = title_of(tree), stated(tree, url)
    article = Article.found_in(deepcopy(tree))
    part, sizes = pruned(tree, page.type)
    posts = posts_in(part, sizes) if page.type is PageType.FORUM else []
    if posts:
        text = BETWEEN_POSTS.join(map(markdown_of, posts))
    else:
        is_whole = article.is_whole(page, sizes[part], part.tag == "article")
        text = article.markdown if is_whole else markdown_of(part)
    text = without_fillers(text, title)
    return title, page.text if len(page.text) > 2 * len(text) + 500 else text


@dataclass(frozen=True)
class Article:
    """What trafilatura takes for the main text."""

    markdown: str = ""

    @classmethod
    def found_in(cls, tree: HtmlElement) -> "Article":
        """The main text of a tree, which is changed; comments are left out."""
        found = trafilatura.extract(
            tree, output_format="html", favor_recall=True, include_comments=False, include_links=True,
            include_formatting=True,
        )  # fmt: skip
        return cls(markdown_of(html.document_fromstring(found))) if found else cls()

    def is_whole(self, page: Stated, rest: Size, is_one: bool) -> bool:
        """Whether this is the page's content, and not a piece of it; `rest` is what pruning left."""
        lines = without_addresses(self.markdown).splitlines()
        text, prose = sum(map(len, lines)), sum(len(line) for line in lines if len(line) >= PROSE_CHARACTERS)
        if page.type is PageType.FORUM or (is_one and text < 0.55 * rest.prose):
            return False
        if page.type is PageType.ARTICLE:
            return text > 250
        if page.type is PageType.PAGE:
            return text > 0.35 * rest.text or prose > max(1500, 0.8 * text)
        return prose >= max(1000, 0.8 * text) and text >= max(0.6 * rest.prose, 0.5 * rest.text)
