import pytest

from tests.local.telegram.scene import Scene

KICKED = "Forbidden: bot was kicked from the {} chat"


@pytest.mark.parametrize("type_", ["group", "supergroup"])
async def test_a_bot_outside_a_group_may_not_write(sandbox: Scene, type_: str) -> None:
    group = await sandbox.group(type=type_)
    await sandbox.act("DELETE", f"/world/chats/{group['key']}/members/{sandbox.marvin}")
    for method, params in (
        ("sendMessage", {"text": "x"}),
        ("sendChatAction", {"action": "typing"}),
        ("deleteMessage", {"message_id": 1}),
    ):
        assert await sandbox.error(method, chat_id=group["id"], **params) == (403, KICKED.format(type_))


async def test_a_basic_group_can_still_be_looked_at(sandbox: Scene) -> None:
    basic, big = await sandbox.group(type="group"), await sandbox.group()
    for group in (basic, big):
        await sandbox.act("DELETE", f"/world/chats/{group['key']}/members/{sandbox.marvin}")
    assert (await sandbox.call("getChat", chat_id=basic["id"]))["title"] == "Team"
    assert await sandbox.error("getChat", chat_id=big["id"]) == (403, KICKED.format("supergroup"))


async def test_a_group_that_a_bot_never_was_in_is_not_there(sandbox: Scene) -> None:
    group = await sandbox.group(bots=[])
    assert await sandbox.error("sendMessage", chat_id=group["id"], text="x") == (400, "Bad Request: chat not found")


async def test_a_chat_may_be_named_by_a_string_of_digits(sandbox: Scene) -> None:
    assert (await sandbox.call("sendMessage", chat_id=str(sandbox.ann), text="x"))["chat"]["id"] == sandbox.ann


async def test_a_migrated_group_can_be_read_but_says_where_it_went(sandbox: Scene) -> None:
    group = await sandbox.group(type="group")
    new = await sandbox.act("POST", f"/world/chats/{group['key']}/migrate")
    assert (await sandbox.call("getChat", chat_id=group["id"]))["id"] == group["id"]
    for method, params in (("getChatMemberCount", {}), ("sendChatAction", {"action": "typing"})):
        answer = await sandbox.raw_call(method, chat_id=group["id"], **params)
        assert answer["parameters"] == {"migrate_to_chat_id": new["id"]}
