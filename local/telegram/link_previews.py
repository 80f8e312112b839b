"""Link previews: the options that are stored with a message, and the address whose preview people see.

Nothing is fetched here: a preview consists only of the address. The first link is chosen as in TDLib
(MessageEntity.cpp, get_first_url). If the option `url` is invalid, the message has no preview but is not refused, since
the preview is optional (InputMessageText.cpp).
"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from local.telegram.addresses import full_address
from local.telegram.entities import LocalEntity, utf16_slice
from local.telegram.messages import LinkPreview, LocalMessage

# Addresses shorter than this are links without a preview.
_SHORTEST = 5
_OTHER_SCHEMES = ("ton:", "tonsite:", "tg:", "ftp:")
_WEB = ("http", "https")


def preview_of(params: Mapping[str, Any], text: str, entities: Sequence[LocalEntity]) -> LinkPreview | None:
    """Return a call's preview options; None if they are the defaults, or if there is nothing to preview."""
    options = params.get("link_preview_options") or {}
    preview = LinkPreview(**{name: options[name] for name in LinkPreview.__match_args__ if options.get(name)})
    has_link = bool(preview.url or first_link(text, entities))
    return preview if has_link and preview != LinkPreview() else None


def first_link(text: str, entities: Sequence[LocalEntity]) -> str:
    """Return the first address of a text that can have a preview; empty if there is none."""
    for entity in entities:
        if entity.type == "text_link":
            address = entity.url or ""
        elif entity.type == "url":
            address = utf16_slice(text, entity.offset, entity.length)
        else:
            continue
        is_bare = entity.type == "url" and not any(mark in address for mark in "/?#")
        if len(address) >= _SHORTEST and not is_bare and not address.lower().startswith(_OTHER_SCHEMES):
            return address
    return ""


def previewed_address(message: LocalMessage) -> str | None:
    """Return the complete address of a message's preview; None if it has none."""
    preview = message.preview or LinkPreview()
    if preview.is_disabled or message.text is None or message.deleted:
        return None
    address = full_address(preview.url or first_link(message.text, message.entities))
    return address if address and urlsplit(address).scheme.lower() in _WEB else None
