"""Calls of models: each is made through here, whoever makes it, and is counted with what it cost.

What is counted today is a line of the log, which the metric of spending adds up. A reservation that is paid before a
call and settled after it goes around `_MeteredModel.generate`, and nowhere else.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from shared.errors import ModelError
from shared.logs import log
from shared.models.prompt import ModelReply, Prompt
from shared.models.usage import ModelCall, ModelUse, cost_of
from shared.ports.world import Model


@dataclass(frozen=True)
class MeteredModels:
    """The models that may be asked, by their names; their calls are counted."""

    by_name: Mapping[str, Model]

    def model(self, name: str, use: ModelUse) -> Model:
        """The model of that name, whose calls are counted under `use`. Raises KeyError for an unknown name."""
        return _MeteredModel(self.by_name[name], name, use)


@dataclass(frozen=True)
class _MeteredModel:
    """A model whose calls are counted under one use."""

    behind: Model
    name: str
    use: ModelUse

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """The reply of the model behind it, counted; a refused reply that was paid for is counted too.

        An error says which call it was, and that call why it failed.
        """
        began = time.monotonic()
        try:
            reply = await self.behind.generate(prompt, schema, on_text)
        except ModelError as error:
            if error.call is not None:
                count(error.call, self.use)
            unpaid = ModelCall(model=self.name, ms=int((time.monotonic() - began) * 1000))
            error.call = (error.call or unpaid).model_copy(update={"problem": str(error)})
            raise
        count(reply.call, self.use)
        return reply


def count(call: ModelCall, use: ModelUse) -> None:
    """Count one call."""
    usd = cost_of([call], datetime.now(UTC))
    log("the model answered", usd=usd, purpose=use.purpose.value, **call.model_dump(exclude={"problem"}))
