"""What is made for a task."""

from shared.models.capabilities import Made
from shared.models.made import MadeFile, WantedFile


def test_the_bytes_are_in_no_representation() -> None:
    assert "secret" not in repr(MadeFile(content=b"secret", mime_type="audio/ogg"))


def test_what_is_wanted_is_what_is_made_of_which_words() -> None:
    assert WantedFile(makes=Made.SPEECH, words="hi") == WantedFile(makes=Made.SPEECH, words="hi")
    assert WantedFile(makes=Made.SPEECH, words="hi") != WantedFile(makes=Made.PICTURES, words="hi")
