"""A page without the surroundings of its content."""

import pytest

from shared.reader.extract.page_type import PageType
from shared.reader.extract.webpage import prune
from tests.shared.reader.extract.pages import PROSE, tree


def left_of(content: str, page_type: PageType = PageType.OTHER) -> str:
    part, _ = prune(tree(content), page_type)
    return " ".join(" ".join(part.itertext()).split())


def test_menus_boxes_banners_and_footers_go() -> None:
    assert left_of(f"<h1>Coffee</h1><p>{PROSE}</p>") == f"Coffee {PROSE}"


def test_a_list_of_short_links_goes_but_not_within_the_main_part() -> None:
    links = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("espresso", "filter", "mocha", "ristretto"))
    assert "mocha" not in left_of(f"<p>{PROSE}</p><ul>{links}</ul>")
    assert "mocha" in left_of(f'<div role="main"><p>{PROSE}</p><ul>{links}</ul></div>')


def test_items_that_are_named_like_advertisements_stay_if_they_are_the_page() -> None:
    items = "".join(
        f'<div class="ad"><a href="/{n}">Offer {n}</a>: a used machine, good as new</div>' for n in range(9)
    )
    assert left_of(items).count("good as new") == 9


@pytest.mark.parametrize(
    ("page_type", "stays"), [(PageType.PRODUCT, False), (PageType.ARTICLE, False), (PageType.FORUM, True)]
)
def test_remarks_are_content_on_a_forum_alone(page_type: PageType, stays: bool) -> None:
    page = f"<p>{PROSE} {PROSE} {PROSE} {PROSE} {PROSE} {PROSE} {PROSE}</p><div class='comment'>I like tea.</div>"
    assert ("I like tea." in left_of(page, page_type)) is stays


def test_of_a_product_reviews_go_however_many_there_are() -> None:
    reviews = "".join(f"<p>It is {PROSE}</p>" for _ in range(8))
    assert left_of(f"<p>{PROSE} {PROSE}</p><div id='reviews'>{reviews}</div>", PageType.PRODUCT) == f"{PROSE} {PROSE}"


def test_a_banner_about_cookies_goes_even_if_it_is_long() -> None:
    banner = f"<div id='CybotCookiebotDialog'><p>{PROSE} {PROSE}</p></div>"
    assert left_of(f"<p>{PROSE}</p>{banner}") == PROSE


def test_who_speaks_goes_from_a_forum() -> None:
    post = f"<div class='post'><div class='postprofile'>Joined 2011, 5,012 posts</div><p>{PROSE}</p></div>"
    assert "Joined" not in left_of(post * 3, PageType.FORUM)


def test_the_one_article_is_the_content() -> None:
    part, sizes = prune(tree(f"<p>Today</p><article><p>{PROSE}</p></article>"), PageType.ARTICLE)
    assert part.tag == "article"
    assert sizes[part].prose == len(PROSE)


def test_code_is_left_as_it_is() -> None:
    assert prune(tree("<pre>a<span> </span><div></div>b</pre>"), PageType.OTHER)[0].xpath("string(.//pre)") == "a b"
