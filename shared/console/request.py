"""A request as a view's handler gets it, and the handler's refusals."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class BadRequest(Exception):
    """The request cannot be carried out. The text is a sentence for the owner."""


class NotFound(Exception):
    """No such thing exists, or it belongs to an agent of somebody else."""


@dataclass(frozen=True, kw_only=True)
class ConsoleRequest:
    """A request of a signed-in owner.

    `agents` are those of which this person is the owner: nothing of other agents may be read or changed. `path` has the
    parameters of the route's path, and `body` is {} for GET. `content` is the file of a route that takes files, and
    `range` the header with the part of a file that a player asks for. `language` is an IETF tag.
    """

    owner: int
    agents: tuple[str, ...]
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    content: bytes = field(default=b"", repr=False)
    range: str = ""
    language: str = "en"
