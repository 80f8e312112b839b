"""Detects the real type of a file by its first bytes. The file's name and its declared type do not count."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from shared.reader.extract.kinds import BINARY, BYTE_ORDER_MARKS, SEEN_OF_TEXT, is_pdf


class DecoderKind(StrEnum):
    """The groups of file types, each of which has its own decoder."""

    PICTURE = "picture"
    LOTTIE = "lottie"
    CLIP = "clip"
    PDF = "pdf"
    TEXT = "text"
    OTHER = "other"


@dataclass(frozen=True)
class DetectedType:
    """The real type of a file.

    `format` is the decoding library's name for the type, so that the library tries none of its other parsers. `name` is
    for people, with an article.
    """

    family: DecoderKind
    mime_type: str
    name: str
    format: str = ""


_PICTURE, _CLIP, _OTHER = DecoderKind.PICTURE, DecoderKind.CLIP, DecoderKind.OTHER
#: types of files, by the bytes at given offsets; the first match counts
_MARKS: Final[tuple[tuple[tuple[tuple[int, bytes], ...], DetectedType], ...]] = (
    (((0, b"\xff\xd8\xff"),), DetectedType(_PICTURE, "image/jpeg", "a JPEG picture", "JPEG")),
    (((0, b"\x89PNG\r\n\x1a\n"),), DetectedType(_PICTURE, "image/png", "a PNG picture", "PNG")),
    (((0, b"GIF8"),), DetectedType(_PICTURE, "image/gif", "a GIF picture", "GIF")),
    (((0, b"RIFF"), (8, b"WEBP")), DetectedType(_PICTURE, "image/webp", "a WebP picture", "WEBP")),
    (((4, b"ftypavif"),), DetectedType(_PICTURE, "image/avif", "an AVIF picture", "AVIF")),
    (((0, b"BM"), (6, b"\0\0\0\0")), DetectedType(_PICTURE, "image/bmp", "a BMP picture", "BMP")),
    (((4, b"ftypheic"),), DetectedType(_OTHER, "image/heic", "a HEIC picture")),
    (((4, b"ftypmif1"),), DetectedType(_OTHER, "image/heif", "a HEIF picture")),
    (((0, b"II*\0"),), DetectedType(_OTHER, "image/tiff", "a TIFF picture")),
    (((0, b"MM\0*"),), DetectedType(_OTHER, "image/tiff", "a TIFF picture")),
    (((0, b"8BPS"),), DetectedType(_OTHER, "image/vnd.adobe.photoshop", "a Photoshop file")),
    (((0, b"\x1f\x8b"),), DetectedType(DecoderKind.LOTTIE, "application/x-tgsticker", "an animated sticker")),
    (((4, b"ftypM4A"),), DetectedType(_CLIP, "audio/mp4", "an M4A sound", "mov")),
    (((4, b"ftyp"),), DetectedType(_CLIP, "video/mp4", "an MP4 film", "mov")),
    (((0, b"\x1a\x45\xdf\xa3"),), DetectedType(_CLIP, "video/webm", "a WebM film", "matroska")),
    (((0, b"RIFF"), (8, b"AVI ")), DetectedType(_CLIP, "video/x-msvideo", "an AVI film", "avi")),
    (((0, b"OggS"),), DetectedType(_CLIP, "audio/ogg", "an OGG sound", "ogg")),
    (((0, b"RIFF"), (8, b"WAVE")), DetectedType(_CLIP, "audio/wav", "a WAV sound", "wav")),
    (((0, b"fLaC"),), DetectedType(_CLIP, "audio/flac", "a FLAC sound", "flac")),
    (((0, b"FORM"), (8, b"AIFF")), DetectedType(_CLIP, "audio/aiff", "an AIFF sound", "aiff")),
    (((0, b"#!AMR"),), DetectedType(_CLIP, "audio/amr", "an AMR sound", "amr")),
    (((0, b"ID3"),), DetectedType(_CLIP, "audio/mpeg", "an MP3 sound", "mp3")),
    (((0, b"\xff\xf1"),), DetectedType(_CLIP, "audio/aac", "an AAC sound", "aac")),
    (((0, b"\xff\xf9"),), DetectedType(_CLIP, "audio/aac", "an AAC sound", "aac")),
    *(
        (((0, bytes((0xFF, second))),), DetectedType(_CLIP, "audio/mpeg", "an MP3 sound", "mp3"))
        for second in (0xFB, 0xFA, 0xF3, 0xF2, 0xE3, 0xE2)
    ),
    (((0, b"PK\x03\x04"),), DetectedType(_OTHER, "application/zip", "a zip archive")),
    (((0, b"PK\x05\x06"),), DetectedType(_OTHER, "application/zip", "an empty zip archive")),
    (((0, b"Rar!\x1a\x07"),), DetectedType(_OTHER, "application/vnd.rar", "a RAR archive")),
    (((0, b"7z\xbc\xaf\x27\x1c"),), DetectedType(_OTHER, "application/x-7z-compressed", "a 7z archive")),
    (((0, b"\xfd7zXZ\0"),), DetectedType(_OTHER, "application/x-xz", "an xz archive")),
    (((0, b"BZh"),), DetectedType(_OTHER, "application/x-bzip2", "a bzip2 archive")),
    (((0, b"\x28\xb5\x2f\xfd"),), DetectedType(_OTHER, "application/zstd", "a zstd archive")),
    (((257, b"ustar"),), DetectedType(_OTHER, "application/x-tar", "a tar archive")),
    (
        ((0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),),
        DetectedType(_OTHER, "application/x-ole-storage", "an office document"),
    ),
    (((0, b"MZ"),), DetectedType(_OTHER, "application/vnd.microsoft.portable-executable", "a program for Windows")),
    (((0, b"\x7fELF"),), DetectedType(_OTHER, "application/x-elf", "a program")),
    (((0, b"SQLite format 3\0"),), DetectedType(_OTHER, "application/vnd.sqlite3", "a database")),
)  # fmt: skip
#: types of zip archives, by the name of a file at the archive's beginning
_ZIPPED: Final = (
    (b"[Content_Types].xml", DetectedType(_OTHER, "application/vnd.openxmlformats", "an office document")),
    (
        b"mimetypeapplication/vnd.oasis",
        DetectedType(_OTHER, "application/vnd.oasis.opendocument", "an office document"),
    ),
    (b"mimetypeapplication/epub+zip", DetectedType(_OTHER, "application/epub+zip", "an e-book")),
    (b"AndroidManifest.xml", DetectedType(_OTHER, "application/vnd.android.package-archive", "a program for Android")),
)
_ZIP_BEGINNING: Final = 4_096
PDF: Final = DetectedType(DecoderKind.PDF, "application/pdf", "a PDF")
TEXT: Final = DetectedType(DecoderKind.TEXT, "text/plain", "a text")
EMPTY: Final = DetectedType(_OTHER, "application/x-empty", "an empty file")
UNKNOWN: Final = DetectedType(_OTHER, "application/octet-stream", "a file of no kind that is known here")
#: all the names of types that sentences may use
NAMES: Final = frozenset(
    one.name for one in (*(kind for _, kind in _MARKS), *(kind for _, kind in _ZIPPED), PDF, TEXT, EMPTY, UNKNOWN)
)


def real_type(content: bytes) -> DetectedType:
    """Return the real type of a file by its first bytes. EMPTY without content, UNKNOWN if no type fits."""
    if not content:
        return EMPTY
    found = next((kind for marks, kind in _MARKS if all(content.startswith(m, at) for at, m in marks)), None)
    if found and found.mime_type == "application/zip":
        beginning = content[:_ZIP_BEGINNING]
        return next((kind for name, kind in _ZIPPED if name in beginning), found)
    if found:
        return found
    if is_pdf(content):
        return PDF
    return TEXT if _is_text(content) else UNKNOWN


def _is_text(content: bytes) -> bool:
    seen = content[:SEEN_OF_TEXT]
    return seen.startswith(BYTE_ORDER_MARKS) or BINARY.isdisjoint(seen)
