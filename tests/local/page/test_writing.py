"""Writing in a private chat: ticks, typing, formatted answers, and errors in words."""

import asyncio
import time
from pathlib import Path

from playwright.async_api import expect

from tests.local.page.acted_bot import ActedBot, entity
from tests.local.page.telegram_server import Telegram
from tests.local.page.visitor import Visitor

FORMATTED = "🧵 bold italic both struck under code link secret\nprint(1 < 2)\nsaid before\n@lull_bot #calm"
ENTITIES = [
    entity(FORMATTED, "bold", "bold"),
    entity(FORMATTED, "italic", "italic"),
    entity(FORMATTED, "both", "bold"),
    entity(FORMATTED, "both", "italic"),
    entity(FORMATTED, "struck", "strikethrough"),
    entity(FORMATTED, "under", "underline"),
    entity(FORMATTED, "code", "code"),
    entity(FORMATTED, "link", "text_link", url="https://example.org/"),
    entity(FORMATTED, "secret", "spoiler"),
    entity(FORMATTED, "print(1 < 2)", "pre", language="python"),
    entity(FORMATTED, "said before", "blockquote"),
]


async def test_one_tick_is_sent_and_two_are_taken_by_the_webhook(visitor: Visitor, bot: ActedBot) -> None:
    bot.open.clear()
    await visitor.writes("are you there?")
    tick = visitor.message("are you there?").locator(".tick")
    await expect(tick).to_have_attribute("data-tick", "sent")
    bot.open.set()
    await expect(tick).to_have_attribute("data-tick", "taken")
    await expect(tick).to_have_text("Received by lull")


async def test_ticks_are_kept_over_a_reload(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.writes("remember that")
    await bot.next("message")
    await expect(visitor.message("remember that").locator(".is-taken")).to_be_visible()
    await visitor.page.reload()
    await expect(visitor.message("remember that").locator(".is-taken")).to_be_visible()


async def test_what_the_webhook_refuses_is_said_in_words(visitor: Visitor, bot: ActedBot, pictures: Path) -> None:
    bot.status = 500
    await visitor.writes("hello?")
    await expect(visitor.page.locator(".pane .notice")).to_contain_text("lull's webhook has not accepted it")
    await expect(visitor.message("hello?").locator(".tick")).to_have_attribute("data-tick", "trouble")
    await visitor.page.screenshot(path=pictures / "undelivered-desktop.png")
    bot.status = 200
    await expect(visitor.message("hello?").locator(".tick")).to_have_attribute("data-tick", "taken")
    await expect(visitor.page.locator(".pane .notice")).to_have_count(0)


async def test_typing_is_shown_until_the_answer_comes(visitor: Visitor, bot: ActedBot, telegram: Telegram) -> None:
    await visitor.writes("hi")
    chat = (await bot.next("message"))["chat"]["id"]
    await bot.call("sendChatAction", chat_id=chat, action="typing")
    await expect(visitor.page.get_by_test_id("typing")).to_have_text("lull is typing")
    await bot.says(chat, "Hello Ann")
    await expect(visitor.message("Hello Ann")).to_be_visible()
    await expect(visitor.page.get_by_test_id("typing")).to_have_count(0)
    await expect(visitor.page.get_by_test_id("announcer")).to_have_text("lull: Hello Ann")


async def test_a_streamed_draft_gives_way_to_the_message(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.writes("tell me")
    chat = (await bot.next("message"))["chat"]["id"]
    await bot.call("sendMessageDraft", chat_id=chat, draft_id=7, text="Once upon")
    draft, read_out = visitor.page.get_by_test_id("draft"), visitor.page.get_by_test_id("announcer")
    await expect(draft).to_contain_text("Once upon")
    bold = [{"type": "bold", "offset": 0, "length": 4}]
    await bot.call("sendMessageDraft", chat_id=chat, draft_id=7, text="Once upon a time", entities=bold)
    await expect(draft).to_contain_text("Once upon a time")
    await expect(draft.locator("strong")).to_have_text("Once")
    await expect(draft).to_have_count(1)
    await expect(read_out).to_have_text("")
    await bot.says(chat, "Once upon a time there was a lull.")
    await expect(draft).to_have_count(0)
    await expect(visitor.message("there was a lull")).to_be_visible()
    await expect(read_out).to_have_text("lull: Once upon a time there was a lull.")


async def test_entities_become_formatting(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.writes("format!")
    chat = (await bot.next("message"))["chat"]["id"]
    await bot.says(chat, FORMATTED, entities=ENTITIES)
    answer = visitor.messages.last
    await expect(answer.locator("strong").first).to_have_text("bold")
    await expect(answer.locator("strong em, em strong")).to_have_text("both")
    await expect(answer.locator("s")).to_have_text("struck")
    await expect(answer.locator("u")).to_have_text("under")
    await expect(answer.locator(".text > code")).to_have_text("code")
    await expect(answer.get_by_role("link", name="link")).to_have_attribute("href", "https://example.org/")
    await expect(answer.locator("pre")).to_have_text("print(1 < 2)")
    await expect(answer.locator("figcaption")).to_contain_text("python")
    await expect(answer.locator("blockquote")).to_have_text("said before")
    await expect(answer.locator(".mention").first).to_have_text("@lull_bot")
    await answer.get_by_role("button", name="Hidden text, show it").click()
    await expect(answer.locator(".spoiler.is-shown")).to_have_text("secret")


async def test_code_is_copied_as_it_is(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await visitor.writes("code, please")
    chat = (await bot.next("message"))["chat"]["id"]
    await bot.says(chat, FORMATTED, entities=ENTITIES)
    await visitor.messages.last.get_by_role("button", name="Copy").click()
    await expect(visitor.page.locator(".toast")).to_have_text("Copied")
    assert await visitor.page.evaluate("navigator.clipboard.readText()") == "print(1 < 2)"


async def test_markup_in_a_message_stays_text(visitor: Visitor, bot: ActedBot) -> None:
    text = '<img src=x onerror="document.title=1"><script>document.title=2</script>&amp;'
    await visitor.writes(text)
    chat = (await bot.next("message"))["chat"]["id"]
    await bot.says(chat, text, entities=[entity(text, "onerror", "pre", language="<b>")])
    await expect(visitor.messages.last.locator(".text")).to_contain_text("<script>")
    await expect(visitor.page).to_have_title("lull")
    assert await visitor.page.locator(".message img, .message script").count() == 0


async def test_what_people_type_is_formatted_too(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.field.fill("**loud** and `exact`")
    await visitor.field.press("Enter")
    await expect(visitor.messages.last.locator("strong")).to_have_text("loud")
    message = await bot.next("message")
    assert message["text"] == "loud and exact"
    assert [each["type"] for each in message["entities"]] == ["bold", "code"]


async def test_shift_and_enter_make_a_new_line(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.field.press_sequentially("one")
    await visitor.field.press("Shift+Enter")
    await visitor.field.press_sequentially("two")
    await visitor.field.press("Enter")
    assert (await bot.next("message"))["text"] == "one\ntwo"
    await expect(visitor.field).to_have_value("")


async def test_a_long_message_is_shown_whole(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.writes("a lot, please")
    chat = (await bot.next("message"))["chat"]["id"]
    await bot.says(chat, "word " * 800 + "END")
    await expect(visitor.messages.last.get_by_text("END")).to_be_in_viewport()
    pane = visitor.page.locator(".messages")
    assert await pane.evaluate("n => n.scrollWidth <= n.clientWidth")


async def test_new_messages_wait_below_for_those_who_read_above(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.writes("a lot, please")
    chat = (await bot.next("message"))["chat"]["id"]
    await bot.says(chat, "line\n" * 120)
    await expect(visitor.messages).to_have_count(2)
    await visitor.page.locator(".messages").evaluate("n => { n.scrollTop = 0; }")
    await expect(visitor.button("Newest")).to_be_visible()
    await bot.says(chat, "something new")
    await visitor.button("1 new message").click()
    await expect(visitor.message("something new")).to_be_in_viewport()
    await expect(visitor.page.locator(".pill")).to_have_count(0)


async def test_messages_stand_in_the_order_in_which_they_happened(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.writes("first")
    chat = (await bot.next("message"))["chat"]["id"]
    await asyncio.gather(*(bot.says(chat, f"answer {number}") for number in range(5)), visitor.writes("second"))
    await expect(visitor.messages).to_have_count(7)
    shown = await visitor.messages.evaluate_all("all => all.map((each) => Number(each.dataset.id))")
    assert shown == sorted(shown)


async def test_older_messages_are_read_on_the_way_up(visitor: Visitor, bot: ActedBot, telegram: Telegram) -> None:
    await visitor.writes("many, please")
    chat = (await bot.next("message"))["chat"]["id"]
    for number in range(90):
        await bot.says(chat, f"note {number}")
    await visitor.page.reload()
    await expect(visitor.message("note 89")).to_be_in_viewport()
    assert await visitor.message("many, please").count() == 0
    await visitor.page.locator(".messages").evaluate("n => { n.scrollTop = 0; }")
    await expect(visitor.message("many, please")).to_be_attached()


async def test_a_day_has_its_line(visitor: Visitor) -> None:
    await visitor.writes("today")
    await expect(visitor.page.locator(".day")).to_have_text("Today")
    day = time.time() - 86_400
    assert await visitor.part("clock", "m.dayOf(a[0])", day) == "Yesterday"
