"""Sounds become OGG with Opus, and lose their titles."""

from io import BytesIO

import av
import pytest

from shared.base.errors import FileUnusable
from shared.reader.decode.kinds import real_type
from shared.reader.decode.sentences import NOTHING_IN_IT
from shared.reader.decode.sound import prepared_sound
from shared.values.prepared import PreparedFile
from tests.shared.reader.decode import files


def prepared(content: bytes, longest_s: float = 600) -> PreparedFile:
    return prepared_sound(content, real_type(content), longest_s)


def heard(content: bytes) -> tuple[str, float]:
    """Decode a sound; return its encoding and its seconds."""
    with av.open(BytesIO(content), "r") as source:
        stream = source.streams.audio[0]
        return stream.codec_context.name, sum(frame.samples for frame in source.decode(stream)) / stream.rate


KINDS = [
    ("ogg", "libopus"),
    ("mp3", "libmp3lame"),
    ("ipod", "aac"),
    ("adts", "aac"),
    ("flac", "flac"),
    ("wav", "pcm_s16le"),
]


@pytest.mark.parametrize(("format", "codec"), KINDS)
def test_a_sound_of_any_kind_is_one_for_a_model(format: str, codec: str) -> None:
    found = prepared(files.sound(format, codec, 2.0))
    (part,) = found.parts
    assert (part.mime_type, part.content[:4], found.facts.is_cut) == ("audio/ogg", b"OggS", False)
    assert files.SECRET.encode() not in part.content
    assert found.facts.duration_s == pytest.approx(2.0, abs=0.1)
    encoding, seconds = heard(part.content)
    assert (encoding, round(seconds)) == ("opus", 2)
    assert seconds == pytest.approx(2.0, abs=0.1)


def test_a_voice_note_is_kept_as_it_is() -> None:
    content = files.sound(seconds=1.0)
    (part,) = prepared(content).parts
    with av.open(BytesIO(content), "r") as one, av.open(BytesIO(part.content), "r") as other:
        assert [bytes(p) for p in one.demux(audio=0)] == [bytes(p) for p in other.demux(audio=0)]


@pytest.mark.parametrize(("format", "codec"), [("ogg", "libopus"), ("wav", "pcm_s16le")])
def test_a_long_one_is_cut(format: str, codec: str) -> None:
    found = prepared(files.sound(format, codec, 3.0), 1.0)
    assert found.facts.is_cut
    assert heard(found.parts[0].content)[1] == pytest.approx(1.0, abs=0.1)


def test_how_long_it_is_is_read_and_not_believed() -> None:
    content = bytearray(files.wav(1.0))
    content[40:44] = (2_000_000_000).to_bytes(4, "little")  # the header's word for 11 hours
    assert prepared(bytes(content)).facts.duration_s == pytest.approx(1.0, abs=0.1)


def test_without_a_sound_there_is_a_sentence() -> None:
    with pytest.raises(FileUnusable) as failure:
        prepared(files.wav(0.0))
    assert str(failure.value) == NOTHING_IN_IT.format(name="a WAV sound")
