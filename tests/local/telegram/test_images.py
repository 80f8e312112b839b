import struct

import pytest

from local.telegram.images import picture_size, picture_type

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", 640, 480)
GIF = b"GIF89a" + struct.pack("<HH", 640, 480)
JPEG = b"\xff\xd8\xff\xe0\x00\x04xx\xff\xc0\x00\x11\x08" + struct.pack(">HH", 480, 640) + b"\x03"
WEBP_LOSSY = b"RIFF\0\0\0\0WEBPVP8 " + b"\0" * 10 + struct.pack("<HH", 640, 480)
WEBP_LOSSLESS = b"RIFF\0\0\0\0WEBPVP8L" + b"\0" * 4 + b"\x2f" + struct.pack("<I", 639 | 479 << 14)
WEBP_EXTENDED = b"RIFF\0\0\0\0WEBPVP8X" + b"\0" * 8 + (639).to_bytes(3, "little") + (479).to_bytes(3, "little")


@pytest.mark.parametrize("content", [PNG, GIF, JPEG, WEBP_LOSSY, WEBP_LOSSLESS, WEBP_EXTENDED])
def test_the_size_stands_in_the_head(content: bytes) -> None:
    assert picture_size(content) == (640, 480)


@pytest.mark.parametrize("content", [b"", b"hello", PNG[:20], GIF[:8], JPEG[:14], b"\xff\xd8\x00", WEBP_LOSSY[:20]])
def test_what_is_no_picture_has_no_size(content: bytes) -> None:
    assert picture_size(content) is None


def test_the_type_is_told_by_the_content() -> None:
    assert [picture_type(one) for one in (PNG, GIF, JPEG, WEBP_LOSSY, b"x")] == [
        "image/png",
        "image/gif",
        "image/jpeg",
        "image/webp",
        None,
    ]
