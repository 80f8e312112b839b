"""The ledger: the requests that passed the relays, numbered in the order in which they came, and the one blow."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum


class Moment(StrEnum):
    """When a blow falls on a request."""

    #: it came to the relay and is never forwarded
    BEFORE = "before"
    #: the server acted and answered in full; the answer is never handed on
    AFTER = "after"


@dataclass(frozen=True)
class Step:
    """What tells a request from the others of a play, whatever comes between them: the function that made it, what it
    asks ("Firestore Commit inbox"), and how many of that function's have asked the same by then.
    """

    maker: str
    what: str
    nth: int = 1


@dataclass(frozen=True)
class Request:
    """One request: its number, from 1, and its step."""

    number: int
    step: Step


@dataclass(frozen=True)
class Blow:
    """What happens to one request: `strike` is called with it, once, and must end its maker's process."""

    step: Step
    moment: Moment
    strike: Callable[[Request], Awaitable[None]]


class Ledger:
    """Shared by the relays of one lane, within one event loop."""

    def __init__(self) -> None:
        """Empty, and nothing is to be struck."""
        self.requests: list[Request] = []
        self._blow: Blow | None = None
        self._falling: tuple[Request, asyncio.Future[None]] | None = None

    def start_over(self, blow: Blow | None = None) -> None:
        """Count from 1 again; requests that are still under way are not counted any more, and not struck."""
        self.requests, self._blow, self._falling = [], blow, None

    def strike_again(self, blow: Blow) -> None:
        """Have another blow fall, once the one before has."""
        self._blow = blow

    def enter(self, maker: str, what: str) -> Request:
        """A request that came, with its number."""
        nth = 1 + sum((one.step.maker, one.step.what) == (maker, what) for one in self.requests)
        request = Request(len(self.requests) + 1, Step(maker, what, nth))
        self.requests.append(request)
        return request

    def is_due(self, request: Request, moment: Moment) -> bool:
        """Whether the blow falls on this request at this moment."""
        blow = self._blow
        is_it = blow is not None and (blow.step, blow.moment) == (request.step, moment)
        return is_it and any(request is one for one in self.requests)

    async def falls(self, request: Request, moment: Moment) -> bool:
        """Whether the blow falls on this request now; then it has fallen when this returns.

        Whoever waits here is cancelled when the killed process's connection closes; the blow is not.
        """
        if self._blow is None or not self.is_due(request, moment):
            return False
        falling = asyncio.ensure_future(self._blow.strike(request))
        self._falling = (request, falling)
        await asyncio.shield(falling)
        return True

    async def struck(self) -> Request | None:
        """The request that was struck, once all of the blow is done; none if it has not come."""
        if self._falling is None:
            return None
        request, falling = self._falling
        await falling
        return request
