"""Compressing: summarise the older part of a conversation, after an answer and beside the chat's ticks.

The chat is not claimed: nobody waits for a summary, and none changes what was said. Two ticks that make the same one
write it once. Without one the prompt is cut, and says so.
"""

from shared.errors import Contended, LullError, ModelRefused, ModelUnavailable
from shared.flows.attendance import Attendance
from shared.logs import log
from shared.models.chat import Chat
from shared.models.prompt import ModelReply
from shared.models.retry import Failure, GiveUp, decide_retry
from shared.models.wake import Wake
from shared.prompting.compression import SCHEMA, Compression, due_compression, summary_of
from shared.ticking.holding import Holding
from shared.ticking.waking import compress_wake


async def ask_for_compression(attendance: Attendance, hold: Holding, wake: Wake) -> None:
    """Have another tick summarise what the last plan was shown, if it was nearly more than there is room for.

    The chat was given back: that no task could be made is no reason to run this one again.
    """
    if hold.full_after is None:
        return
    try:
        await attendance.queue.enqueue(compress_wake(wake, hold.chat, hold.full_after, attendance.clock()))
    except LullError as error:
        log(f"not summarised now: {error}")


async def compress(attendance: Attendance, wake: Wake, window_entries: int) -> None:
    """Summarise what is due. Raises StoreUnavailable or QueueUnavailable: then the task is run again."""
    chat, store = (await attendance.chats.see(wake.key)).chat, attendance.replier.compressions
    if store is None or not chat.conversation:
        log("nothing is summarised here")
        return
    seen = await store.read(chat.conversation)
    if compress_wake(wake, chat, seen.up_to_seq, wake.at).of != wake.of:
        log("there is another conversation or summary by now")
        return
    entries = await attendance.chats.window(chat, window_entries)
    scene = attendance.replier.background(chat, entries, seen.summary)
    due = due_compression(scene, window_entries)
    reply = await _asked(attendance, chat, due, wake) if due is not None else None
    summary = summary_of(reply.text, due, attendance.clock()) if due is not None and reply is not None else None
    if summary is None:
        log("nothing was summarised")
        return
    try:
        await store.replace(chat.conversation, seen, summary)
    except Contended as error:
        log(f"not kept: {error}")
        return
    log("summarised", up_to_seq=summary.up_to_seq, characters=len(summary.text))


async def _asked(attendance: Attendance, chat: Chat, due: Compression, wake: Wake) -> ModelReply | None:
    """The model's reply; none, if it gives none now."""
    try:
        return await attendance.replier.mind_of(chat).model.generate(due.prompt, SCHEMA)
    except ModelRefused as error:
        log(f"no summary: {error}")
    except ModelUnavailable as error:
        failure = Failure(why=str(error), tries=wake.attempt + 1)
        decision = decide_retry(failure, attendance.budgets.model, attendance.clock())
        log(f"no summary: {decision.why if isinstance(decision, GiveUp) else error}")
        if not isinstance(decision, GiveUp):
            await attendance.queue.enqueue(wake.again(decision.at))
    return None
