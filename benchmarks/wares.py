"""Files of every kind that people send. Any number of different files of each kind can be made, and each can be decoded
completely.
"""

import random
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.shared.reader.decode import files

#: the kind of all stickers
STICKER = "sticker"
Maker = Callable[[int], bytes]


@dataclass(frozen=True)
class Ware:
    """A file: its kind (the Bot API's name), its file name, and its bytes."""

    kind: str
    name: str
    content: bytes
    #: whether the file is a sticker that must be added to a set before it is sent
    is_of_set: bool = False


@dataclass(frozen=True)
class Sort:
    """A sort of file: its kind, its file extension, and a function that makes the bytes of file number n. Files with
    different numbers differ.
    """

    kind: str
    ending: str
    make: Maker
    is_of_set: bool = False

    def ware(self, number: int) -> Ware:
        """Return file number `number`, counted from 0."""
        return Ware(self.kind, f"{self.kind}-{number}{self.ending}", self.make(number), self.is_of_set)


def _large_photo(number: int) -> bytes:
    """Return a PNG of nine megabytes, with 2,000 by 1,500 pixels of noise, which cannot be compressed."""
    return _noise_png(2_000, 1_500, number)


def _noise_png(width: int, height: int, seed: int) -> bytes:
    dice = random.Random(seed)
    rows = b"".join(b"\0" + dice.randbytes(3 * width) for _ in range(height))
    head = struct.pack("!IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b""))
    written = (struct.pack("!I", len(b)) + n + b + struct.pack("!I", zlib.crc32(n + b)) for n, b in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)


def _large_pdf(number: int) -> bytes:
    """Return a PDF of nearly the largest size that a bot may download."""
    return files.pdf(pages=3, text=f"number {number}") + b"\n%" + b"x" * 17_000_000


def _text(number: int) -> bytes:
    return f"Minutes of meeting {number}.\nTea was served, and the roof is to be mended.\n".encode()


#: files that are sent directly
SORTS: Mapping[str, Sort] = {
    "photo": Sort("photo", ".jpg", lambda n: files.photo(600 + n, 400)),
    "animation": Sort("animation", ".mp4", lambda n: files.film(1.0 + n / 10)),
    "gif": Sort("animation", ".gif", lambda n: files.moving(6 + n)),
    "voice": Sort("voice", ".ogg", lambda n: files.sound(seconds=1.0 + n / 10)),
    "audio": Sort("audio", ".mp3", lambda n: files.sound("mp3", "libmp3lame", 1.0 + n / 10)),
    "video": Sort("video", ".mp4", lambda n: files.film(2.0 + n / 10, sound="aac")),
    "video note": Sort("video_note", ".mp4", lambda n: files.film(1.5 + n / 10, sound="aac")),
    "pdf": Sort("document", ".pdf", lambda n: files.pdf(text=f"Tea for {n}")),
    "text": Sort("document", ".txt", _text),
    "picture as a document": Sort("document", ".png", lambda n: files.photo(500 + n, 300, format="PNG")),
}
#: stickers, which are added to a set first
STICKERS: Mapping[str, Sort] = {
    "still sticker": Sort(STICKER, ".webp", lambda n: files.photo(512, 400 + n, format="WEBP"), is_of_set=True),
    "animated sticker": Sort(STICKER, ".tgs", lambda n: files.tgs(op=60 + n), is_of_set=True),
    "video sticker": Sort(
        STICKER, ".webm", lambda n: files.film(1.0 + n / 2, format="webm", codec="libvpx-vp9"), is_of_set=True
    ),
}
#: large files; measures use only one of each sort
LARGE: Mapping[str, Sort] = {
    "large photo": Sort("photo", ".png", _large_photo),
    "large pdf": Sort("document", ".pdf", _large_pdf),
    "large sound": Sort("audio", ".wav", lambda n: files.wav(200.0 + n)),
}
