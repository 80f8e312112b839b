"""Claims of a chat that a tick still holds."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.base.errors import WriteConflict
from shared.chat.claiming import LeasePolling, claim_when_free, own_terms
from shared.chat.store.chats import ChatCommit, FirestoreChats
from shared.values.chat import Lease
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve

SHORT = LeasePolling(looks=2, look_s=0.01)


def now() -> datetime:
    return datetime.now(UTC)


async def test_a_chat_that_nobody_holds_is_claimed_and_one_that_is_not_there_is_none(
    chats: FirestoreChats, key: ChatKey
) -> None:
    assert await claim_when_free(chats, key, own_terms(now, 50), SHORT) is None
    held = await chats.claim(await chats.see(key), Lease(owner="t", until=now() + timedelta(minutes=1)))
    with pytest.raises(WriteConflict, match="another tick held the chat"):
        await claim_when_free(chats, key, own_terms(now, 50), SHORT)
    released = held.chat.with_part(evolve(held.chat.claim, lease=None))
    free = await chats.commit(held, ChatCommit(chat=released))
    session = await claim_when_free(chats, key, own_terms(now, 50), SHORT)
    assert session is not None
    assert session.chat.claim.generation == released.claim.generation + 1
    with pytest.raises(WriteConflict):
        await claim_when_free(chats, key, own_terms(now, 50), SHORT)
    await session.commit(release=True)
    seen = await chats.see(key)
    await chats.commit(seen, ChatCommit(chat=seen.chat.with_part(evolve(seen.chat.moves, moved_to=-5))))
    assert (free.chat.claim.lease, await claim_when_free(chats, key, own_terms(now, 50), SHORT)) == (None, None)
