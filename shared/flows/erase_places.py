"""Erasing places: a chat that goes with everything in it, or one conversation of a chat.

The chat first lets go of its conversations, under its lease: from then on no tick writes to them. Then they go.
"""

from collections import Counter
from datetime import datetime
from typing import Any

from shared.flows.erase_purse import erase_purse
from shared.flows.erase_run import Run
from shared.flows.note import began
from shared.models.chat import Chat
from shared.models.chat_key import ChatKey
from shared.session.conversation import begun
from shared.session.session import Session

#: what stays of a chat that is erased: what names it, what swallows no wake of its next messages, where it moved, and
#: what it was lent, which is counted when it is given back
KEPT = ("key", "kind", "generation", "lease", "stop", "moved_from", "moved_to", "purse")


async def erase_chat(run: Run, key: ChatKey) -> None:
    """Erase a chat with all its conversations from before the cut. Raises Contended, LeaseLost or a StoreError."""

    async def let_go(session: Session) -> Counter[str]:
        current = session.chat.conversation
        if current and not is_before(current, run.cut):
            return Counter()  # another one has begun since
        await erase_purse(run, session)
        session.note_chat(**_fields(Chat(key=key)))
        return await run.by.erasing.below_chat(key, run.cut)

    chat = await run.holding(key, let_go)
    if chat is None:  # the group goes on under another id
        await run.note(await run.by.erasing.below_chat(key, run.cut))
        await run.note(Counter(documents=await run.by.erasing.moved_chat(key)))
    chats = chat.ids if chat is not None else (key.id,)
    for one in await run.by.finding.conversations_in(chats):
        if is_before(one.conversation, run.cut):
            await erase_conversation(run, one.conversation)
    await run.note(Counter(documents=await run.by.erasing.summaries(chats, run.late)))


async def erase_conversation(run: Run, conversation: str) -> None:
    """Delete a conversation that no chat is in any more. That it goes is noted first: it is looked at again later."""
    await run.note(gone=[conversation])
    await run.note(await run.by.erasing.conversation(conversation))


async def leave_conversation(run: Run, key: ChatKey, conversation: str) -> None:
    """Have a chat let go of a conversation, which goes then. Raises Contended, LeaseLost or a StoreError."""

    async def left(session: Session) -> Counter[str]:
        await run.note(await _kept_elsewhere(run, key, conversation))
        if session.chat.conversation != conversation:
            return Counter()
        session.note_chat(**{**_fields(begun(session.chat, "", 0)), "due_at": None, "keyboards": ()})
        return Counter(documents=await run.by.erasing.talk_of(key))

    if await run.holding(key, left) is None:  # nobody is in it
        await run.note(await _kept_elsewhere(run, key, conversation))
    await erase_conversation(run, conversation)
    await run.note(Counter(documents=await run.by.erasing.summaries([key.id], run.late)))


async def _kept_elsewhere(run: Run, key: ChatKey, conversation: str) -> Counter[str]:
    """Erase what is kept of a conversation, but not with it."""
    outline = await run.by.finding.outline(conversation)
    if outline is None:  # it is gone, and this was before
        return Counter()
    updates = {
        one
        async for page in run.by.finding.pages(conversation)
        for entry in page.entries
        if entry is not None
        for one in entry.updates
    }
    return await run.by.erasing.of_conversation(key, outline, updates)


def _fields(chat: Chat) -> dict[str, Any]:
    """The values of a chat's fields, but for those that stay."""
    return {name: getattr(chat, name) for name in Chat.model_fields if name not in KEPT}


def is_before(conversation: str, moment: datetime) -> bool:
    """Whether a conversation began before a moment, as its id tells; one whose id tells nothing did."""
    at = began(conversation)
    return at is None or at <= moment
