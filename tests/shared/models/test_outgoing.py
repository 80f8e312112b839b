"""A file that an agent sends."""

from shared.models.outgoing import OutgoingFile, OutgoingKind


def test_a_file_is_sent_by_its_id_or_by_its_bytes() -> None:
    known = OutgoingFile(kind=OutgoingKind.STICKER, file_id="CAAC")
    new = OutgoingFile(kind=OutgoingKind.VOICE, content=b"OggS", file_name="voice.ogg", duration_s=3)
    assert (known.content, known.duration_s) == (b"", 0)
    assert (new.file_id, str(new.kind)) == ("", "voice")
