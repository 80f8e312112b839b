import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.telegram.entities import utf16_length, utf16_slice
from local.telegram.errors import ApiError
from local.telegram.html_mode import parse_html


@pytest.mark.parametrize(
    ("written", "plain", "marked"),
    [
        ("<b>a</b> <strong>b</strong>", "a b", [("bold", "a"), ("bold", "b")]),
        ("<i>a<u>b</u></i>", "ab", [("italic", "ab"), ("underline", "b")]),
        ("<s>a</s><tg-spoiler>b</tg-spoiler>", "ab", [("strikethrough", "a"), ("spoiler", "b")]),
        ('<span class="tg-spoiler">x</span>', "x", [("spoiler", "x")]),
        ("1 &lt; 2 &amp;&#38; &nbsp;", "1 < 2 && &nbsp;", []),
        ('<a href="http://x.example/?a&amp;b">here</a>', "here", [("text_link", "here")]),
        ('<a href="nowhere">x</a>', "x", []),
        ("<code>a</code><pre>b</pre>", "ab", [("code", "a"), ("pre", "b")]),
        ("<blockquote>q</blockquote>", "q", [("blockquote", "q")]),
        ("<blockquote expandable>q</blockquote>", "q", [("expandable_blockquote", "q")]),
        ("😀<b>😀</b>", "😀😀", [("bold", "😀")]),
        ("<b></b>", "", []),
    ],
)
def test_tags_become_entities(written: str, plain: str, marked: list[tuple[str, str]]) -> None:
    text, entities = parse_html(written)
    assert text == plain
    assert [(one.type, utf16_slice(text, one.offset, one.length)) for one in entities] == marked


def test_what_hangs_on_an_entity() -> None:
    written = (
        '<pre><code class="language-python">x</code></pre><a href="tg://user?id=42">y</a><a href="x.example">z</a>'
    )
    _, (pre, mention, link) = parse_html(written)
    assert (pre.type, pre.language) == ("pre", "python")
    assert (mention.type, mention.user_id) == ("text_mention", 42)
    assert link.url == "http://x.example"


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("<p>x</p>", 'Unsupported start tag "p" at byte offset 0'),
        ("é<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("é</b>", "Unexpected end tag at byte offset 2"),
        ("<b><i>x</b></i>", 'expected "</i>", found "</b>"'),
        ("a < b", "Unclosed start tag at byte offset 2"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler"'),
    ],
)
def test_what_cannot_be_read_is_refused_in_telegrams_words(written: str, reason: str) -> None:
    with pytest.raises(ApiError) as refused:
        parse_html(written)
    assert refused.value.description.startswith("Bad Request: can't parse entities: ")
    assert reason in refused.value.description


@given(st.text("<>/&;bia =\"'#x1😀", max_size=60))
def test_any_text_is_read_or_refused(written: str) -> None:
    try:
        text, entities = parse_html(written)
    except ApiError:
        return
    assert all(0 <= one.offset < one.end <= utf16_length(text) for one in entities)
