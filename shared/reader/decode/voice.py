"""Makes voice notes: encodes the speech that a model generated as OGG with Opus in mono."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from io import BytesIO
from typing import Final

import av
from av.audio.frame import AudioFrame

from shared.base.errors import FileUnusable
from shared.reader.decode.containers import open_container
from shared.reader.decode.kinds import DetectedType, real_type
from shared.reader.decode.sentences import NO_SOUND
from shared.reader.decode.sound import BITEXACT, LONGEST_S, OGG, RATE, mono_frames, opus_stream
from shared.values.prepared import FileFacts, PreparedFile, PreparedPart

#: the media type of raw samples; Gemini's speech output is `audio/L16;codec=pcm;rate=24000`
SAMPLES: Final = "audio/l16"
_RATES: Final = range(8_000, 96_001)
_CHUNK: Final = 65_536


def voice_note(content: bytes, mime_type: str) -> PreparedFile:
    """Return a sound as a voice note. If that fails, `problem` in the result says why."""
    try:
        return encode_voice(content, mime_type)
    except FileUnusable as failure:
        return PreparedFile(problem=str(failure))


def encode_voice(content: bytes, mime_type: str, longest_s: float = LONGEST_S) -> PreparedFile:
    """Return a sound as a voice note, cut to `longest_s` seconds. Raises FileUnusable."""
    raw = mime_type.split(";")[0].strip().lower() == SAMPLES
    real = DetectedType(real_type(content).family, SAMPLES, "samples") if raw else real_type(content)
    if not raw and real.format != "wav":
        raise FileUnusable(NO_SOUND)
    heard, most = array("h"), int(longest_s * RATE)
    if raw:
        voice = _voice(mono_frames(_frames_of(content, mime_type)), heard, most)
    else:
        with open_container(content, real) as source:
            voice = _voice(mono_frames(source.decode(audio=0)), heard, most) if source.streams.audio else b""
    if not heard:
        raise FileUnusable(NO_SOUND)
    facts = FileFacts(type=OGG, duration_s=round(len(heard) / RATE, 2), is_cut=len(heard) >= most)
    return PreparedFile(parts=(PreparedPart(OGG, voice, facts.duration_s),), facts=facts)


def _voice(frames: Iterator[AudioFrame], heard: array[int], most: int) -> bytes:
    """Encode the frames. Their samples are also added to `heard`, until it has `most` samples."""
    out = BytesIO()
    with av.open(out, "w", format="ogg", container_options=BITEXACT) as target:
        made = opus_stream(target)
        for frame in frames:
            if len(heard) >= most:
                break
            frame.pts = len(heard)
            heard.frombytes(bytes(frame.planes[0])[: 2 * frame.samples])
            target.mux(made.encode(frame))
        if heard:
            target.mux(made.encode(None))
    return out.getvalue()


def _frames_of(content: bytes, mime_type: str) -> Iterator[AudioFrame]:
    """Yield the 16-bit little-endian samples of a sound as frames. Raises FileUnusable."""
    parameters = dict(part.strip().lower().partition("=")[::2] for part in mime_type.split(";")[1:])
    rate, channels = (parameters.get(name, usual) for name, usual in (("rate", "24000"), ("channels", "1")))
    if not rate.isdecimal() or int(rate) not in _RATES or channels not in {"1", "2"}:
        raise FileUnusable(NO_SOUND)
    width = 2 * int(channels)
    for begin in range(0, len(content) - width + 1, _CHUNK):
        chunk = content[begin : begin + _CHUNK]
        samples = len(chunk) // width
        if samples:
            frame = AudioFrame(format="s16", layout="mono" if channels == "1" else "stereo", samples=samples)
            frame.sample_rate = int(rate)
            frame.planes[0].update(chunk[: samples * width].ljust(frame.planes[0].buffer_size, b"\0"))
            yield frame
