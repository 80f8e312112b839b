"""The main text of an HTML page."""

from shared.extracting.webpage import read_webpage
from tests.shared.extracting.pages import PROSE, URL, page_of


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
