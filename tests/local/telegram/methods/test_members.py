import pytest
from telegram.error import BadRequest

from tests.local.telegram.scene import Scene


async def test_a_bot_leaves_a_group_but_no_private_chat(stage: Scene) -> None:
    group = await stage.group()
    assert await stage.bot.leave_chat(group["id"])
    updates = await stage.updates()
    assert [next(name for name in update if name != "update_id") for update in updates] == [
        "my_chat_member",
        "message",
        "message",
        "my_chat_member",
    ]
    assert updates[2]["message"]["left_chat_member"]["id"] == stage.marvin
    with pytest.raises(BadRequest, match="private chats"):
        await stage.bot.leave_chat(stage.ann)


async def test_an_administrator_bans_and_unbans(stage: Scene) -> None:
    group = await stage.group(admins=[stage.marvin])
    assert await stage.bot.ban_chat_member(group["id"], stage.bob)
    assert (await stage.bot.get_chat_member(group["id"], stage.bob)).status == "kicked"
    assert await stage.bot.get_chat_member_count(group["id"]) == 2
    assert await stage.bot.ban_chat_member(group["id"], stage.bob)
    assert await stage.bot.unban_chat_member(group["id"], stage.bob)
    assert (await stage.bot.get_chat_member(group["id"], stage.bob)).status == "left"
    assert await stage.bot.ban_chat_member(group["id"], stage.bob)


async def test_who_cannot_be_banned(stage: Scene) -> None:
    plain, led = await stage.group(), await stage.group(admins=[stage.marvin, stage.bob])
    for chat, user, reason in (
        (plain["id"], stage.bob, "Not enough rights to restrict/unrestrict chat member"),
        (led["id"], stage.ann, "Can't remove chat owner"),
        (led["id"], stage.bob, "User is an administrator of the chat"),
        (led["id"], stage.marvin, "Can't restrict self"),
        (led["id"], 5, "Participant_id_invalid"),
        (stage.ann, stage.bob, "Can't ban members in private chats"),
    ):
        with pytest.raises(BadRequest, match=reason):
            await stage.bot.ban_chat_member(chat, user)
