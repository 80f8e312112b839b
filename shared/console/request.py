"""A request as a view's handler gets it, and the handler's refusals."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

#: the lengths that the id of a click may have
CLICK_LENGTH: Final = range(8, 81)


class BadRequest(Exception):
    """The request cannot be carried out. `code` names the text for the owner in `web/console/words/en/told.json`."""

    def __init__(self, code: str, **values: str | float) -> None:
        """`values` are the values in the text; `usd` is an amount of US dollars, `share` a part of 1."""
        super().__init__(code)
        self.code = code
        self.values = values

    @property
    def as_json(self) -> Mapping[str, Any]:
        return {"code": self.code, "values": self.values}


class OutdatedPage(BadRequest):
    """The request is none that the page makes, unless it is older than the function. `why` is for developers."""

    def __init__(self, why: str) -> None:
        super().__init__("outdated_page")
        self.why = why

    @property
    def as_json(self) -> Mapping[str, Any]:
        return {"code": self.code, "why": self.why}


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

    @property
    def click(self) -> str:
        """The id that the page made for a click: a repeated request has the same one. Empty if there is none."""
        click = self.body.get("id")
        return click if isinstance(click, str) and len(click) in CLICK_LENGTH else ""
