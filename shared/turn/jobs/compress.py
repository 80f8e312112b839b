"""The compression job: the model summarizes the older part of a conversation, which makes room in the prompt.

The job is a tick of its own after an answer, and does not claim the chat: nobody waits for a summary, and a summary
changes no message. If two ticks make the same summary, the second one is discarded.

The model reads all entries that the summary covers, in batches: from the window (the newest entries), or from the
transcript if the window does not contain them any more. The summary of each batch is stored at once. If a tick dies or
runs out of time, the next one continues after the last stored batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from shared.base.errors import ModelRefused, ModelTrouble, ModelUnavailable, WriteConflict
from shared.base.logs import log
from shared.chat.store.conversations import CompressionSnapshot
from shared.chat.wakes import compress_wake, is_about
from shared.planning.prompt.compression import SCHEMA, Compression, compression_of, due_up_to, summary_of
from shared.planning.prompt.scene import Scene
from shared.turn.services import AgentServices
from shared.values.chat import Chat
from shared.values.message import AnyEntry
from shared.values.prompt import CompressionSummary, Prompt
from shared.values.retry import FailedAttempt, GiveUp, decide_retry
from shared.values.usage import Purpose, can_leave_out
from shared.values.wake import Wake

if TYPE_CHECKING:
    from shared.chat.store.conversations import FirestoreCompressions

#: the number of batches that one tick summarizes, and the time after its start until which it may begin another batch
MOST_BATCHES = 4
LONGEST_RUN = timedelta(minutes=2)


async def compress(services: AgentServices, wake: Wake, window_entries: int) -> None:
    """Summarize the part of the chat's conversation for which a summary is due. Raises a StoreError or QueueError; the
    task of this tick then runs again.
    """
    chat, store = (await services.chats.see(wake.key)).chat, services.replier.compressions
    if store is None or not chat.conversation:
        log("no summary: summaries are off, or the chat has no conversation")
        return
    if not is_about(wake, chat):
        log("the chat has changed to another conversation")
        return
    window = await services.chats.window(chat, window_entries)
    compressor = _Compressor(services, store, chat, window, window_entries)
    seen = await store.read(chat.conversation)
    until = services.clock() + LONGEST_RUN
    for _ in range(MOST_BATCHES):
        up_to = compressor.due(seen)
        now = await compressor.go_on(seen, up_to, wake) if up_to else None
        if now is None:
            return
        seen = now
        if services.clock() > until:
            break
    if compressor.due(seen):
        await services.queue.enqueue(compress_wake(wake, chat, seen.up_to_seq, services.clock()))


@dataclass(frozen=True)
class _Compressor:
    """Summarizes the older part of one conversation in one tick."""

    services: AgentServices
    store: FirestoreCompressions
    chat: Chat
    window: tuple[AnyEntry, ...]
    window_entries: int

    def due(self, seen: CompressionSnapshot) -> int:
        """Return the number of the entry up to which a summary is due; 0 if none is due."""
        scene = self.services.replier.background(self.chat, self.window, seen.summary)
        return due_up_to(scene, self.window_entries)

    async def go_on(self, seen: CompressionSnapshot, up_to: int, wake: Wake) -> CompressionSnapshot | None:
        """Summarize one more batch of entries, and return the stored summary; None if no summary was stored."""
        summary = await self._summarize(seen, up_to, wake)
        if summary is None:
            log("nothing was summarised")
            return None
        try:
            kept = await self.store.replace(self.chat.conversation, seen, summary)
        except WriteConflict as error:
            log(f"the summary was not stored: {error}")
            return None
        log("summarised", up_to_seq=summary.up_to_seq, characters=len(summary.text))
        return kept

    async def _summarize(self, seen: CompressionSnapshot, up_to: int, wake: Wake) -> CompressionSummary | None:
        entries = self.window
        if entries[0].seq > seen.up_to_seq + 1:
            entries = await self.store.entries_after(self.chat.conversation, seen.up_to_seq)
        scene = self.services.replier.background(self.chat, entries, seen.summary)
        compression, reply = await self._ask_within_limits(scene, up_to, wake)
        now = self.services.clock()
        if compression.up_to_seq <= seen.up_to_seq:
            return None
        if compression.prompt is None:
            text = seen.summary.text if seen.summary else ""
            return CompressionSummary(
                up_to_seq=compression.up_to_seq, text=text, made_at=now, holds_outside=compression.holds_outside
            )
        return summary_of(reply, compression, self.services.clock())

    async def _ask_within_limits(self, scene: Scene, up_to: int, wake: Wake) -> tuple[Compression, str]:
        """Return the request, without the texts of people who are past their limit, and the model's reply to it.

        The transcript retains these texts, so notes can be made from them later.
        """
        without = frozenset[int]()
        while True:
            compression = compression_of(scene, up_to, without)
            if compression.prompt is None:
                return compression, ""
            try:
                return compression, await self._generate(compression, compression.prompt, wake)
            except ModelUnavailable as limit:
                log("a summary is made without people who are past their limit")
                without |= limit.payers

    async def _generate(self, compression: Compression, prompt: Prompt, wake: Wake) -> str:
        """Return the model's complete reply; "" if there is none. If another try may succeed, a later tick is enqueued
        for it.

        Raises ModelUnavailable if only some of the writers are past their limit, so that the caller can leave them out.
        """
        try:
            model = self.services.replier.model_for(self.chat, Purpose.COMPRESS, writers=compression.writers)
            reply = await model.generate(prompt, SCHEMA)
        except ModelRefused as error:
            log(f"no summary: {error}")
        except ModelUnavailable as error:
            if error.trouble is ModelTrouble.LIMIT:  # the chat gets no answers now either; its next answer asks again
                log(f"no summary: {error}")
                if can_leave_out(compression.writers, error.payers):
                    raise
                return ""
            failure = FailedAttempt(why=str(error), tries=wake.attempt + 1)
            decision = decide_retry(failure, self.services.budgets.model, self.services.clock())
            log(f"no summary: {decision.why if isinstance(decision, GiveUp) else error}")
            if not isinstance(decision, GiveUp):
                await self.services.queue.enqueue(wake.again(decision.at))
        else:
            return reply.text if reply.is_complete else ""
        return ""
