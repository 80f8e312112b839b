"""Decodes sounds. OGG with Opus is copied without its tags; any other sound is converted to OGG with Opus in mono."""

from collections.abc import Iterator
from io import BytesIO
from typing import Final

import av
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.container import InputContainer, OutputContainer

from shared.base.errors import FileUnusable
from shared.reader.decode.containers import open_container, refuse_unknown
from shared.reader.decode.kinds import DetectedType
from shared.reader.decode.sentences import NOTHING_IN_IT
from shared.values.prepared import LONGEST_SOUND_S, FileFacts, PreparedFile, PreparedPart

#: the maximum seconds of a sound for a model
LONGEST_S: Final = LONGEST_SOUND_S
#: the maximum number of packets (mostly of 20 ms) that are read to measure a sound
MOST_PACKETS: Final = 500_000
RATE: Final = 48_000
_BITS_PER_S: Final = 32_000
#: an option that keeps encoders from writing tags with their name and the time
BITEXACT: Final = {"fflags": "bitexact"}
OGG: Final = "audio/ogg"


def prepared_sound(content: bytes, real: DetectedType, longest_s: float = LONGEST_S) -> PreparedFile:
    """Return the first `longest_s` seconds of a sound. Raises FileUnusable."""
    with open_container(content, real) as source:
        if not source.streams.audio:
            raise FileUnusable(NOTHING_IN_IT.format(name=real.name))
        sound, duration_s, is_cut = sound_of(source, real, longest_s)
    facts = FileFacts(type=real.mime_type.replace("video/", "audio/"), duration_s=round(duration_s, 2), is_cut=is_cut)
    return PreparedFile(parts=(sound_part(sound, duration_s, longest_s),), facts=facts)


def sound_part(sound: bytes, duration_s: float, longest_s: float) -> PreparedPart:
    """Return a sound of `duration_s` seconds, which may have been cut to `longest_s`, as a part of a prepared file."""
    return PreparedPart(OGG, sound, round(min(duration_s, longest_s), 2))


def sound_of(source: InputContainer, real: DetectedType, longest_s: float) -> tuple[bytes, float, bool]:
    """Return a container's first sound as OGG/Opus, its seconds, and whether it was cut. Raises FileUnusable."""
    stream = source.streams.audio[0]
    refuse_unknown(stream, real)
    is_kept = real.format == "ogg" and stream.codec_context.name in {"opus", "libopus"}
    out = BytesIO()
    with av.open(out, "w", format="ogg", container_options=BITEXACT) as target:
        duration_s, is_cut = (_copy if is_kept else _encode)(source, stream, target, longest_s)
    if not duration_s:
        raise FileUnusable(NOTHING_IN_IT.format(name=real.name))
    return out.getvalue(), duration_s, is_cut


def _copy(source: InputContainer, stream: AudioStream, target: OutputContainer, longest_s: float) -> tuple[float, bool]:
    """Copy packets unchanged. Return the seconds, measured from the packets' content, and whether the sound was cut."""
    copy = target.add_stream_from_template(stream)
    copy.metadata.clear()
    read_s, is_cut, base = 0.0, False, float(stream.time_base or 0)
    for number, packet in enumerate(source.demux(stream)):
        if number > MOST_PACKETS:
            break
        if packet.dts is None or not packet.size:
            continue
        read_s += (packet.duration or 0) * base
        is_cut = is_cut or read_s > longest_s
        if not is_cut:
            packet.stream = copy
            target.mux(packet)
    return read_s, is_cut


def _encode(
    source: InputContainer, stream: AudioStream, target: OutputContainer, longest_s: float
) -> tuple[float, bool]:
    """Decode up to `longest_s` seconds, and encode them in mono. Return the seconds, and whether the sound was cut."""
    made = opus_stream(target)
    samples, is_cut = 0, False
    for frame in mono_frames(source.decode(stream)):
        if samples >= longest_s * RATE:
            is_cut = True
            break
        frame.pts = samples
        samples += frame.samples
        target.mux(made.encode(frame))
    if samples:
        target.mux(made.encode(None))
    return samples / RATE, is_cut


def opus_stream(target: OutputContainer) -> AudioStream:
    """Add a stream to the target, encoded by Opus with settings for speech, and return the stream."""
    options = {"compression_level": "5", "application": "voip"}
    made = target.add_stream("libopus", rate=RATE, layout="mono", options=options)
    made.bit_rate = _BITS_PER_S
    made.codec_context.thread_count = 1
    return made


def mono_frames(frames: Iterator[AudioFrame]) -> Iterator[AudioFrame]:
    """Yield the frames in mono with 16 bits. If the file is broken, the frames before the fault are yielded."""
    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    try:
        for frame in frames:
            yield from resampler.resample(frame)
    except av.InvalidDataError:
        pass
    yield from resampler.resample(None)
