"""A request as a view's handler gets it, what may stand in its address, and the handler's refusals."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

#: the lengths that the id of a click may have
CLICK_LENGTH: Final = range(8, 81)
_ID: Final = r"[A-Za-z0-9_.:=-]{1,500}"
_TIME: Final = r"\d{4}-\d\d-\d\dT[0-9:.]{5,15}(Z|[+-]\d\d:\d\d)"
#: by parameter, the pattern of its values; other parameters never reach a view. Cloud Run logs the address of every
#: request, but no body. So the values are ids, times, numbers and names of the code, never words or names of people
PARAMETERS: Final[Mapping[str, str]] = {
    "after": rf"{_TIME}|\d{{1,12}}",
    "agent": _ID,
    "at": _TIME,
    "before": r"\d{1,12}",
    "conversation": _ID,
    "cursor": rf"({_TIME} )?{_ID}(/{_ID}){{0,9}}|{_TIME}",
    "format": r"[a-z_]{1,20}",
    "kind": r"[a-z_]{1,20}",
    "model": r"[A-Za-z0-9._:/+~-]{1,200}",
    "month": r"\d{4}-\d\d",
    "number": r"\d{1,20}",
    "since": _TIME,
    "talk": rf"{_ID}/\d{{1,20}}",
    "tier": r"[a-z_]{1,20}",
    "trace": r"[0-9a-f]{1,64}",
}
_PATTERNS: Final = {name: re.compile(pattern, re.ASCII) for name, pattern in PARAMETERS.items()}
_PATH: Final = re.compile(_ID, re.ASCII)


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
    parameters of the route's path. `query` is {} for POST, and `body` is {} for GET. `content` is the file of a route
    that takes files, and `range` the header with the part of a file that a player asks for. `language` is an IETF tag.
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


def check_query(query: Mapping[str, str]) -> Mapping[str, str]:
    """Return the parameters that views know. Raises OutdatedPage if one of them may be a text of somebody."""
    known = {name: value for name, value in query.items() if name in _PATTERNS}
    for name, value in known.items():
        if value and _PATTERNS[name].fullmatch(value) is None:
            raise OutdatedPage(f"the address has an unexpected value for {name}")
    return known


def check_path(path: Mapping[str, str]) -> Mapping[str, str]:
    """Return the parameters of a path. Raises NotFound if one of them is no id."""
    if not all(_PATH.fullmatch(value) for value in path.values()):
        raise NotFound
    return path
