import pytest
from telegram import BotCommand, BotCommandScopeAllPrivateChats, BotCommandScopeChat
from telegram.error import BadRequest

from tests.local.telegram.scene import OTHER_TOKEN, Scene


async def test_a_bot_knows_itself(sandbox: Scene) -> None:
    me = await sandbox.bot.get_me()
    assert (me.id, me.username, me.is_bot) == (sandbox.marvin, "marvin_test_bot", True)
    assert me.can_join_groups is True
    assert me.can_read_all_group_messages is False
    await sandbox.call("getMe")


async def test_a_bot_without_privacy_says_so(sandbox: Scene) -> None:
    bot = {"token": OTHER_TOKEN, "first_name": "O", "username": "other_bot", "privacy": False}
    await sandbox.act("POST", "/world/bots", bot)
    assert (await sandbox.call("getMe", OTHER_TOKEN))["can_read_all_group_messages"] is True


async def test_commands_are_kept_for_each_scope_and_language(sandbox: Scene) -> None:
    commands = [BotCommand("start", "begin"), BotCommand("help", "what I can do")]
    await sandbox.bot.set_my_commands(commands)
    await sandbox.bot.set_my_commands([BotCommand("start", "début")], language_code="fr")
    await sandbox.bot.set_my_commands([BotCommand("x", "y")], scope=BotCommandScopeChat(sandbox.ann))
    assert await sandbox.bot.get_my_commands() == tuple(commands)
    assert (await sandbox.bot.get_my_commands(language_code="fr"))[0].description == "début"
    assert (await sandbox.bot.get_my_commands(scope=BotCommandScopeChat(sandbox.ann)))[0].command == "x"
    assert await sandbox.bot.get_my_commands(scope=BotCommandScopeAllPrivateChats()) == ()
    await sandbox.bot.delete_my_commands()
    assert await sandbox.bot.get_my_commands() == ()
    assert len(await sandbox.call("getMyCommands", language_code="fr")) == 1


@pytest.mark.parametrize(
    ("command", "description", "reason"),
    [
        ("Start", "x", "Bot_command_invalid"),
        ("x" * 33, "x", "Bot_command_invalid"),
        ("start", "x" * 257, "Bot_command_description_invalid"),
    ],
)
async def test_commands_have_their_form(sandbox: Scene, command: str, description: str, reason: str) -> None:
    with pytest.raises(BadRequest, match=reason):
        await sandbox.bot.set_my_commands([(command, description)])


async def test_there_are_at_most_a_hundred(sandbox: Scene) -> None:
    commands = [{"command": f"c{n}", "description": "x"} for n in range(101)]
    assert await sandbox.error("setMyCommands", commands=commands) == (400, "Bad Request: BOT_COMMANDS_TOO_MUCH")
