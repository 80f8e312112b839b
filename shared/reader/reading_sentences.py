"""Sentences for the model about pages that cannot be read. No sentence repeats anything that the server wrote."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import Final

from shared.values.file_types import bare_type, says_nothing

_STATUSES: Final[Mapping[int, str]] = MappingProxyType(
    {
        400: "it does not understand the request",
        401: "it wants a login",
        402: "it wants to be paid",
        403: "it may not be read",
        404: "there is no such page",
        405: "it does not take this kind of request",
        406: "it has nothing in a form that can be read",
        408: "the request took too long",
        410: "the page is gone for good",
        418: "it refuses",
        421: "it was asked at the wrong place",
        429: "it was asked too often",
        451: "it may not be shown for legal reasons",
        500: "the server has an error",
        502: "a server behind it does not answer",
        503: "it cannot answer now",
        504: "a server behind it takes too long",
    }
)
_LONGEST_WAIT_S: Final = 10_000_000

#: words for media types, by the beginnings of their names
_MEDIA: Final[Mapping[str, str]] = MappingProxyType(
    {
        "image/": "a picture",
        "video/": "a video",
        "audio/": "a sound",
        "font/": "a font",
        "application/zip": "an archive",
        "application/gzip": "an archive",
        "application/x-tar": "an archive",
        "application/x-7z-compressed": "an archive",
        "application/vnd.rar": "an archive",
        "application/epub+zip": "an e-book",
        "application/msword": "an office document",
        "application/vnd.": "an office document",
    }
)
#: a media type of spreadsheets that servers also use for tables in plain text
_ALSO_TEXT: Final = "application/vnd.ms-excel"

TOO_SLOW: Final = "The page did not come within {seconds:g} seconds."
TOO_LARGE: Final = "The page is larger than {mib} MiB, and was not read."
NO_SUCH_HOST: Final = "There is no host of this name."
NOT_REACHED: Final = "The host does not answer."
BAD_CERTIFICATE: Final = "The host cannot prove who it is: its certificate is wrong or too old."
BROKEN: Final = "The host broke off its answer, or gave one that cannot be understood."
TOO_MANY_REDIRECTS: Final = "The page was redirected more than {most} times."
UNPACKS: Final = "The page unpacks to far more than was sent; it was not read."
UNKNOWN_PACKING: Final = "The page is packed in a way that was not asked for."
ROBOTS: Final = "The site asks not to be read by programs on their own (robots.txt). A person may ask for the page."
BUSY: Final = "Too many other pages are read just now, so this one was not."
NO_TEXT: Final = "The page takes too much time or memory to be read."


def status_sentence(status: int, retry_after: str, now: datetime) -> str:
    """Return the sentence for a response with an error status. `retry_after` is the `Retry-After` header's value."""
    wait = seconds_in(retry_after, now)
    later = f" It asks to be left alone for {wait} seconds." if wait else ""
    return f"The page says {status}: {_STATUSES.get(status, 'it is not to be had')}.{later}"


def seconds_in(retry_after: str, now: datetime) -> int:
    """Return the seconds for which a Retry-After header asks to wait; 0 if it cannot be read."""
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return min(int(text[:9]), _LONGEST_WAIT_S)
    try:
        until = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return 0
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return min(max(0, round((until - now).total_seconds())), _LONGEST_WAIT_S)


def is_readable(content_type: str) -> bool:
    """Return whether a page of this media type may contain text. An unknown type may; the bytes decide later."""
    named = bare_type(content_type)
    is_structured = named.endswith(("+json", "+xml", "+yaml")) and not named.startswith("image/")
    is_media = any(named.startswith(start) for start in _MEDIA)
    return not is_media or is_structured or says_nothing(named) or "pdf" in named or named == _ALSO_TEXT


def media_sentence(content_type: str, length: int | None) -> str:
    """Return the sentence for a response that is a file of another kind, such as a picture."""
    named = bare_type(content_type)
    what = next((words for start, words in _MEDIA.items() if named.startswith(start)), "a file")
    return f"There is {what}{_size(length)}, which cannot be read here."


def _size(length: int | None) -> str:
    if not length:
        return ""
    return f" of {length / 1_048_576:.1f} MiB" if length >= 100_000 else f" of {max(1, round(length / 1_024))} KiB"
