"""What is left of a page when all that stands around its content is taken away: menus, banners, boxes."""

import re
from collections import Counter

from lxml import etree
from lxml.html import HtmlElement

from shared.extracting.measuring import NOTHING, Sizes, measured
from shared.extracting.page_type import PageType
from shared.extracting.tree import without_unseen

#: words in an element's class, id or role that tell what it is for. Not among them are words that builders of pages
#: give to everything ("widget", "header", "hidden")
AROUND = (
    "nav navbar navigation navi menu menus mainmenu submenu topnav leftnav subnav crumb crumbs footer sidebar"
    " subscribe social share sharing sharethis addthis related recommend recommended recommendation recommendations"
    " similar upsell upsells popup modal lightbox login signup signin pagination pager pagenav paging advert"
    " advertisement sponsor sponsored promo promos promotion promotions toolbar skip copyright masthead topbar"
    " site-header main-header global-header top-header header-top minicart cart basket wishlist tooltip flyout"
    " dropdown megamenu recently tagcloud facet facets filter filters refinements search searchbox ad ads loyalty"
    " compare"
)
#: these stand around the content even where they are long, as on a page that says little else
NEVER = "cookie cookies cookiebot onetrust didomi truste consent gdpr newsletter newsletters breadcrumb breadcrumbs"
#: what people say of the content; on a forum it is the content
REMARKS = "review reviews comment comments rating ratings respond reply"
#: on a forum: who says it, and what one may do about it
SPEAKERS = (
    "postprofile userinfo userdetails userextras user-extras user-info user-details author-info author-pane"
    " author-panel author-profile message-user message-attribution message-action message-actions message-footer"
    " post-actions post-controls post-buttons post-menu post-profile post-signature signature sig votes votecell"
    " reactions likes avatar"
)
#: parts that hold more of a page than this are not taken away for their name
LARGE, LARGE_PROSE = 0.25, 0.15
#: of a menu: how much of it is links, and how many characters a link has
MENU_LINKED, MENU_LINK = 0.75, 22
#: layout, or what cannot be missed
KEPT = {"html", "body", "main", "article", "h1", "tr", "td", "th", "tbody", "br", "hr", "pre", "code"}
#: what stands around the content is called this until all of it is taken out at once
AROUND_TAG = "around"
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|_")


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[-\s])(?:{'|'.join(' '.join(words).split())})(?:$|[-\s])", re.I)


REMARK, NEVER_CONTENT = _words(REMARKS), _words(NEVER)
NAMES = {type_: _words(AROUND, SPEAKERS if type_ is PageType.FORUM else REMARKS) for type_ in PageType}


def pruned(tree: HtmlElement, page_type: PageType) -> tuple[HtmlElement, Sizes]:
    """The element with the content, and the sizes of all that is in it; the tree is changed."""
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
    """The one part that the page itself marks as its main one, if it holds most of what is left; else all of it."""
    sizes = measured(body)
    for tag in ("article", "main"):
        parts = [part for part in body.iter(tag) if sizes[part].text > 0.5 * sizes[body].text]
        if parts:
            return parts[-1], sizes
    return body, sizes


class _Page:
    """A page's sizes, and which of its elements stand around the content."""

    def __init__(self, body: HtmlElement, page_type: PageType) -> None:
        self._sizes = measured(body)
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
        """Many short links and nothing else."""
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
        # items of a list may be named like advertisements: together they are large
        is_large = max(size.text, self._alike[_look(element)]) > LARGE * self._whole.text
        return not is_large or size.linked > 0.7 * size.text


def _label(element: HtmlElement) -> str:
    return HUMP.sub("-", " ".join(element.get(name) or "" for name in ("class", "id", "role")))


def _look(element: HtmlElement) -> tuple[str, str]:
    return str(element.tag), element.get("class") or element.get("id") or ""


def _is_in_main(element: HtmlElement) -> bool:
    return any(a.tag in {"main", "article"} or a.get("role") == "main" for a in element.iterancestors())
