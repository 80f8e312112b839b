"""The type of a page by its own metadata."""

import pytest

from shared.reader.extract.page_type import PageMetadata, PageType, page_metadata
from tests.shared.reader.extract.pages import URL, tree


def script(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


@pytest.mark.parametrize(
    ("head", "type_"),
    [
        ("", PageType.OTHER),
        (script('{"@type": "NewsArticle"}'), PageType.ARTICLE),
        (script('{"@graph": [{"@type": ["WebPage", "BlogPosting"]}]}'), PageType.ARTICLE),
        (script('{"@type": "Product"}'), PageType.PRODUCT),
        (script('{"@type": "DiscussionForumPosting"}'), PageType.FORUM),
        (script("{broken"), PageType.OTHER),
        (script("[" * 100_000), PageType.OTHER),
        (script('["Product", 5, null, {"@type": 7}]'), PageType.OTHER),
        ('<meta property="og:type" content="og:product">', PageType.PRODUCT),
        ('<meta property="og:type" content="article">', PageType.PAGE),
        (
            '<meta property="og:type" content="article"><meta property="article:published_time" content="2026">',
            PageType.ARTICLE,
        ),
        ('<meta property="og:type" content="website"><meta name="date" content="2026">', PageType.OTHER),
        ('<meta name="generator" content="Discourse 3.2">', PageType.FORUM),
    ],
)
def test_metadata_tell_the_type(head: str, type_: PageType) -> None:
    assert page_metadata(tree("", head), URL).type is type_


@pytest.mark.parametrize(
    "url", ["https://forum.example.org/1", "https://example.org/viewtopic.php?t=1", "https://example.org/forums/a/"]
)
def test_an_address_may_tell_a_forum(url: str) -> None:
    assert page_metadata(tree(""), url).type is PageType.FORUM


def test_the_text_for_search_engines_is_the_longest() -> None:
    head = script('{"@type": "Article", "articleBody": "a"}') + script(
        '[{"articleBody": "abc"}, {"articleBody": null}]'
    )
    assert page_metadata(tree("", head), URL) == PageMetadata(PageType.ARTICLE, "abc")
