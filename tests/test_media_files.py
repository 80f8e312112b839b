import zlib

from tests import media_files


def test_every_file_begins_as_its_kind_does() -> None:
    heads = {
        media_files.png(): b"\x89PNG",
        media_files.gif((1, 2, 3), (4, 5, 6)): b"GIF89a",
        media_files.wav(0.1): b"RIFF",
        media_files.ogg(0.1): b"OggS",
        media_files.mp4(): b"\x00\x00\x00\x14ftyp",
        media_files.tgs(): b"\x1f\x8b",
    }
    assert all(content.startswith(head) for content, head in heads.items())
    assert b"layers" in zlib.decompress(media_files.tgs(), wbits=31)
