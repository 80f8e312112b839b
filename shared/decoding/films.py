"""Films: stickers and animations as a few pictures, short films as they are but for their tags, longer ones as pictures
and sound.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Final

import av
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from PIL import Image

from shared.decoding.containers import opened, refuse_unknown
from shared.decoding.kinds import RealType
from shared.decoding.pictures import as_jpeg
from shared.decoding.sentences import BROKEN, NOTHING_IN_IT, TOO_LARGE_FILM
from shared.decoding.sound import BITEXACT, LONGEST_S, OGG, sound_of
from shared.errors import NotOpened, NotPrepared
from shared.models.prepared import MOST_PREPARED_BYTES, Facts, Prepared, PreparedPart

#: films up to this length go to a model whole
SHORT_S: Final = 60.0
FRAMES: Final = 8
MOST_PIXELS: Final = 16_777_216
#: how many pixels are decoded to find frames, in all: some 700 frames of 1080 lines
MOST_DECODED: Final = 1_500_000_000
MOST_PACKETS: Final = 500_000
#: what models take in an MP4
WHOLE: Final = frozenset({"h264"})
WHOLE_SOUND: Final = frozenset({"aac", "mp3", "mp3float"})
MP4: Final = "video/mp4"


def prepared_frames(content: bytes, real: RealType, frames: int, side: int) -> Prepared:
    """Pictures at even distances. Raises NotPrepared."""
    film = _looked_at(content, real)
    return _with_pictures(film, _pictures(film, frames, side))


def prepared_film(content: bytes, real: RealType, side: int, longest_s: float = LONGEST_S) -> Prepared:
    """A short film whole, of a longer one pictures and sound. Raises NotPrepared."""
    film = _looked_at(content, real)
    if film.facts.duration_s <= SHORT_S and film.can_be_whole:
        # a film of which no picture can be decoded is none
        _with_pictures(film, _pictures(film, 1, side))
        whole = _remuxed(content, real)
        if len(whole) <= MOST_PREPARED_BYTES:
            return Prepared(parts=(PreparedPart(MP4, whole),), facts=film.facts)
    found = _with_pictures(film, _pictures(film, FRAMES, side))
    return _with_sound(found, film, longest_s) if film.has_sound else found


def has_pictures(content: bytes, real: RealType) -> bool:
    """Whether it is a film, and not a sound, which may have a cover. Raises NotPrepared."""
    with opened(content, real) as source:
        return any(not one.disposition & av.stream.Disposition.attached_pic for one in source.streams.video)


@dataclass(frozen=True)
class _Film:
    """A film that was looked through, without a picture of it being decoded."""

    content: bytes
    real: RealType
    facts: Facts
    #: when its first picture begins and its last one ends, in the units of the file
    begin: int
    end: int
    can_be_whole: bool
    has_sound: bool


def _looked_at(content: bytes, real: RealType) -> _Film:
    """Raises NotPrepared."""
    with opened(content, real) as source:
        stream = source.streams.video[0] if source.streams.video else None
        if stream is None:
            raise NotPrepared(NOTHING_IN_IT.format(name=real.name))
        refuse_unknown(stream, real)
        codec, width, height = stream.codec_context.name, stream.codec_context.width, stream.codec_context.height
        if width * height > MOST_PIXELS:
            raise NotOpened(TOO_LARGE_FILM.format(most=MOST_PIXELS // 1_000_000))
        sounds = source.streams.audio[:1]
        is_taken = all(one.codec_context is not None and one.codec_context.name in WHOLE_SOUND for one in sounds)
        begin, end = _span(source, stream)
        duration_s = round(float((end - begin) * (stream.time_base or 0)), 2)
    facts = Facts(type=real.mime_type, width=width, height=height, duration_s=duration_s)
    return _Film(content, real, facts, begin, end, codec in WHOLE and is_taken, bool(sounds))


def _span(source: InputContainer, stream: VideoStream) -> tuple[int, int]:
    """When the first picture begins and the last one ends, by all packets, whatever the file says of itself."""
    begin: int | None = None
    end = 0
    for number, packet in enumerate(source.demux(stream)):
        if number > MOST_PACKETS:
            break
        if packet.pts is not None:
            begin = packet.pts if begin is None else min(begin, packet.pts)
            end = max(end, packet.pts + (packet.duration or 0))
    return begin or 0, max(end, begin or 0)


def _with_pictures(film: _Film, pictures: Iterator[PreparedPart]) -> Prepared:
    parts = tuple(pictures)
    if not parts:
        raise NotPrepared(BROKEN.format(name=film.real.name))
    return Prepared(parts=parts, facts=film.facts.model_copy(update={"frames": len(parts)}))


def _with_sound(found: Prepared, film: _Film, longest_s: float) -> Prepared:
    """The pictures, and the sound if it can be read."""
    try:
        with opened(film.content, film.real) as source:
            sound, _, is_cut = sound_of(source, film.real, longest_s)
    except NotPrepared:
        return found
    return Prepared(parts=(*found.parts, PreparedPart(OGG, sound)), facts=found.facts, is_cut=is_cut)


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
    with opened(film.content, film.real) as source, suppress(av.InvalidDataError):  # it is broken further on
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


def _remuxed(content: bytes, real: RealType) -> bytes:
    """The first pictures and the first sound in an MP4 that says nothing else."""
    out = BytesIO()
    with opened(content, real) as source, av.open(out, "w", format="mp4", container_options=BITEXACT) as target:
        kept = (source.streams.video[0], *source.streams.audio[:1])
        copies = {one.index: target.add_stream_from_template(one) for one in kept}
        for copy in copies.values():
            copy.metadata.clear()
        for packet in source.demux(*kept):
            if packet.dts is not None and packet.size:
                packet.stream = copies[packet.stream.index]
                target.mux(packet)
    return out.getvalue()
