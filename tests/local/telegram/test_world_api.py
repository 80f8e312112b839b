import pytest

from tests.local.telegram.scene import OTHER_TOKEN, TOKEN, Json, Scene


async def test_the_world_is_read_at_once(stage: Scene) -> None:
    world = await stage.act("GET", "/world")
    assert set(world) == {"seq", "bots", "people", "chats", "stickers", "custom_emoji"}
    assert [bot["username"] for bot in world["bots"]] == ["marvin_test_bot"]
    assert [person["first_name"] for person in world["people"]] == ["Ann", "Боб"]
    assert [chat["key"] for chat in world["chats"]] == [f"p{stage.ann}-{stage.marvin}"]
    assert world["stickers"][0].items() >= {"emoji": "🙂", "mime_type": "image/png", "width": 512}.items()
    assert TOKEN not in str(world)


async def test_a_bot_is_registered_once_and_may_change(stage: Scene) -> None:
    same = {"token": TOKEN, "first_name": "Marvin", "username": "marvin_test_bot"}
    seq = stage.telegram.world.events.seq
    assert (await stage.act("POST", "/world/bots", same))["id"] == stage.marvin
    assert stage.telegram.world.events.seq == seq
    changed = await stage.act("POST", "/world/bots", same | {"privacy": False})
    assert changed["privacy"] is False
    assert (await stage.events(seq))[0]["type"] == "bot"


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
async def test_what_cannot_be_made_is_refused_in_a_sentence(stage: Scene, path: str, body: Json, sentence: str) -> None:
    assert sentence in await stage.refused("POST", f"/world/{path}", body)


async def test_half_a_character_is_no_text(stage: Scene) -> None:
    path, headers = f"/world/chats/{stage.private}/messages", {"Content-Type": "application/json"}
    body = f'{{"from": {stage.ann}, "text": "\\ud83d"}}'.encode()
    response = await stage.http.post(path, content=body, headers=headers)
    assert (response.status_code, "Invalid JSON" in response.json()["error"]) == (400, True)


async def test_a_private_chat_is_opened_once(stage: Scene) -> None:
    body = {"type": "private", "person_id": stage.ann, "bot_id": stage.marvin}
    first, second = await stage.act("POST", "/world/chats", body), await stage.act("POST", "/world/chats", body)
    assert first == second
    assert (first["id"], first["members"], first["bots"]) == (stage.ann, [stage.ann], [stage.marvin])


async def test_a_private_chat_may_have_topics(stage: Scene) -> None:
    body = {"type": "private", "person_id": stage.bob, "bot_id": stage.marvin, "topics": True}
    chat = await stage.act("POST", "/world/chats", body)
    topic = await stage.act("POST", f"/world/chats/{chat['key']}/topics", {"name": "Plans"})
    await stage.updates()
    await stage.say(chat["key"], stage.bob, "here", topic_id=topic["id"])
    (update,) = await stage.updates()
    assert update["message"]["message_thread_id"] == topic["id"]
    assert "reply_to_message" not in update["message"]


async def test_a_group_may_be_made_without_people(stage: Scene) -> None:
    group = await stage.group(members=[])
    change, _ = await stage.updates()
    assert change["my_chat_member"]["from"]["username"] == "GroupAnonymousBot"
    assert group["members"] == []


async def test_only_groups_have_comings_and_goings(stage: Scene) -> None:
    path = f"/world/chats/{stage.private}"
    for method, rest, body in (
        ("POST", "members", {"person_id": stage.bob}),
        ("DELETE", f"members/{stage.ann}", None),
        ("POST", "migrate", None),
        ("POST", "admins", {"id": stage.ann}),
    ):
        assert "private chat" in await stage.refused(method, f"{path}/{rest}", body)
    group = await stage.group()
    assert "Only in a private chat" in await stage.refused(
        "POST", f"/world/chats/{group['key']}/block", {"blocked": True}
    )


async def test_people_settle_what_holds_for_their_account(stage: Scene) -> None:
    seq = stage.telegram.world.events.seq
    changed = await stage.act("PATCH", f"/world/people/{stage.ann}", {"refuses_voice": True})
    assert (changed["first_name"], "hides_account" in changed, changed["refuses_voice"]) == ("Ann", False, True)
    (event,) = await stage.events(seq)
    assert (event["type"], event["person"]) == ("person", changed)
    await stage.act("PATCH", f"/world/people/{stage.ann}", {"hides_account": True})
    assert (await stage.act("GET", "/world"))["people"][0].items() >= {
        "hides_account": True,
        "refuses_voice": True,
    }.items()
    assert "no person 5" in await stage.refused("PATCH", "/world/people/5", {"refuses_voice": True})
    assert "username" in await stage.refused("PATCH", f"/world/people/{stage.ann}", {"username": "other"})
