import pytest

from tests.local.telegram.scene import Scene

KICKED = "Forbidden: bot was kicked from the {} chat"


@pytest.mark.parametrize("type_", ["group", "supergroup"])
async def test_a_bot_outside_a_group_may_not_write(stage: Scene, type_: str) -> None:
    group = await stage.group(type=type_)
    await stage.act("DELETE", f"/world/chats/{group['key']}/members/{stage.marvin}")
    for method, params in (
        ("sendMessage", {"text": "x"}),
        ("sendChatAction", {"action": "typing"}),
        ("deleteMessage", {"message_id": 1}),
    ):
        assert await stage.error(method, chat_id=group["id"], **params) == (403, KICKED.format(type_))


async def test_a_basic_group_can_still_be_looked_at(stage: Scene) -> None:
    basic, big = await stage.group(type="group"), await stage.group()
    for group in (basic, big):
        await stage.act("DELETE", f"/world/chats/{group['key']}/members/{stage.marvin}")
    assert (await stage.call("getChat", chat_id=basic["id"]))["title"] == "Team"
    assert await stage.error("getChat", chat_id=big["id"]) == (403, KICKED.format("supergroup"))


async def test_a_group_that_a_bot_never_was_in_is_not_there(stage: Scene) -> None:
    group = await stage.group(bots=[])
    assert await stage.error("sendMessage", chat_id=group["id"], text="x") == (400, "Bad Request: chat not found")


async def test_a_chat_may_be_named_by_a_string_of_digits(stage: Scene) -> None:
    assert (await stage.call("sendMessage", chat_id=str(stage.ann), text="x"))["chat"]["id"] == stage.ann


async def test_a_migrated_group_can_be_read_but_says_where_it_went(stage: Scene) -> None:
    group = await stage.group(type="group")
    new = await stage.act("POST", f"/world/chats/{group['key']}/migrate")
    assert (await stage.call("getChat", chat_id=group["id"]))["id"] == group["id"]
    for method, params in (("getChatMemberCount", {}), ("sendChatAction", {"action": "typing"})):
        answer = await stage.raw_call(method, chat_id=group["id"], **params)
        assert answer["parameters"] == {"migrate_to_chat_id": new["id"]}
