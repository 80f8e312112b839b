from dataclasses import replace

import pytest
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, ReactionTypeCustomEmoji, ReactionTypeEmoji
from telegram.error import BadRequest

from local.telegram.stickers import SET_NAME
from tests.local.telegram.scene import Scene

KEYBOARD = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y")]])
NOT_MODIFIED = (
    "Message is not modified: specified new message content and reply markup are exactly the same as a current content "
    "and reply markup of the message"
)


async def test_a_text_can_be_edited(stage: Scene) -> None:
    sent = await stage.bot.send_message(stage.ann, "one", reply_markup=KEYBOARD)
    edited = await stage.bot.edit_message_text("two", stage.ann, sent.message_id)
    assert not isinstance(edited, bool)
    assert (edited.text, edited.message_id, edited.reply_markup) == ("two", sent.message_id, None)
    assert edited.edit_date is not None
    assert [event["type"] for event in await stage.events()][-1] == "edit"
    assert await stage.updates() == []


async def test_an_edit_must_change_something(stage: Scene) -> None:
    sent = await stage.bot.send_message(stage.ann, "one", reply_markup=KEYBOARD)
    with pytest.raises(BadRequest) as refused:
        await stage.bot.edit_message_text("one", stage.ann, sent.message_id, reply_markup=KEYBOARD)
    assert refused.value.message == NOT_MODIFIED
    await stage.bot.edit_message_text("one", stage.ann, sent.message_id)


async def test_buttons_can_be_edited_alone(stage: Scene) -> None:
    sent = await stage.bot.send_message(stage.ann, "one")
    edited = await stage.bot.edit_message_reply_markup(stage.ann, sent.message_id, reply_markup=KEYBOARD)
    assert not isinstance(edited, bool)
    assert edited.reply_markup == KEYBOARD
    with pytest.raises(BadRequest, match="not modified"):
        await stage.bot.edit_message_reply_markup(stage.ann, sent.message_id, reply_markup=KEYBOARD)


async def test_a_caption_can_be_edited_and_a_sticker_has_none(stage: Scene) -> None:
    stickers = (await stage.bot.get_sticker_set(SET_NAME)).stickers
    sticker = await stage.bot.send_sticker(stage.ann, stickers[0])
    content = stage.telegram.world.files.content(stage.telegram.world.stickers.regular()[0].unique_id)
    assert content is not None
    photo = await stage.bot.send_photo(stage.ann, content, caption="one")
    edited = await stage.bot.edit_message_caption(stage.ann, photo.message_id, caption="two")
    assert not isinstance(edited, bool)
    assert edited.caption == "two"
    with pytest.raises(BadRequest, match="no caption in the message to edit"):
        await stage.bot.edit_message_caption(stage.ann, sticker.message_id, caption="x")
    with pytest.raises(BadRequest, match="no text in the message to edit"):
        await stage.bot.edit_message_text("x", stage.ann, photo.message_id)


async def test_only_its_own_messages_can_be_edited(stage: Scene) -> None:
    message = await stage.say(stage.private, stage.ann, "mine")
    with pytest.raises(BadRequest, match="Message can't be edited"):
        await stage.bot.edit_message_text("x", stage.ann, message["message_id"])
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await stage.bot.edit_message_text("x", stage.ann, 999)
    with pytest.raises(BadRequest, match="Message_id_invalid"):
        await stage.bot.edit_message_text("x", inline_message_id="abc")
    refused = await stage.error("editMessageText", text="x")
    assert refused == (400, "Bad Request: message identifier is not specified")


async def test_a_bot_deletes_its_own_words_and_in_private_all(stage: Scene) -> None:
    sent = await stage.bot.send_message(stage.ann, "one")
    said = await stage.say(stage.private, stage.ann, "two")
    assert await stage.bot.delete_message(stage.ann, sent.message_id)
    assert await stage.bot.delete_message(stage.ann, said["message_id"])
    with pytest.raises(BadRequest, match="Message to delete not found"):
        await stage.bot.delete_message(stage.ann, sent.message_id)


async def test_in_a_group_it_needs_rights_to_delete_others(stage: Scene) -> None:
    group = await stage.group()
    said = await stage.say(group["key"], stage.ann, "mine")
    with pytest.raises(BadRequest, match="Message can't be deleted"):
        await stage.bot.delete_message(group["id"], said["message_id"])
    await stage.act("POST", f"/world/chats/{group['key']}/admins", {"id": stage.marvin})
    assert await stage.bot.delete_message(group["id"], said["message_id"])


async def test_after_two_days_nothing_is_deleted(stage: Scene) -> None:
    sent = await stage.bot.send_message(stage.ann, "one")
    messages = stage.telegram.world.messages
    message = messages.get(stage.private, sent.message_id)
    assert message is not None
    messages.keep(replace(message, date=message.date - 48 * 3600 - 1))
    with pytest.raises(BadRequest, match="can't be deleted for everyone"):
        await stage.bot.delete_message(stage.ann, sent.message_id)


async def test_a_bot_reacts_with_one_emoji_of_telegrams(stage: Scene) -> None:
    said = await stage.say(stage.private, stage.ann, "nice")
    react = stage.bot.set_message_reaction
    assert await react(stage.ann, said["message_id"], "❤")
    assert await react(stage.ann, said["message_id"], ReactionTypeEmoji("👍"))
    view = (await stage.act("GET", f"/world/chats/{stage.private}/messages"))["messages"][-1]
    assert view["reactions"] == [{"from": stage.marvin, "emoji": "👍"}]
    assert await react(stage.ann, said["message_id"], None)
    assert await stage.updates() != []
    for reaction, reason in (
        ("🦞", "Reaction_invalid"),
        ("❤️", "Reaction_invalid"),
        (ReactionTypeCustomEmoji("5"), "Reaction_invalid"),
        (["👍", "❤"], "Reactions_too_many"),
    ):
        with pytest.raises(BadRequest, match=reason):
            await react(stage.ann, said["message_id"], reaction)
    with pytest.raises(BadRequest, match="Message to react not found"):
        await react(stage.ann, 999, "👍")
