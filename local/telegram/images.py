"""Reads width and height from the header of a picture file (PNG, GIF, JPEG, WebP)."""

import struct

_PNG = b"\x89PNG\r\n\x1a\n"
# JPEG frame headers: every SOF marker except DHT (C4), JPG (C8) and DAC (CC).
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


_TYPES = {b"\x89PNG": "image/png", b"GIF8": "image/gif", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp"}


def picture_type(content: bytes) -> str | None:
    """Return the media type of a picture, recognized by the picture's first bytes; None for any other content."""
    return next((type_ for head, type_ in _TYPES.items() if content.startswith(head)), None)


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Return (width, height) in pixels, or None if this is not a picture that Telegram accepts as a photo."""
    try:
        if content.startswith(_PNG):
            return struct.unpack(">II", content[16:24])
        if content[:6] in (b"GIF87a", b"GIF89a"):
            return struct.unpack("<HH", content[6:10])
        if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
            return _webp_size(content)
        return _jpeg_size(content) if content[:2] == b"\xff\xd8" else None
    except (struct.error, IndexError):
        return None


def _webp_size(content: bytes) -> tuple[int, int] | None:
    kind = content[12:16]
    if kind == b"VP8X":
        width, height = content[24:27], content[27:30]
        return int.from_bytes(width, "little") + 1, int.from_bytes(height, "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(content[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", content[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(content):
        if content[at] != 0xFF:
            return None
        marker = content[at + 1]
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return width, height
        at += 2 if 0xD0 <= marker <= 0xD8 else 2 + struct.unpack(">H", content[at + 2 : at + 4])[0]
    return None
