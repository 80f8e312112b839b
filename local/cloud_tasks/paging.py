"""Pages of a list that is in the order of its names."""

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from local.cloud_tasks.errors import invalid

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Some items, and the token that asks for those after them: empty if there are none."""

    items: list[Item]
    next_token: str


def first_after(token: str) -> str:
    """The name after which the page begins that the token asks for; INVALID_ARGUMENT if no page made it."""
    try:
        return base64.urlsafe_b64decode(token).decode()
    except (binascii.Error, UnicodeDecodeError) as cause:
        raise invalid("The page token is not one that this server gave.") from cause


def page_length(asked: int, most: int) -> int:
    """Items on a page: as many as asked for, at most `most`, which is also what 0 means."""
    if asked < 0:
        raise invalid("Page size cannot be negative.")
    return min(asked or most, most)


def page_of(found: list[Item], length: int, name: Callable[[Item], str]) -> Page[Item]:
    """The first `length` of the items found, which must be one more if there are more."""
    items = found[:length]
    token = base64.urlsafe_b64encode(name(items[-1]).encode()).decode() if len(found) > length else ""
    return Page(items, token)
