import pytest
from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import BadRequest

from tests.local.telegram.scene import OTHER_TOKEN, Scene

KEYBOARD = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y")]])


async def pressed(sandbox: Scene) -> str:
    sent = await sandbox.bot.send_message(sandbox.ann, "ok?", reply_markup=KEYBOARD)
    path = f"/world/chats/{sandbox.private}/messages/{sent.message_id}/press"
    query: str = (await sandbox.act("POST", path, {"from": sandbox.ann, "data": "y"}))["query_id"]
    return query


async def test_an_answer_is_shown_once(sandbox: Scene) -> None:
    query = await pressed(sandbox)
    assert await sandbox.bot.answer_callback_query(query, text="Done", show_alert=True) is True
    (notice,) = [event for event in await sandbox.events() if event["type"] == "notice"]
    assert (notice["query_id"], notice["text"], notice["show_alert"]) == (query, "Done", True)
    with pytest.raises(BadRequest, match="Query is too old"):
        await sandbox.bot.answer_callback_query(query)


async def test_only_the_bot_that_was_asked_can_answer(sandbox: Scene) -> None:
    query = await pressed(sandbox)
    await sandbox.act("POST", "/world/bots", {"token": OTHER_TOKEN, "first_name": "O", "username": "other_bot"})
    code, description = await sandbox.error("answerCallbackQuery", OTHER_TOKEN, callback_query_id=query)
    assert (code, "query ID is invalid" in description) == (400, True)


async def test_a_notice_is_short(sandbox: Scene) -> None:
    query = await pressed(sandbox)
    refused = await sandbox.error("answerCallbackQuery", callback_query_id=query, text="x" * 201)
    assert refused == (400, "Bad Request: MESSAGE_TOO_LONG")
