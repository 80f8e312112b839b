"""Paying: every call of a model is made with a wallet, which reserves what it may cost before, and settles it after.

A tick has a wallet of its own for as long as it holds its chat; whatever else calls models has one that borrows for
each single call.
"""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from shared.base.errors import ModelRefused, ModelTrouble
from shared.base.logs import log
from shared.base.model_call import ModelCall
from shared.values.money import Amount, nanos
from shared.values.usage import ModelUse, cost_of


@dataclass
class Hold:
    """What is reserved for one call: of which allowance, and what of it is used by now."""

    allowance: str
    amount: Amount
    use: ModelUse
    calls: list[ModelCall] = field(default_factory=list)
    #: whether what is not counted was not spent: the model said no, and took nothing for it
    is_known: bool = False

    def counted(self, call: ModelCall) -> None:
        """Note what a call took."""
        self.calls.append(call)
        self.is_known = True

    @property
    def nano_usd(self) -> int:
        """What was spent, at most what was reserved: all of that where nobody knows better."""
        if self.is_known and not self.calls:
            return 0
        reserved, counted = self.amount.nano_usd, self._counted
        return reserved if counted is None else min(reserved, max(counted, 1))

    @property
    def usd(self) -> float:
        """What was spent, in dollars."""
        return Amount(nano_usd=self.nano_usd).usd

    @property
    def is_short(self) -> bool:
        """Whether the call took more than was reserved, which is all that can be kept of it."""
        return (self._counted or 0) > self.amount.nano_usd

    @property
    def _counted(self) -> int | None:
        """What its calls took by their counts; None if nobody knows."""
        cost = cost_of(self.calls, datetime.now(UTC)) if self.is_known else None
        return None if cost is None else nanos(cost)


class Wallet(Protocol):
    """Whoever pays."""

    @property
    def is_limited(self) -> bool:
        """Whether limits hold, so that it has to be known what a call may cost."""

    async def reserve(self, use: ModelUse, nano_usd: int) -> Hold:
        """Reserve what a call may cost. Raises ModelRefused or ModelUnavailable where a limit does not allow it.

        And what writing it raises: a StoreError.
        """

    async def settle(self, hold: Hold) -> None:
        """Note what the call took."""


class Unlimited:
    """Pays whatever it costs, and keeps nothing of it."""

    is_limited = False

    async def reserve(self, use: ModelUse, nano_usd: int) -> Hold:
        """Nothing is refused."""
        return Hold("", Amount(nano_usd=nano_usd), use)

    async def settle(self, hold: Hold) -> None:
        """Nothing is kept."""


_CURRENT: ContextVar[Wallet | None] = ContextVar("wallet", default=None)


@contextmanager
def paying(wallet: Wallet) -> Iterator[None]:
    """For the block, calls are paid by this wallet."""
    token = _CURRENT.set(wallet)
    try:
        yield
    finally:
        _CURRENT.reset(token)


_USE: ContextVar[ModelUse | None] = ContextVar("use", default=None)


@contextmanager
def charging(use: ModelUse) -> Iterator[None]:
    """For the block, vectors are paid for under this use: what makes them is told nothing but texts."""
    token = _USE.set(use)
    try:
        yield
    finally:
        _USE.reset(token)


def current_use() -> ModelUse | None:
    """What vectors are paid for under here; none: what makes them knows."""
    return _USE.get()


def current_wallet() -> Wallet | None:
    """Who pays here; none: whoever pays for single calls."""
    return _CURRENT.get()


@asynccontextmanager
async def paid(otherwise: Wallet, use: ModelUse, nano_usd: int | None) -> AsyncIterator[Hold]:
    """A call for which is paid: reserved before the block, settled after it, also if it fails or is cancelled.

    `nano_usd`: what it may cost; None if nobody knows. Such a call is refused wherever limits hold.
    """
    wallet = current_wallet() or otherwise
    if nano_usd is None and wallet.is_limited:
        log("a model has no price: LULL_PRICES gives one", logging.ERROR, purpose=use.purpose.value)
        raise ModelRefused("no price of the model is known", trouble=ModelTrouble.MISCONFIGURED)
    nano_usd = nano_usd or 0
    hold = await wallet.reserve(use, nano_usd)
    try:
        yield hold
    finally:
        await wallet.settle(hold)
