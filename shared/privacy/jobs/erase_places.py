"""Deletes a whole chat, or one conversation of a chat.

First the chat's lease is taken, and the chat's document stops referring to the conversations, so that no tick writes to
them any more. Then the conversations are deleted.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from shared.chat.conversation import begin_conversation
from shared.chat.session import Session
from shared.privacy.deletion.plans import is_from_before, is_kept_from_before, without
from shared.privacy.jobs.erase_run import DeletionRun, erase_budget, erase_former, with_moved
from shared.recall.jobs.note import started_at
from shared.values.chat import Chat, ChatClaim, SupergroupMigration
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.memory import memories_of_chat


async def erase_chat(run: DeletionRun, key: ChatKey) -> None:
    """Delete a chat, and its conversations begun up to `cut`. Raises WriteConflict, LeaseLost or a StoreError."""

    async def let_go(session: Session) -> Counter[str]:
        await erase_budget(run, session)
        erased_at = run.by.clock()
        current = session.chat.conversation
        if current and not is_before(current, run.cut):
            session.note_part(evolve(session.chat.privacy, erased_at=erased_at))
            return await _erase_older(run, session, key)  # a new conversation has begun since
        session.note_chat(emptied_chat(session.chat))
        session.note_part(evolve(session.chat.privacy, erased_at=erased_at))
        return await run.by.of_chats.delete_below_chat(key, run.cut)

    chat = await run.holding(key, let_go)
    await erase_former(run, key, emptied_chat)
    chats = chat.ids if chat is not None else (key.id,)
    for one in await run.by.finding.conversations_in(chats):
        if is_before(one.conversation, run.cut):
            await erase_conversation(run, one.conversation)
    await run.note(Counter(documents=await run.by.of_chats.delete_summaries(chats, run.models_cut)))


async def _erase_older(run: DeletionRun, session: Session, key: ChatKey) -> Counter[str]:
    """Delete data about the deleted conversations from a chat in which a new conversation has already begun."""
    of_chats, of_people, settled = run.by.of_chats, run.by.of_people, run.people_cut

    def rest(plan: dict[str, Any]) -> dict[str, Any] | None:
        if is_from_before(plan, settled):
            return None
        return without(plan, lambda task: is_kept_from_before(task, settled))

    owner = memories_of_chat(key)
    counts = Counter(memories=await of_people.delete_memories(owner, lambda one: one.made_at <= settled))
    counts["documents"] = await of_chats.reduce_plans(key, rest)
    counts["documents"] += await of_chats.delete_other_window(key, session.chat.conversation)
    counts["documents"] += await of_chats.delete_exchanges(key)
    counts["documents"] += await of_chats.empty_inbox(key, run.cut, settled)
    counts["documents"] += await of_chats.delete_summaries([key.id], run.models_cut)
    return counts


async def erase_conversation(run: DeletionRun, conversation: str) -> None:
    """Delete a conversation that is not the current one of any chat.

    Its id is saved first, so that the second round deletes it again.
    """
    await run.note(gone=[conversation])
    await run.note(await run.by.of_chats.delete_conversation(conversation))


async def leave_conversation(run: DeletionRun, key: ChatKey, conversation: str) -> None:
    """Delete a conversation. If it is the chat's current one, end it first.

    Raises WriteConflict, LeaseLost or a StoreError.
    """

    keys = await with_moved(run, [key])

    async def leave(session: Session) -> Counter[str]:
        await run.note(await _kept_elsewhere(run, keys, conversation))
        # delete them before the chat is released, so that no prompt shows them
        counts = Counter(documents=await run.by.of_chats.delete_summaries([one.id for one in keys], run.models_cut))
        session.note_part(evolve(session.chat.privacy, erased_at=run.by.clock()))
        if session.chat.conversation != conversation:
            return counts
        session.note_chat(evolve(begin_conversation(session.chat, "", 0), due_at=None))
        session.note_part(evolve(session.chat.talk, keyboards=()))
        return counts + Counter(documents=sum([await run.by.of_chats.delete_window_and_plans(one) for one in keys]))

    if await run.holding(key, leave) is None:  # the chat does not exist, so no tick writes to it
        await run.note(await _kept_elsewhere(run, keys, conversation))
    for one in keys:
        await erase_former(
            run, one, lambda former: former.with_part(evolve(former.talk, keyboards=(), conversation_title=""))
        )
    await erase_conversation(run, conversation)
    await run.note(Counter(documents=await run.by.of_chats.delete_summaries([one.id for one in keys], run.models_cut)))


async def _kept_elsewhere(run: DeletionRun, keys: Sequence[ChatKey], conversation: str) -> Counter[str]:
    """Delete data about a conversation that is stored outside of the conversation."""
    outline = await run.by.finding.outline(conversation)
    if outline is None:  # the conversation was already deleted, and this step came before that
        return Counter()
    updates = {
        one
        async for page in run.by.finding.pages(conversation)
        for entry in page.entries
        if entry is not None
        for one in entry.updates
    }
    counts = Counter[str]()
    for key in keys:
        counts += await run.by.of_people.delete_beside_conversation(key, outline)
        counts["documents"] += await run.by.of_chats.empty_updates(key, updates, datetime.now(UTC))
    return counts


def emptied_chat(chat: Chat) -> Chat:
    """Return the chat without everything that was said or set in it.

    Its kind, its other chat ids and its claim stay; the claim keeps the names of scheduled ticks unique. The budget
    stays too, since its leases must still be settled.
    """
    return Chat(
        key=chat.key,
        kind=chat.kind,
        claim=ChatClaim(generation=chat.claim.generation, lease=chat.claim.lease, stop=chat.claim.stop),
        moves=SupergroupMigration(moved_from=chat.moves.moved_from, moved_to=chat.moves.moved_to),
        budget=chat.budget,
    )


def is_before(conversation: str, moment: datetime) -> bool:
    """Return whether a conversation began at or before `moment`; True if its id contains no time."""
    at = started_at(conversation)
    return at is None or at <= moment
