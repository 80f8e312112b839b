"""The request that a handler gets, functions that check its path and query, and the errors that handlers may raise."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from shared.values.chat_key import ChatKey

#: the lengths that the id of a click may have
CLICK_LENGTH: Final = range(8, 81)
_ID: Final = r"[A-Za-z0-9_.:=-]{1,500}"
_TIME: Final = r"\d{4}-\d\d-\d\dT[0-9:.]{5,15}(Z|[+-]\d\d:\d\d)"
#: by parameter, the pattern of its values; there are no other parameters. Cloud Run logs the address of every
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
        """`values` are inserted into the text: `usd` as an amount of US dollars, `share` (from 0 to 1) as a
        percentage.
        """
        super().__init__(code)
        self.code = code
        self.values = values

    @property
    def as_json(self) -> Mapping[str, Any]:
        return {"code": self.code, "values": self.values}


class OutdatedPage(BadRequest):
    """The request has a form that only pages of another version of the console send. `why` is for developers."""

    def __init__(self, why: str) -> None:
        super().__init__("outdated_page")
        self.why = why

    @property
    def as_json(self) -> Mapping[str, Any]:
        return {"code": self.code, "why": self.why}


class NotFound(Exception):
    """The requested thing does not exist, or it belongs to another owner's agent."""


@dataclass(frozen=True, kw_only=True)
class ConsoleRequest:
    """A request of a signed-in owner.

    `agents` are the agents that this person owns; nothing of other agents may be read or changed. `path` has the
    parameters of the route's path. `query` is {} for POST, and `body` is {} for GET. `content` is the uploaded file,
    for routes that take files. `range` is the Range header of a media player. `language` is an IETF tag.
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
        """The id that the page made for a click; a repeated request has the same id. Empty if there is none."""
        click = self.body.get("id")
        return click if isinstance(click, str) and len(click) in CLICK_LENGTH else ""


def check_query(query: Mapping[str, str]) -> Mapping[str, str]:
    """Return the query. Raises OutdatedPage for an unknown parameter or a malformed value.

    The error does not quote the value, which may be something that a person wrote.
    """
    for name, value in query.items():
        if name not in _PATTERNS:
            raise OutdatedPage("the address has an unknown parameter")
        if value and _PATTERNS[name].fullmatch(value) is None:
            raise OutdatedPage(f"the address has an unexpected value for {name}")
    return query


def check_path(path: Mapping[str, str]) -> Mapping[str, str]:
    """Return the parameters of a path. Raises NotFound if one of them is not an id."""
    if not all(_PATH.fullmatch(value) for value in path.values()):
        raise NotFound
    return path


def own_agent(request: ConsoleRequest, agent: str) -> str:
    """Return `agent` if it is one of the owner's agents. Raises NotFound otherwise."""
    if agent not in request.agents:
        raise NotFound
    return agent


def own_chat(chat: str, agents: Collection[str]) -> ChatKey:
    """Return the key of a chat of one of these agents; `chat` is its id. Raises NotFound if there is no such chat."""
    try:
        key = ChatKey.from_id(chat)
    except ValueError:
        raise NotFound from None
    if key.agent not in agents:
        raise NotFound
    return key
