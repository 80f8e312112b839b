"""Rendering of each kind of markup."""

import pytest

from shared.telegram.markdown.render import DEEPEST_INDENT, convert, render
from tests.shared.telegram.markdown.samples import entity_texts


@pytest.mark.parametrize(
    ("markdown", "text", "entities"),
    [
        ("**a** *b* ~~c~~ `d`", "a b c d", [("bold", "a"), ("italic", "b"), ("strikethrough", "c"), ("code", "d")]),
        ("***a***", "a", [("bold", "a"), ("italic", "a")]),
        ("這是**重點**內容", "這是重點內容", [("bold", "重點")]),
        ("# One\ntext\n\n###### Six", "One\ntext\n\nSix", [("bold", "One"), ("bold", "Six")]),
        ("# **All** `x`", "All x", [("bold", "All "), ("code", "x")]),
        ("Title\n===\ntext", "Title\ntext", [("bold", "Title")]),
        ("a\n\n---\n\nb", "a\n\n———\n\nb", []),
        ("a  \nb\\\nc", "a\nb\nc", []),
        ("\\*a\\* \\# &amp; &lt;", "*a* # & <", []),
        ("a<br>b", "a\nb", []),
        ("$x^2$ is $$\\frac{1}{2}$$", "x² is ½", []),
        ("as said[^1]\n\n[^1]: by me", "as said[1]\n\n[1] by me", []),
    ],
)
def test_inline_and_headings(markdown: str, text: str, entities: list[tuple[str, str]]) -> None:
    written = convert(markdown)
    assert (written.text, entity_texts(written)) == (text, entities)


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("- a\n* b", "• a\n• b"),
        ("- a\n  - b\n    - c\n- d", "• a\n  • b\n    • c\n• d"),
        ("- a\n\n- b\n\nend", "• a\n\n• b\n\nend"),
        ("- a\n  goes on\n\n  and on\n- b", "• a\ngoes on\n\nand on\n• b"),
        ("1. a\n1. b\n1. c", "1. a\n2. b\n3. c"),
        ("1. a\n   - b\n2. c", "1. a\n  • b\n2. c"),
        ("7) a\n9) b\n\n- x", "7) a\n9) b\n\n• x"),
        ("- [ ] a\n- [x] b", "☐ a\n☑ b"),
        ("-\n- b", "• \n• b"),
        ("- - a\n  - b", "•   • a\n  • b"),
        ("text\n- a\n\nmore", "text\n• a\n\nmore"),
    ],
)
def test_lists(markdown: str, text: str) -> None:
    assert convert(markdown).text == text


def test_lists_deeper_than_a_phone_is_wide_are_indented_no_further() -> None:
    written = convert("".join(f"{'  ' * depth}- x\n" for depth in range(40)))
    assert written.text.split("\n")[-1] == f"{'  ' * DEEPEST_INDENT}• x"


@pytest.mark.parametrize(
    ("markdown", "text", "code"),
    [
        ("```py title=x\n  a\n\n\tb  \n```", "  a\n\n\tb  ", "  a\n\n\tb  "),
        ("```js\nunclosed\n  x", "unclosed\n  x", "unclosed\n  x"),
        ("- a\n  ```\n  x\n    y\n  ```\n  more\n- b", "• a\nx\n  y\nmore\n• b", "x\n  y"),
        ("text\n\n    x\n\n    y", "text\n\nx\n\ny", "x\n\ny"),
        ("~~~\n```\n~~~", "```", "```"),
    ],
)
def test_code_blocks(markdown: str, text: str, code: str) -> None:
    written = convert(markdown)
    assert (written.text, entity_texts(written)) == (text, [("pre", code)])


@pytest.mark.parametrize(("info", "language"), [("py", "py"), ("c++", "c++"), ("python,linenos", "python"), ("", "")])
def test_the_language_of_code(info: str, language: str) -> None:
    assert [e.language for e in convert(f"```{info}\nx\n```").entities] == [language]


@pytest.mark.parametrize(
    ("markdown", "text", "entities"),
    [
        ("> a\n> b\n\nc", "a\nb\n\nc", [("blockquote", "a\nb")]),
        ("> a\n>> b\n> c", "a\nb\nc", [("blockquote", "a\nb\nc")]),
        ("> - a\n> - **b**\n\ntext", "• a\n• b\n\ntext", [("blockquote", "• a\n• b"), ("bold", "b")]),
        ("- a\n\n  > b\n\n  c", "• a\n\nb\n\nc", [("blockquote", "b")]),
    ],
)
def test_quotes(markdown: str, text: str, entities: list[tuple[str, str]]) -> None:
    written = convert(markdown)
    assert (written.text, entity_texts(written)) == (text, entities)


@pytest.mark.parametrize(
    ("markdown", "text", "addresses"),
    [
        ("[a](http://a.b/c_(d))", "a", ["http://a.b/c_(d)"]),
        ("[**a** `b`](http://a.b)", "a b", ["http://a.b"]),
        ("[a] and [A][]\n\n[a]: http://a.b", "a and A", ["http://a.b", "http://a.b"]),
        ("<https://a.b/_c_>", "https://a.b/_c_", ["https://a.b/_c_"]),
        ("[me](mailto:a@b.c)", "me (a@b.c)", []),
        ("[file](b.md) [top](#top) [local](http://localhost:8)", "file (b.md) top local (http://localhost:8)", []),
        ("![a cat](http://a.b/c.png)", "a cat", ["http://a.b/c.png"]),
        ("![](http://a.b/c.png)", "http://a.b/c.png", []),
        ("[![a](http://i.j)](http://k.l)", "a", ["http://k.l"]),
        ("[x](tg://user?id=1)", "x", ["tg://user?id=1"]),
        ("[x](javascript:alert(1))", "x (javascript:alert(1))", []),
    ],
)
def test_links(markdown: str, text: str, addresses: list[str]) -> None:
    written = convert(markdown)
    assert written.text == text
    assert [e.url for e in written.entities if e.url] == addresses


@pytest.mark.parametrize(
    ("markdown", "entities"),
    [
        ("**Run `ls`, then `cd`**", [("bold", "Run "), ("code", "ls"), ("bold", ", then "), ("code", "cd")]),
        ("*`ls`* and ~~`cd` now~~", [("code", "ls"), ("code", "cd"), ("strikethrough", " now")]),
        ("***`a` `b`***", [("code", "a"), ("code", "b")]),
        ("*so **it** `#` is*", [("italic", "so it "), ("bold", "it"), ("code", "#"), ("italic", " is")]),
        ("> **so `x`**", [("blockquote", "so x"), ("bold", "so "), ("code", "x")]),
    ],
)  # fmt: skip
def test_code_looks_like_nothing_else(markdown: str, entities: list[tuple[str, str]]) -> None:
    (part,) = render(markdown)
    assert entity_texts(part) == entities


def test_code_in_a_spoiler_is_hidden() -> None:
    assert entity_texts(convert("It is ||`hunter2` **`x`**||.")) == [("spoiler", "hunter2 x"), ("bold", "x")]


def test_code_in_a_link_is_only_a_link() -> None:
    assert entity_texts(convert("[`f()`](http://a.b)")) == [("text_link", "f()")]


def test_a_table_is_columns_of_plain_text() -> None:
    written = convert("| **a** | `b` |\n|--|:-:|\n| 1<br>2 | [c](http://a.b) |\n\nend")
    table = "a   | b\n----+---------------\n1 2 | c (http://a.b)"
    assert (written.text, entity_texts(written)) == (f"{table}\n\nend", [("pre", table)])


def test_there_are_no_ornaments() -> None:
    markdown = "# A\n\n## B\n\n- [link](http://a.b)\n\n> q\n\n![i](http://a.b/c.png)"
    assert convert(markdown).text == "A\n\nB\n\n• link\n\nq\n\ni"
