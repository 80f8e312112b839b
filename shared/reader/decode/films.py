"""Films: stickers and animations as a few pictures, short films as they are but for their tags, longer ones as pictures
and sound.
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

from shared.base.errors import NotOpened, NotPrepared
from shared.reader.decode.containers import open_container, refuse_unknown
from shared.reader.decode.kinds import DetectedType, real_type
from shared.reader.decode.pictures import as_jpeg
from shared.reader.decode.sentences import BROKEN, NOTHING_IN_IT, TOO_LARGE_FILM
from shared.reader.decode.sound import BITEXACT, LONGEST_S, sound_of, sound_part
from shared.values.evolve import evolve
from shared.values.prepared import MOST_PREPARED_BYTES, FileFacts, PreparedFile, PreparedPart

#: films up to this length go to a model whole, their pictures and their sound
SHORT_S: Final = 60.0
#: by how much what is decoded may be longer than what a file says: encoders begin and end with some silence
_PADDING_S: Final = 1.0
FRAMES: Final = 8
MOST_PIXELS: Final = 16_777_216
#: how many pixels are decoded to find frames, in all: some 700 frames of 1080 lines
MOST_DECODED: Final = 1_500_000_000
MOST_PACKETS: Final = 500_000
#: what models take in an MP4
WHOLE: Final = frozenset({"h264"})
WHOLE_SOUND: Final = frozenset({"aac", "mp3", "mp3float"})
MP4: Final = "video/mp4"


def prepared_frames(content: bytes, real: DetectedType, frames: int, side: int) -> PreparedFile:
    """Pictures at even distances. Raises NotPrepared."""
    film = _inspect(content, real)
    return _with_pictures(film, _pictures(film, frames, side))


def prepared_film(
    content: bytes, real: DetectedType, side: int, longest_s: float = LONGEST_S, most_packets: int = MOST_PACKETS
) -> PreparedFile:
    """A short film whole, of a longer one pictures and sound. Raises NotPrepared."""
    film = _inspect(content, real, most_packets)
    if film.facts.duration_s <= SHORT_S + _PADDING_S and film.can_be_whole:
        # a film of which no picture can be decoded is none
        _with_pictures(film, _pictures(film, 1, side))
        whole = _remux(film)
        played_s = _played_s(whole)
        if len(whole) <= MOST_PREPARED_BYTES and played_s <= SHORT_S + _PADDING_S:
            return PreparedFile(parts=(PreparedPart(MP4, whole, round(played_s, 2)),), facts=film.facts)
    found = _with_pictures(film, _pictures(film, FRAMES, side))
    return _with_sound(found, film, longest_s) if film.has_sound else found


def has_pictures(content: bytes, real: DetectedType) -> bool:
    """Whether it is a film, and not a sound, which may have a cover. Raises NotPrepared."""
    with open_container(content, real) as source:
        return any(not one.disposition & av.stream.Disposition.attached_pic for one in source.streams.video)


@dataclass(frozen=True)
class _Film:
    """A film that was looked through, without a picture of it being decoded."""

    content: bytes
    real: DetectedType
    facts: FileFacts
    #: when its first picture begins and its last one ends, in the units of the file
    begin: int
    end: int
    #: when the first of its kept streams begins, in seconds
    begin_s: Fraction
    can_be_whole: bool
    has_sound: bool


def _inspect(content: bytes, real: DetectedType, most_packets: int = MOST_PACKETS) -> _Film:
    """Raises NotPrepared."""
    with open_container(content, real) as source:
        stream = source.streams.video[0] if source.streams.video else None
        if stream is None:
            raise NotPrepared(NOTHING_IN_IT.format(name=real.name))
        refuse_unknown(stream, real)
        codec, width, height = stream.codec_context.name, stream.codec_context.width, stream.codec_context.height
        if width * height > MOST_PIXELS:
            raise NotOpened(TOO_LARGE_FILM.format(most=MOST_PIXELS // 1_000_000))
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
    """When the first packet of each stream begins and its last one ends, whatever the file says of itself.

    Behind them is whether these are all packets.
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
        raise NotPrepared(BROKEN.format(name=film.real.name))
    return PreparedFile(parts=parts, facts=evolve(film.facts, frames=len(parts)))


def _with_sound(found: PreparedFile, film: _Film, longest_s: float) -> PreparedFile:
    """The pictures, and the sound if it can be read."""
    try:
        with open_container(film.content, film.real) as source:
            sound, duration_s, is_cut = sound_of(source, film.real, longest_s)
    except NotPrepared:
        return found
    parts = (*found.parts, sound_part(sound, duration_s, longest_s))
    return PreparedFile(parts=parts, facts=evolve(found.facts, is_cut=is_cut))


def _pictures(film: _Film, frames: int, side: int) -> Iterator[PreparedPart]:
    """The middles of as many equal stretches of the film, or what comes near them for what may be decoded."""
    most = max(1, MOST_DECODED // max(1, film.facts.width * film.facts.height) // frames)
    seen = set[int]()
    for number in range(frames):
        place = film.begin + (film.end - film.begin) * (2 * number + 1) // (2 * frames)
        frame = _frame_at(film, place, most)
        if frame is not None and frame.pts not in seen:
            seen.add(frame.pts or 0)
            yield PreparedPart("image/jpeg", as_jpeg(_image(frame, side), side))


def _frame_at(film: _Film, place: int, most: int) -> VideoFrame | None:
    """The frame at a place or, if that takes too many, one before it."""
    found: VideoFrame | None = None
    with open_container(film.content, film.real) as source, suppress(av.InvalidDataError):  # it is broken further on
        stream = source.streams.video[0]
        with suppress(av.error.PermissionError):  # it has no index: then from its beginning
            source.seek(place, stream=stream)
        for number, frame in enumerate(source.decode(stream), 1):
            found = frame
            if number >= most or (frame.pts or 0) >= place:
                break
    return found


def _image(frame: VideoFrame, side: int) -> Image.Image:
    """A frame as a picture, small and upright."""
    scale = min(1.0, side / max(frame.width, frame.height))
    width, height = max(1, round(frame.width * scale)), max(1, round(frame.height * scale))
    image: Image.Image = frame.to_image(width=width, height=height)  # type: ignore[no-untyped-call]
    return image.rotate(frame.rotation, expand=True) if frame.rotation else image


def _remux(film: _Film) -> bytes:
    """The first pictures and the first sound in an MP4 that says nothing else, and begins at once."""
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
    """How long an MP4 made here is for whoever plays all of it: by its times, and by the sound that is decoded of it.

    A file can say of hours of sound that they last a second. Infinity if its sound is broken further on, since nobody
    knows what another decoder makes of it. Raises NotPrepared.
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
