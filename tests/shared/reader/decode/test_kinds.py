"""Real types of files."""

import pytest

from shared.reader.decode.kinds import PDF, TEXT, DecoderKind, real_type
from tests.shared.reader.decode import files


@pytest.mark.parametrize(
    ("content", "mime_type"),
    [
        (files.photo(), "image/jpeg"),
        (files.photo(format="PNG"), "image/png"),
        (files.photo(format="WEBP"), "image/webp"),
        (files.photo(format="AVIF"), "image/avif"),
        (files.photo(format="BMP"), "image/bmp"),
        (files.photo(format="TIFF"), "image/tiff"),
        (files.moving(2), "image/gif"),
        (files.tgs(), "application/x-tgsticker"),
        (files.wav(0.1), "audio/wav"),
        (files.sound(seconds=0.1), "audio/ogg"),
        (files.sound("mp3", "libmp3lame", 0.1), "audio/mpeg"),
        (files.sound("ipod", "aac", 0.1), "audio/mp4"),
        (files.sound("adts", "aac", 0.1), "audio/aac"),
        (files.sound("flac", "flac", 0.1), "audio/flac"),
        (files.film(0.2), "video/mp4"),
        (files.film(0.2, format="webm", codec="libvpx-vp9"), "video/webm"),
        (files.film(0.2, format="avi", codec="mpeg4"), "video/x-msvideo"),
        (files.pdf(1), "application/pdf"),
        (b"PK\x03\x04" + bytes(30), "application/zip"),
        (b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml", "application/vnd.openxmlformats"),
        (b"MZ\x90\0", "application/vnd.microsoft.portable-executable"),
        (b"", "application/x-empty"),
        (bytes(range(20)), "application/octet-stream"),
        ("Grüße, 茶".encode(), "text/plain"),
        ("Grüße".encode("utf-16"), "text/plain"),
    ],
)
def test_a_file_is_what_its_bytes_say(content: bytes, mime_type: str) -> None:
    assert real_type(content).mime_type == mime_type


def test_a_mark_within_the_first_kilobyte_is_a_pdfs() -> None:
    assert real_type(b"\r\n" * 20 + b"%PDF-1.4 ...") == PDF
    assert real_type(b"\1\2 sent by hand\n%PDF-1.4 ...") == PDF


def test_a_text_that_speaks_of_pdfs_is_a_text() -> None:
    assert real_type(b"what a %PDX- is") == TEXT
    assert real_type(b"a PDF begins with %PDF-1.4") == TEXT


def test_a_playlist_is_a_text_and_never_opened_as_a_film() -> None:
    assert real_type(b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n").family == DecoderKind.TEXT
