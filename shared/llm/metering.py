"""Metering: every call of a model goes through this module, which reserves money for the call and records its cost.

Before a call, a budget service reserves the most that the call may cost. After the call, the service settles the real
cost. A tick has its own budget service while it holds its chat; other work has a service that borrows money for each
call. A log line records each settled cost, also for failed calls. The metric of spending sums these lines.
"""

import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from shared.base.errors import ModelError, ModelRefused, ModelTrouble
from shared.base.logs import log
from shared.base.model_call import ModelCall
from shared.llm.cost_bounds import cost_at_most, cost_of_texts
from shared.llm.ports.embedding import Embedder, EmbeddingTask
from shared.llm.ports.world import LanguageModel
from shared.values.evolve import evolve
from shared.values.money import Amount, usd_to_nanos
from shared.values.prompt import ModelReply, Prompt
from shared.values.usage import ModelUse, Purpose, cost_of


@dataclass
class Reservation:
    """Money reserved for one request to a model: the lease that provides it, and the calls made with it so far."""

    lease_id: str
    amount: Amount
    use: ModelUse
    calls: list[ModelCall] = field(default_factory=list)
    #: whether the cost is known; if it is, and no call was counted, the cost is 0, since the model refused for free
    is_known: bool = False

    def add_call(self, call: ModelCall) -> None:
        """Add a call with its token counts, from which the cost is then computed."""
        self.calls.append(call)
        self.is_known = True

    @property
    def nano_usd(self) -> int:
        """The nano-dollars to charge: the cost, but no more than was reserved. If the cost is unknown, this is the
        whole reserved amount.
        """
        if self.is_known and not self.calls:
            return 0
        reserved, cost = self.amount.nano_usd, self._counted_cost
        return reserved if cost is None else min(reserved, max(cost, 1))

    @property
    def usd(self) -> float:
        """The amount to charge in US dollars; `nano_usd` is the same amount in nano-dollars."""
        return Amount(nano_usd=self.nano_usd).usd

    @property
    def is_exceeded(self) -> bool:
        """Return whether the call cost more than was reserved. Only the reserved amount is charged."""
        return (self._counted_cost or 0) > self.amount.nano_usd

    @property
    def _counted_cost(self) -> int | None:
        """The cost of the calls in nano-dollars, computed from their token counts; None if it is unknown."""
        cost = cost_of(self.calls, datetime.now(UTC)) if self.is_known else None
        return None if cost is None else usd_to_nanos(cost)


class BudgetService(Protocol):
    """Reserves money for model calls, and records what they cost."""

    @property
    def is_limited(self) -> bool:
        """Return whether limits are enforced. If so, calls without a known upper bound of their cost are refused."""

    async def reserve(self, use: ModelUse, nano_usd: int) -> Reservation:
        """Reserve the most that a call may cost. Raises ModelRefused or ModelUnavailable if a limit does not allow it,
        or a StoreError.
        """

    async def settle(self, reservation: Reservation) -> None:
        """Record what the calls of a reservation cost."""


class UnlimitedBudgetService:
    """A budget service without limits: it allows every call, and records nothing."""

    is_limited = False

    async def reserve(self, use: ModelUse, nano_usd: int) -> Reservation:
        return Reservation("", Amount(nano_usd=nano_usd), use)

    async def settle(self, reservation: Reservation) -> None:
        """Do nothing."""


_CURRENT: ContextVar[BudgetService | None] = ContextVar("budget_service", default=None)


@contextmanager
def use_budget(budget_service: BudgetService) -> Iterator[None]:
    """Charge the model calls in the block to this budget service."""
    token = _CURRENT.set(budget_service)
    try:
        yield
    finally:
        _CURRENT.reset(token)


_USE: ContextVar[ModelUse | None] = ContextVar("use", default=None)


@contextmanager
def charge_embeddings_to(use: ModelUse) -> Iterator[None]:
    """Charge embeddings in the block to `use`. An embedder gets only texts, so it cannot know what these are for."""
    token = _USE.set(use)
    try:
        yield
    finally:
        _USE.reset(token)


def current_use() -> ModelUse | None:
    """Return the use to which this block charges embeddings; None if they are charged to the embedder's default use."""
    return _USE.get()


def current_budget_service() -> BudgetService | None:
    """Return the budget service of the surrounding block; None if there is none."""
    return _CURRENT.get()


@asynccontextmanager
async def reserve_for_call(fallback: BudgetService, use: ModelUse, nano_usd: int | None) -> AsyncIterator[Reservation]:
    """Reserve money before the block, and settle the cost after it, even if the block fails or is cancelled.

    `nano_usd` is the most the call may cost. If it is None (unknown), and limits are enforced, the call is refused.
    `fallback` pays if the block is not inside a `use_budget` block.
    """
    budget_service = current_budget_service() or fallback
    if nano_usd is None and budget_service.is_limited:
        log("a model has no price; set one in LULL_PRICES", logging.ERROR, purpose=use.purpose.value)
        raise ModelRefused("the model's price is unknown; set it in LULL_PRICES", trouble=ModelTrouble.MISCONFIGURED)
    nano_usd = nano_usd or 0
    reservation = await budget_service.reserve(use, nano_usd)
    try:
        yield reservation
    finally:
        await budget_service.settle(reservation)


@dataclass(frozen=True)
class MeteredModels:
    """Gives access to models by name, and logs the cost of each call. `fallback` pays for calls outside of ticks.
    `aliases` maps a name such as `judge` to the model behind it, whose price is used.
    """

    by_name: Mapping[str, LanguageModel]
    fallback: BudgetService = field(default=UnlimitedBudgetService())
    aliases: Mapping[str, str] = field(default_factory=dict)

    def model(self, name: str, use: ModelUse) -> LanguageModel:
        """Return the model of that name. Its calls will be charged to `use`. Raises KeyError if the name is unknown."""
        return _MeteredModel(self.by_name[name], self.aliases.get(name, name), use, self.fallback)


@dataclass(frozen=True)
class _MeteredModel:
    """A model whose calls are all charged to one `use`: a purpose, and the chat and the people who pay."""

    behind: LanguageModel
    name: str
    use: ModelUse
    fallback: BudgetService

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """Call the model, and record the call's cost, even if the model refuses but charges for the call.

        If the call fails, the error's `call` has the counts and the problem. If a limit does not allow the call, it is
        not made, and the error of `BudgetService.reserve` is raised.
        """
        nano_usd = cost_at_most(prompt, self.name, datetime.now(UTC), schema)
        async with _logged_reservation(self.fallback, self.use, self.name, nano_usd) as reservation:
            return await self._generate(reservation, prompt, schema, on_text)

    async def _generate(
        self,
        reservation: Reservation,
        prompt: Prompt,
        schema: Mapping[str, object] | None,
        on_text: Callable[[str], None] | None,
    ) -> ModelReply:
        began = time.monotonic()
        try:
            reply = await self.behind.generate(prompt, schema, on_text)
        except ModelError as error:
            reservation.is_known = not error.may_be_paid
            if error.call is not None:
                reservation.add_call(error.call)
            ms = int((time.monotonic() - began) * 1000)
            uncounted = ModelCall(model=self.name, ms=ms, is_uncounted=error.may_be_paid)
            error.call = evolve((error.call or uncounted), problem=str(error))
            raise
        reservation.add_call(reply.call)
        return reply


#: the reservation in which embedding calls are counted
_EMBEDDING_RESERVATION: ContextVar[Reservation | None] = ContextVar("embedding_reservation", default=None)


@dataclass(frozen=True)
class MeteredEmbedder:
    """Wraps the embedder `behind`, and reserves money before each of its calls. `behind` must report each call to
    `count_embedding`.
    """

    behind: Embedder
    name: str
    use: ModelUse
    fallback: BudgetService = field(default=UnlimitedBudgetService())

    @property
    def model(self) -> str:
        """The model's name, which is stored with each vector."""
        return self.behind.model

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        """Return a vector for each text. Raises as the embedder and `BudgetService.reserve` do."""
        nano_usd = cost_of_texts(list(texts), self.name, datetime.now(UTC))
        async with _logged_reservation(self.fallback, current_use() or self.use, self.name, nano_usd) as reservation:
            token = _EMBEDDING_RESERVATION.set(reservation)
            try:
                vectors = await self.behind.embed(texts, embedding_task)
                reservation.is_known = True
            except ModelError as error:
                reservation.is_known = not error.may_be_paid
                raise
            finally:
                _EMBEDDING_RESERVATION.reset(token)
            return vectors


def count_embedding(call: ModelCall) -> None:
    """Add a call of an embedding model to the current reservation, if there is one."""
    if (reservation := _EMBEDDING_RESERVATION.get()) is not None:
        reservation.calls.append(call)


@asynccontextmanager
async def _logged_reservation(
    fallback: BudgetService, use: ModelUse, model: str, nano_usd: int | None
) -> AsyncIterator[Reservation]:
    """Reserve money for a call, and settle and log the cost afterwards, even if the call fails."""
    began = time.monotonic()
    async with reserve_for_call(fallback, use, nano_usd) as reservation:
        try:
            yield reservation
        finally:
            if reservation.calls or reservation.nano_usd:  # otherwise nothing was called, or it was free
                _log(
                    reservation,
                    model,
                    None if nano_usd is None else reservation.usd,
                    round((time.monotonic() - began) * 1000),
                )


def _log(reservation: Reservation, model: str, usd: float | None, ms: int) -> None:
    """Log the cost and the counts of a call. Missing counts and exceeded reservations are logged as errors."""
    purpose, calls = reservation.use.purpose, reservation.calls
    # embedding models often report no counts
    if purpose is not Purpose.EMBED and any(call.is_uncounted for call in calls):
        log("a model's answer has no usable token counts: the reserved amount was charged", logging.ERROR, model=model)
    if usd is not None and reservation.is_exceeded:
        severity = (
            logging.WARNING if purpose is Purpose.SEARCH else logging.ERROR
        )  # the model decides how often it searches
        log("a model's answer cost more than was reserved for it", severity, model=model, purpose=purpose.value)
    took = evolve(_sum_calls(calls), model=model, ms=ms)
    log("the model was asked", usd=usd, purpose=purpose.value, **took.model_dump(exclude={"problem"}))


def _sum_calls(calls: Sequence[ModelCall]) -> ModelCall:
    """Return the sum of several calls of one model as one call."""
    names = [name for name, one in ModelCall.model_fields.items() if one.annotation is int]
    sums = {name: sum(getattr(call, name) for call in calls) for name in names}
    return ModelCall(model="", is_uncounted=any(call.is_uncounted for call in calls), **sums)
