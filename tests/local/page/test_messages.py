"""Actions on a message: reply, edit, delete, react, press; and messages that are not text."""

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import FilePayload, expect

from tests.local.page.acted_bot import ActedBot
from tests.local.page.telegram_server import Telegram
from tests.local.page.visitor import Visitor, Visits


def picture(colour: Sequence[int], side: int = 64) -> bytes:
    """Make a PNG file of one colour."""
    rows = (b"\x00" + bytes(colour) * side) * side
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def files(*colours: Sequence[int]) -> list[FilePayload]:
    return [
        {"name": f"{number}.png", "mimeType": "image/png", "buffer": picture(colour)}
        for number, colour in enumerate(colours)
    ]


async def chat_id(visitor: Visitor, bot: ActedBot) -> int:
    await visitor.writes("hello")
    return int((await bot.next("message"))["chat"]["id"])


MENUS = ("default|", "all_private_chats|", "all_private_chats|de", "all_chat_administrators|")


async def test_a_reply_quotes_and_leads_to_the_original(visitor: Visitor, bot: ActedBot) -> None:
    chat = await chat_id(visitor, bot)
    original = await bot.says(chat, "What is your name?" + "\n." * 80)
    await visitor.page.locator(".messages").evaluate("n => { n.scrollTop = 0; }")
    await visitor.picks("What is your name?", "Reply")
    await expect(visitor.page.locator(".answering")).to_contain_text("Reply to lull")
    await visitor.writes("It is Ann")
    assert (await bot.next("message"))["reply_to_message"]["message_id"] == original
    line = visitor.message("It is Ann").locator(".reply-line")
    await expect(line).to_contain_text("What is your name?")
    await line.click()
    await expect(visitor.page.locator(f'[data-id="{original}"]')).to_be_focused()


async def test_escape_leaves_the_reply(visitor: Visitor, bot: ActedBot) -> None:
    await chat_id(visitor, bot)
    await visitor.picks("hello", "Reply")
    await expect(visitor.field).to_be_focused()
    await visitor.field.press("Escape")
    await expect(visitor.page.locator(".answering")).to_have_count(0)


async def test_an_edit_keeps_the_formatting_and_says_edited(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.field.fill("**bold** words")
    await visitor.field.press("Enter")
    await visitor.picks("bold words", "Edit")
    await expect(visitor.field).to_have_value("**bold** words")
    await visitor.field.fill("**bold** sentences")
    await visitor.field.press("Enter")
    await expect(visitor.message("bold sentences").locator("strong")).to_have_text("bold")
    await expect(visitor.message("bold sentences").locator(".meta")).to_contain_text("edited")
    assert (await bot.next("edited_message"))["text"] == "bold sentences"


async def test_a_deleted_message_goes(visitor: Visitor, bot: ActedBot, telegram: Telegram) -> None:
    await chat_id(visitor, bot)
    await visitor.picks("hello", "Delete")
    await expect(visitor.messages).to_have_count(0)


async def test_a_bots_edit_is_shown_at_once(visitor: Visitor, bot: ActedBot) -> None:
    chat = await chat_id(visitor, bot)
    sent = await bot.says(chat, "draft")
    await bot.call("editMessageText", chat_id=chat, message_id=sent, text="final")
    await expect(visitor.message("final").locator(".meta")).to_contain_text("edited")


async def test_a_reaction_is_given_and_taken_back(visitor: Visitor, bot: ActedBot) -> None:
    chat = await chat_id(visitor, bot)
    await bot.says(chat, "How was it?")
    await visitor.picks("How was it?", "React with 👍")
    reaction = visitor.message("How was it?").locator(".reaction")
    await expect(reaction).to_have_attribute("aria-pressed", "true")
    await reaction.click()
    await expect(reaction).to_have_count(0)


async def test_all_reactions_are_one_click_away(visitor: Visitor, bot: ActedBot) -> None:
    await chat_id(visitor, bot)
    await visitor.message("hello").locator(".bubble").click(button="right")
    await visitor.page.get_by_role("menuitem", name="All reactions").click()
    await expect(visitor.page.get_by_role("menuitem", name="Delete")).to_be_in_viewport(ratio=1)
    await visitor.page.get_by_role("menuitem", name="React with 🦄").click()
    await expect(visitor.message("hello").locator(".reaction")).to_contain_text("🦄")


async def test_a_reaction_of_the_bot_is_shown(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.writes("hello")
    message = await bot.next("message")
    reaction = [{"type": "emoji", "emoji": "🔥"}]
    await bot.call(
        "setMessageReaction", chat_id=message["chat"]["id"], message_id=message["message_id"], reaction=reaction
    )
    await expect(visitor.page.get_by_role("button", name="🔥 by lull")).to_be_visible()


async def test_a_pressed_button_reaches_the_bot_and_its_notice_the_person(visitor: Visitor, bot: ActedBot) -> None:
    chat = await chat_id(visitor, bot)
    rows = [[{"text": "Yes", "callback_data": "y"}, {"text": "Read on", "url": "https://example.org/"}]]
    await bot.says(chat, "Shall I?", reply_markup={"inline_keyboard": rows})
    await visitor.button("Yes").click()
    query = await bot.next("callback_query")
    assert query["data"] == "y"
    await bot.call("answerCallbackQuery", callback_query_id=query["id"], text="Done!")
    await expect(visitor.page.locator(".toast")).to_have_text("Done!")
    await expect(visitor.page.get_by_role("link", name="Read on")).to_have_attribute("href", "https://example.org/")


async def test_buttons_that_the_bot_takes_away_are_gone(visitor: Visitor, bot: ActedBot) -> None:
    chat = await chat_id(visitor, bot)
    rows = [[{"text": "Tea", "callback_data": "choice:1"}], [{"text": "Coffee", "callback_data": "choice:2"}]]
    asked = await bot.says(chat, "Tea or coffee?", reply_markup={"inline_keyboard": rows})
    await expect(visitor.button("Coffee")).to_be_visible()
    await bot.call("editMessageReplyMarkup", chat_id=chat, message_id=asked)
    await expect(visitor.button("Coffee")).to_have_count(0)


async def test_a_command_is_completed_and_a_click_on_one_sends_it(visitor: Visitor, bot: ActedBot) -> None:
    await bot.call("setMyCommands", commands=[{"command": "help", "description": "What lull can do"}])
    await visitor.field.press_sequentially("/he")
    await expect(visitor.page.get_by_role("option")).to_contain_text("What lull can do")
    await visitor.field.press("Enter")
    await expect(visitor.field).to_have_value("/help")
    await visitor.field.press("Enter")
    assert (await bot.next("message"))["text"] == "/help"
    await visitor.message("/help").get_by_role("button", name="/help").click()
    assert (await bot.next("message"))["text"] == "/help"


async def test_the_commands_of_the_narrowest_scope_in_the_persons_language_are_listed(visitor: Visitor) -> None:
    kept = {name: [{"command": name.replace("|", "_"), "description": "x"}] for name in MENUS}
    private, group = {"type": "private", "id": 5}, {"type": "group", "id": -7, "admins": [2]}
    german, plain = {"id": 2, "language_code": "de-AT"}, {"id": 3}
    shown = "m.menuOf({commands: a[0]}, a[1], a[2])[0].command"
    for chat, person, expected in (
        (private, german, "all_private_chats_de"),
        (private, plain, "all_private_chats_"),
        (group, german, "all_chat_administrators_"),
        (group, plain, "default_"),
    ):
        assert await visitor.module("menu_of", shown, kept, chat, person) == expected
    assert await visitor.module("menu_of", "m.menuOf({commands: {}}, a[0], a[1])", private, plain) == []


async def test_a_sticker_is_picked_and_sent(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.button("Send a sticker").click()
    await visitor.page.get_by_role("menuitem", name="Sticker 😴").click()
    assert (await bot.next("message"))["sticker"]["emoji"] == "😴"
    shown = visitor.page.get_by_role("img", name="Sticker 😴")
    await expect(shown).to_be_visible()
    await expect(shown).to_have_js_property("naturalWidth", 512)


async def test_a_photo_with_a_caption(visitor: Visitor, bot: ActedBot, pictures: Path) -> None:
    await visitor.page.locator("input[type=file]").set_input_files(files((200, 120, 60)))
    await expect(visitor.page.get_by_role("list", name="To send").locator("img")).to_have_count(1)
    await visitor.writes("my cat")
    message = await bot.next("message")
    assert (message["caption"], bool(message["photo"])) == ("my cat", True)
    await visitor.button("Photo: my cat. Open it large").click()
    await expect(visitor.page.get_by_role("dialog").get_by_role("img")).to_be_visible()
    await visitor.page.keyboard.press("Escape")
    await expect(visitor.page.get_by_role("dialog")).to_have_count(0)


async def test_several_photos_are_an_album(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.page.locator("input[type=file]").set_input_files(
        files((200, 120, 60), (60, 120, 200), (120, 200, 60))
    )
    await visitor.button("Leave out 1.png").click()
    await visitor.button("Send").click()
    await expect(visitor.page.get_by_role("group", name="Album of 2 photos").locator("img")).to_have_count(2)
    first, second = await bot.next("message"), await bot.next("message")
    assert first["media_group_id"] == second["media_group_id"]


async def test_a_picture_is_pasted_and_another_dropped(visitor: Visitor, bot: ActedBot) -> None:
    give = """async ([selector, type, name, bytes]) => {
        const carried = new DataTransfer();
        carried.items.add(new File([new Uint8Array(bytes)], "clip.png", { type: "image/png" }));
        const Event = type === "paste" ? ClipboardEvent : DragEvent;
        const given = new Event(type, { [name]: carried, bubbles: true, cancelable: true });
        document.querySelector(selector).dispatchEvent(given);
    }"""
    body = list(picture((10, 90, 90)))
    await visitor.page.evaluate(give, ["textarea", "paste", "clipboardData", body])
    await visitor.page.evaluate(give, [".pane-body", "drop", "dataTransfer", body])
    await expect(visitor.page.locator(".thumb")).to_have_count(2)
    await visitor.button("Send").click()
    assert "media_group_id" in await bot.next("message")


async def test_a_refusal_is_said_and_the_words_are_kept(visitor: Visitor, visits: Visits) -> None:
    await visitor.writes("short")
    await visitor.picks("short", "Edit")
    await visitor.field.fill("x" * 4_097)
    await visitor.field.press("Enter")
    await expect(visitor.page.locator(".toast")).to_contain_text("4,096")
    await expect(visitor.field).to_have_value("x" * 4_097)
    visits.expect_problem("400")


async def test_a_text_that_is_too_long_for_one_message_is_sent_as_several(visitor: Visitor, bot: ActedBot) -> None:
    words = " ".join(f"word{number}" for number in range(800))
    await visitor.field.fill(words)
    await visitor.field.press("Enter")
    sent = [(await bot.next("message"))["text"] for _ in range(2)]
    assert " ".join(sent) == words
    assert max(map(len, sent)) <= 4_096
    await expect(visitor.field).to_have_value("")


async def test_parts_of_a_text_break_no_pair_and_lose_nothing(visitor: Visitor) -> None:
    whole = await visitor.module("parts", "m.parts(a[0])", "🦊" * 3_000)
    assert "".join(whole) == "🦊" * 3_000
    assert await visitor.module("parts", "m.parts(a[0]).map((part) => part.length)", "a" * 4_095 + "🦊b") == [4_095, 3]
    assert await visitor.module("parts", "m.parts(a[0])", "short") == ["short"]


async def test_a_double_click_on_a_suggestion_or_a_command_sends_once(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.button("hi, who are you?").dblclick()
    assert (await bot.next("message"))["text"] == "hi, who are you?"
    await visitor.writes("try /help")
    assert (await bot.next("message"))["text"] == "try /help"
    await visitor.message("try /help").get_by_role("button", name="/help").dblclick()
    assert (await bot.next("message"))["text"] == "/help"
    await visitor.writes("done")
    assert (await bot.next("message"))["text"] == "done"


async def test_a_double_click_on_save_sends_nothing_else(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.writes("helo")
    await bot.next("message")
    await visitor.field.fill("a draft")
    await visitor.picks("helo", "Edit")
    await visitor.field.fill("hello")
    await visitor.button("Save").dblclick()
    assert (await bot.next("edited_message"))["text"] == "hello"
    await expect(visitor.field).to_have_value("a draft")
    await visitor.field.press("Enter")
    assert (await bot.next("message"))["text"] == "a draft"


async def test_a_draft_survives_a_reload_until_it_is_sent(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.field.fill("half a thought")
    await visitor.page.reload()
    await expect(visitor.field).to_have_value("half a thought")
    async with visitor.page.expect_response(
        "**/messages"
    ) as answer:  # before its answer, the message may not have been sent
        await visitor.field.press("Enter")
    await (await answer.value).finished()
    assert (await bot.next("message"))["text"] == "half a thought"
    await visitor.page.reload()
    await expect(visitor.field).to_have_value("")
