import pytest
from telegram.error import BadRequest

from tests.local.telegram.scene import Scene


async def test_a_bot_leaves_a_group_but_no_private_chat(sandbox: Scene) -> None:
    group = await sandbox.group()
    assert await sandbox.bot.leave_chat(group["id"])
    updates = await sandbox.updates()
    assert [next(name for name in update if name != "update_id") for update in updates] == [
        "my_chat_member",
        "message",
        "message",
        "my_chat_member",
    ]
    assert updates[2]["message"]["left_chat_member"]["id"] == sandbox.marvin
    with pytest.raises(BadRequest, match="private chats"):
        await sandbox.bot.leave_chat(sandbox.ann)


async def test_an_administrator_bans_and_unbans(sandbox: Scene) -> None:
    group = await sandbox.group(admins=[sandbox.marvin])
    assert await sandbox.bot.ban_chat_member(group["id"], sandbox.bob)
    assert (await sandbox.bot.get_chat_member(group["id"], sandbox.bob)).status == "kicked"
    assert await sandbox.bot.get_chat_member_count(group["id"]) == 2
    assert await sandbox.bot.ban_chat_member(group["id"], sandbox.bob)
    assert await sandbox.bot.unban_chat_member(group["id"], sandbox.bob)
    assert (await sandbox.bot.get_chat_member(group["id"], sandbox.bob)).status == "left"
    assert await sandbox.bot.ban_chat_member(group["id"], sandbox.bob)


async def test_who_cannot_be_banned(sandbox: Scene) -> None:
    plain, led = await sandbox.group(), await sandbox.group(admins=[sandbox.marvin, sandbox.bob])
    for chat, user, reason in (
        (plain["id"], sandbox.bob, "Not enough rights to restrict/unrestrict chat member"),
        (led["id"], sandbox.ann, "Can't remove chat owner"),
        (led["id"], sandbox.bob, "User is an administrator of the chat"),
        (led["id"], sandbox.marvin, "Can't restrict self"),
        (led["id"], 5, "Participant_id_invalid"),
        (sandbox.ann, sandbox.bob, "Can't ban members in private chats"),
    ):
        with pytest.raises(BadRequest, match=reason):
            await sandbox.bot.ban_chat_member(chat, user)
