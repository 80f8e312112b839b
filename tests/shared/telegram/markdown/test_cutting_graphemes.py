"""Characters that must stay together."""

import pytest

from shared.telegram.markdown.cutting import is_boundary


@pytest.mark.parametrize(
    "text", ["e\u0301", "👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u1112\u1161\u11ab", "कि", "❤️"], ids=ascii
)
def test_nothing_is_taken_apart(text: str) -> None:
    assert [at for at in range(len(text) + 1) if is_boundary(text, at)] == [0, len(text)]


def test_between_two_of_them_is_a_boundary() -> None:
    for pair in ("ab", "😀😀", "각각", "日本", "a\u200b"):
        assert is_boundary(pair, 1)
    assert [at for at in range(1, 6) if is_boundary("🇩🇪🇫🇷🇮🇹", at)] == [2, 4]
