"""What a page says, from its bytes: the one way into this package.

The parsers are heavy and read what strangers wrote: call this in a process whose memory and time are bounded.
"""

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from shared.base.errors import ExtractionFailed
from shared.reader.extract.decoding import decoded_text
from shared.reader.extract.kinds import kind_of
from shared.values.page import PageKind

#: what is read of a text; the model is shown less than this of any page
MAX_CHARACTERS = 400_000
#: JSON that is longer is not indented: as values it takes many times as much memory
MOST_INDENTED = 4_000_000
_HALVES: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class ExtractedText:
    """The text of a page, in markdown if it was HTML, and its title if it has one."""

    title: str
    text: str
    kind: PageKind


def extract_text(body: bytes, content_type: str, url: str) -> ExtractedText:
    """What a page says; `content_type` is the header's value, empty if there is none, and `url` is where it was found.

    Raises ExtractionFailed, whatever the bytes are, if there is no text to be had.
    """
    kind = kind_of(body, content_type, url.partition("?")[0])
    title, text = _read(body, content_type, url, kind)
    if not text.strip():
        raise ExtractionFailed("the page has no text that can be read without running its scripts")
    return ExtractedText(_whole(title), _whole(text), kind)


def _whole(text: str) -> str:
    """The text without halves of surrogate pairs, which JSON can hold and UTF-8 cannot."""
    return _HALVES.sub("\ufffd", text)


def _read(body: bytes, content_type: str, url: str, kind: PageKind) -> tuple[str, str]:
    """Title and text, by the reader of this kind; each imports its parsers itself."""
    match kind:
        case PageKind.HTML:
            from shared.reader.extract.webpage import read_webpage

            return read_webpage(body, content_type, url)
        case PageKind.PDF:
            from shared.reader.extract.pdf import read_pdf

            return read_pdf(body)
        case PageKind.JSON:
            return "", read_json(body, content_type)
        case PageKind.TEXT:
            return "", read_text(body, content_type)


def read_text(body: bytes, content_type: str) -> str:
    """The text as it is, its line ends unified."""
    return "\n".join(decoded_text(body, content_type)[:MAX_CHARACTERS].splitlines())


def read_json(body: bytes, content_type: str) -> str:
    """The JSON, indented; as it is where it cannot be parsed, or is very long."""
    text = decoded_text(body, content_type)
    if len(text) > MOST_INDENTED:
        return text[:MAX_CHARACTERS]
    with suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    return text[:MAX_CHARACTERS]
