"""Small files of every kind that people send, made byte by byte: with known contents and without downloads."""

import gzip
import math
import struct
import zlib
from collections.abc import Sequence

OPUS_RATE = 48_000
_OGG_POLYNOMIAL = 0x04C11DB7
#: an Opus packet of 20 ms of silence (configuration 31, mono, one frame)
_SILENCE = b"\xf8\xff\xfe"


def png(colour: Sequence[int] = (200, 120, 60), width: int = 64, height: int = 64) -> bytes:
    """Make a picture of one colour."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\x00" + bytes(colour) * width) * height
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    written = (struct.pack(">I", len(b)) + n + b + struct.pack(">I", zlib.crc32(n + b)) for n, b in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)


def gif(*colours: Sequence[int], side: int = 32) -> bytes:
    """Make an endless animation of frames of one colour, half a second each."""
    palette = b"".join(bytes(colour) for colour in (*colours, *[(0, 0, 0)] * (4 - len(colours))))
    head = b"GIF89a" + struct.pack("<HHBBB", side, side, 0x91, 0, 0) + palette
    head += b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return head + b"".join(_gif_frame(index, side) for index in range(len(colours))) + b";"


def _gif_frame(colour: int, side: int) -> bytes:
    """Make one frame with codes of three bits: the table is cleared before longer ones are needed."""
    codes = [code for _ in range(side * side // 2) for code in (4, colour, colour)] + [5]
    bits = "".join(f"{code:03b}"[::-1] for code in codes)
    data = bytes(int(bits[at : at + 8][::-1], 2) for at in range(0, len(bits), 8))
    blocks = b"".join(bytes([len(data[at : at + 255])]) + data[at : at + 255] for at in range(0, len(data), 255))
    head = b"\x21\xf9\x04\x00\x32\x00\x00\x00," + struct.pack("<HHHHB", 0, 0, side, side, 0)
    return head + b"\x02" + blocks + b"\x00"


def wav(seconds: float = 2.0, rate: int = 8_000, hertz: float = 440.0) -> bytes:
    """Make a tone, 16 bits mono."""
    samples = [round(8_000 * math.sin(2 * math.pi * hertz * n / rate)) for n in range(round(seconds * rate))]
    body = struct.pack(f"<{len(samples)}h", *samples)
    form = b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate * 2, 2, 16)
    data = b"data" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", 4 + len(form) + len(data)) + b"WAVE" + form + data


def ogg(seconds: float = 2.0) -> bytes:
    """Make a silent voice note in Telegram's format, OGG with Opus."""
    head = b"OpusHead" + struct.pack("<BBHIhB", 1, 1, 0, OPUS_RATE, 0, 0)
    tags = b"OpusTags" + struct.pack("<I", 4) + b"lull" + struct.pack("<I", 0)
    packets = max(1, round(seconds * 50))
    pages = [_ogg_page(0, 2, 0, [head]), _ogg_page(1, 0, 0, [tags])]
    for first in range(0, packets, 200):
        count = min(200, packets - first)
        is_last = 4 if first + count == packets else 0
        pages.append(_ogg_page(len(pages), is_last, (first + count) * OPUS_RATE // 50, [_SILENCE] * count))
    return b"".join(pages)


def _ogg_page(number: int, flags: int, granule: int, packets: Sequence[bytes]) -> bytes:
    start = b"OggS" + struct.pack("<BBqII", 0, flags, granule, 1, number)
    body = bytes([len(packets)]) + bytes(len(one) for one in packets) + b"".join(packets)
    return start + struct.pack("<I", ogg_crc(start + bytes(4) + body)) + body


def ogg_crc(page: bytes) -> int:
    """Compute the checksum of a page whose checksum field is zero (RFC 3533, 6)."""
    crc = 0
    for byte in page:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ _OGG_POLYNOMIAL if crc & 0x80000000 else crc << 1) & 0xFFFFFFFF
    return crc


def mp4(seconds: float = 3.0, width: int = 320, height: int = 240) -> bytes:
    """Make the head of a film with its length and size, but without pictures."""
    moved = bytes(8) + struct.pack(">II", 1_000, round(seconds * 1_000))
    track = bytes(72) + struct.pack(">II", width << 16, height << 16)
    boxes = _box(b"mvhd", bytes(4) + moved) + _box(b"trak", _box(b"tkhd", bytes(4) + track))
    return _box(b"ftyp", b"isom\x00\x00\x02\x00isom") + _box(b"moov", boxes)


def _box(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", 8 + len(body)) + name + body


def tgs() -> bytes:
    """Make an animated sticker: an empty Lottie file, gzipped."""
    return gzip.compress(b'{"tgs":1,"v":"5.5.2","fr":60,"ip":0,"op":60,"w":512,"h":512,"layers":[]}', mtime=0)
