from shared.base.text import well_formed


def test_text_that_is_well_formed_stays_as_it_is() -> None:
    for text in ("", "plain", "naïve 🙂\x00\ufeff"):
        assert well_formed(text) is text


def test_halves_of_a_pair_are_joined() -> None:
    assert well_formed("\ud83d\ude42!") == "🙂!"


def test_a_lone_surrogate_is_replaced() -> None:
    for text in ("a\ud83db", "a\ude42b"):
        assert well_formed(text) == "a\ufffdb"
