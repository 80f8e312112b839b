"""The ledger: the requests that passed the relays, numbered in order of arrival, and the blow that strikes
one of them.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum


class Moment(StrEnum):
    """The moment of a request at which a blow falls."""

    #: the request reached the relay and is never forwarded
    BEFORE = "before"
    #: the server answered completely, and the answer is never forwarded
    AFTER = "after"


@dataclass(frozen=True)
class Step:
    """The identity of a request within a play, independent of other requests: the function that made it, its kind
    ("Firestore Commit inbox"), and how many requests of this kind the function has made by then.
    """

    maker: str
    what: str
    nth: int = 1


@dataclass(frozen=True)
class Request:
    """A request: its number, from 1, and its step."""

    number: int
    step: Step


@dataclass(frozen=True)
class Blow:
    """The blow on one request: `strike` is called with it once, and must end the process that made it."""

    step: Step
    moment: Moment
    strike: Callable[[Request], Awaitable[None]]


class Ledger:
    """The ledger that the relays of one lane share, within one event loop."""

    def __init__(self) -> None:
        """Create an empty ledger without a blow."""
        self.requests: list[Request] = []
        self._blow: Blow | None = None
        self._falling: tuple[Request, asyncio.Future[None]] | None = None

    def start_over(self, blow: Blow | None = None) -> None:
        """Count from 1 again. Requests that are still running are no longer counted, nor struck."""
        self.requests, self._blow, self._falling = [], blow, None

    def strike_again(self, blow: Blow) -> None:
        """Set another blow, after the previous one has fallen."""
        self._blow = blow

    def enter(self, maker: str, what: str) -> Request:
        """Count a request, and return it with its number."""
        nth = 1 + sum((one.step.maker, one.step.what) == (maker, what) for one in self.requests)
        request = Request(len(self.requests) + 1, Step(maker, what, nth))
        self.requests.append(request)
        return request

    def is_due(self, request: Request, moment: Moment) -> bool:
        """Return whether the blow falls on this request at this moment."""
        blow = self._blow
        is_it = blow is not None and (blow.step, blow.moment) == (request.step, moment)
        return is_it and any(request is one for one in self.requests)

    async def falls(self, request: Request, moment: Moment) -> bool:
        """Return whether the blow fell on this request; wait until it has fallen.

        The caller is cancelled when the connection of the killed process closes; the blow is not.
        """
        if self._blow is None or not self.is_due(request, moment):
            return False
        falling = asyncio.ensure_future(self._blow.strike(request))
        self._falling = (request, falling)
        await asyncio.shield(falling)
        return True

    async def struck(self) -> Request | None:
        """Wait until the blow is finished, and return the struck request; None if there was none."""
        if self._falling is None:
            return None
        request, falling = self._falling
        await falling
        return request
