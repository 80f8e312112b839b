"""Reads the duration of audio and video files, and the width and height of videos (OGG, WAV, MP4)."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

# RFC 7845, 4: the granule position of Ogg Opus counts samples at 48 kHz, whatever the sample rate of the recording.
_OPUS_RATE = 48_000
# ISO 14496-12: boxes that contain the boxes with the length and the size.
_HOLDERS = frozenset({b"moov", b"trak"})
_MP4_HEADS = frozenset({b"ftyp", b"moov"})


@dataclass(frozen=True, kw_only=True)
class Clip:
    """The duration in seconds, and the width and height in pixels, of an audio or video file. A value is 0 if the file
    does not contain it.
    """

    seconds: float = 0.0
    width: int = 0
    height: int = 0

    @property
    def duration(self) -> int:
        """Return the duration in whole seconds as Telegram reports it: at least 1, or 0 if the duration is unknown."""
        return max(1, round(self.seconds)) if self.seconds > 0 else 0


def clip_of(content: bytes) -> Clip:
    """Return the duration, width and height of an audio or video file. All values are 0 if the file is truncated or has
    another format.
    """
    try:
        if content.startswith(b"OggS"):
            return Clip(seconds=_ogg_seconds(content))
        if content[:4] == b"RIFF" and content[8:12] == b"WAVE":
            return Clip(seconds=_wav_seconds(content))
        return _mp4(content) if content[4:8] in _MP4_HEADS else Clip()
    except (struct.error, IndexError, ZeroDivisionError):
        return Clip()


def _ogg_seconds(content: bytes) -> float:
    """Return the duration in seconds. The last page of the file contains the position of the last sample, and the first
    page the sample rate and the number of samples to skip at the beginning.
    """
    last = content.rfind(b"OggS")
    (granule,) = struct.unpack("<q", content[last + 6 : last + 14])
    head = content[28 : 28 + 64]
    opus, vorbis = head.find(b"OpusHead"), head.find(b"\x01vorbis")
    if opus >= 0:
        (skipped,) = struct.unpack("<H", head[opus + 10 : opus + 12])
        return float(max(0, granule - skipped) / _OPUS_RATE)
    if vorbis >= 0:
        (rate,) = struct.unpack("<I", head[vorbis + 12 : vorbis + 16])
        return float(max(0, granule) / rate)
    return 0.0


def _wav_seconds(content: bytes) -> float:
    at, byte_rate = 12, 0
    while at + 8 <= len(content):
        name, length = content[at : at + 4], struct.unpack("<I", content[at + 4 : at + 8])[0]
        if name == b"fmt ":
            (byte_rate,) = struct.unpack("<I", content[at + 16 : at + 20])
        if name == b"data":
            return float(min(length, len(content) - at - 8) / byte_rate)
        at += 8 + length + length % 2
    return 0.0


def _mp4(content: bytes) -> Clip:
    """Return the duration from the box `mvhd`, and width and height from the first track that has them."""
    seconds, width, height = 0.0, 0, 0
    for name, body in _boxes(content):
        wide = 8 if body[:1] == b"\x01" else 0
        if name == b"mvhd":
            scale, length = struct.unpack(">IQ" if wide else ">II", body[12 + wide : 20 + wide * 3 // 2])
            seconds = length / scale
        if name == b"tkhd" and not width:
            at = 76 + (12 if wide else 0)
            width, height = (side >> 16 for side in struct.unpack(">II", body[at : at + 8]))
    return Clip(seconds=seconds, width=width, height=height)


def _boxes(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 8 <= len(content):
        length, name = struct.unpack(">I4s", content[at : at + 8])
        head = 8
        if length == 1:
            (length,), head = struct.unpack(">Q", content[at + 8 : at + 16]), 16
        length = length if length >= head else len(content) - at
        body = content[at + head : at + length]
        yield from _boxes(body) if name in _HOLDERS else [(name, body)]
        at += length
