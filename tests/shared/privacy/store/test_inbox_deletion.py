"""Updates from which words are removed, in the real Firestore."""

from datetime import UTC, datetime, timedelta

from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.layout import EMPTY
from shared.privacy.deletion.forgotten import ForgottenSubject
from shared.privacy.store.chat_deletion import FirestoreChatDeletion
from shared.values.chat_key import ChatKey

NOW = datetime.now(UTC)
ROOM = ChatKey(agent="lull", chat_id=-5)


async def told(chats: FirestoreChats, number: int, *, read: bool = True, late: bool = False, person: int = 7) -> None:
    raw = f'{{"message": {{"message_id": {number}, "from": {{"id": {person}}}, "text": "x"}}}}'
    known = {"raw": raw, "trace": "t", "read": read, "received_at": NOW + timedelta(hours=late)}
    await chats.client.document(paths.update_path(ROOM, number)).set(known)


async def words(chats: FirestoreChats, *numbers: int) -> list[int]:
    """List those of these updates that still contain words."""
    found = {n: (await chats.client.document(paths.update_path(ROOM, n)).get()).to_dict() or {} for n in numbers}
    return [n for n, one in found.items() if one["raw"] != EMPTY]


async def test_an_inbox_is_emptied_but_for_what_came_since(chats: FirestoreChats) -> None:
    await told(chats, 1)
    await told(chats, 2, read=False)
    await told(chats, 3, read=False, late=True)
    assert await FirestoreChatDeletion(chats.client).empty_inbox(ROOM, NOW) == 2
    assert await FirestoreChatDeletion(chats.client).empty_inbox(ROOM, NOW) == 0
    assert await words(chats, 1, 2, 3) == [3]


async def test_some_updates_are_emptied_and_those_that_are_gone_by_now_are_none(chats: FirestoreChats) -> None:
    for number in (1, 2):
        await told(chats, number)
    assert await FirestoreChatDeletion(chats.client).empty_updates(ROOM, {1, 9}, NOW) == 1
    assert await words(chats, 1, 2) == [2]


async def test_of_one_person_those_are_emptied_that_tell_of_them(chats: FirestoreChats) -> None:
    await told(chats, 1)
    await told(chats, 2, person=8)
    await told(chats, 3, person=8, read=False)
    who = ForgottenSubject(7)
    assert await FirestoreChatDeletion(chats.client).empty_inbox_of_person(ROOM, NOW, who) == 1
    assert await words(chats, 1, 2, 3) == [2, 3]
    who.heard.derived.add(2)
    assert await FirestoreChatDeletion(chats.client).empty_inbox_of_person(ROOM, NOW, who) == 1
    assert await words(chats, 2, 3) == [3]
