import struct
import zlib

from local.telegram.files import FileStore
from local.telegram.images import picture_size
from local.telegram.stickers import SET_NAME, SIDE, add_sticker_set
from local.telegram.store import WorldStore


def chunks(content: bytes) -> dict[str, bytes]:
    """Read the chunks of a PNG file and check their checksums."""
    found, at = {}, 8
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        name, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        assert zlib.crc32(name + body) == struct.unpack(">I", content[at + 8 + length : at + 12 + length])[0]
        found[name.decode()] = body
        at += 12 + length
    return found


def test_the_stickers_are_pictures_of_the_right_size() -> None:
    files = FileStore(WorldStore(None), None)
    stickers = add_sticker_set(files)
    assert len({sticker.unique_id for sticker in stickers}) == len(stickers) == 6
    for sticker in stickers:
        content = files.content(sticker.unique_id)
        assert content is not None
        assert picture_size(content) == (SIDE, SIDE)
        assert sticker.set_name == SET_NAME
        rows = zlib.decompress(chunks(content)["IDAT"])
        assert len(rows) == SIDE * (SIDE + 1)
        assert max(rows) < len(chunks(content)["PLTE"]) // 3


def test_they_are_the_same_in_every_run() -> None:
    first, second = (add_sticker_set(FileStore(WorldStore(None), None)) for _ in range(2))
    assert first == second
