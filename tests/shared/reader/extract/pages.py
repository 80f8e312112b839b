"""Small handwritten pages with the same frame around their content."""

from lxml.html import HtmlElement

from shared.reader.extract.tree import tree_of

URL = "https://example.org/drinks/coffee"
PROSE = (
    "Coffee is brewed from roasted beans, and it is drunk hot or cold wherever people meet. Those who grow it seldom"
    " drink the best of it, since that is sold abroad before they see it."
)


def page_of(content: str, head: str = "") -> str:
    """Make a page with this content inside a menu, boxes and a footer."""
    return f"""<!DOCTYPE html><html><head><title>Coffee - The Bean</title>{head}</head><body>
<div class="top-menu"><a href="/">Home</a> <a href="/news">News</a> <a href="/shop">Shop</a> <a href="/us">We</a></div>
<div id="content">{content}</div>
<div class="relatedPosts"><h3>Related</h3><p>Ten teas that nobody should miss</p></div>
<div class="cookieBanner">We use cookies, like everybody.</div>
<footer>All rights reserved by the bean.</footer></body></html>"""


def tree(content: str, head: str = "") -> HtmlElement:
    """Parse such a page."""
    return tree_of(page_of(content, head), URL)
