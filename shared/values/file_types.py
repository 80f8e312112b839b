"""MIME types: recognizes types that say nothing about a file, and guesses a type from a file's name."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

#: types that servers send to mean "save this file" or "type unknown"
_SAYS_NOTHING: Final = re.compile(
    r"octet-?stream|download|unknown|binary|attachment|save|\*|^(x-)?(data|file|none|null)$"
)
PDF: Final = "application/pdf"
_TEXT: Final = "text/plain"
#: types by the ending of a name, for files that can be opened here
_BY_ENDING: Final[Mapping[str, str]] = MappingProxyType(
    {"pdf": PDF}
    | dict.fromkeys(("jpg", "jpeg", "jpe", "jfif"), "image/jpeg")
    | {one: f"image/{one}" for one in ("png", "gif", "webp", "avif", "bmp")}
    | dict.fromkeys(("ogg", "oga", "opus"), "audio/ogg")
    | dict.fromkeys(("aif", "aiff"), "audio/aiff")
    | {"mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav"}
    | {one: f"audio/{one}" for one in ("aac", "flac", "amr")}
    | {"mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm"}
    | {"mkv": "video/x-matroska", "avi": "video/x-msvideo"}
    | {"html": "text/html", "htm": "text/html", "md": "text/markdown", "csv": "text/csv", "json": "application/json"}
    | dict.fromkeys(
        (
            "txt", "text", "markdown", "rst", "log", "tsv", "ini", "cfg", "conf", "toml", "yaml", "yml", "xml", "srt",
            "vtt", "ics", "vcf", "sql", "tex", "diff", "patch", "py", "js", "ts", "jsx", "tsx", "css", "sh", "c", "h",
            "cpp", "hpp", "cs", "java", "kt", "go", "rs", "rb", "php", "swift", "lua", "pl", "r", "ipynb", "jsonl",
        ),
        _TEXT,
    )
)  # fmt: skip


def bare_type(media_type: str) -> str:
    """Return a media type in lower case, without parameters."""
    return media_type.split(";")[0].strip().lower()


def says_nothing(media_type: str) -> bool:
    """Return whether a media type is so general that it does not say what a file is."""
    main, _, sub = bare_type(media_type).partition("/")
    return not main or not sub or _SAYS_NOTHING.search(sub) is not None


def likely_type(media_type: str, name: str) -> str:
    """Return the likely media type of a file; "" if neither `media_type` nor the file's name says anything.

    The type that the name suggests takes precedence, unless `media_type` is of a PDF, picture, sound, video or text.
    """
    named = bare_type(media_type)
    if "pdf" in named:
        return PDF
    is_known = named.startswith(("image/", "audio/", "video/", "text/"))
    return media_type if is_known else type_by_name(name) or ("" if says_nothing(named) else media_type)


def type_by_name(name: str) -> str:
    """Return the media type for the ending of a name, or ""."""
    stem, dot, ending = name.strip().rpartition(".")
    return _BY_ENDING.get(ending.lower(), "") if stem and dot else ""
