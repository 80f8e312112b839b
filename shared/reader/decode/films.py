"""Decodes films. A short film is kept, a longer one becomes pictures and sound.

Stickers and animations become a few pictures. A film that is kept loses its tags.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from typing import Final

import av
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from PIL import Image

from shared.base.errors import FileUnsupported, FileUnusable
from shared.reader.decode.containers import open_container, refuse_unknown
from shared.reader.decode.kinds import DetectedType, real_type
from shared.reader.decode.pictures import as_jpeg
from shared.reader.decode.sentences import BROKEN, NOTHING_IN_IT, TOO_LARGE_FILM
from shared.reader.decode.sound import BITEXACT, LONGEST_S, sound_of, sound_part
from shared.values.evolve import evolve
from shared.values.prepared import MOST_PREPARED_BYTES, FileFacts, PreparedFile, PreparedPart

#: the length up to which a whole film is sent to a model, in seconds
SHORT_S: Final = 60.0
#: the seconds by which the decoded sound may be longer than the file says, since encoders add some silence
_PADDING_S: Final = 1.0
FRAMES: Final = 8
MOST_PIXELS: Final = 16_777_216
#: the maximum pixels that are decoded in all to find the pictures: about 700 frames of 1080 lines
MOST_DECODED: Final = 1_500_000_000
MOST_PACKETS: Final = 500_000
#: the codecs that models accept in an MP4, for video; and below, for sound
WHOLE: Final = frozenset({"h264"})
WHOLE_SOUND: Final = frozenset({"aac", "mp3", "mp3float"})
MP4: Final = "video/mp4"


def prepared_frames(content: bytes, real: DetectedType, frames: int, side: int) -> PreparedFile:
    """Return pictures taken from a film at equal intervals. Raises FileUnusable."""
    film = _inspect(content, real)
    return _with_pictures(film, _pictures(film, frames, side))


def prepared_film(
    content: bytes, real: DetectedType, side: int, longest_s: float = LONGEST_S, most_packets: int = MOST_PACKETS
) -> PreparedFile:
    """Return a short film without its tags, or a longer one as pictures and sound. Raises FileUnusable."""
    film = _inspect(content, real, most_packets)
    if film.facts.duration_s <= SHORT_S + _PADDING_S and film.can_be_whole:
        # a film of which no picture can be decoded is broken
        _with_pictures(film, _pictures(film, 1, side))
        whole = _remux(film)
        played_s = _played_s(whole)
        if len(whole) <= MOST_PREPARED_BYTES and played_s <= SHORT_S + _PADDING_S:
            return PreparedFile(parts=(PreparedPart(MP4, whole, round(played_s, 2)),), facts=film.facts)
    found = _with_pictures(film, _pictures(film, FRAMES, side))
    return _with_sound(found, film, longest_s) if film.has_sound else found


def has_pictures(content: bytes, real: DetectedType) -> bool:
    """Return whether the file is a film; the cover picture of an audio file does not count. Raises FileUnusable."""
    with open_container(content, real) as source:
        return any(not one.disposition & av.stream.Disposition.attached_pic for one in source.streams.video)


@dataclass(frozen=True)
class _Film:
    """Facts about a film, such as its length. They come from its packets; no picture is decoded."""

    content: bytes
    real: DetectedType
    facts: FileFacts
    #: the start of the first picture and, below, the end of the last one, in the file's unit of time
    begin: int
    end: int
    #: the start of the kept stream that starts first, in seconds
    begin_s: Fraction
    can_be_whole: bool
    has_sound: bool


def _inspect(content: bytes, real: DetectedType, most_packets: int = MOST_PACKETS) -> _Film:
    """Return the facts about a film, from its packets. Raises FileUnusable."""
    with open_container(content, real) as source:
        stream = source.streams.video[0] if source.streams.video else None
        if stream is None:
            raise FileUnusable(NOTHING_IN_IT.format(name=real.name))
        refuse_unknown(stream, real)
        codec, width, height = stream.codec_context.name, stream.codec_context.width, stream.codec_context.height
        if width * height > MOST_PIXELS:
            raise FileUnsupported(TOO_LARGE_FILM.format(most=MOST_PIXELS // 1_000_000))
        sounds = source.streams.audio[:1]
        is_taken = all(one.codec_context is not None and one.codec_context.name in WHOLE_SOUND for one in sounds)
        spans, is_all = _spans(source, (stream, *sounds), most_packets)
        begin, end = spans.get(stream.index, (0, 0))
        bases = {one.index: Fraction(one.time_base or 0) for one in (stream, *sounds)}
        begin_s = min((span[0] * bases[index] for index, span in spans.items()), default=Fraction())
        end_s = max((span[1] * bases[index] for index, span in spans.items()), default=Fraction())
    facts = FileFacts(type=real.mime_type, width=width, height=height, duration_s=round(float(end_s - begin_s), 2))
    return _Film(content, real, facts, begin, end, begin_s, codec in WHOLE and is_taken and is_all, bool(sounds))


def _spans(
    source: InputContainer, streams: Sequence[VideoStream | AudioStream], most_packets: int = MOST_PACKETS
) -> tuple[Mapping[int, tuple[int, int]], bool]:
    """Return the first start and the last end of each stream, from its packets, not from the file's own claims.

    The second value is whether all packets were read.
    """
    spans = dict[int, tuple[int, int]]()
    for number, packet in enumerate(source.demux(*streams)):
        if number > most_packets:
            return spans, False
        if packet.pts is not None:
            begin, end = spans.get(packet.stream.index, (packet.pts, packet.pts))
            spans[packet.stream.index] = min(begin, packet.pts), max(end, packet.pts + (packet.duration or 0))
    return spans, True


def _with_pictures(film: _Film, pictures: Iterator[PreparedPart]) -> PreparedFile:
    parts = tuple(pictures)
    if not parts:
        raise FileUnusable(BROKEN.format(name=film.real.name))
    return PreparedFile(parts=parts, facts=evolve(film.facts, frames=len(parts)))


def _with_sound(found: PreparedFile, film: _Film, longest_s: float) -> PreparedFile:
    """Return the file with the pictures `found`, and with the film's sound if that can be read."""
    try:
        with open_container(film.content, film.real) as source:
            sound, duration_s, is_cut = sound_of(source, film.real, longest_s)
    except FileUnusable:
        return found
    parts = (*found.parts, sound_part(sound, duration_s, longest_s))
    return PreparedFile(parts=parts, facts=evolve(found.facts, is_cut=is_cut))


def _pictures(film: _Film, frames: int, side: int) -> Iterator[PreparedPart]:
    """Yield a picture from the middle of each of `frames` equal parts of the film.

    If a picture cannot be reached by decoding as many frames as allowed, an earlier one replaces it.
    """
    most = max(1, MOST_DECODED // max(1, film.facts.width * film.facts.height) // frames)
    seen = set[int]()
    for number in range(frames):
        place = film.begin + (film.end - film.begin) * (2 * number + 1) // (2 * frames)
        frame = _frame_at(film, place, most)
        if frame is not None and frame.pts not in seen:
            seen.add(frame.pts or 0)
            yield PreparedPart("image/jpeg", as_jpeg(_image(frame, side), side))


def _frame_at(film: _Film, place: int, most: int) -> VideoFrame | None:
    """Return the frame at the time `place`, or the last one before it that is reached by decoding `most` frames."""
    found: VideoFrame | None = None
    with open_container(film.content, film.real) as source, suppress(av.InvalidDataError):  # broken data ends the film
        stream = source.streams.video[0]
        with suppress(av.error.PermissionError):  # without an index, the film is decoded from its start
            source.seek(place, stream=stream)
        for number, frame in enumerate(source.decode(stream), 1):
            found = frame
            if number >= most or (frame.pts or 0) >= place:
                break
    return found


def _image(frame: VideoFrame, side: int) -> Image.Image:
    """Return a frame as an upright picture, no side of which is longer than `side`."""
    scale = min(1.0, side / max(frame.width, frame.height))
    width, height = max(1, round(frame.width * scale)), max(1, round(frame.height * scale))
    image: Image.Image = frame.to_image(width=width, height=height)  # type: ignore[no-untyped-call]
    return image.rotate(frame.rotation, expand=True) if frame.rotation else image


def _remux(film: _Film) -> bytes:
    """Return the film as an MP4 with only its first video and audio tracks, starting at time 0, and without tags."""
    out = BytesIO()
    with (
        open_container(film.content, film.real) as source,
        av.open(out, "w", format="mp4", container_options=BITEXACT) as target,
    ):
        kept = (source.streams.video[0], *source.streams.audio[:1])
        copies = {one.index: target.add_stream_from_template(one) for one in kept}
        for copy in copies.values():
            copy.metadata.clear()
        late = {one.index: int(max(film.begin_s, Fraction()) / one.time_base) if one.time_base else 0 for one in kept}
        for packet in source.demux(*kept):
            if packet.dts is not None and packet.size:
                packet.dts -= late[packet.stream.index]
                packet.pts = None if packet.pts is None else packet.pts - late[packet.stream.index]
                packet.stream = copies[packet.stream.index]
                target.mux(packet)
    return out.getvalue()


def _played_s(whole: bytes) -> float:
    """Return the seconds that an MP4 made here really lasts, by its timestamps or by its sound, whichever is longer.

    The sound is decoded, since a file can claim that hours of sound last a second. If the sound is broken, the result
    is infinity, since other decoders may play more of it. Raises FileUnusable.
    """
    with open_container(whole, real_type(whole), is_played_whole=True) as source:
        spans, _ = _spans(source, (*source.streams.video, *source.streams.audio))
        bases = {one.index: Fraction(one.time_base or 0) for one in source.streams}
        longest_s = float(max(((end - begin) * bases[index] for index, (begin, end) in spans.items()), default=0))
    with open_container(whole, real_type(whole), is_played_whole=True) as source:
        heard_s = 0.0
        try:
            for frame in source.decode(source.streams.audio[0]) if source.streams.audio else ():
                heard_s += frame.samples / (frame.sample_rate or 1)
                if heard_s > SHORT_S + _PADDING_S:
                    break
        except (av.error.InvalidDataError, av.error.ArgumentError):
            return math.inf
    return max(longest_s, heard_s)
