"""Long work keeps the lease, and ends when the lease is lost or somebody asks to stop."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.base.errors import LeaseLost, StopRequested
from shared.chat.store.chats import FirestoreChats
from shared.values.chat_key import ChatKey
from tests.shared.chat.test_session import held, terms


async def test_long_work_keeps_the_chat(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key, terms(lease=timedelta(milliseconds=100)))
    before = (await chats.see(key)).version

    async with hold.keep_lease():
        while (await chats.see(key)).version == before:
            pass
    await hold.commit()


async def test_a_chat_is_kept_whose_lease_is_being_extended_when_the_work_ends(
    chats: FirestoreChats, key: ChatKey
) -> None:
    hold = await held(chats, key, terms(lease=timedelta()))
    for thousandths in range(20):
        async with hold.keep_lease():
            await asyncio.sleep(thousandths / 1000)
        await hold.commit()


async def test_long_work_ends_when_the_chat_is_lost(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key, terms(lease=timedelta(milliseconds=50)))
    await held(chats, key, terms("tick-2"))
    ended = list[str]()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("cancelled")

    with pytest.raises(LeaseLost):
        async with hold.keep_lease():
            await work()
    assert ended == ["cancelled"]


async def test_long_work_ends_soon_after_the_chat_was_taken_however_long_the_lease(
    chats: FirestoreChats, key: ChatKey
) -> None:
    hold = await held(chats, key, replace(terms(lease=timedelta(hours=1)), look_s=0.02))
    await held(chats, key, terms("tick-2"))
    with pytest.raises(LeaseLost):
        async with hold.keep_lease():
            await asyncio.sleep(60)
    assert not await hold.is_ours()


async def test_long_work_ends_soon_after_somebody_asked_to_stop(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key, replace(terms(lease=timedelta(hours=1)), look_s=0.02))
    await asyncio.sleep(0.02)
    assert await hold.is_ours()
    await chats.ask_to_stop(key, 7)
    with pytest.raises(StopRequested):
        async with hold.keep_lease():
            await asyncio.sleep(60)
    await hold.commit()


async def test_does_not_read_again_within_a_moment(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key, replace(terms(), look_s=3600.0))
    await chats.ask_to_stop(key, 7)
    assert await hold.is_ours(), "within the seconds that a look is good for"


async def test_an_error_of_the_block_is_the_callers(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key)
    with pytest.raises(KeyError):
        async with hold.keep_lease():
            raise KeyError("x")
