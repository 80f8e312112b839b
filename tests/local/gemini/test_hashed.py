import math

from local.gemini.hashed import DIMENSIONS, hashed


def near(one: str, other: str) -> float:
    return sum(a * b for a, b in zip(hashed(one), hashed(other), strict=True))


def test_texts_with_words_in_common_are_near() -> None:
    text = "The boat leaves Lisbon at noon"
    assert near(text, text) > 0.999
    assert near(text, "when does the boat leave LISBON") > 0.3
    assert abs(near(text, "pasta with pesto")) < 0.2


def test_every_text_has_a_vector_of_length_one() -> None:
    for text in ("", "?!", "\ud83d", "сніг", "a a a", "word " * 5_000):
        vector = hashed(text)
        assert len(vector) == DIMENSIONS
        assert math.isclose(math.hypot(*vector), 1)
    assert hashed("") == hashed("?!")
