"""Paying: every call of a model is made through here, whoever makes it, is paid for, and counted with what it cost.

A wallet reserves what a call may cost before it, and settles what it took after it. A tick has a wallet of its own for
as long as it holds its chat; whatever else calls models has one that borrows for each single call. A line of the log
tells what was settled, whatever came of the call; the metric of spending adds these up.
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
    """What is reserved for one call: of which allowance, and what of it is used by now."""

    lease_id: str
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
        return None if cost is None else usd_to_nanos(cost)


class BudgetService(Protocol):
    """Whoever pays."""

    @property
    def is_limited(self) -> bool:
        """Whether limits hold, so that it has to be known what a call may cost."""

    async def reserve(self, use: ModelUse, nano_usd: int) -> Reservation:
        """Reserve what a call may cost. Raises ModelRefused or ModelUnavailable where a limit does not allow it.

        And what writing it raises: a StoreError.
        """

    async def settle(self, reservation: Reservation) -> None:
        """Note what the call took."""


class UnlimitedBudgetService:
    """Pays whatever it costs, and keeps nothing of it."""

    is_limited = False

    async def reserve(self, use: ModelUse, nano_usd: int) -> Reservation:
        """Nothing is refused."""
        return Reservation("", Amount(nano_usd=nano_usd), use)

    async def settle(self, reservation: Reservation) -> None:
        """Nothing is kept."""


_CURRENT: ContextVar[BudgetService | None] = ContextVar("wallet", default=None)


@contextmanager
def use_budget(budget_service: BudgetService) -> Iterator[None]:
    """For the block, calls are paid by this wallet."""
    token = _CURRENT.set(budget_service)
    try:
        yield
    finally:
        _CURRENT.reset(token)


_USE: ContextVar[ModelUse | None] = ContextVar("use", default=None)


@contextmanager
def charge_embeddings_to(use: ModelUse) -> Iterator[None]:
    """For the block, vectors are paid for under this use: what makes them is told nothing but texts."""
    token = _USE.set(use)
    try:
        yield
    finally:
        _USE.reset(token)


def current_use() -> ModelUse | None:
    """What vectors are paid for under here; none: what makes them knows."""
    return _USE.get()


def current_budget_service() -> BudgetService | None:
    """Who pays here; none: whoever pays for single calls."""
    return _CURRENT.get()


@asynccontextmanager
async def reserve_for_call(otherwise: BudgetService, use: ModelUse, nano_usd: int | None) -> AsyncIterator[Reservation]:
    """A call for which is paid: reserved before the block, settled after it, also if it fails or is cancelled.

    `nano_usd`: what it may cost; None if nobody knows. Such a call is refused wherever limits hold.
    """
    budget_service = current_budget_service() or otherwise
    if nano_usd is None and budget_service.is_limited:
        log("a model has no price: LULL_PRICES gives one", logging.ERROR, purpose=use.purpose.value)
        raise ModelRefused("no price of the model is known", trouble=ModelTrouble.MISCONFIGURED)
    nano_usd = nano_usd or 0
    reservation = await budget_service.reserve(use, nano_usd)
    try:
        yield reservation
    finally:
        await budget_service.settle(reservation)


@dataclass(frozen=True)
class MeteredModels:
    """The models that may be asked, by their names; their calls are paid for and counted.

    `otherwise` pays where no tick does. `aliases` has the model of each name that is not a model's own, such as
    `judge`: its price is that of the model.
    """

    by_name: Mapping[str, LanguageModel]
    otherwise: BudgetService = field(default=UnlimitedBudgetService())
    aliases: Mapping[str, str] = field(default_factory=dict)

    def model(self, name: str, use: ModelUse) -> LanguageModel:
        """The model of that name, whose calls are counted under `use`. Raises KeyError for an unknown name."""
        return _MeteredModel(self.by_name[name], self.aliases.get(name, name), use, self.otherwise)


@dataclass(frozen=True)
class _MeteredModel:
    """A model whose calls are counted under one use."""

    behind: LanguageModel
    name: str
    use: ModelUse
    otherwise: BudgetService

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """The reply of the model behind it, counted; a refused reply that was paid for is counted too.

        An error says which call it was, and that call why it failed. Where a limit does not allow the call it is not
        made: raises as `BudgetService.reserve` does.
        """
        nano_usd = cost_at_most(prompt, self.name, datetime.now(UTC), schema)
        async with _settled(self.otherwise, self.use, self.name, nano_usd) as reservation:
            return await self._counted(reservation, prompt, schema, on_text)

    async def _counted(
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
                reservation.counted(error.call)
            ms = int((time.monotonic() - began) * 1000)
            untold = ModelCall(model=self.name, ms=ms, is_uncounted=error.may_be_paid)
            error.call = evolve((error.call or untold), problem=str(error))
            raise
        reservation.counted(reply.call)
        return reply


#: where the calls of a model of embeddings are counted that are being made here
_COUNTED: ContextVar[Reservation | None] = ContextVar("counted", default=None)


@dataclass(frozen=True)
class MeteredEmbedder:
    """A model of embeddings whose calls are paid for. It tells each of them to `count_embedding`."""

    behind: Embedder
    name: str
    use: ModelUse
    otherwise: BudgetService = field(default=UnlimitedBudgetService())

    @property
    def model(self) -> str:
        """Its name, which is stored with each vector."""
        return self.behind.model

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        """A vector for each text. Raises as the model behind it does, and as `BudgetService.reserve`."""
        nano_usd = cost_of_texts(list(texts), self.name, datetime.now(UTC))
        async with _settled(self.otherwise, current_use() or self.use, self.name, nano_usd) as reservation:
            token = _COUNTED.set(reservation)
            try:
                vectors = await self.behind.embed(texts, embedding_task)
                reservation.is_known = True
            except ModelError as error:
                reservation.is_known = not error.may_be_paid
                raise
            finally:
                _COUNTED.reset(token)
            return vectors


def count_embedding(call: ModelCall) -> None:
    """Count one call of a model of embeddings, for whoever pays for it. What all took is known once all have ended."""
    if (reservation := _COUNTED.get()) is not None:
        reservation.calls.append(call)


@asynccontextmanager
async def _settled(
    otherwise: BudgetService, use: ModelUse, model: str, nano_usd: int | None
) -> AsyncIterator[Reservation]:
    """A call that is paid for, with what it may cost; what is settled for it is logged, whatever came of it."""
    began = time.monotonic()
    async with reserve_for_call(otherwise, use, nano_usd) as reservation:
        try:
            yield reservation
        finally:
            if reservation.calls or reservation.nano_usd:  # else nothing was asked, or nothing is asked for it
                _log(
                    reservation,
                    model,
                    None if nano_usd is None else reservation.usd,
                    round((time.monotonic() - began) * 1000),
                )


def _log(reservation: Reservation, model: str, usd: float | None, ms: int) -> None:
    """Log what a call took. What counts no tokens, or more than it may, somebody has to hear of."""
    purpose, calls = reservation.use.purpose, reservation.calls
    # vectors are often told without
    if purpose is not Purpose.EMBED and any(call.is_uncounted for call in calls):
        log("a model's answer has no usable token counts: it was paid as reserved", logging.ERROR, model=model)
    if usd is not None and reservation.is_short:
        severity = logging.WARNING if purpose is Purpose.SEARCH else logging.ERROR  # how often it searches, it decides
        log("a model's answer took more than may be reserved for it", severity, model=model, purpose=purpose.value)
    took = evolve(_together(calls), model=model, ms=ms)
    log("the model was asked", usd=usd, purpose=purpose.value, **took.model_dump(exclude={"problem"}))


def _together(calls: Sequence[ModelCall]) -> ModelCall:
    """What several calls of one model took, as if they were one; of none nothing."""
    names = [name for name, one in ModelCall.model_fields.items() if one.annotation is int]
    sums = {name: sum(getattr(call, name) for call in calls) for name in names}
    return ModelCall(model="", is_uncounted=any(call.is_uncounted for call in calls), **sums)
