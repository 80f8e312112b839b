"""Prepared files, and the wave form of a voice note in Telegram's bits."""

from shared.models.prepared import EncodedVoice, Facts, Prepared, PreparedPart, encoded_voice, packed_wave


def test_values_of_five_bits_stand_one_behind_the_other() -> None:
    wave = tuple(number % 32 for number in range(100))
    bits = int.from_bytes(packed_wave(wave), "little")
    assert tuple(bits >> 5 * place & 31 for place in range(100)) == wave
    assert (len(packed_wave(wave)), packed_wave(()), packed_wave((31, 1))) == (63, b"", b"\x3f\x00")


def test_a_voice_note_is_what_its_sound_was_made_into() -> None:
    made = Prepared(parts=(PreparedPart("audio/ogg", b"OggS"),), facts=Facts(duration_s=1.5, wave=(31,) * 100))
    assert encoded_voice(made) == EncodedVoice(content=b"OggS", duration_s=1.5, waveform=b"\xff" * 62 + b"\x0f")


def test_a_problem_stays_one() -> None:
    made = Prepared(problem="Busy.", may_retry=True)
    assert encoded_voice(made) == EncodedVoice(problem="Busy.", may_retry=True)


def test_what_is_shown_of_a_part_is_not_its_bytes() -> None:
    assert "secret" not in repr(Prepared(parts=(PreparedPart("text/plain", b"secret"),)))
