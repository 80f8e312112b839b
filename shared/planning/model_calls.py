"""Calls of models: each is made through here, whoever makes it, is paid for, and counted with what it cost.

What it may cost is reserved before it, and what it took is settled after it (`shared/spending/paying.py`). A line of
the log tells it too, which the metric of spending adds up.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime

from shared.errors import ModelError
from shared.logs import log
from shared.models.prompt import ModelReply, Prompt
from shared.models.usage import ModelCall, ModelUse, Purpose, cost_of
from shared.ports.embedding import EmbeddedAs, Embedder
from shared.ports.world import Model
from shared.spending.bounds import cost_at_most, cost_of_texts
from shared.spending.paying import Hold, Unlimited, Wallet, current_use, paid


@dataclass(frozen=True)
class MeteredModels:
    """The models that may be asked, by their names; their calls are paid for and counted.

    `otherwise` pays where no tick does. `aliases` has the model of each name that is not a model's own, such as
    `judge`: its price is that of the model.
    """

    by_name: Mapping[str, Model]
    otherwise: Wallet = field(default=Unlimited())
    aliases: Mapping[str, str] = field(default_factory=dict)

    def model(self, name: str, use: ModelUse) -> Model:
        """The model of that name, whose calls are counted under `use`. Raises KeyError for an unknown name."""
        return _MeteredModel(self.by_name[name], self.aliases.get(name, name), use, self.otherwise)


@dataclass(frozen=True)
class _MeteredModel:
    """A model whose calls are counted under one use."""

    behind: Model
    name: str
    use: ModelUse
    otherwise: Wallet

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """The reply of the model behind it, counted; a refused reply that was paid for is counted too.

        An error says which call it was, and that call why it failed. Where a limit does not allow the call it is not
        made: raises as `Wallet.reserve` does.
        """
        async with paid(self.otherwise, self.use, cost_at_most(prompt, self.name, datetime.now(UTC))) as hold:
            return await self._counted(hold, prompt, schema, on_text)

    async def _counted(
        self,
        hold: Hold,
        prompt: Prompt,
        schema: Mapping[str, object] | None,
        on_text: Callable[[str], None] | None,
    ) -> ModelReply:
        began = time.monotonic()
        try:
            reply = await self.behind.generate(prompt, schema, on_text)
        except ModelError as error:
            hold.is_known = not error.may_be_paid
            if error.call is not None:
                hold.counted(error.call)
                count(error.call, self.use)
            unpaid = ModelCall(model=self.name, ms=int((time.monotonic() - began) * 1000))
            error.call = (error.call or unpaid).model_copy(update={"problem": str(error)})
            raise
        hold.counted(reply.call)
        count(reply.call, self.use)
        return reply


#: where the calls of a model of embeddings are counted that are being made here
_COUNTED: ContextVar[Hold | None] = ContextVar("counted", default=None)


@dataclass(frozen=True)
class MeteredEmbedder:
    """A model of embeddings whose calls are paid for. It tells each of them to `count_embedding`."""

    behind: Embedder
    name: str
    use: ModelUse
    otherwise: Wallet = field(default=Unlimited())

    @property
    def model(self) -> str:
        """Its name, which is stored with each vector."""
        return self.behind.model

    async def embed(self, texts: Sequence[str], embedded_as: EmbeddedAs) -> Sequence[tuple[float, ...]]:
        """A vector for each text. Raises as the model behind it does, and as `Wallet.reserve`."""
        nano_usd = cost_of_texts(list(texts), self.name, datetime.now(UTC))
        async with paid(self.otherwise, current_use() or self.use, nano_usd) as hold:
            token = _COUNTED.set(hold)
            try:
                return await self.behind.embed(texts, embedded_as)
            except ModelError as error:
                hold.is_known = hold.is_known or not error.may_be_paid
                raise
            finally:
                _COUNTED.reset(token)


def count_embedding(call: ModelCall, use: ModelUse) -> None:
    """Count one call of a model of embeddings, also for whoever paid for it."""
    if (hold := _COUNTED.get()) is not None:
        hold.counted(call)
    count(call, use)


def count(call: ModelCall, use: ModelUse) -> None:
    """Count one call. One whose counts are missing is an error that somebody has to hear of."""
    if call.is_uncounted and use.purpose is not Purpose.EMBED:  # vectors are often told without
        log("a model's answer has no usable token counts: it was paid as reserved", logging.ERROR, model=call.model)
    usd = cost_of([call], datetime.now(UTC))
    log("the model answered", usd=usd, purpose=use.purpose.value, **call.model_dump(exclude={"problem"}))
