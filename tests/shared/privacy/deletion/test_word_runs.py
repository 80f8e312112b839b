"""Pieces of a text that are so long that two people do not write the same by chance."""

import pytest

from shared.privacy.deletion.word_runs import runs_of, tokens_of, words_beside_links, words_in


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("a violet bicycle", True),
        ("as it is as it was", False),
        ("good morning everyone", False),
        ("28 November 2026", False),
        ("the wedding on 28 November", True),
        ("금고 비밀번호는 왜가리", True),
        ("안녕하세요 여러분", False),
        ("密码是苍鹭，果酱，饼干", True),
        ("mật khẩu két sắt là", True),
        ("https://en.wikipedia.org/wiki/Grey_heron", False),
    ],
)
def test_some_words_in_a_row_tell_whose_they_are(text: str, *, tells: bool) -> None:
    assert any(True for _ in runs_of(words_beside_links(text))) is tells


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("it is XK4471902b", ["xk4471902b"]),
        ("+380 44 000 11 22", ["…440001122"]),
        ("Li@QQ.com", ["li@qq.com"]),
        ("see https://www.Heron.example/Jam?x=1.", ["heron.example/jam?x=1"]),
        ("see https://heron.example/ or heron.example", []),
        ("28.11.2026 10:30, 1 2 3 4 5 6 7 8 9, 10 000 000 000", []),
    ],
)
def test_single_ones_tell_by_their_digits_or_as_an_address(text: str, tokens: list[str]) -> None:
    assert list(tokens_of(text, words_in(text))) == tokens
