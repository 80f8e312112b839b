import pytest

from local.telegram.clips import Clip, clip_of
from tests.media_files import mp4, ogg, png, wav


def test_the_length_of_a_voice_note_is_in_its_last_page() -> None:
    assert clip_of(ogg(seconds=12.5)) == Clip(seconds=12.5)


def test_the_length_of_a_wave_file_follows_from_its_rate() -> None:
    assert clip_of(wav(seconds=1.5)) == Clip(seconds=1.5)


def test_a_film_tells_its_length_and_size() -> None:
    assert clip_of(mp4(seconds=3.25, width=640, height=360)) == Clip(seconds=3.25, width=640, height=360)


@pytest.mark.parametrize("content", [b"", b"OggS", wav()[:30], mp4()[:45], png(), b"OggS" + bytes(60)])
def test_what_tells_nothing_has_no_length(content: bytes) -> None:
    assert clip_of(content).duration == 0


def test_the_shortest_sound_lasts_a_second() -> None:
    assert [Clip(seconds=length).duration for length in (0, 0.02, 1.4, 1.6)] == [0, 1, 1, 2]
