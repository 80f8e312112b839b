import pytest
from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import BadRequest

from tests.local.telegram.scene import OTHER_TOKEN, Scene

KEYBOARD = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y")]])


async def pressed(stage: Scene) -> str:
    sent = await stage.bot.send_message(stage.ann, "ok?", reply_markup=KEYBOARD)
    path = f"/world/chats/{stage.private}/messages/{sent.message_id}/press"
    query: str = (await stage.act("POST", path, {"from": stage.ann, "data": "y"}))["query_id"]
    return query


async def test_an_answer_is_shown_once(stage: Scene) -> None:
    query = await pressed(stage)
    assert await stage.bot.answer_callback_query(query, text="Done", show_alert=True) is True
    (notice,) = [event for event in await stage.events() if event["type"] == "notice"]
    assert (notice["query_id"], notice["text"], notice["show_alert"]) == (query, "Done", True)
    with pytest.raises(BadRequest, match="Query is too old"):
        await stage.bot.answer_callback_query(query)


async def test_only_the_bot_that_was_asked_can_answer(stage: Scene) -> None:
    query = await pressed(stage)
    await stage.act("POST", "/world/bots", {"token": OTHER_TOKEN, "first_name": "O", "username": "other_bot"})
    code, description = await stage.error("answerCallbackQuery", OTHER_TOKEN, callback_query_id=query)
    assert (code, "query ID is invalid" in description) == (400, True)


async def test_a_notice_is_short(stage: Scene) -> None:
    query = await pressed(stage)
    refused = await stage.error("answerCallbackQuery", callback_query_id=query, text="x" * 201)
    assert refused == (400, "Bad Request: MESSAGE_TOO_LONG")
