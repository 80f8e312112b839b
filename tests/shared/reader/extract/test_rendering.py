"""A part of a page as markdown."""

import pytest
from lxml import html

from shared.reader.extract.tree import markdown_of, without_addresses


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        (
            "<h2>One <a href='https://a.b/'>two</a></h2><p>x_y * z &lt;p&gt;</p>",
            "## One [two](https://a.b/)\n\nx_y * z <p>",
        ),
        ("<ul><li>a<ul><li>b</li></ul></li></ul>", "- a\n  - b"),
        ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"),
        (
            "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
            "| A | B |\n| --- | --- |\n| 1 | 2 |",
        ),
        ("<pre><code>def f():\n    return 1</code></pre>", "```\ndef f():\n    return 1\n```"),
        ("<form><p>a</p></form><header>b</header><p hidden>c</p>", "a\n\nb\n\nc"),
        ("<p>a <a href='https://a.b/'><img src='c.png' alt='d'></a></p>", "a"),
    ],
)
def test_structure_is_kept(source: str, markdown: str) -> None:
    assert markdown_of(html.fragment_fromstring(source, create_parent="div")) == markdown


def test_a_table_that_only_lays_a_page_out_is_no_table() -> None:
    page = (
        "<table><tr><td><h1>Shop</h1></td></tr><tr><td><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>"
    )
    assert markdown_of(html.fragment_fromstring(page, create_parent="div")) == "# Shop\n\n| 1 | 2 |\n| --- | --- |"


def test_a_cell_that_claims_a_million_columns_has_one() -> None:
    row = "<tr><th colspan='1000000'>A</th><th rowspan='x'>B</th></tr><tr><td>1</td><td>2</td></tr>"
    part = html.fragment_fromstring(f"<table>{row}</table>", create_parent="div")
    assert markdown_of(part) == "| A | B |\n| --- | --- |\n| 1 | 2 |"


def test_words_without_addresses() -> None:
    written = '[one](https://a.b/c_(d)) two [three](<https://a.b/e f> "g h") f(x)[0](y)'
    assert without_addresses(written) == "[one] two [three] f(x)[0]"
