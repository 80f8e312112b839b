"""The host of a link is shown after its words, unless a person wrote the address or the words name the host."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.telegram.markdown.render import render
from shared.turn.web import plain_host, with_hosts
from tests.shared.examples import PROPERTY

KNOWN = "https://known.example/a"


def shown(markdown: str) -> str:
    return "".join(part.text for part in render(with_hosts(markdown, lambda address: address == KNOWN)))


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        (f"see [this]({KNOWN})", "see this"),
        ("see [this](https://evil.example/b?q=secret) now", "see this (evil.example) now"),
        ("[https://good.example](https://evil.example/b)", "https://good.example (evil.example)"),
        ("[evil.example](https://evil.example/b)", "evil.example"),
        ("[https://evil.example/b](https://evil.example/b)", "https://evil.example/b"),
        ("[https://reddit.com/](https://t.co/b)", "https://reddit.com/ (t.co)"),
        (
            "[https://good.example/evil.example](https://evil.example/b)",
            "https://good.example/evil.example (evil.example)",
        ),
        ("[evil.example@good.example](https://evil.example/b)", "evil.example@good.example (evil.example)"),
        ("[evil.example.good.example](https://evil.example/b)", "evil.example.good.example (evil.example)"),
        ("[this][1]\n\n[1]: https://evil.example/b", "this (evil.example)"),
        ("**[this](https://evil.example/b)**!", "this (evil.example)!"),
        ("- [a](https://one.example/) and [b](https://two.example/)", "• a (one.example) and b (two.example)"),
        ("![a picture](https://evil.example/p.png)", "a picture (evil.example)"),
        ("[this](https://аpple.example/)", "this (xn--pple-43d.example)"),
        ("`[this](https://evil.example/)`", "[this](https://evil.example/)"),
        ("<https://evil.example/b>", "https://evil.example/b"),
        ('see <a href="https://evil.example/b?q=1&amp;r=2">this</a> now', "see this (evil.example) now"),
        ("<b>see</b> <A HREF='https://evil.example/b'>this</A>", "see this (evil.example)"),
        ('<ul><li><a href="https://evil.example/b">a</a></li></ul>', "• a (evil.example)"),
        ('<a href="https://evil.example/b">https://good.example</a>', "https://good.example (evil.example)"),
        ('<a href="https://evil.example/b">evil.example</a>', "evil.example"),
        (f'see <a href="{KNOWN}">this</a>', "see this"),
        ("no link at all", "no link at all"),
    ],
)
def test_the_host_stands_behind_the_words(markdown: str, text: str) -> None:
    assert shown(markdown) == text


@PROPERTY
@given(st.text(alphabet=st.sampled_from("ab [](){}<>*_`!\n#-:/.1"), max_size=60))
def test_whatever_is_written_stays_as_it_is_where_every_link_is_known(text: str) -> None:
    assert with_hosts(text, lambda _: True) == text


def test_a_host_is_told_in_the_letters_of_dns() -> None:
    assert plain_host("https://МОСКВА.example/") == "xn--80adxhks.example"
    assert plain_host("https://[::1]/") == "::1"
    assert plain_host("mailto:a@b.example") == ""
