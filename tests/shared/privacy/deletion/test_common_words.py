"""Names that are common words."""

from shared.privacy.deletion.common_words import MASS, RATHER_NAMES, USUAL, words_of


def test_words_are_found_as_they_are_compared() -> None:
    assert {"will", "роман", "امل", "高兴"} <= USUAL
    assert RATHER_NAMES <= USUAL
    assert {"grace", "robert"} & (USUAL | MASS) == {"grace"}
    assert words_of("Über أمل") == {"über", "امل"}
