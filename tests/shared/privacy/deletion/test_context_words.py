"""The words beside a name that show whether it means a person."""

from shared.privacy.deletion.common_words import RATHER_NAMES
from shared.privacy.deletion.context_words import BE, DETERMINERS, GREETINGS, HONORIFICS, PERSONS_VERBS, PRONOUNS


def test_no_word_tells_both_of_a_person_and_of_a_thing() -> None:
    assert not (HONORIFICS | GREETINGS) & (DETERMINERS - {"mas", "die"})
    assert not PERSONS_VERBS & BE


def test_no_pronoun_is_a_usual_name() -> None:
    assert not PRONOUNS & (RATHER_NAMES | {"ella", "elle", "ben", "kim", "lei", "ona"})
