"""The main text of an HTML page as markdown: the article that trafilatura finds, or the page less what is around it."""

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

import trafilatura
from lxml import html
from lxml.html import HtmlElement

from shared.extracting.decoding import decoded_html
from shared.extracting.measuring import PROSE_CHARACTERS, Size, Sizes
from shared.extracting.page_type import PageType, Stated, stated
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


#: what marks the body of a post, by the software that makes the page
BODIES = {
    "Discourse": "*[contains(@class, 'cooked') or (@itemprop='articleBody' and ancestor::*[@itemprop='comment'])]",
    "phpBB 3": "div[contains(concat(' ', @class, ' '), ' postbody ')]//div[@class='content']",
    "phpBB 2": "*[@class='postbody']",
    "vBulletin": "*[starts-with(@id, 'post_message_')]",
    "XenForo 2": "article[contains(@class, 'message-body')]",
    "XenForo 1": "*[contains(@class, 'messageText')]",
    "Invision": "*[@data-role='commentContent']",
    "Invision 3": "*[contains(@class, 'post') and contains(@class, 'entry-content')]",
    "Stack Exchange": "*[contains(@class, 's-prose') or contains(@class, 'post-text')]",
    "Hacker News": "*[contains(@class, 'commtext') or @class='toptext']",
    "Reddit": "*[contains(@class, 'usertext-body')]",
    "SMF": "div[contains(@id, 'msg_') and contains(@class, 'inner')]",
    "MyBB": "*[contains(@class, 'post_body')]",
}
#: below this share of what pruning left they are not the page's content
LEAST = 0.3


def posts_in(part: HtmlElement, sizes: Sizes) -> list[HtmlElement]:
    """The bodies of the posts, in their order; none if this is no thread, or of a software that is not known here."""
    for body in BODIES.values():
        posts: list[HtmlElement] = part.xpath(f".//{body}")
        if posts and _text(posts, sizes) >= LEAST * sizes[part].text:
            return posts
    return []


def _text(posts: list[HtmlElement], sizes: Sizes) -> int:
    return sum(sizes[post].text for post in posts if post in sizes)


MARKS = re.compile(r"^[-*>#|\d.\s]+|[*_`\[\]]")
BLANK_LINES = re.compile(r"\n\n\n+")
WORDS = re.compile(r"\w+")
#: a longer line is a sentence of the page's own
MAX_WORDS, MAX_CHARACTERS = 25, 1000
#: how far down a page its title may be repeated
TITLE_WITHIN = 4
FILLER = re.compile(
    r"(?:advertisement|sponsored|share|share this.*|related|related (?:articles?|stories|posts|content|topics|reading)"
    r"|read (?:more|next|also)\b.*|see also|more|don['’]?t miss|(?:you )?(?:may|might) also (?:like|enjoy).*"
    r"|most (?:read|popular)|recommended.{0,25}|trending.{0,20}|tags?:?.{0,80}|categor(?:y|ies):.*|filed under:?.*"
    r"|posted in:?.*|comments?|leave a (?:reply|comment).*|follow (?:us|me|him|her|@).*"
    r"|sign up (?:for|to|now|today)\b.*|subscribe (?:to|now|today|for)\b.*|subscribe|click here (?:to|for)\b.*"
    r"|get (?:the|our) .*(?:newsletter|app|inbox).*|print(?: this)?(?: page| article)?|email(?: this)?|facebook|twitter"
    r"|pinterest|linkedin|whatsapp|tweet|save|close|caption|image \d+ of \d+|\d+ ?/ ?\d+|back to (?:top|gallery)"
    r"|order reprints|updated|by|text size|loading|previous|next|menu|home|skip to .*|all rights reserved"
    r"|add to (?:cart|basket|bag|wish ?list))\W*",
    re.IGNORECASE,
)


def without_fillers(text: str, title: str) -> str:
    """The text without them; code is left as it is."""
    return BLANK_LINES.sub("\n\n", "\n".join(_kept(text.splitlines(), _words(title)))).strip()


def _kept(lines: list[str], title: str) -> Iterator[str]:
    is_code, seen = False, 0
    for line in lines:
        is_code ^= line.startswith("```")
        said = MARKS.sub("", without_addresses(line)).strip() if len(line) < MAX_CHARACTERS else line
        seen += bool(said)
        if is_code or not said or not (_is_filler(said) or (seen <= TITLE_WITHIN and _is_title(said, title))):
            yield line


def _is_filler(said: str) -> bool:
    return len(said.split()) <= MAX_WORDS and FILLER.fullmatch(said) is not None


def _is_title(said: str, title: str) -> bool:
    """Whether a line is the title, which may have the site's name behind it."""
    words = _words(said)
    return (
        len(said.split()) > 2
        and (words in title or (bool(title) and words.startswith(title)))
        and (len(words) < 1.5 * len(title))
    )


def _words(text: str) -> str:
    return " ".join(WORDS.findall(text.lower()))
