"""What people say on a forum: the bodies of the posts, without who they are and what one may do about it."""

from lxml.html import HtmlElement

from shared.extracting.measuring import Sizes

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
