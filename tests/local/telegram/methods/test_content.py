import pytest
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity, ReplyParameters
from telegram.error import BadRequest

from tests.local.telegram.scene import Json, Scene
from tests.media_files import png


def button(**fields: object) -> Json:
    return {"inline_keyboard": [[{"text": "b"} | fields]]}


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        ({"text": ""}, "message text is empty"),
        ({"text": " \n\u200b "}, "text must be non-empty"),
        ({"text": "x" * 4097}, "message is too long"),
        ({"text": "😀" * 2049}, "message is too long"),
        ({"text": "x", "message_thread_id": 9}, "message thread not found"),
        ({"text": "x", "reply_parameters": {"message_id": 99}}, "message to be replied not found"),
        ({"text": "x", "message_effect_id": "5"}, "EFFECT_ID_INVALID"),
        ({"text": "x", "allow_paid_broadcast": True}, "FLOODSKIP_NOT_ALLOWED"),
        ({"text": "x", "business_connection_id": "b"}, "business connection not found"),
        ({"text": "x", "reply_markup": button(callback_data="é" * 33)}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": button(pay=True)}, "BUTTON_TYPE_INVALID"),
        (
            {"text": "x", "reply_markup": button(callback_data="")},
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        (
            {"text": "x", "reply_markup": button(url="http://localhost:8000")},
            "inline keyboard button URL 'http://localhost:8000' is invalid: Wrong HTTP URL",
        ),
        (
            {"text": "x", "reply_markup": button(web_app={"url": "http://x.example"})},
            "inline keyboard button Web App URL 'http://x.example' is invalid: Only HTTPS links are allowed",
        ),
        (
            {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "b", "callback_data": "x"}] * 101]}},
            "reply markup is too long",
        ),
        (
            {"text": "x", "entities": [{"type": "text_mention", "offset": 0, "length": 1, "user": {"id": 5}}]},
            "user not found",
        ),
    ],
)
async def test_what_telegram_refuses_is_refused_here(sandbox: Scene, params: Json, reason: str) -> None:
    code, description = await sandbox.error("sendMessage", chat_id=sandbox.ann, **params)
    assert code == 400
    assert description.removeprefix("Bad Request: ").startswith(reason)


async def test_the_limits_themselves_are_allowed(sandbox: Scene) -> None:
    keyboard = button(callback_data="é" * 32)
    sent = await sandbox.call("sendMessage", chat_id=sandbox.ann, text="😀" * 2048 + "  ", reply_markup=keyboard)
    assert sent["text"] == "😀" * 2048
    assert sent["reply_markup"] == keyboard


async def test_entities_go_out_and_come_back(sandbox: Scene) -> None:
    text = "😀 bold code link"
    entities = [
        MessageEntity(MessageEntity.BOLD, 3, 4),
        MessageEntity(MessageEntity.CODE, 8, 4),
        MessageEntity(MessageEntity.TEXT_LINK, 13, 4, url="https://x.example/"),
    ]
    sent = await sandbox.bot.send_message(sandbox.ann, text, entities=entities)
    assert list(sent.entities) == entities
    assert sent.parse_entity(sent.entities[1]) == "code"


async def test_what_telegram_finds_is_added(sandbox: Scene) -> None:
    sent = await sandbox.bot.send_message(sandbox.ann, "ask @marvin_test_bot or see https://x.example/")
    assert [entity.type for entity in sent.entities] == ["mention", "url"]


async def test_a_parse_mode_is_refused_and_nothing_is_sent(sandbox: Scene) -> None:
    with pytest.raises(BadRequest, match="Parse_mode is not supported by the local server"):
        await sandbox.bot.send_message(sandbox.ann, "<b>x</b>", parse_mode="HTML")
    with pytest.raises(BadRequest, match="Parse_mode is not supported by the local server"):
        await sandbox.bot.send_photo(sandbox.ann, png(), caption="*x*", parse_mode="MarkdownV2")
    assert (await sandbox.act("GET", f"/world/chats/{sandbox.private}/messages"))["messages"] == []


async def test_formatting_within_formatting_comes_back(sandbox: Scene) -> None:
    text = "bold both link a<b\nblock"
    entities = [
        MessageEntity(MessageEntity.BOLD, 0, 9),
        MessageEntity(MessageEntity.ITALIC, 5, 4),
        MessageEntity(MessageEntity.TEXT_LINK, 10, 4, url="http://x.example/"),
        MessageEntity(MessageEntity.CODE, 15, 3),
        MessageEntity(MessageEntity.PRE, 19, 5),
    ]
    sent = await sandbox.bot.send_message(sandbox.ann, text, entities=entities)
    html = '<b>bold <i>both</i></b> <a href="http://x.example/">link</a> <code>a&lt;b</code>\n<pre>block</pre>'
    assert sent.text_html == html


async def test_a_mention_of_nobody_is_refused(sandbox: Scene) -> None:
    user = {"id": 5, "is_bot": False, "first_name": "X"}
    entity = {"type": "text_mention", "offset": 0, "length": 1, "user": user}
    refused = await sandbox.error("sendMessage", chat_id=sandbox.ann, text="x", entities=[entity])
    assert refused == (400, "Bad Request: user not found")
    sent = await sandbox.call(
        "sendMessage", chat_id=sandbox.ann, text="x", entities=[entity | {"user": user | {"id": sandbox.bob}}]
    )
    assert sent["entities"][0]["user"]["first_name"] == "Боб"


async def test_a_reply_names_its_target_and_may_quote_it(sandbox: Scene) -> None:
    said = await sandbox.say(sandbox.private, sandbox.ann, "one two three")
    reply = ReplyParameters(said["message_id"], quote="two")
    sent = await sandbox.bot.send_message(sandbox.ann, "yes", reply_parameters=reply)
    assert sent.reply_to_message is not None
    assert sent.reply_to_message.text == "one two three"
    assert sent.quote is not None
    assert (sent.quote.text, sent.quote.position) == ("two", 4)
    with pytest.raises(BadRequest, match="Quote_text_invalid"):
        await sandbox.bot.send_message(
            sandbox.ann, "x", reply_parameters=ReplyParameters(said["message_id"], quote="four")
        )


async def test_a_reply_to_nothing_can_be_allowed(sandbox: Scene) -> None:
    reply = ReplyParameters(999, allow_sending_without_reply=True)
    sent = await sandbox.bot.send_message(sandbox.ann, "x", reply_parameters=reply)
    assert sent.reply_to_message is None


async def test_a_reply_goes_where_its_target_is(sandbox: Scene) -> None:
    group = await sandbox.group(topics=True)
    topic = await sandbox.act("POST", f"/world/chats/{group['key']}/topics", {"name": "Backend"})
    said = await sandbox.say(group["key"], sandbox.ann, "here", topic_id=topic["id"])
    sent = await sandbox.bot.send_message(group["id"], "x", reply_to_message_id=said["message_id"])
    assert sent.message_thread_id == topic["id"]
    alone = await sandbox.bot.send_message(group["id"], "x", message_thread_id=topic["id"])
    assert alone.reply_to_message is not None
    assert alone.reply_to_message.forum_topic_created is not None
    with pytest.raises(BadRequest, match="Message thread not found"):
        await sandbox.bot.send_message(group["id"], "x", message_thread_id=1)


async def test_only_inline_buttons_belong_to_the_message(sandbox: Scene) -> None:
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("a", url="https://x.example/")], []])
    sent = await sandbox.bot.send_message(sandbox.ann, "x", reply_markup=keyboard)
    assert sent.reply_markup is not None
    assert len(sent.reply_markup.inline_keyboard) == 1
    plain = await sandbox.call("sendMessage", chat_id=sandbox.ann, text="x", reply_markup={"force_reply": True})
    assert "reply_markup" not in plain
