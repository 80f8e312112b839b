import pytest

from tests.local.telegram.scene import OTHER_TOKEN, Json, Scene


async def other_bot(sandbox: Scene) -> int:
    bot = {"token": OTHER_TOKEN, "first_name": "Other", "username": "other_test_bot"}
    made: int = (await sandbox.act("POST", "/world/bots", bot))["id"]
    return made


def told(updates: list[Json]) -> list[str]:
    """Say each update in short."""
    found = []
    for update in updates:
        if change := update.get("my_chat_member") or update.get("chat_member"):
            old, new = change["old_chat_member"]["status"], change["new_chat_member"]["status"]
            found.append(f"{old}→{new}")
        else:
            message = update["message"]
            found += [name for name in message if name not in {"message_id", "from", "chat", "date", "sender_chat"}]
    return found


async def test_a_bot_that_comes_with_a_supergroup_is_told_so(sandbox: Scene) -> None:
    await sandbox.group()
    updates = await sandbox.updates()
    assert told(updates) == ["left→member", "new_chat_members"]
    assert updates[1]["message"]["new_chat_members"][0]["id"] == sandbox.marvin
    assert updates[1]["message"]["from"]["id"] == sandbox.ann


async def test_a_basic_group_is_made_with_its_bots(sandbox: Scene) -> None:
    group = await sandbox.group(type="group")
    assert group["id"] < 0
    assert told(await sandbox.updates()) == ["left→member", "group_chat_created"]


async def test_a_bot_can_come_as_an_administrator(sandbox: Scene) -> None:
    await sandbox.group(admins=[sandbox.marvin])
    assert told(await sandbox.updates()) == ["left→administrator", "new_chat_members"]


async def test_coming_and_going_of_people_is_told_to_administrators_that_ask(sandbox: Scene) -> None:
    await sandbox.call("getUpdates", allowed_updates=["chat_member", "message"])
    group = await sandbox.group(members=[sandbox.ann], admins=[sandbox.marvin])
    await sandbox.act("POST", f"/world/chats/{group['key']}/members", {"person_id": sandbox.bob})
    await sandbox.act("DELETE", f"/world/chats/{group['key']}/members/{sandbox.bob}")
    expected = ["new_chat_members", "left→member", "new_chat_members", "left_chat_member", "member→left"]
    assert told(await sandbox.updates()) == expected


async def test_a_bot_that_was_removed_hears_of_that_and_of_nothing_after(sandbox: Scene) -> None:
    group = await sandbox.group()
    await sandbox.updates()
    chat = await sandbox.act("DELETE", f"/world/chats/{group['key']}/members/{sandbox.marvin}")
    assert chat["bots"] == []
    await sandbox.say(group["key"], sandbox.ann, "/help")
    assert told(await sandbox.updates()) == ["left_chat_member", "member→kicked"]
    assert await sandbox.error("sendMessage", chat_id=group["id"], text="x") == (
        403,
        "Forbidden: bot was kicked from the supergroup chat",
    )
    await sandbox.act("POST", f"/world/chats/{group['key']}/members", {"bot_id": sandbox.marvin})
    assert told(await sandbox.updates()) == ["kicked→member", "new_chat_members"]
    await sandbox.call("sendMessage", chat_id=group["id"], text="back")


async def test_a_bot_that_left_is_no_member(sandbox: Scene) -> None:
    group = await sandbox.group(type="group")
    await sandbox.bot.leave_chat(group["id"])
    assert await sandbox.error("sendMessage", chat_id=group["id"], text="x") == (
        403,
        "Forbidden: bot is not a member of the group chat",
    )


async def test_rights_come_and_go(sandbox: Scene) -> None:
    group = await sandbox.group()
    await sandbox.updates()
    path = f"/world/chats/{group['key']}/admins"
    assert sandbox.marvin in (await sandbox.act("POST", path, {"id": sandbox.marvin}))["admins"]
    await sandbox.act("POST", path, {"id": sandbox.marvin})
    await sandbox.act("POST", path, {"id": sandbox.marvin, "admin": False})
    assert told(await sandbox.updates()) == ["member→administrator", "administrator→member"]
    assert "did not create the group" in await sandbox.refused("POST", path, {"id": sandbox.ann, "admin": False})


async def test_blocking_stops_the_bot_and_is_told(sandbox: Scene) -> None:
    path = f"/world/chats/{sandbox.private}/block"
    await sandbox.act("POST", path, {"blocked": True})
    await sandbox.act("POST", path, {"blocked": True})
    assert await sandbox.error("sendMessage", chat_id=sandbox.ann, text="x") == (
        403,
        "Forbidden: bot was blocked by the user",
    )
    assert "unblock" in await sandbox.refused(
        "POST", f"/world/chats/{sandbox.private}/messages", {"from": sandbox.ann, "text": "x"}
    )
    await sandbox.act("POST", path, {"blocked": False})
    await sandbox.call("sendMessage", chat_id=sandbox.ann, text="x")
    updates = await sandbox.updates()
    assert told(updates) == ["member→kicked", "kicked→member"]
    assert updates[0]["my_chat_member"]["from"]["id"] == sandbox.ann


async def test_a_topic_is_made_by_a_service_message(sandbox: Scene) -> None:
    group = await sandbox.group(topics=True)
    await sandbox.updates()
    topic = await sandbox.act("POST", f"/world/chats/{group['key']}/topics", {"name": "Backend"})
    (update,) = await sandbox.updates()
    message = update["message"]
    assert message["forum_topic_created"]["name"] == "Backend"
    assert message["message_id"] == message["message_thread_id"] == topic["id"]
    assert message["is_topic_message"] is True


async def test_topics_need_a_forum(sandbox: Scene) -> None:
    group = await sandbox.group()
    assert "no topics" in await sandbox.refused("POST", f"/world/chats/{group['key']}/topics", {"name": "x"})


async def test_a_group_that_becomes_a_supergroup_points_to_it(sandbox: Scene) -> None:
    group = await sandbox.group(type="group")
    await sandbox.say(group["key"], sandbox.ann, "/before")
    await sandbox.updates()
    new = await sandbox.act("POST", f"/world/chats/{group['key']}/migrate")
    assert new["type"] == "supergroup"
    old_message, new_message = (update["message"] for update in await sandbox.updates())
    assert (old_message["chat"]["id"], old_message["migrate_to_chat_id"]) == (group["id"], new["id"])
    assert (new_message["chat"]["id"], new_message["migrate_from_chat_id"]) == (new["id"], group["id"])
    answer = await sandbox.raw_call("sendMessage", chat_id=group["id"], text="x")
    assert answer["description"] == "Bad Request: group chat was upgraded to a supergroup chat"
    assert answer["parameters"] == {"migrate_to_chat_id": new["id"]}
    assert (await sandbox.call("sendMessage", chat_id=new["id"], text="x"))["chat"]["id"] == new["id"]
    assert "only once" in await sandbox.refused("POST", f"/world/chats/{group['key']}/migrate")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"person_id": 5}, "nobody with the id 5"),
        ({}, "names nobody to add to the group"),
    ],
)
async def test_only_who_is_there_can_come_in(sandbox: Scene, body: Json, sentence: str) -> None:
    group = await sandbox.group()
    assert sentence in await sandbox.refused("POST", f"/world/chats/{group['key']}/members", body)


async def test_nobody_comes_in_twice(sandbox: Scene) -> None:
    group = await sandbox.group()
    path = f"/world/chats/{group['key']}/members"
    assert "already" in await sandbox.refused("POST", path, {"person_id": sandbox.bob})
    other = await other_bot(sandbox)
    assert other in (await sandbox.act("POST", path, {"bot_id": other, "admin": True}))["admins"]
