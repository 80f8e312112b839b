"""The main text of an HTML page."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.base.errors import ExtractionFailed
from shared.reader.extract.extraction import extract_text
from shared.reader.extract.webpage import read_webpage
from tests.shared.reader.extract.pages import PROSE, URL, page_of


def text_of(content: str, head: str = "", url: str = URL) -> str:
    return read_webpage(page_of(content, head).encode(), "text/html", url)[1]


def test_an_article_keeps_its_links_and_lists_and_loses_what_is_around_it() -> None:
    content = f"<article><h1>Coffee</h1><p>{PROSE} From <a href='/b'>beans</a>.</p><ul><li>Short</li></ul></article>"
    title, text = read_webpage(page_of(content).encode(), "text/html", URL)
    assert title == "Coffee - The Bean"
    assert "From [beans](https://example.org/b)." in text
    assert "- Short" in text
    assert not any(around in text for around in ("All rights reserved", "Ten teas", "cookies", "News"))


def test_a_list_of_goods_is_whole() -> None:
    goods = "".join(f"<div class='item'><a href='/{n}'>Machine {n}</a> <b>{n}00 €</b></div>" for n in range(1, 9))
    text = text_of(f"<h1>Machines</h1><p>{PROSE}</p><div class='grid'>{goods}</div>")
    assert all(f"Machine {n}" in text and f"{n}00 €" in text for n in range(1, 9))


def test_an_article_that_goes_on_behind_a_box_is_whole() -> None:
    parts = "".join(f"<div class='part'><p>Part {n}. {PROSE}</p></div><div class='ad'>Buy!</div>" for n in range(30))
    text = text_of(f"<article>{parts}</article>", '<meta property="og:type" content="article">')
    assert all(f"Part {n}." in text for n in range(30))


def test_the_posts_of_a_thread_are_apart() -> None:
    posts = "".join(f"<div><b>Ann</b><div class='cooked'><p>{n}: {PROSE}</p></div></div>" for n in range(3))
    assert text_of(posts, url="https://forum.example.org/t/1").split("\n\n---\n\n") == [
        f"{n}: {PROSE}" for n in range(3)
    ]


def test_a_page_that_a_script_would_fill_is_read_from_its_metadata() -> None:
    head = f'<script type="application/ld+json">{{"@type": "Article", "articleBody": "{PROSE * 5}"}}</script>'
    assert text_of("<div id='app'></div>", head) == PROSE * 5


TAGS = (
    "a", "article", "aside", "b", "blockquote", "body", "br", "button", "code", "div", "dl", "dt", "form", "frameset",
    "h1", "head", "html", "iframe", "li", "main", "meta", "nav", "noscript", "p", "pre", "script", "select", "span",
    "svg", "table", "tbody", "td", "template", "textarea", "title", "tr", "ul",
)  # fmt: skip
PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(
        ['<div class="post comment ad">', "<td colspan=99999999>", '<a href="//[">', "<!--", "-->", "<![CDATA["]
    ),
    st.sampled_from(["&#0;", "&#xD800;", "&#1114112;", "&amp", "&nosuch;", "]]>", "\x00", "\ud800", "</", "<", PROSE]),
    st.text(max_size=20),
)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(PIECES, max_size=60).map("".join),
    st.sampled_from([URL, "", "https://forum.example.org/t/1", "not an address"]),
)
def test_any_soup_of_tags_becomes_a_text_or_a_sentence(page: str, url: str) -> None:
    try:
        text = extract_text(page.encode("utf-8", "surrogatepass"), "text/html", url).text
    except ExtractionFailed:
        return
    assert text.strip()
    text.encode()


@pytest.mark.parametrize("tag", ["div", "ul><li", "table><tr><td", "b><i", "a href='/'", "article"])
def test_a_page_that_nests_without_end_is_read_or_told(tag: str) -> None:
    page = f"<html><body><p>{PROSE}</p>" + f"<{tag}>" * 3_000 + "deep"
    assert PROSE in extract_text(page.encode(), "text/html", URL).text


@pytest.mark.parametrize(
    "body",
    [b"<!--" * 50_000, b"</p>" * 50_000, b"<p " + b"a=1 " * 50_000 + b">", b"<script>" + b"x" * 50_000],
)
def test_a_page_without_a_text_is_told(body: bytes) -> None:
    with pytest.raises(ExtractionFailed):
        extract_text(b"<html><body>" + body, "text/html", URL)
