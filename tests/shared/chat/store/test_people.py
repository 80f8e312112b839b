"""People and entities in the real Firestore."""

from dataclasses import replace

import pytest

from shared.base.errors import StoreRefused
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.paths import entity_path, sticker_set_path
from shared.chat.store.people import (
    KEPT_STALE,
    DailyCounter,
    DailyQuota,
    FirestoreEntities,
    FirestorePeople,
    MemberCount,
    PersonProfile,
    StoredStickerSet,
)
from shared.values.chat_key import ChatKey
from shared.values.stickers import SetSticker, StickerSet
from tests.shared.examples import NOW, SECOND


async def test_keeps_a_profile_until_it_is_deleted(chats: FirestoreChats, key: ChatKey) -> None:
    people, person = FirestorePeople(chats.client), key.chat_id
    assert await people.profile(person) == PersonProfile()
    await chats.client.document(f"people/{person}").set({"trust": "known"})
    await people.keep_pronouns(person, "they/them", NOW)
    assert (await people.profile(person), await people.profile(person + 1)) == (
        PersonProfile(pronouns="they/them"),
        PersonProfile(),
    )
    kept = (await chats.client.document(f"people/{person}").get()).to_dict()
    assert kept == {"trust": "known", "pronouns": "they/them", "changed_at": NOW}
    await people.keep_zone(person, "Europe/Kyiv", NOW)
    assert await people.profile(person) == PersonProfile(pronouns="they/them", set_zone="Europe/Kyiv")
    await people.keep_pronouns(person, "", NOW)
    assert await people.profile(person) == PersonProfile(set_zone="Europe/Kyiv")
    await people.keep_said_zone(person, "Asia/Tokyo", NOW)
    assert await people.profile(person) == PersonProfile(set_zone="Europe/Kyiv", said_zone="Asia/Tokyo")
    assert (await people.profile(person)).zone == "Europe/Kyiv"
    await people.keep_zone(person, "", NOW)
    assert await people.profile(person) == PersonProfile()


async def test_keeps_a_member_count_with_its_expiry(chats: FirestoreChats, key: ChatKey) -> None:
    entities = FirestoreEntities(chats.client)
    assert await entities.member_count(key) is None
    for count in (7, None):
        found = MemberCount(count=count, fresh_until=NOW + SECOND)
        await entities.keep_member_count(key, found)
        assert await entities.member_count(key) == found
    assert await entities.member_count(replace(key, topic_id=5)) == found, "a topic has the chat's members"
    kept = (await chats.client.document(entity_path(key)).get()).to_dict()
    assert kept == {"members": None, "expires_at": NOW + SECOND}


async def test_a_firestore_that_refuses_is_told(chats: FirestoreChats) -> None:
    with pytest.raises(StoreRefused, match="store a person's pronouns"):
        await FirestorePeople(chats.client).keep_pronouns(1, "x" * 2_000_000, NOW)


async def test_a_sticker_set_is_kept_for_a_bot_and_longer_than_it_is_fresh(chats: FirestoreChats, key: ChatKey) -> None:
    entities, bot = FirestoreEntities(chats.client), key.chat_id
    assert await entities.sticker_set(bot, "Moods") is None
    some = StickerSet("Moods", "Moods of a cat", (SetSticker("f1", "u1", "😂"), SetSticker("f2", "u2", "❤️")))
    for told in (StoredStickerSet(found=some, fresh_until=NOW), StoredStickerSet(found=None, fresh_until=NOW + SECOND)):
        await entities.keep_sticker_set(bot, "Moods", told)
        assert await entities.sticker_set(bot, "moods") == told, "Telegram tells names apart in no case"
    assert await entities.sticker_set(bot + 1, "Moods") is None, "ids of files are a bot's own"
    kept = (await chats.client.document(sticker_set_path(bot, "Moods")).get()).to_dict() or {}
    assert kept["expires_at"] == NOW + SECOND + KEPT_STALE


@pytest.mark.parametrize("odd", [None, -5, "they", ["a"], {"a": 1}, 10.5, float("nan"), True])
async def test_ignores_malformed_profile_fields(chats: FirestoreChats, key: ChatKey, odd: object) -> None:
    people, person = FirestorePeople(chats.client), key.chat_id
    today = DailyQuota(counted=DailyCounter.READ, agent=key.agent, day="2026-11-28", most=5)
    shapes: list[object] = [odd, {key.agent: odd}, {key.agent: {today.day: odd}}]
    for shape in shapes:
        fields = {"pronouns": odd, "zone": odd, "said_zone": odd, "read": shape}
        await chats.client.document(f"people/{person}").set(fields)
        told = odd if isinstance(odd, str) else ""
        assert await people.profile(person) == PersonProfile(pronouns=told, set_zone=told, said_zone=told)
        assert [await people.draw(person, today, 3) for _ in range(3)] == [3, 2, 0]


@pytest.mark.parametrize("odd", [{"members": "many"}, {"members": 7}, {"stickers": 5, "name": "x"}, {"name": ["x"]}])
async def test_asks_telegram_again_for_unreadable_data(
    chats: FirestoreChats, key: ChatKey, odd: dict[str, object]
) -> None:
    entities = FirestoreEntities(chats.client)
    for path in (entity_path(key), sticker_set_path(key.chat_id, "Odd")):
        await chats.client.document(path).set(odd)
    assert await entities.member_count(key) is None
    assert await entities.sticker_set(key.chat_id, "Odd") is None
