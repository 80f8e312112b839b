"""Extracts the text of a page from its bytes. It is the only module of this package that other packages use.

The parsers are heavy, and read untrusted input. Call this in a process with limited memory and time.
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

#: the maximum characters of a text; a model is shown fewer
MAX_CHARACTERS = 400_000
#: the maximum bytes of JSON that is indented, since parsing takes many times its memory
MOST_INDENTED = 4_000_000
_HALVES: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class ExtractedText:
    """A page's text, in markdown if it was HTML, and its title if it has one."""

    title: str
    text: str
    kind: PageKind


def extract_text(body: bytes, content_type: str, url: str) -> ExtractedText:
    """Return the text of a page.

    `content_type` is the value of the header or "", and `url` is the address at which the page was found. Raises
    ExtractionFailed if there is no text. Malformed bytes cause no other error.
    """
    kind = kind_of(body, content_type, url.partition("?")[0])
    title, text = _read(body, content_type, url, kind)
    if not text.strip():
        raise ExtractionFailed("the page has no text that can be read without running its scripts")
    return ExtractedText(_whole(title), _whole(text), kind)


def _whole(text: str) -> str:
    """Replace lone surrogates, which JSON can contain but UTF-8 cannot."""
    return _HALVES.sub("\ufffd", text)


def _read(body: bytes, content_type: str, url: str, kind: PageKind) -> tuple[str, str]:
    """Return the title and the text of a page. Parsers are imported only for the page's kind."""
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
    """Return a plain text with uniform line ends."""
    return "\n".join(decoded_text(body, content_type)[:MAX_CHARACTERS].splitlines())


def read_json(body: bytes, content_type: str) -> str:
    """Return JSON with indentation; if it cannot be parsed or is very long, return it unchanged."""
    text = decoded_text(body, content_type)
    if len(text) > MOST_INDENTED:
        return text[:MAX_CHARACTERS]
    with suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    return text[:MAX_CHARACTERS]
