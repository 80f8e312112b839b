"""Record every exchange with the model word for word, while the owner has switched this on in the console."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ulid import ULID

from shared.base.errors import ModelError
from shared.chat.session import Session
from shared.chat.store.exchanges import KeptExchangeRecord
from shared.llm.ports.world import LanguageModel
from shared.turn.batch import InboxBatch
from shared.values.evolve import evolve
from shared.values.kept_exchange import KeptExchange, kept_exchange
from shared.values.prompt import ModelReply, Prompt

if TYPE_CHECKING:
    from shared.chat.store.access_lists import FirestoreAccessLists


async def with_keeping(
    model: LanguageModel, session: Session, batch: InboxBatch, access_lists: "FirestoreAccessLists | None"
) -> LanguageModel:
    """Return the model. While recording is on, it is wrapped in a `KeepingModel`, which records each exchange."""
    if access_lists is None:
        return model
    terms = (await access_lists.access_list(session.chat.key.agent)).keeping
    if terms is None or terms.until <= access_lists.clock():
        return model
    answers = tuple(message.message_id for message in batch.targets)
    return KeepingModel(behind=model, session=session, answers=answers, until=terms.until, clock=access_lists.clock)


@dataclass(frozen=True, kw_only=True)
class KeepingModel:
    """Wraps a model and stores each exchange with it for the console. The stored exchanges expire at `until`."""

    behind: LanguageModel
    session: Session
    answers: tuple[int, ...]
    until: datetime
    clock: Callable[[], datetime]

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """Return the model's reply, and note the exchange for the next commit, even if the call raises an error."""
        exchange = kept_exchange(prompt, schema, self.answers, self.clock())
        try:
            reply = await self.behind.generate(prompt, schema, on_text)
        except ModelError as error:
            self._note(evolve(exchange, problem=str(error), call=error.call))
            raise
        calls = tuple(one.model_dump_json() for one in reply.tool_calls)
        self._note(evolve(exchange, reply=reply.text, tool_calls=calls, call=reply.call))
        return reply

    def _note(self, exchange: KeptExchange) -> None:
        self.session.note(KeptExchangeRecord(id=str(ULID()), exchange=exchange, expires_at=self.until))
