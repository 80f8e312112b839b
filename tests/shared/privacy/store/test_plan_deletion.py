"""A chat's plans in the real Firestore, after some of them were deleted."""

from typing import Any

from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.privacy.store.chat_deletion import FirestoreChatDeletion
from shared.values.chat_key import ChatKey
from tests.shared.new_chats import new_chats

ROOM = ChatKey(agent="lull", chat_id=-5)


def rest(plan: dict[str, Any]) -> dict[str, Any] | None:
    """Return no plan for one of person x, and a plan of person y without its second task."""
    return None if plan["of"] == "x" else {"of": "y", "tasks": plan["tasks"][:1]} if plan["of"] == "y" else plan


async def put(here: FirestoreChats, path: str, of: str) -> None:
    await here.client.document(path).set({"of": of, "tasks": [1, 2]})


async def plan(here: FirestoreChats) -> dict[str, Any] | None:
    found = (await here.client.document(paths.plan_path(ROOM)).get()).to_dict()
    return found if found is None else dict(found)


async def test_past_plans_of_which_anything_goes_are_deleted_and_the_last_one_is_what_is_left(emulator: str) -> None:
    async with new_chats() as here:
        for of in "xyz":
            await put(here, paths.past_plan_path(ROOM, of), of)
        assert await FirestoreChatDeletion(here.client).reduce_plans(ROOM, rest) == 2
        past = here.client.document(paths.plan_path(ROOM)).collection(paths.PAST)
        assert [one.id async for one in past.stream()] == ["z"]
        await put(here, paths.plan_path(ROOM), "z")
        assert await FirestoreChatDeletion(here.client).reduce_plans(ROOM, rest) == 0
        await put(here, paths.plan_path(ROOM), "y")
        assert await FirestoreChatDeletion(here.client).reduce_plans(ROOM, rest) == 1
        assert await plan(here) == {"of": "y", "tasks": [1]}
        await put(here, paths.plan_path(ROOM), "x")
        assert await FirestoreChatDeletion(here.client).reduce_plans(ROOM, rest) == 1
        assert await plan(here) is None
