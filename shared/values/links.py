"""Links: finding and comparing the addresses in a text, and links to messages."""

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urlsplit

from shared.base.text import Entity, EntityType
from shared.values.chat_key import ChatKey

#: an address with its scheme, without the end of a sentence or of a markdown link
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'`\\^{}|\[\]]+", re.IGNORECASE)
_ENDS: Final = ".,;:!?…*_~"
_LONGEST: Final = 2_048


def addresses_in(text: str) -> Iterator[str]:
    """Return the addresses in a text as they are written.

    In `(https://a.example/b)` the closing bracket is not part of the address; in `https://a.example/b_(c)` it is.
    """
    for found in _ADDRESS.finditer(text):
        address = found[0].rstrip(_ENDS)
        while address.count(")") > address.count("("):
            address = address[: address.rindex(")")].rstrip(_ENDS)
        yield address


def linked_addresses(text: str, entities: Iterable[Entity]) -> Iterator[str]:
    """Return the addresses that a message links to: those in its visible text, and the targets of its text links."""
    yield from addresses_in(text)
    for entity in entities:
        if entity.type is EntityType.TEXT_LINK and entity.url:
            yield entity.url
        elif entity.type is EntityType.URL:
            written = entity.text_in(text)
            yield from (written,) if "://" in written else (f"https://{written}", f"http://{written}")


def normal_address(address: str) -> str:
    """Return the normal form of an address, the same for all of its spellings; "" if it is not a web address.

    Scheme and host are in lower case, an empty path becomes a slash, and the fragment is dropped.
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
    """Return the host of an address; "" if the address has none."""
    try:
        return urlsplit(address.strip()).hostname or ""
    except ValueError:
        return ""


#: the prefix of supergroups' and channels' ids in the Bot API
#: (core.telegram.org/api/bots/ids)
_SUPERGROUPS: Final = -1_000_000_000_000


def message_link(key: ChatKey, message_id: int) -> str:
    """Return the link to a message in a group, which works for the group's members (core.telegram.org/api/links)."""
    if key.chat_id >= _SUPERGROUPS or message_id <= 0 or key.is_direct:
        return ""
    place = [str(_SUPERGROUPS - key.chat_id), *([str(key.topic_id)] if key.topic_id else []), str(message_id)]
    return f"https://t.me/c/{'/'.join(place)}"
