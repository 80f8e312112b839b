"""The updates of a round: the oldest ones, as many as fit, and at least one."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from shared.chat.conversation import WINDOW_BYTES, weight_of
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.telegram.inbound.entries import entry_of
from shared.turn.quarantine import BATCH_UPDATES, ONE_BY_ONE_AFTER, ROUND_BYTES, _count_within, read_unread
from shared.values.chat import Chat, ChatClaim
from shared.values.chat_key import ChatKey
from tests.shared.examples import PROPERTY, message_update, update_of


async def stored(inbox: FirestoreInbox, key: ChatKey, texts: list[str]) -> None:
    for number, text in enumerate(texts, 1):
        update = update_of(message_update(number, text=text))
        await inbox.add(replace(update, envelope=replace(update.envelope, key=key)))


async def test_a_round_takes_what_there_is_room_for_and_says_that_there_is_more(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    await stored(inbox, key, ["x", "中" * (ROUND_BYTES // 9), "中" * (ROUND_BYTES // 4), "x"])
    found = await read_unread(chats, Chat(key=key))
    assert [one.envelope.update_id for one in found.updates] == [1, 2]
    assert not found.is_all


async def test_an_update_that_is_larger_than_a_round_is_taken_alone(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    await stored(inbox, key, ["x" * (ROUND_BYTES + 1), "x"])
    found = await read_unread(chats, Chat(key=key))
    assert [one.envelope.update_id for one in found.updates] == [1]
    assert not found.is_all


async def test_what_fits_is_all_there_is(chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey) -> None:
    await stored(inbox, key, ["x", "y"])
    assert (await read_unread(chats, Chat(key=key))).is_all
    one_by_one = Chat(key=key, claim=ChatClaim(starts=ONE_BY_ONE_AFTER + 1))
    assert not (await read_unread(chats, one_by_one)).is_all


@PROPERTY
@given(st.lists(st.sampled_from((0, 10, 2_000, 4_096)), max_size=BATCH_UPDATES), st.sampled_from("aж中😀"))
def test_the_window_holds_what_a_round_takes_in(lengths: list[int], letter: str) -> None:
    updates = [update_of(message_update(number, text=letter * length)) for number, length in enumerate(lengths, 1)]
    taken = updates[: _count_within(updates, ROUND_BYTES)]
    assert bool(taken) == bool(updates)
    assert weight_of([entry for one in taken if (entry := entry_of(one, 1)) is not None]) < WINDOW_BYTES
