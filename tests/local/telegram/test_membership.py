import pytest

from tests.local.telegram.scene import OTHER_TOKEN, Json, Scene


async def other_bot(stage: Scene) -> int:
    bot = {"token": OTHER_TOKEN, "first_name": "Other", "username": "other_test_bot"}
    made: int = (await stage.act("POST", "/world/bots", bot))["id"]
    return made


def told(updates: list[Json]) -> list[str]:
    """What each update is about, in short."""
    found = []
    for update in updates:
        if change := update.get("my_chat_member") or update.get("chat_member"):
            old, new = change["old_chat_member"]["status"], change["new_chat_member"]["status"]
            found.append(f"{old}→{new}")
        else:
            message = update["message"]
            found += [name for name in message if name not in {"message_id", "from", "chat", "date", "sender_chat"}]
    return found


async def test_a_bot_that_comes_with_a_supergroup_is_told_so(stage: Scene) -> None:
    await stage.group()
    updates = await stage.updates()
    assert told(updates) == ["left→member", "new_chat_members"]
    assert updates[1]["message"]["new_chat_members"][0]["id"] == stage.marvin
    assert updates[1]["message"]["from"]["id"] == stage.ann


async def test_a_basic_group_is_made_with_its_bots(stage: Scene) -> None:
    group = await stage.group(type="group")
    assert group["id"] < 0
    assert told(await stage.updates()) == ["left→member", "group_chat_created"]


async def test_a_bot_can_come_as_an_administrator(stage: Scene) -> None:
    await stage.group(admins=[stage.marvin])
    assert told(await stage.updates()) == ["left→administrator", "new_chat_members"]


async def test_coming_and_going_of_people_is_told_to_administrators_that_ask(stage: Scene) -> None:
    await stage.call("getUpdates", allowed_updates=["chat_member", "message"])
    group = await stage.group(members=[stage.ann], admins=[stage.marvin])
    await stage.act("POST", f"/world/chats/{group['key']}/members", {"person_id": stage.bob})
    await stage.act("DELETE", f"/world/chats/{group['key']}/members/{stage.bob}")
    expected = ["new_chat_members", "left→member", "new_chat_members", "left_chat_member", "member→left"]
    assert told(await stage.updates()) == expected


async def test_a_bot_that_was_removed_hears_of_that_and_of_nothing_after(stage: Scene) -> None:
    group = await stage.group()
    await stage.updates()
    chat = await stage.act("DELETE", f"/world/chats/{group['key']}/members/{stage.marvin}")
    assert chat["bots"] == []
    await stage.say(group["key"], stage.ann, "/help")
    assert told(await stage.updates()) == ["left_chat_member", "member→kicked"]
    assert await stage.error("sendMessage", chat_id=group["id"], text="x") == (
        403,
        "Forbidden: bot was kicked from the supergroup chat",
    )
    await stage.act("POST", f"/world/chats/{group['key']}/members", {"bot_id": stage.marvin})
    assert told(await stage.updates()) == ["kicked→member", "new_chat_members"]
    await stage.call("sendMessage", chat_id=group["id"], text="back")


async def test_a_bot_that_left_is_no_member(stage: Scene) -> None:
    group = await stage.group(type="group")
    await stage.bot.leave_chat(group["id"])
    assert await stage.error("sendMessage", chat_id=group["id"], text="x") == (
        403,
        "Forbidden: bot is not a member of the group chat",
    )


async def test_rights_come_and_go(stage: Scene) -> None:
    group = await stage.group()
    await stage.updates()
    path = f"/world/chats/{group['key']}/admins"
    assert stage.marvin in (await stage.act("POST", path, {"id": stage.marvin}))["admins"]
    await stage.act("POST", path, {"id": stage.marvin})
    await stage.act("POST", path, {"id": stage.marvin, "admin": False})
    assert told(await stage.updates()) == ["member→administrator", "administrator→member"]
    assert "did not create the group" in await stage.refused("POST", path, {"id": stage.ann, "admin": False})


async def test_blocking_stops_the_bot_and_is_told(stage: Scene) -> None:
    path = f"/world/chats/{stage.private}/block"
    await stage.act("POST", path, {"blocked": True})
    await stage.act("POST", path, {"blocked": True})
    assert await stage.error("sendMessage", chat_id=stage.ann, text="x") == (
        403,
        "Forbidden: bot was blocked by the user",
    )
    assert "unblock" in await stage.refused(
        "POST", f"/world/chats/{stage.private}/messages", {"from": stage.ann, "text": "x"}
    )
    await stage.act("POST", path, {"blocked": False})
    await stage.call("sendMessage", chat_id=stage.ann, text="x")
    updates = await stage.updates()
    assert told(updates) == ["member→kicked", "kicked→member"]
    assert updates[0]["my_chat_member"]["from"]["id"] == stage.ann


async def test_a_topic_is_made_by_a_service_message(stage: Scene) -> None:
    group = await stage.group(topics=True)
    await stage.updates()
    topic = await stage.act("POST", f"/world/chats/{group['key']}/topics", {"name": "Backend"})
    (update,) = await stage.updates()
    message = update["message"]
    assert message["forum_topic_created"]["name"] == "Backend"
    assert message["message_id"] == message["message_thread_id"] == topic["id"]
    assert message["is_topic_message"] is True


async def test_topics_need_a_forum(stage: Scene) -> None:
    group = await stage.group()
    assert "no topics" in await stage.refused("POST", f"/world/chats/{group['key']}/topics", {"name": "x"})


async def test_a_group_that_becomes_a_supergroup_points_to_it(stage: Scene) -> None:
    group = await stage.group(type="group")
    await stage.say(group["key"], stage.ann, "/before")
    await stage.updates()
    new = await stage.act("POST", f"/world/chats/{group['key']}/migrate")
    assert new["type"] == "supergroup"
    old_message, new_message = (update["message"] for update in await stage.updates())
    assert (old_message["chat"]["id"], old_message["migrate_to_chat_id"]) == (group["id"], new["id"])
    assert (new_message["chat"]["id"], new_message["migrate_from_chat_id"]) == (new["id"], group["id"])
    answer = await stage.raw_call("sendMessage", chat_id=group["id"], text="x")
    assert answer["description"] == "Bad Request: group chat was upgraded to a supergroup chat"
    assert answer["parameters"] == {"migrate_to_chat_id": new["id"]}
    assert (await stage.call("sendMessage", chat_id=new["id"], text="x"))["chat"]["id"] == new["id"]
    assert "only once" in await stage.refused("POST", f"/world/chats/{group['key']}/migrate")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"person_id": 5}, "nobody with the id 5"),
        ({}, "Say who comes in"),
    ],
)
async def test_only_who_is_there_can_come_in(stage: Scene, body: Json, sentence: str) -> None:
    group = await stage.group()
    assert sentence in await stage.refused("POST", f"/world/chats/{group['key']}/members", body)


async def test_nobody_comes_in_twice(stage: Scene) -> None:
    group = await stage.group()
    path = f"/world/chats/{group['key']}/members"
    assert "already" in await stage.refused("POST", path, {"person_id": stage.bob})
    other = await other_bot(stage)
    assert other in (await stage.act("POST", path, {"bot_id": other, "admin": True}))["admins"]
