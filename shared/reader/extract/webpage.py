"""The main text of an HTML page as markdown: trafilatura's article, or the page without menus, headers and footers."""

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

import trafilatura
from lxml import etree, html
from lxml.html import HtmlElement

from shared.reader.extract.decoding import decoded_html
from shared.reader.extract.page_type import PageMetadata, PageType, page_metadata
from shared.reader.extract.tree import (
    NOTHING,
    PROSE_CHARACTERS,
    ElementSize,
    Sizes,
    markdown_of,
    measure,
    title_of,
    tree_of,
    without_addresses,
    without_unseen,
)

BETWEEN_POSTS = "\n\n---\n\n"


def read_webpage(body: bytes, content_type: str, url: str) -> tuple[str, str]:
    """Return a page's title and main text: markdown with absolute links. Raises ExtractionFailed for other files."""
    tree = tree_of(decoded_html(body, content_type), url)
    title, page = title_of(tree), page_metadata(tree, url)
    article = Article.found_in(deepcopy(tree))
    part, sizes = prune(tree, page.type)
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
    """The main text that trafilatura found."""

    markdown: str = ""

    @classmethod
    def found_in(cls, tree: HtmlElement) -> "Article":
        """Extract the main text of a tree, without people's comments. The tree is changed."""
        found = trafilatura.extract(
            tree, output_format="html", favor_recall=True, include_comments=False, include_links=True,
            include_formatting=True,
        )  # fmt: skip
        return cls(markdown_of(html.document_fromstring(found))) if found else cls()

    def is_whole(self, page: PageMetadata, rest: ElementSize, is_one: bool) -> bool:
        """Return whether this article is the whole content of the page.

        `rest` is the size of the pruned page, and `is_one` is true if the pruned page is one <article>.
        """
        lines = without_addresses(self.markdown).splitlines()
        text, prose = sum(map(len, lines)), sum(len(line) for line in lines if len(line) >= PROSE_CHARACTERS)
        if page.type is PageType.FORUM or (is_one and text < 0.55 * rest.prose):
            return False
        if page.type is PageType.ARTICLE:
            return text > 250
        if page.type is PageType.PAGE:
            return text > 0.35 * rest.text or prose > max(1500, 0.8 * text)
        return prose >= max(1000, 0.8 * text) and text >= max(0.6 * rest.prose, 0.5 * rest.text)


#: by forum software, the XPath of the body of a post
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
#: the minimum share of the text after pruning; if the posts are less, they are not the page's content
LEAST = 0.3


def posts_in(part: HtmlElement, sizes: Sizes) -> list[HtmlElement]:
    """Return the bodies of a thread's posts in order; [] if this is no thread of a known forum software."""
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
#: the words and characters beyond which a line is content
MAX_WORDS, MAX_CHARACTERS = 25, 1000
#: the number of lines at the beginning in which a page may repeat its title
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
    """Remove lines such as "Advertisement" or "Share", and the page's title. Code is not changed."""
    return BLANK_LINES.sub("\n\n", "\n".join(_kept_lines(text.splitlines(), _words(title)))).strip()


def _kept_lines(lines: list[str], title: str) -> Iterator[str]:
    is_code, seen = False, 0
    for line in lines:
        is_code ^= line.startswith("```")
        words = MARKS.sub("", without_addresses(line)).strip() if len(line) < MAX_CHARACTERS else line
        seen += bool(words)
        if is_code or not words or not (_is_filler(words) or (seen <= TITLE_WITHIN and _is_title(words, title))):
            yield line


def _is_filler(said: str) -> bool:
    return len(said.split()) <= MAX_WORDS and FILLER.fullmatch(said) is not None


def _is_title(said: str, title: str) -> bool:
    """Return whether a line is the title of the page, perhaps followed by the name of the site."""
    words = _words(said)
    return (
        len(said.split()) > 2
        and (words in title or (bool(title) and words.startswith(title)))
        and (len(words) < 1.5 * len(title))
    )


def _words(text: str) -> str:
    return " ".join(WORDS.findall(text.lower()))


#: words in the class, id or role of an element that mark it as surroundings of the content (menus, advertisements).
#: Words that page builders use everywhere ("widget", "header", "hidden") are not among them
AROUND = (
    "nav navbar navigation navi menu menus mainmenu submenu topnav leftnav subnav crumb crumbs footer sidebar"
    " subscribe social share sharing sharethis addthis related recommend recommended recommendation recommendations"
    " similar upsell upsells popup modal lightbox login signup signin pagination pager pagenav paging advert"
    " advertisement sponsor sponsored promo promos promotion promotions toolbar skip copyright masthead topbar"
    " site-header main-header global-header top-header header-top minicart cart basket wishlist tooltip flyout"
    " dropdown megamenu recently tagcloud facet facets filter filters refinements search searchbox ad ads loyalty"
    " compare"
)
#: words that mark surroundings even if they are long, as on a page with little other text
NEVER = "cookie cookies cookiebot onetrust didomi truste consent gdpr newsletter newsletters breadcrumb breadcrumbs"
#: words that mark remarks about the content; on a forum, the remarks are the content
REMARKS = "review reviews comment comments rating ratings respond reply"
#: words that mark, on a forum, profiles of people and actions
SPEAKERS = (
    "postprofile userinfo userdetails userextras user-extras user-info user-details author-info author-pane"
    " author-panel author-profile message-user message-attribution message-action message-actions message-footer"
    " post-actions post-controls post-buttons post-menu post-profile post-signature signature sig votes votecell"
    " reactions likes avatar"
)
#: the shares of the page's text, and of its prose, above which an element is not removed because of its name
LARGE, LARGE_PROSE = 0.25, 0.15
#: a menu's minimum share of text in links, and the maximum average characters of its links
MENU_LINKED, MENU_LINK = 0.75, 22
#: elements of layout, and elements that are always content
KEPT = {"html", "body", "main", "article", "h1", "tr", "td", "th", "tbody", "br", "hr", "pre", "code"}
#: the tag that elements of the surroundings get temporarily, so that they are removed together
AROUND_TAG = "around"
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|_")


def _pattern_of(*words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[-\s])(?:{'|'.join(' '.join(words).split())})(?:$|[-\s])", re.I)


REMARK, NEVER_CONTENT = _pattern_of(REMARKS), _pattern_of(NEVER)
NAMES = {type_: _pattern_of(AROUND, SPEAKERS if type_ is PageType.FORUM else REMARKS) for type_ in PageType}


def prune(tree: HtmlElement, page_type: PageType) -> tuple[HtmlElement, Sizes]:
    """Return the element that contains the content, and the sizes of all elements in it. The tree is changed."""
    body = without_unseen(tree)
    page = _Page(body, page_type)
    todo = [body]
    while todo:
        for child in list(todo.pop()):
            if page.is_around(child):
                child.tag, child.tail = AROUND_TAG, f" {child.tail or ''}"
            elif child.tag != "pre":
                todo.append(child)
    etree.strip_elements(body, AROUND_TAG, with_tail=False)
    return _main(body)


def _main(body: HtmlElement) -> tuple[HtmlElement, Sizes]:
    """Return <main> or <article> if it has most of the text, else the whole body; and the sizes of all elements."""
    sizes = measure(body)
    for tag in ("article", "main"):
        parts = [part for part in body.iter(tag) if sizes[part].text > 0.5 * sizes[body].text]
        if parts:
            return parts[-1], sizes
    return body, sizes


class _Page:
    """Decides which elements of a page surround the content, such as menus and advertisements."""

    def __init__(self, body: HtmlElement, page_type: PageType) -> None:
        self._sizes = measure(body)
        self._whole = self._sizes[body]
        self._type = page_type
        self._alike: Counter[tuple[str, str]] = Counter()
        for element, size in self._sizes.items():
            self._alike[_look(element)] += size.text

    def is_around(self, element: HtmlElement) -> bool:
        size = self._sizes.get(element, NOTHING)
        if element.tag in KEPT:
            return element.tag == "td" and self._is_menu(element)
        if size.text == 0:
            return element.tag in {"a", "div", "li", "ul"}
        if self._is_menu(element) and not _is_in_main(element):
            return True
        label = _label(element)
        if NEVER_CONTENT.search(label) or (self._type is PageType.PRODUCT and REMARK.search(label)):
            return size.text < 0.8 * self._whole.text
        return size.prose <= LARGE_PROSE * self._whole.prose and self._is_named_around(element)

    def _is_menu(self, element: HtmlElement) -> bool:
        """Return whether an element consists of many short links and nothing else."""
        size = self._sizes.get(element, NOTHING)
        is_list = size.links >= 4 and not size.prose and size.linked > MENU_LINKED * size.text
        return is_list and size.linked < MENU_LINK * size.links and size.text < 0.95 * self._whole.text

    def _is_named_around(self, element: HtmlElement) -> bool:
        size = self._sizes[element]
        if element.tag in {"nav", "footer", "aside"}:
            return True
        if element.tag == "header":
            return size.text < 0.5 * self._whole.text and next(element.iterancestors("article", "main"), None) is None
        if not NAMES[self._type].search(_label(element)):
            return False
        # the items of a list may be named like advertisements, but they are content if together they are large
        is_large = max(size.text, self._alike[_look(element)]) > LARGE * self._whole.text
        return not is_large or size.linked > 0.7 * size.text


def _label(element: HtmlElement) -> str:
    return HUMP.sub("-", " ".join(element.get(name) or "" for name in ("class", "id", "role")))


def _look(element: HtmlElement) -> tuple[str, str]:
    return str(element.tag), element.get("class") or element.get("id") or ""


def _is_in_main(element: HtmlElement) -> bool:
    return any(a.tag in {"main", "article"} or a.get("role") == "main" for a in element.iterancestors())
