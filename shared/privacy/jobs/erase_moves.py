"""Erasing groups that became supergroups: what is kept under the id that a group had before goes as well.

The chat of that id only points to the new one. No tick claims it any more, so it is written without a lease.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from shared.chat.store.chats import Change
from shared.privacy.jobs.erase_run import Run
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey


async def with_moved(run: Run, keys: Iterable[ChatKey]) -> Sequence[ChatKey]:
    """The keys of chats, with those that they had before and those to which they moved. Raises a StoreError."""
    found = dict.fromkeys(keys)
    for key in tuple(found):
        chat = (await run.by.chats.see(key)).chat
        for chat_id in filter(None, (chat.moves.moved_from, chat.moves.moved_to)):
            found |= dict.fromkeys(await run.by.finding.chats_of(chat_id, key.agent))
    return tuple(found)


async def erase_former(run: Run, key: ChatKey, rest_of: Callable[[Chat], Chat]) -> None:
    """Erase what a chat's document still tells that has moved, and delete its window; of any other chat nothing.

    Raises LeaseLost if it changed meanwhile, Contended if the erasure did, or a StoreError.
    """
    seen = await run.by.chats.see(key)
    if not seen.chat.moves.moved_to:
        return
    rest = rest_of(seen.chat)
    if rest != seen.chat:
        await run.by.chats.commit(seen, Change(chat=rest))
    await run.note(Counter(documents=await run.by.erasing.window_of_others(key)))
