"""Links: the addresses that stand in a text, when two of them are the same, and the link to a message."""

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urlsplit

from shared.base.text import Entity, EntityType
from shared.values.chat_key import ChatKey

#: an address with its scheme; what ends a sentence or a link in markdown does not belong to it
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'`\\^{}|\[\]]+", re.IGNORECASE)
_ENDS: Final = ".,;:!?…*_~"
_LONGEST: Final = 2_048


def addresses_in(text: str) -> Iterator[str]:
    """The addresses in a text, as they are written.

    `(https://a.example/b)` ends before its bracket; `https://a.example/b_(c)` has brackets of its own.
    """
    for found in _ADDRESS.finditer(text):
        address = found[0].rstrip(_ENDS)
        while address.count(")") > address.count("("):
            address = address[: address.rindex(")")].rstrip(_ENDS)
        yield address


def linked_in(text: str, entities: Iterable[Entity]) -> Iterator[str]:
    """The addresses that a message links to: those that stand in its text, and those behind its words.

    Telegram takes `example.com` for a link, too.
    """
    yield from addresses_in(text)
    for entity in entities:
        if entity.type is EntityType.TEXT_LINK and entity.url:
            yield entity.url
        elif entity.type is EntityType.URL:
            written = entity.covered(text)
            yield from (written,) if "://" in written else (f"https://{written}", f"http://{written}")


def same(address: str) -> str:
    """The form in which two spellings of one address are equal; empty for what is no address of the web.

    Scheme and host are without case, a lone slash counts for no path, and a fragment never leaves the reader.
    """
    try:
        parts = urlsplit(address.strip())
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme.lower() not in {"http", "https"} or not parts.hostname or len(address) > _LONGEST:
        return ""
    user = f"{parts.username or ''}:{parts.password or ''}@" if "@" in parts.netloc else ""
    at = f":{port}" if port is not None else ""
    query = f"?{parts.query}" if "?" in address.partition("#")[0] else ""
    return f"{parts.scheme.lower()}://{user}{parts.hostname}{at}{parts.path or '/'}{query}"


def host_of(address: str) -> str:
    """The host that an address leads to; empty for what is none."""
    try:
        return urlsplit(address.strip()).hostname or ""
    except ValueError:
        return ""


#: the Bot API's ids of supergroups and channels are their own behind this
#: (core.telegram.org/api/bots/ids)
_SUPERGROUPS: Final = -1_000_000_000_000


def message_link(key: ChatKey, message_id: int) -> str:
    """The link to a message, for its group's members (core.telegram.org/api/links).

    Empty where nothing leads there, as in private chats and small groups.
    """
    if key.chat_id >= _SUPERGROUPS or message_id <= 0 or key.is_direct:
        return ""
    place = [str(_SUPERGROUPS - key.chat_id), *([str(key.topic_id)] if key.topic_id else []), str(message_id)]
    return f"https://t.me/c/{'/'.join(place)}"
