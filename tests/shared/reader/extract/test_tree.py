"""A page as a tree."""

import pytest

from shared.base.errors import ExtractionFailed
from shared.reader.extract.tree import MAX_ELEMENTS, MOST_MARKDOWN, markdown_of, title_of, tree_of, without_unseen
from tests.shared.reader.extract.pages import URL, tree


@pytest.mark.parametrize(
    ("written", "leads_to"),
    [
        ("/beans", "https://example.org/beans"),
        ("milk?fat=3#top", "https://example.org/drinks/milk?fat=3#top"),
        ("http://other.example/", "http://other.example/"),
        ("mailto:ann@example.org", "mailto:ann@example.org"),
        ("#top", None),
        ("javascript:alert(1)", None),
        (" JavaScript:alert(1)", None),
        ("data:text/html,hi", None),
        ("file:///etc/passwd", None),
        ("http://[", None),
        ("", None),
    ],
)
def test_links_are_absolute_and_lead_to_pages_or_mailboxes(written: str, leads_to: str | None) -> None:
    link = tree(f'<p><a href="{written}" onclick="x()" title="t">word</a></p>').find(".//p/a")
    assert link is not None
    assert dict(link.attrib) == ({"href": leads_to} if leads_to else {})


def test_a_page_may_say_what_its_links_start_from() -> None:
    page = tree('<a id="it" href="beans">word</a>', '<base href="/shop/">')
    assert page.xpath("//a[.='word']/@href") == ["https://example.org/shop/beans"]


def test_the_title_is_the_one_for_sharing_or_else_the_windows() -> None:
    assert title_of(tree("")) == "Coffee - The Bean"
    assert title_of(tree("", '<meta property="og:title" content="Tea &amp;amp; more">')) == "Tea & more"


def test_scripts_and_forms_parts_are_not_seen() -> None:
    body = without_unseen(tree("<p>one<script>x()</script> two<!-- three --></p><select><option>four</select>"))
    assert "one two" in " ".join(body.itertext())
    assert not {"x()", "three", "four"} & set("".join(body.itertext()).split())


def test_a_button_is_not_seen_unless_it_unfolds_an_answer() -> None:
    page = "<button>Buy</button><h3><button>Why?</button></h3><button>How long does it keep fresh?</button>"
    said = " ".join(without_unseen(tree(page)).itertext())
    assert "Buy" not in said
    assert "Why?" in said
    assert "How long does it keep fresh?" in said


def test_what_is_there_for_those_without_scripts_is_read_if_it_is_a_text() -> None:
    posts = "<p>A post, with <b>some</b> <i>words</i>.</p>" * 9
    assert "A post" in without_unseen(tree(f"<noscript>{posts}</noscript>")).text_content()
    assert "Switch" not in without_unseen(tree("<noscript><p>Switch scripts on!</p></noscript>")).text_content()


def test_what_stands_behind_a_long_script_is_read() -> None:
    script = f"<script>{'a' * MOST_MARKDOWN}</script>"
    assert without_unseen(tree_of(f"{script}<p>The text.</p>", URL)).text_content() == "The text."


def test_markdown_is_cut_after_so_many_characters() -> None:
    assert len(markdown_of(tree_of(f"<p>{'a' * (MOST_MARKDOWN + 9)}</p>", URL))) == MOST_MARKDOWN


def test_a_page_is_cut_after_so_many_elements() -> None:
    assert len(list(tree_of("<p>a</p>" * (MAX_ELEMENTS + 9), URL).iter())) == MAX_ELEMENTS


def test_attributes_by_the_thousand_are_dropped_with_their_tag_kept() -> None:
    crowded = " ".join(f'a{number}="1"' for number in range(500))
    page = tree_of(f'<div id="one"><p {crowded}>said</p></div>', URL)
    assert page.xpath("//p/@*") == []
    assert page.xpath("string(//div[@id='one']/p)") == "said"


@pytest.mark.parametrize("page", ["", " ", "<!-- -->"])
def test_nothing_is_no_page(page: str) -> None:
    with pytest.raises(ExtractionFailed):
        tree_of(page, URL)
