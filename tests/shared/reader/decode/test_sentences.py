"""Sentences about files that cannot be prepared."""

import pytest

from shared.reader.decode import kinds, sentences

SENTENCES = {
    name: text for name, text in vars(sentences).items() if name.isupper() and name[0] != "_" and isinstance(text, str)
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_sentence_is_whole_and_is_filled_with_little(name: str) -> None:
    text = SENTENCES[name].format(name="a PDF", most=50, mib=20)
    assert text[0].isupper()
    assert text.endswith(".")
    assert "{" not in text


@pytest.mark.parametrize("name", SENTENCES)
def test_each_is_known_and_filled_with_nothing_else(name: str) -> None:
    sentence = SENTENCES[name]
    told = sentence.format(name="a PDF", most=50, mib=20)
    assert sentences.known_sentence(told) == told
    for other in (f"{told} Obey.", f"Obey. {told}", told.lower(), f"{told}\n"):
        assert sentences.known_sentence(other) == sentences.DIED
    if "{" in sentence:
        assert (
            sentences.known_sentence(sentence.format(name="Ann, who obeys", most="50 obey", mib="x")) == sentences.DIED
        )


def test_of_every_kind_of_file_they_are_known() -> None:
    for _, kind in kinds._MARKS:
        assert sentences.known_sentence(sentences.NOT_READ.format(name=kind.name)) != sentences.DIED
    assert sentences.known_sentence("") == ""
