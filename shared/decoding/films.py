"""Films: stickers and animations as a few pictures, short films as they are but for their tags, longer ones as pictures
and sound.
"""

from collections.abc import Iterator
from contextlib import suppress
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
from shared.decoding.sentences import NOTHING_IN_IT, TOO_LARGE_FILM
from shared.decoding.sound import BITEXACT, LONGEST_S, OGG, sound_of
from shared.errors import NotPrepared
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
    with opened(content, real) as source:
        stream, facts = _looked_at(source, real)
        pictures = tuple(_pictures(source, stream, _places(source, stream, frames), side))
    return _with_pictures(pictures, facts, real)


def prepared_film(content: bytes, real: RealType, side: int, longest_s: float = LONGEST_S) -> Prepared:
    """A short film whole, of a longer one pictures and sound. Raises NotPrepared."""
    with opened(content, real) as source:
        stream, facts = _looked_at(source, real)
        sounds = source.streams.audio
        is_whole = facts.duration_s <= SHORT_S and stream.codec_context.name in WHOLE
        is_whole = is_whole and all(one.codec_context.name in WHOLE_SOUND for one in sounds[:1])
        # a film whose first picture cannot be decoded is none
        pictures = tuple(_pictures(source, stream, _places(source, stream, 1 if is_whole else FRAMES), side))
    found = _with_pictures(pictures, facts, real)
    if is_whole:
        whole = _remuxed(content, real)
        if len(whole) <= MOST_PREPARED_BYTES:
            return Prepared(parts=(PreparedPart(MP4, whole),), facts=facts)
    return _with_sound(found, content, real, longest_s) if sounds else found


def has_pictures(content: bytes, real: RealType) -> bool:
    """Whether it is a film, and not a sound, which may have a cover. Raises NotPrepared."""
    with opened(content, real) as source:
        return any(not one.disposition & av.stream.Disposition.attached_pic for one in source.streams.video)


def _with_pictures(pictures: tuple[PreparedPart, ...], facts: Facts, real: RealType) -> Prepared:
    if not pictures:
        raise NotPrepared(NOTHING_IN_IT.format(name=real.name))
    return Prepared(parts=pictures, facts=facts.model_copy(update={"frames": len(pictures)}))


def _with_sound(found: Prepared, content: bytes, real: RealType, longest_s: float) -> Prepared:
    """The pictures, and the sound if it can be read."""
    try:
        with opened(content, real) as source:
            sound, _, is_cut = sound_of(source, real, longest_s)
    except NotPrepared:
        return found
    return Prepared(parts=(*found.parts, PreparedPart(OGG, sound)), facts=found.facts, is_cut=is_cut)


def _looked_at(source: InputContainer, real: RealType) -> tuple[VideoStream, Facts]:
    """The film's pictures, before one is decoded. Raises NotPrepared."""
    stream = source.streams.video[0] if source.streams.video else None
    if stream is None:
        raise NotPrepared(NOTHING_IN_IT.format(name=real.name))
    refuse_unknown(stream, real)
    width, height = stream.codec_context.width, stream.codec_context.height
    if width * height > MOST_PIXELS:
        raise NotPrepared(TOO_LARGE_FILM.format(most=MOST_PIXELS // 1_000_000))
    begin, end = _span(source, stream)
    duration_s = round(float((end - begin) * (stream.time_base or 0)), 2)
    return stream, Facts(type=real.mime_type, width=width, height=height, duration_s=duration_s)


def _span(source: InputContainer, stream: VideoStream) -> tuple[int, int]:
    """When the first picture begins and the last one ends, in the stream's units, by all packets."""
    begin: int | None = None
    end = 0
    for number, packet in enumerate(source.demux(stream)):
        if number > MOST_PACKETS:
            break
        if packet.pts is not None:
            begin = packet.pts if begin is None else min(begin, packet.pts)
            end = max(end, packet.pts + (packet.duration or 0))
    return begin or 0, max(end, begin or 0)


def _places(source: InputContainer, stream: VideoStream, frames: int) -> list[int]:
    """The middles of as many equal stretches of the film."""
    source.seek(0)
    begin, end = _span(source, stream)
    return [begin + (end - begin) * (2 * number + 1) // (2 * frames) for number in range(frames)]


def _pictures(source: InputContainer, stream: VideoStream, places: list[int], side: int) -> Iterator[PreparedPart]:
    """The frames at these places, or as many of them as can be had for what may be decoded."""
    size = max(1, stream.codec_context.width * stream.codec_context.height)
    left = max(len(places), MOST_DECODED // size)
    seen = set[int]()
    for number, place in enumerate(places):
        share = max(1, left // (len(places) - number))
        frame, used = _frame_at(source, stream, place, share)
        left -= used
        if frame is not None and frame.pts not in seen:
            seen.add(frame.pts or 0)
            yield PreparedPart("image/jpeg", as_jpeg(_image(frame, side), side))


def _frame_at(source: InputContainer, stream: VideoStream, place: int, most: int) -> tuple[VideoFrame | None, int]:
    """The frame at a place or, if that takes too many, one before it; and how many were decoded for it."""
    found: VideoFrame | None = None
    used = 0
    with suppress(av.InvalidDataError, av.error.PermissionError):  # it is broken further on, or has no index
        source.seek(place, stream=stream)
        for frame in source.decode(stream):
            found, used = frame, used + 1
            if used >= most or (frame.pts or 0) >= place:
                break
    return found, used


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
