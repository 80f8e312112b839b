"""Marks that a parser would misread."""

import pytest

from shared.telegram.markdown.held import release
from shared.telegram.markdown.source import normalize, read


@pytest.mark.parametrize(
    ("markdown", "source"),
    [
        ("a *b* c", "a *b* c"),
        ("2*3*4", "2\\*3\\*4"),
        ("f(x)*g*(y)", "f(x)\\*g\\*(y)"),
        ("a**b**c", "a\\*\\*b\\*\\*c"),
        ("__init__ but __two words__", "\\_\\_init\\_\\_ but __two words__"),
        ("__bold__ and __жирний__, __WARNING__: __2026__", "__bold__ and __жирний__, __WARNING__: __2026__"),
        ("__main__, __my_var__, __FILE__", "\\_\\_main\\_\\_, \\_\\_my_var\\_\\_, \\_\\_FILE\\_\\_"),
        ("__tests__/a __setup__.py __go__(1)", "\\_\\_tests\\_\\_/a \\_\\_setup\\_\\_.py \\_\\_go\\_\\_(1)"),
        ("x.__lull__ and ./__mocks__", "x.\\_\\_lull\\_\\_ and ./\\_\\_mocks\\_\\_"),
        ("~5~ ~~gone~~", "\\~5\\~ ~~gone~~"),
        ("$HOME/$X $x$ $a+b$", "$HOME/$X $x$ $a+b$"),
        ("$$cheap$$ and $$a^2$$", "$$cheap$$ and $$a^2$$"),
        ("https://a.b/_c_", "https://a.b/\\_c\\_"),
        ("**https://a.b/c**", "**https://a.b/c**"),
        ("[t](https://a.b)**c**", "[t](https://a.b)**c**"),
        ("`2*3*4`\n```\n__x__\n```", "`2*3*4`\n```\n__x__\n```"),
        ("[n]: https://a.b\n[m]: https://c.d\n\n[m]", "\\[n]: https://a.b\n[m]: https://c.d\n\n[m]"),
        ("[n]: note\n\n[n]", "\\[n]: note\n\n[n]"),
        ("[A  b]: https://a.b\n\n[a B]", "[A  b]: https://a.b\n\n[a B]"),
    ],
)
def test_such_marks_are_escaped_and_others_are_not(markdown: str, source: str) -> None:
    assert release(read(markdown)[0].decode()) == source


def test_escaping_ends_however_many_marks_there_are() -> None:
    assert read("2*" * 500)[0].count(b"\\") <= 500


def test_the_events_belong_to_the_source() -> None:
    source, events = read("2*3*4 **b**")
    strong = next(place for event, place in events if event == {"Start": "Strong"})
    assert source[strong["start"] : strong["end"]] == b"**b**"


def test_well_formed_text_can_be_encoded() -> None:
    assert normalize("\udc00a\ud83d\ude00\r\n") == "\ufffda😀\n"


@pytest.mark.parametrize(
    ("markdown", "source"),
    [
        ("It grew【4†source】.", "It grew."),
        ("It grew 【4:0†report.pdf】【4:1†b†c】 by 3.", "It grew by 3."),
        ("【重要】 【1】 【注†】 `【4†source】`", "【重要】 【1】 【注†】 `【4†source】`"),
        ("==a b==, ==c== 和==重点==的", "<b>a b<b>, <b>c<b> 和<b>重点<b>的"),
        ("x==5 or y==6, a == b == c, `==d==` ==e\nf==", "x==5 or y==6, a == b == c, `==d==` ==e\nf=="),
        ("(==a==), **==b==** ==c==!", "(<b>a<b>), **<b>b<b>** <b>c<b>!"),
        ("Use 'a'=='b' or 'c'=='d' here", "Use 'a'=='b' or 'c'=='d' here"),
        ('[ "$a"=="b" ] || [ "$c"=="d" ]', '[ "$a"=="b" ] || [ "$c"=="d" ]'),
        ("f(x)==(y) or (z)==(w), a ==1 or b ==2", "f(x)==(y) or (z)==(w), a ==1 or b ==2"),
        ("https://a.example/?b==c==d", "https://a.example/?b==c==d"),
    ],
)
def test_marks_of_other_programs_are_read_or_left_out(markdown: str, source: str) -> None:
    found = release(read(markdown)[0].decode())
    assert found.replace("<mark>", "<b>").replace("</mark>", "<b>") == source
