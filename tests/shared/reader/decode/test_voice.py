"""Voice notes from a model's speech."""

from io import BytesIO

import av
import pytest

from shared.base.errors import FileUnusable
from shared.reader.decode.sentences import NO_SOUND
from shared.reader.decode.voice import encode_voice, voice_note
from tests.shared.reader.decode import files

RAW = "audio/L16;codec=pcm;rate=24000"


@pytest.mark.parametrize(
    ("content", "mime_type"),
    [
        (files.wav(2.0), "audio/wav"),
        (files.samples(2.0), RAW),
        (files.samples(2.0, 16_000), "audio/l16; rate=16000; channels=1"),
        (files.samples(4.0), f"{RAW};channels=2"),
    ],
)
def test_a_sound_becomes_a_voice_note(content: bytes, mime_type: str) -> None:
    found = encode_voice(content, mime_type)
    (part,) = found.parts
    assert part.mime_type == "audio/ogg"
    assert found.facts.duration_s == pytest.approx(2.0, abs=0.02)
    with av.open(BytesIO(part.content), "r") as source:
        stream = source.streams.audio[0]
        assert (stream.codec_context.name, stream.rate, stream.channels) == ("opus", 48_000, 1)
        assert sum(frame.samples for frame in source.decode(stream)) == pytest.approx(96_000, abs=2_000)


def test_a_long_one_is_cut() -> None:
    found = encode_voice(files.samples(3.0), RAW, 1.0)
    assert found.facts.is_cut
    assert found.facts.duration_s == pytest.approx(1.0, abs=0.5)


@pytest.mark.parametrize(
    ("content", "mime_type"),
    [
        (b"", RAW),
        (b"x", RAW),
        (bytes(100), "audio/L16;rate=0"),
        (bytes(100), "audio/L16;rate=²"),
        (bytes(100), "audio/L16;channels=9"),
        (files.sound(), "audio/ogg"),
        (files.wav(0.0), "audio/wav"),
        (b"no sound", "audio/wav"),
    ],
)
def test_what_is_no_sound_is_a_sentence(content: bytes, mime_type: str) -> None:
    with pytest.raises(FileUnusable) as failure:
        encode_voice(content, mime_type)
    assert str(failure.value) == NO_SOUND
    assert voice_note(content, mime_type).problem == NO_SOUND
