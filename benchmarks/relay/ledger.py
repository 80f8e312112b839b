"""The ledger: the requests that passed the relays, numbered in order of arrival; and the blow, which kills the process
that makes one of the requests.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum


class Moment(StrEnum):
    """The moment of a request at which its process is killed."""

    #: the request has reached the relay, and is never forwarded
    BEFORE = "before"
    #: the server has answered completely, and the answer is never forwarded
    AFTER = "after"


@dataclass(frozen=True)
class Step:
    """The identity of a request within a play. It does not depend on other functions' requests: it consists of the
    function that makes the request (`maker`), the kind of the request ("Firestore Commit inbox"), and the request's
    number among the requests of this kind by this function (`nth`, from 1).
    """

    maker: str
    what: str
    nth: int = 1


@dataclass(frozen=True)
class Request:
    """A request: its number among all requests, from 1, and its step."""

    number: int
    step: Step


@dataclass(frozen=True)
class Blow:
    """A blow: at `moment` of the request with this `step`, `strike` is called once with the request, and must end the
    process that made it.
    """

    step: Step
    moment: Moment
    strike: Callable[[Request], Awaitable[None]]


class Ledger:
    """The ledger that the relays around the functions of one play share. It is used within one event loop."""

    #: gRPC's name of the status with which a struck call ends, if somebody is left to hear it
    status = "UNAVAILABLE"

    def __init__(self) -> None:
        """Create an empty ledger without a blow."""
        self.requests: list[Request] = []
        self._blow: Blow | None = None
        self._falling: tuple[Request, asyncio.Future[None]] | None = None

    def start_over(self, blow: Blow | None = None) -> None:
        """Begin to count from 1 again. Requests that are still running no longer count, and the blow does not fall on
        them.
        """
        self.requests, self._blow, self._falling = [], blow, None

    def strike_again(self, blow: Blow) -> None:
        """Set another blow after the previous blow has fallen."""
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
        """If the blow is due on this request, carry the blow out, wait until it is finished, and return True. Otherwise
        return False.

        When the process is killed its connection closes, and the caller of this method is cancelled. The blow itself is
        not cancelled.
        """
        if self._blow is None or not self.is_due(request, moment):
            return False
        falling = asyncio.ensure_future(self._blow.strike(request))
        self._falling = (request, falling)
        await asyncio.shield(falling)
        return True

    async def struck(self) -> Request | None:
        """Wait until the blow is finished, and return the request on which it fell; None if it fell on none."""
        if self._falling is None:
            return None
        request, falling = self._falling
        await falling
        return request
