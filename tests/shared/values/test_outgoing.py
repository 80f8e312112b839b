"""A file that an agent sends, and a file that a model makes for sending."""

from shared.values.capabilities import OutputKind
from shared.values.outgoing import FileRequest, GeneratedFile, OutgoingFile, OutgoingKind


def test_a_file_is_sent_by_its_id_or_by_its_bytes() -> None:
    known = OutgoingFile(kind=OutgoingKind.STICKER, file_id="CAAC")
    new = OutgoingFile(kind=OutgoingKind.VOICE, content=b"OggS", file_name="voice.ogg", duration_s=3)
    assert (known.content, known.duration_s) == (b"", 0)
    assert (new.file_id, str(new.kind)) == ("", "voice")


def test_the_bytes_are_in_no_representation() -> None:
    assert "secret" not in repr(GeneratedFile(content=b"secret", mime_type="audio/ogg"))


def test_what_is_wanted_is_what_is_made_of_which_words() -> None:
    assert FileRequest(makes=OutputKind.SPEECH, words="hi") == FileRequest(makes=OutputKind.SPEECH, words="hi")
    assert FileRequest(makes=OutputKind.SPEECH, words="hi") != FileRequest(makes=OutputKind.PICTURES, words="hi")
