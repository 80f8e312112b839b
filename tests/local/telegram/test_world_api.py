import pytest

from tests.local.telegram.scene import OTHER_TOKEN, TOKEN, Json, Scene


async def test_the_world_is_read_at_once(sandbox: Scene) -> None:
    world = await sandbox.act("GET", "/world")
    assert set(world) == {"seq", "bots", "people", "chats", "stickers", "custom_emoji", "console"}
    assert [bot["username"] for bot in world["bots"]] == ["marvin_test_bot"]
    assert [person["first_name"] for person in world["people"]] == ["Ann", "Боб"]
    assert [chat["key"] for chat in world["chats"]] == [f"p{sandbox.ann}-{sandbox.marvin}"]
    assert world["stickers"][0].items() >= {"emoji": "🙂", "mime_type": "image/png", "width": 512}.items()
    assert TOKEN not in str(world)


async def test_a_bot_is_registered_once_and_may_change(sandbox: Scene) -> None:
    same = {"token": TOKEN, "first_name": "Marvin", "username": "marvin_test_bot"}
    seq = sandbox.telegram.world.events.seq
    assert (await sandbox.act("POST", "/world/bots", same))["id"] == sandbox.marvin
    assert sandbox.telegram.world.events.seq == seq
    changed = await sandbox.act("POST", "/world/bots", same | {"privacy": False})
    assert changed["privacy"] is False
    assert (await sandbox.events(seq))[0]["type"] == "bot"


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("bots", {"token": "x", "first_name": "M", "username": "m_bot"}, "A bot token is"),
        ("bots", {"token": "7000000001:other", "first_name": "M", "username": "m_bot"}, "another token"),
        ("bots", {"token": OTHER_TOKEN, "first_name": "M", "username": "marvin_test_bot"}, "taken"),
        ("people", {"first_name": ""}, "first_name"),
        ("people", {"first_name": "A", "username": "ann_a"}, "taken"),
        ("chats", {"type": "private", "person_id": 5, "bot_id": 7000000001}, "no person 5"),
        ("chats", {"type": "channel"}, "type"),
        ("chats", {"type": "group", "title": "T", "topics": True}, "Only a supergroup"),
        ("chats", {"type": "group", "title": "T", "members": [5]}, "no person 5"),
        ("chats", {"type": "group", "title": "T", "bots": [5]}, "no bot 5"),
        ("chats", {"type": "group"}, "title"),
    ],
)
async def test_what_cannot_be_made_is_refused_in_a_sentence(
    sandbox: Scene, path: str, body: Json, sentence: str
) -> None:
    assert sentence in await sandbox.refused("POST", f"/world/{path}", body)


async def test_half_a_character_is_no_text(sandbox: Scene) -> None:
    path, headers = f"/world/chats/{sandbox.private}/messages", {"Content-Type": "application/json"}
    body = f'{{"from": {sandbox.ann}, "text": "\\ud83d"}}'.encode()
    response = await sandbox.http.post(path, content=body, headers=headers)
    assert (response.status_code, "Invalid JSON" in response.json()["error"]) == (400, True)


async def test_a_private_chat_is_opened_once(sandbox: Scene) -> None:
    body = {"type": "private", "person_id": sandbox.ann, "bot_id": sandbox.marvin}
    first, second = await sandbox.act("POST", "/world/chats", body), await sandbox.act("POST", "/world/chats", body)
    assert first == second
    assert (first["id"], first["members"], first["bots"]) == (sandbox.ann, [sandbox.ann], [sandbox.marvin])


async def test_a_private_chat_may_have_topics(sandbox: Scene) -> None:
    body = {"type": "private", "person_id": sandbox.bob, "bot_id": sandbox.marvin, "topics": True}
    chat = await sandbox.act("POST", "/world/chats", body)
    topic = await sandbox.act("POST", f"/world/chats/{chat['key']}/topics", {"name": "Plans"})
    await sandbox.updates()
    await sandbox.say(chat["key"], sandbox.bob, "here", topic_id=topic["id"])
    (update,) = await sandbox.updates()
    assert update["message"]["message_thread_id"] == topic["id"]
    assert "reply_to_message" not in update["message"]


async def test_a_group_may_be_made_without_people(sandbox: Scene) -> None:
    group = await sandbox.group(members=[])
    change, _ = await sandbox.updates()
    assert change["my_chat_member"]["from"]["username"] == "GroupAnonymousBot"
    assert group["members"] == []


async def test_only_groups_have_comings_and_goings(sandbox: Scene) -> None:
    path = f"/world/chats/{sandbox.private}"
    for method, rest, body in (
        ("POST", "members", {"person_id": sandbox.bob}),
        ("DELETE", f"members/{sandbox.ann}", None),
        ("POST", "migrate", None),
        ("POST", "admins", {"id": sandbox.ann}),
    ):
        assert "private chat" in await sandbox.refused(method, f"{path}/{rest}", body)
    group = await sandbox.group()
    assert "Only in a private chat" in await sandbox.refused(
        "POST", f"/world/chats/{group['key']}/block", {"blocked": True}
    )


async def test_people_settle_what_holds_for_their_account(sandbox: Scene) -> None:
    seq = sandbox.telegram.world.events.seq
    changed = await sandbox.act("PATCH", f"/world/people/{sandbox.ann}", {"refuses_voice": True})
    assert (changed["first_name"], "hides_account" in changed, changed["refuses_voice"]) == ("Ann", False, True)
    (event,) = await sandbox.events(seq)
    assert (event["type"], event["person"]) == ("person", changed)
    await sandbox.act("PATCH", f"/world/people/{sandbox.ann}", {"hides_account": True})
    assert (await sandbox.act("GET", "/world"))["people"][0].items() >= {
        "hides_account": True,
        "refuses_voice": True,
    }.items()
    assert "no person 5" in await sandbox.refused("PATCH", "/world/people/5", {"refuses_voice": True})
    assert "username" in await sandbox.refused("PATCH", f"/world/people/{sandbox.ann}", {"username": "other"})
