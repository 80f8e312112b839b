"""The sentences are sentences."""

import pytest

from shared.decoding import sentences

SENTENCES = {name: text for name, text in vars(sentences).items() if name.isupper()}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_sentence_is_whole_and_is_filled_with_little(name: str) -> None:
    text = SENTENCES[name].format(name="a PDF", most=50, mib=20)
    assert text[0].isupper()
    assert text.endswith(".")
    assert "{" not in text
