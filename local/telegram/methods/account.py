"""Methods about the bot itself: its account, its commands and its menu button."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from local.telegram.errors import bad_request
from local.telegram.methods.request import Method, MethodRequest
from local.telegram.views import bot_view
from local.telegram.wire import Json, user_json

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
MAX_COMMANDS = 100
#: Telegram accepts only https; the console of `make dev` has none
LOCAL = "http://127.0.0.1:"
MAX_DESCRIPTION = 256


def get_me(request: MethodRequest) -> Json:
    """Return the bot as a `User`, with fields that only the bot itself gets."""
    bot = request.bot
    return user_json(bot) | {
        "can_join_groups": bot.can_join_groups,
        "can_read_all_group_messages": not bot.privacy,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


def set_my_commands(request: MethodRequest) -> bool:
    """Store the commands of a scope and language."""
    commands = request.params["commands"]
    if len(commands) > MAX_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not _COMMAND.fullmatch(command["command"].removeprefix("/")):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(command["description"]) <= MAX_DESCRIPTION:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    kept = [{"command": one["command"].removeprefix("/"), "description": one["description"]} for one in commands]
    return _keep(request, kept)


def delete_my_commands(request: MethodRequest) -> bool:
    """Delete the commands of a scope and language."""
    return _keep(request, [])


def get_my_commands(request: MethodRequest) -> list[dict[str, str]]:
    """Return the commands of exactly this scope and language."""
    return request.bot.commands.get(_place(request.params), [])


def _keep(request: MethodRequest, commands: list[dict[str, str]]) -> bool:
    kept = {place: known for place, known in request.bot.commands.items() if place != _place(request.params)}
    if commands:
        kept[_place(request.params)] = commands
    bot = replace(request.bot, commands=kept)
    request.world.people.keep_bot(bot)
    request.world.events.add("bot", bot=bot_view(bot))
    return True


def _place(params: Mapping[str, Any]) -> str:
    scope = params.get("scope") or {"type": "default"}
    where = ".".join(str(scope[name]) for name in ("type", "chat_id", "user_id") if name in scope)
    return f"{where}|{params.get('language_code', '')}"


def set_chat_menu_button(request: MethodRequest) -> bool:
    """Store the button beside the message field of one private chat, or of all private chats."""
    button = request.params.get("menu_button") or {"type": "default"}
    if button["type"] == "web_app" and not button["web_app"]["url"].startswith(("https://", LOCAL)):
        raise bad_request("menu button Web App URL is invalid: Only HTTPS links are allowed")
    bot = replace(request.bot, menu_buttons={**request.bot.menu_buttons, _menu_place(request): button})
    request.world.people.keep_bot(bot)
    request.world.events.add("bot", bot=bot_view(bot))
    return True


def get_chat_menu_button(request: MethodRequest) -> Json:
    """Return the button of a private chat; if it has none, that of all private chats."""
    buttons = request.bot.menu_buttons
    return buttons.get(_menu_place(request)) or buttons.get("") or {"type": "commands"}


def _menu_place(request: MethodRequest) -> str:
    return str(request.params.get("chat_id", ""))


METHODS: Mapping[str, Method] = {
    "getMe": get_me,
    "setChatMenuButton": set_chat_menu_button,
    "getChatMenuButton": get_chat_menu_button,
    "setMyCommands": set_my_commands,
    "deleteMyCommands": delete_my_commands,
    "getMyCommands": get_my_commands,
}
