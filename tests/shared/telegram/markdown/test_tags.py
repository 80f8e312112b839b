"""HTML as models write it."""

import pytest

from shared.base.text import EntityType
from shared.telegram.markdown.render import convert
from shared.telegram.markdown.tags import code_of, look_of, with_tags
from tests.shared.telegram.markdown.samples import broken_rules, entity_texts


@pytest.mark.parametrize(
    ("markdown", "text", "entities"),
    [
        ("<b>a</b> <strong>b</strong>", "a b", [("bold", "a"), ("bold", "b")]),
        ("<i>a</i> <em>b</em> <u>c</u>", "a b c", [("italic", "a"), ("italic", "b"), ("underline", "c")]),
        (
            "<s>a</s> <del>b</del> <ins>c</ins>",
            "a b c",
            [("strikethrough", "a"), ("strikethrough", "b"), ("underline", "c")],
        ),
        ("<tg-spoiler>a `b`</tg-spoiler>", "a b", [("spoiler", "a b")]),
        ('<span class="tg-spoiler">a</span>', "a", [("spoiler", "a")]),
        ("<B>a **c**</B>", "a c", [("bold", "a c")]),
        ("<b>a\n\nb</b>", "a\n\nb", [("bold", "a\n\nb")]),
        ("<code>a_b_c &lt;</code>", "a_b_c <", [("code", "a_b_c <")]),
        ("<kbd>Ctrl</kbd>+<kbd>C</kbd>", "Ctrl+C", [("code", "Ctrl"), ("code", "C")]),
        ('<a href="https://a.example/?x=1&amp;y=2">a [b]</a>', "a [b]", [("text_link", "a [b]")]),
        ("H<sub>2</sub>O, x<sup>2</sup>, y<sup>a/b</sup>, so<sup>[1]</sup>", "H₂O, x², y^(a/b), so[1]", []),
        ("a<br>b<br/>c", "a\nb\nc", []),
        ("<h2>Title</h2>\ntext", "Title\n\ntext", [("bold", "Title")]),
        ("<p>a</p>\n<p>b</p>", "a\n\nb", []),
        ("<h3>a</h3><p>b</p><ul><li>c</li></ul><hr><p>d</p>", "a\n\nb\n\n• c\n———\n\nd", [("bold", "a")]),
        ("a<br><ol><li>b</li></ol>", "a\n\n1. b", []),
        ("<p>a</p> <table><tr><th>b</th></tr><tr><td>c</td></tr></table>", "a\n\nb\n-\nc", [("pre", "b\n-\nc")]),
        ("<ul>\n <li>a</li>\n <li><b>b</b></li>\n</ul>", "• a\n• b", [("bold", "b")]),
        ('<ol start="3"><li>a</li><li>b<ul><li>c</li></ul></li></ol>', "3. a\n4. b\n  • c", []),
        ("<blockquote>a\nb</blockquote>\nc", "a\nb\n\nc", [("blockquote", "a\nb")]),
        ("<details><summary>More</summary>a **b**</details>", "More\na b", [("bold", "More"), ("bold", "b")]),
        ('<div align="center">\n\n**a**\n</div>', "a", [("bold", "a")]),
        ("a\n<hr>\nb", "a\n———\nb", []),
        ("a &nbsp;b &lt;c&gt;", "a \xa0b <c>", []),
        ('<img src="https://a.example/b.png" alt="a cat">', "a cat", [("text_link", "a cat")]),
    ],
)
def test_tags_in_pairs_look_as_they_say(markdown: str, text: str, entities: list[tuple[str, str]]) -> None:
    shown = convert(markdown)
    assert (shown.text, entity_texts(shown)) == (text, entities)
    assert broken_rules(shown) == []


@pytest.mark.parametrize(
    "text",
    [
        *("a < b and c > d", "List<String> and Map<K, V>", "<your name>", "use <b> for bold", "write <b> and </b>"),
        *("a <b", "x</b>", "<b></b>", "if a <b> c", "wrap it in a <div>x</div>", "<!-- no -->", "<think>hm</think>"),
        *("say <p>hi</p> to it", "std::vector<i>", "i<s && s>j"),
    ],
)
def test_other_angle_brackets_stay(text: str) -> None:
    assert convert(text).text == text
    assert convert(text).entities == ()


def test_tags_in_code_stay() -> None:
    for markdown in ("`<b>x</b>`", "```\n<b>x</b>\n```"):
        assert with_tags(convert(markdown).text) != convert(markdown).text == "<b>x</b>"


def test_a_block_of_code_has_its_language() -> None:
    shown = convert('<pre><code class="language-python">x &lt; 1\n  y</code></pre>\nend')
    assert shown.text == "x < 1\n  y\nend"
    assert [(e.type, e.language) for e in shown.entities] == [("pre", "python")]


def test_a_table_of_tags_is_one() -> None:
    shown = convert("<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td>3</td></tr></table>")
    assert entity_texts(shown) == [("pre", "a   | b\n----+--\n1|2 | 3")]


@pytest.mark.parametrize(
    "markdown",
    [
        "<b>a **b</b> c**",
        "**a <i>b** c</i>",
        "<b>a <i>b</b> c</i>",
        "<u>a [b</u> c](https://a.example)",
        "> <b>a\n\nb</b>",
        "<b>- a\n- b</b>",
        "<b>|a|b|\n|-|-|\n|1|2|\n\n# c</b> d",
        "# a <b>b\n\nc</b>",
    ],
)
def test_entities_never_cross(markdown: str) -> None:
    assert broken_rules(convert(markdown)) == []


def test_held_tags_are_known_again() -> None:
    assert look_of("<b>") == (EntityType.BOLD, True)
    assert look_of("</ins>") == (EntityType.UNDERLINE, False)
    assert look_of("$x$") == (None, False)
    assert code_of("<code>a  &amp;\n b</code>") == ("a & b", "", False)
    assert code_of("<b>a</b>") is None


def test_what_a_list_of_tags_holds_besides_items_is_kept() -> None:
    for markdown in ("<ul>so<li>a</li></ul>", "<ul><li>a<li>b</ul>", "<table>x<tr><td>a</td></tr></table>"):
        shown = convert(markdown).text
        assert all(word in shown for word in ("so", "a") if word in markdown)
