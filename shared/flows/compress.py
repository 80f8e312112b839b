"""Compressing: summarise the older part of a conversation, after an answer and beside the chat's ticks.

The chat is not claimed: nobody waits for a summary, and none changes what was said. Two ticks that make the same one
keep it once. Without one the prompt is cut, and says so.

The model reads everything that its summary is to stand for: from the window, or, where that has moved on, from the
transcript, a stretch at a time. Each stretch that was summarised is kept at once, so that a tick that dies, or runs out
of its budget, is followed by one that goes on from there.
"""

from dataclasses import dataclass
from datetime import timedelta

from shared.errors import Contended, ModelRefused, ModelUnavailable
from shared.logs import log
from shared.models.chat import Chat
from shared.models.message import AnyEntry
from shared.models.prompt import CompressionSummary, Prompt
from shared.models.retry import Failure, GiveUp, decide_retry
from shared.models.wake import Wake
from shared.ports.chats import Compressions, CompressionSnapshot
from shared.prompting.compression import SCHEMA, compression_of, due_up_to, summary_of
from shared.session.wakes import compress_wake, is_about
from shared.turn.attendance import Attendance

#: stretches that one tick summarises, and how long after its begin it may still begin another
MOST_STRETCHES = 4
LONGEST_RUN = timedelta(minutes=2)


async def compress(attendance: Attendance, wake: Wake, window_entries: int) -> None:
    """Summarise what is due. Raises StoreUnavailable or QueueUnavailable: then the task is run again."""
    chat, store = (await attendance.chats.see(wake.key)).chat, attendance.replier.compressions
    if store is None or not chat.conversation:
        log("nothing is summarised here")
        return
    if not is_about(wake, chat):
        log("there is another conversation by now")
        return
    window = await attendance.chats.window(chat, window_entries)
    work = _Work(attendance, store, chat, window, window_entries)
    seen = await store.read(chat.conversation)
    until = attendance.clock() + LONGEST_RUN
    for _ in range(MOST_STRETCHES):
        up_to = work.due(seen)
        now = await work.go_on(seen, up_to, wake) if up_to else None
        if now is None:
            return
        seen = now
        if attendance.clock() > until:
            break
    if work.due(seen):
        await attendance.queue.enqueue(compress_wake(wake, chat, seen.up_to_seq, attendance.clock()))


@dataclass(frozen=True)
class _Work:
    """What one tick summarises from."""

    attendance: Attendance
    store: Compressions
    chat: Chat
    window: tuple[AnyEntry, ...]
    window_entries: int

    def due(self, seen: CompressionSnapshot) -> int:
        """The number of the entry up to which a summary is due; 0: none is."""
        scene = self.attendance.replier.background(self.chat, self.window, seen.summary)
        return due_up_to(scene, self.window_entries)

    async def go_on(self, seen: CompressionSnapshot, up_to: int, wake: Wake) -> CompressionSnapshot | None:
        """The summary after one more stretch was summarised and kept; none, if it was not."""
        summary = await self._made(seen, up_to, wake)
        if summary is None:
            log("nothing was summarised")
            return None
        try:
            kept = await self.store.replace(self.chat.conversation, seen, summary)
        except Contended as error:
            log(f"not kept: {error}")
            return None
        log("summarised", up_to_seq=summary.up_to_seq, characters=len(summary.text))
        return kept

    async def _made(self, seen: CompressionSnapshot, up_to: int, wake: Wake) -> CompressionSummary | None:
        entries = self.window
        if entries[0].seq > seen.up_to_seq + 1:
            entries = await self.store.entries_after(self.chat.conversation, seen.up_to_seq)
        scene = self.attendance.replier.background(self.chat, entries, seen.summary)
        compression, now = compression_of(scene, up_to), self.attendance.clock()
        if compression.up_to_seq <= seen.up_to_seq:
            return None
        if compression.prompt is None:
            text = seen.summary.text if seen.summary else ""
            return CompressionSummary(up_to_seq=compression.up_to_seq, text=text, made_at=now)
        reply = await self._asked(compression.prompt, wake)
        return summary_of(reply, compression, self.attendance.clock())

    async def _asked(self, prompt: Prompt, wake: Wake) -> str:
        """The model's whole reply; empty, if it gives none now."""
        try:
            reply = await self.attendance.replier.mind_of(self.chat).model.generate(prompt, SCHEMA)
        except ModelRefused as error:
            log(f"no summary: {error}")
        except ModelUnavailable as error:
            failure = Failure(why=str(error), tries=wake.attempt + 1)
            decision = decide_retry(failure, self.attendance.budgets.model, self.attendance.clock())
            log(f"no summary: {decision.why if isinstance(decision, GiveUp) else error}")
            if not isinstance(decision, GiveUp):
                await self.attendance.queue.enqueue(wake.again(decision.at))
        else:
            return reply.text if reply.is_complete else ""
        return ""
