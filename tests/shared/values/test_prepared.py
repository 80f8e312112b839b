"""Prepared files, and voice notes."""

from shared.values.prepared import EncodedVoice, FileFacts, PreparedFile, PreparedPart, encoded_voice


def test_a_voice_note_is_what_its_sound_was_made_into() -> None:
    made = PreparedFile(parts=(PreparedPart("audio/ogg", b"OggS"),), facts=FileFacts(duration_s=1.5))
    assert encoded_voice(made) == EncodedVoice(content=b"OggS", duration_s=1.5)


def test_a_problem_stays_one() -> None:
    made = PreparedFile(problem="Busy.", may_retry=True)
    assert encoded_voice(made) == EncodedVoice(problem="Busy.", may_retry=True)


def test_what_is_shown_of_a_part_is_not_its_bytes() -> None:
    assert "secret" not in repr(PreparedFile(parts=(PreparedPart("text/plain", b"secret"),)))
