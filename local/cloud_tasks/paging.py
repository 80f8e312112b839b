"""Pages of a list that is sorted by name."""

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from local.cloud_tasks.errors import invalid

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Some items, and the token for the next page. The token is empty if this is the last page."""

    items: list[Item]
    next_token: str


def first_after(token: str) -> str:
    """Return the name after which this token's page begins. Raises INVALID_ARGUMENT if the token is malformed."""
    try:
        return base64.urlsafe_b64decode(token).decode()
    except (binascii.Error, UnicodeDecodeError) as cause:
        raise invalid("The page token is not valid; use one that this server returned.") from cause


def page_length(asked: int, most: int) -> int:
    """Return the number of items on a page: `asked`, but at most `most`. If `asked` is 0, return `most`."""
    if asked < 0:
        raise invalid("Page size cannot be negative.")
    return min(asked or most, most)


def page_of(found: list[Item], length: int, name: Callable[[Item], str]) -> Page[Item]:
    """Return a page of the first `length` items; its token for the next page is empty if `found` has no more items."""
    items = found[:length]
    token = base64.urlsafe_b64encode(name(items[-1]).encode()).decode() if len(found) > length else ""
    return Page(items, token)
