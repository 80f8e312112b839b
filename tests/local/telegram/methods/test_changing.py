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


async def test_a_text_can_be_edited(sandbox: Scene) -> None:
    sent = await sandbox.bot.send_message(sandbox.ann, "one", reply_markup=KEYBOARD)
    edited = await sandbox.bot.edit_message_text("two", sandbox.ann, sent.message_id)
    assert not isinstance(edited, bool)
    assert (edited.text, edited.message_id, edited.reply_markup) == ("two", sent.message_id, None)
    assert edited.edit_date is not None
    assert [event["type"] for event in await sandbox.events()][-1] == "edit"
    assert await sandbox.updates() == []


async def test_an_edit_must_change_something(sandbox: Scene) -> None:
    sent = await sandbox.bot.send_message(sandbox.ann, "one", reply_markup=KEYBOARD)
    with pytest.raises(BadRequest) as refused:
        await sandbox.bot.edit_message_text("one", sandbox.ann, sent.message_id, reply_markup=KEYBOARD)
    assert refused.value.message == NOT_MODIFIED
    await sandbox.bot.edit_message_text("one", sandbox.ann, sent.message_id)


async def test_buttons_can_be_edited_alone(sandbox: Scene) -> None:
    sent = await sandbox.bot.send_message(sandbox.ann, "one")
    edited = await sandbox.bot.edit_message_reply_markup(sandbox.ann, sent.message_id, reply_markup=KEYBOARD)
    assert not isinstance(edited, bool)
    assert edited.reply_markup == KEYBOARD
    with pytest.raises(BadRequest, match="not modified"):
        await sandbox.bot.edit_message_reply_markup(sandbox.ann, sent.message_id, reply_markup=KEYBOARD)


async def test_a_caption_can_be_edited_and_a_sticker_has_none(sandbox: Scene) -> None:
    stickers = (await sandbox.bot.get_sticker_set(SET_NAME)).stickers
    sticker = await sandbox.bot.send_sticker(sandbox.ann, stickers[0])
    content = sandbox.telegram.world.files.content(sandbox.telegram.world.stickers.regular()[0].unique_id)
    assert content is not None
    photo = await sandbox.bot.send_photo(sandbox.ann, content, caption="one")
    edited = await sandbox.bot.edit_message_caption(sandbox.ann, photo.message_id, caption="two")
    assert not isinstance(edited, bool)
    assert edited.caption == "two"
    with pytest.raises(BadRequest, match="no caption in the message to edit"):
        await sandbox.bot.edit_message_caption(sandbox.ann, sticker.message_id, caption="x")
    with pytest.raises(BadRequest, match="no text in the message to edit"):
        await sandbox.bot.edit_message_text("x", sandbox.ann, photo.message_id)


async def test_only_its_own_messages_can_be_edited(sandbox: Scene) -> None:
    message = await sandbox.say(sandbox.private, sandbox.ann, "mine")
    with pytest.raises(BadRequest, match="Message can't be edited"):
        await sandbox.bot.edit_message_text("x", sandbox.ann, message["message_id"])
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await sandbox.bot.edit_message_text("x", sandbox.ann, 999)
    with pytest.raises(BadRequest, match="Message_id_invalid"):
        await sandbox.bot.edit_message_text("x", inline_message_id="abc")
    refused = await sandbox.error("editMessageText", text="x")
    assert refused == (400, "Bad Request: message identifier is not specified")


async def test_a_bot_deletes_its_own_words_and_in_private_all(sandbox: Scene) -> None:
    sent = await sandbox.bot.send_message(sandbox.ann, "one")
    said = await sandbox.say(sandbox.private, sandbox.ann, "two")
    assert await sandbox.bot.delete_message(sandbox.ann, sent.message_id)
    assert await sandbox.bot.delete_message(sandbox.ann, said["message_id"])
    with pytest.raises(BadRequest, match="Message to delete not found"):
        await sandbox.bot.delete_message(sandbox.ann, sent.message_id)


async def test_in_a_group_it_needs_rights_to_delete_others(sandbox: Scene) -> None:
    group = await sandbox.group()
    said = await sandbox.say(group["key"], sandbox.ann, "mine")
    with pytest.raises(BadRequest, match="Message can't be deleted"):
        await sandbox.bot.delete_message(group["id"], said["message_id"])
    await sandbox.act("POST", f"/world/chats/{group['key']}/admins", {"id": sandbox.marvin})
    assert await sandbox.bot.delete_message(group["id"], said["message_id"])


async def test_after_two_days_nothing_is_deleted(sandbox: Scene) -> None:
    sent = await sandbox.bot.send_message(sandbox.ann, "one")
    messages = sandbox.telegram.world.messages
    message = messages.get(sandbox.private, sent.message_id)
    assert message is not None
    messages.keep(replace(message, date=message.date - 48 * 3600 - 1))
    with pytest.raises(BadRequest, match="can't be deleted for everyone"):
        await sandbox.bot.delete_message(sandbox.ann, sent.message_id)


async def test_a_bot_reacts_with_one_emoji_of_telegrams(sandbox: Scene) -> None:
    said = await sandbox.say(sandbox.private, sandbox.ann, "nice")
    react = sandbox.bot.set_message_reaction
    assert await react(sandbox.ann, said["message_id"], "❤")
    assert await react(sandbox.ann, said["message_id"], ReactionTypeEmoji("👍"))
    view = (await sandbox.act("GET", f"/world/chats/{sandbox.private}/messages"))["messages"][-1]
    assert view["reactions"] == [{"from": sandbox.marvin, "emoji": "👍"}]
    assert await react(sandbox.ann, said["message_id"], None)
    assert await sandbox.updates() != []
    for reaction, reason in (
        ("🦞", "Reaction_invalid"),
        ("❤️", "Reaction_invalid"),
        (ReactionTypeCustomEmoji("5"), "Reaction_invalid"),
        (["👍", "❤"], "Reactions_too_many"),
    ):
        with pytest.raises(BadRequest, match=reason):
            await react(sandbox.ann, said["message_id"], reaction)
    with pytest.raises(BadRequest, match="Message to react not found"):
        await react(sandbox.ann, 999, "👍")
