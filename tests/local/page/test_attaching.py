"""Attached files before they are sent: they stay with their chat, and none is lost or sent to another chat."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Route, expect

from tests import media_files
from tests.local.page.acted_bot import ActedBot
from tests.local.page.test_media import file
from tests.local.page.visitor import Visitor, Visits

CAT = file("cat.png", "image/png", media_files.png())
PLAN = file("plan.txt", "text/plain", b"tea, then quince jam")


async def attaches(visitor: Visitor, *names: str) -> None:
    chosen = [file(name, "image/png", media_files.png()) for name in names]
    await visitor.page.locator("input[type=file]").first.set_input_files(chosen)
    await expect(visitor.button(f"Leave out {names[-1]}")).to_be_visible()


async def thumbs(visitor: Visitor, *names: str) -> None:
    """Check that the tray has exactly these files."""
    removes = visitor.page.get_by_role("list", name="To send").get_by_role("button", name="Leave out")
    await expect(removes).to_have_count(len(names))
    assert [await one.get_attribute("aria-label") for one in await removes.all()] == [f"Leave out {n}" for n in names]


async def test_it_stays_in_its_chat_while_another_is_open(visitor: Visitor) -> None:
    await visitor.field.fill("for this chat")
    await attaches(visitor, "cat.png")
    await visitor.starts_a_group()
    await thumbs(visitor)
    await expect(visitor.field).to_have_value("")
    await visitor.page.get_by_role("button", name="lull").first.click()
    await thumbs(visitor, "cat.png")
    await expect(visitor.field).to_have_value("for this chat")


async def test_what_is_edited_takes_nothing_along(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.writes("helo")
    await bot.next("message")
    await visitor.field.fill("a caption")
    await attaches(visitor, "cat.png")
    await visitor.picks("helo", "Edit")
    await thumbs(visitor)
    await visitor.field.fill("hello")
    await visitor.field.press("Enter")
    assert (await bot.next("edited_message"))["text"] == "hello"
    await thumbs(visitor, "cat.png")
    await expect(visitor.field).to_have_value("a caption")


async def test_a_double_click_on_send_sends_once_and_records_nothing(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.page.context.grant_permissions(["microphone"])
    await attaches(visitor, "cat.png")
    await visitor.button("Send").dblclick()
    assert "photo" in await bot.next("message")
    await visitor.writes("done")
    assert (await bot.next("message"))["text"] == "done"
    await expect(visitor.button("Send the voice message")).to_have_count(0)


async def test_while_files_go_it_is_said_and_what_comes_meanwhile_stays(
    visitor: Visitor, bot: ActedBot, visits: Visits
) -> None:
    go, is_lost = asyncio.Event(), True

    async def hold(route: Route) -> None:
        await go.wait()
        await (route.abort() if is_lost else route.continue_())

    await visitor.page.route("**/messages", hold)
    await attaches(visitor, "one.png", "two.png")
    await visitor.field.fill("first")
    await visitor.button("Send").click()
    sending = visitor.page.get_by_role("status").filter(has_text="Sending")
    await expect(sending).to_have_text("Sending 2 files …")
    await visitor.field.fill("second")
    await attaches(visitor, "three.png")
    go.set()
    await thumbs(visitor, "one.png", "two.png", "three.png")
    await expect(visitor.field).to_have_value("first\nsecond")
    await expect(sending).to_have_count(0)
    visits.expect_problem("ERR_FAILED")
    is_lost = False
    await visitor.button("Send").click()
    assert (await bot.next("message"))["caption"] == "first\nsecond"
    await thumbs(visitor)


async def test_what_could_not_be_sent_comes_back_to_its_own_chat(visitor: Visitor, visits: Visits) -> None:
    go = asyncio.Event()

    async def lose(route: Route) -> None:
        await go.wait()
        await route.abort()

    await attaches(visitor, "cat.png")
    await visitor.page.route("**/messages", lose, times=1)
    await visitor.button("Send").click()
    await visitor.starts_a_group()
    go.set()
    await expect(visitor.page.locator(".toast")).to_be_visible()
    await thumbs(visitor)
    await visitor.page.get_by_role("button", name="lull").first.click()
    await thumbs(visitor, "cat.png")
    visits.expect_problem("ERR_FAILED")


async def test_a_photo_that_is_none_goes_as_a_file(visitor: Visitor, bot: ActedBot) -> None:
    broken = file("broken.png", "image/png", b"\x89PNG of nothing")
    await visitor.page.locator("input[type=file]").first.set_input_files([CAT, broken])
    await expect(visitor.page.locator(".thumb-file")).to_have_text("broken.png15 B")
    await visitor.writes("both")
    photo, other = await bot.next("message"), await bot.next("message")
    assert (photo["caption"], other["document"]["file_name"]) == ("both", "broken.png")


async def test_a_name_reads_as_it_ends(visitor: Visitor) -> None:
    shown = "m.shownName(a[0])"
    assert await visitor.part("file_name", shown, "a\u202egpj.exe") == "agpj.exe"
    assert await visitor.part("file_name", shown, "план.pdf") == "план.pdf"
    long = await visitor.part("file_name", shown, "x" * 200 + ".pdf")
    assert (len(long), long[-5:]) == (60, "x.pdf")


async def test_a_tall_picture_takes_no_more_room_than_others(visitor: Visitor, bot: ActedBot) -> None:
    sides = await visitor.part("shape", "m.shape({ width: 60, height: 1000 })")
    assert sides == {"aspectRatio": "60 / 1000", "width": "96px", "maxHeight": "360px"}


async def test_the_focus_is_in_the_field_again_after_attaching(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.button("Attach").click()
    async with visitor.page.expect_file_chooser() as choosing:
        await visitor.page.get_by_role("menuitem", name="File", exact=True).click()
    await (await choosing.value).set_files([PLAN])
    await expect(visitor.button("Leave out plan.txt")).to_be_visible()
    await expect(visitor.field).to_be_focused()
    await visitor.page.keyboard.type("the plan")
    await visitor.page.keyboard.press("Enter")
    assert (await bot.next("message"))["caption"] == "the plan"


async def test_what_cannot_be_sent_leaves_the_focus_in_the_field_and_all_of_it_is_told(visitor: Visitor) -> None:
    await visitor.button("Attach").click()
    async with visitor.page.expect_file_chooser() as choosing:
        await visitor.page.get_by_role("menuitem", name="Voice note from a file").click()
    await (await choosing.value).set_files([file("empty.ogg", "audio/ogg", b"")])
    await expect(visitor.page.locator(".toast")).to_have_text("There is nothing in empty.ogg.")
    await expect(visitor.field).to_be_focused()
    files = "[new File([], 'a'), new File(['x'], 'b'), new File([new Uint8Array(20 * 2 ** 20 + 1)], 'c')]"
    told = await visitor.module("attachments", f"m.attachments({files}, 'audio').problem")
    large = "Bots can't fetch files over 20 MB from Telegram: c."
    assert told == f"{large} Not an audio file: b. Use “File” instead. There is nothing in a."


@pytest.mark.parametrize(("entry", "title"), [("Location", "Send a location"), ("Poll", "Send a poll")])
async def test_a_double_click_opens_a_form(visitor: Visitor, entry: str, title: str) -> None:
    await visitor.button("Attach").click()
    await visitor.page.get_by_role("menuitem", name=entry).dblclick()
    dialog = visitor.page.get_by_role("dialog", name=title)
    await expect(dialog).to_be_visible()
    await visitor.page.mouse.click(2, 2)
    await expect(dialog).to_have_count(0)


async def test_a_double_click_on_a_sticker_sends_it_once(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.button("Send a sticker").click()
    await visitor.page.locator(".sticker-button").first.dblclick()
    assert "sticker" in await bot.next("message")
    await visitor.writes("the end")
    assert (await bot.next("message"))["text"] == "the end"


async def test_a_double_click_on_a_button_presses_once_whatever_it_is_then(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.writes("what is there?")
    chat = (await bot.next("message"))["chat"]["id"]

    def keys(label: str) -> dict[str, Any]:
        return {"inline_keyboard": [[{"text": label, "callback_data": label}]]}

    sent = await bot.says(chat, "Choose.", reply_markup=keys("Tea"))
    place = await visitor.button("Tea").bounding_box()
    assert place is not None
    x, y = place["x"] + 9, place["y"] + 9
    await visitor.page.mouse.click(x, y)
    press = await bot.next("callback_query")
    await bot.call("answerCallbackQuery", callback_query_id=press["id"])
    await bot.call("editMessageReplyMarkup", chat_id=chat, message_id=sent, reply_markup=keys("Delete"))
    await expect(visitor.button("Delete")).to_be_enabled()
    await visitor.page.mouse.move(x, y)
    await visitor.page.mouse.down(click_count=2)
    await visitor.page.mouse.up(click_count=2)
    await bot.call("editMessageReplyMarkup", chat_id=chat, message_id=sent, reply_markup=keys("Coffee"))
    await visitor.button("Coffee").click()
    assert (await bot.next("callback_query"))["data"] == "Coffee"


async def test_the_focus_is_in_the_field_again_after_a_form_or_a_die(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.button("Attach").click()
    await visitor.page.get_by_role("menuitem", name="Throw a die").click()
    await expect(visitor.field).to_be_focused()
    await visitor.button("Attach").click()
    await visitor.page.get_by_role("menuitem", name="Contact").click()
    await visitor.page.get_by_label("First name").fill("Dora")
    await visitor.page.get_by_label("Phone number").fill("+380441234567")
    await visitor.page.get_by_role("dialog").get_by_role("button", name="Send").dblclick()
    await expect(visitor.field).to_be_focused()
    await visitor.writes("the end")
    assert (await bot.next("message"))["text"] == "the end"
    await expect(visitor.page.locator(".message")).to_have_count(3)


async def test_a_slow_double_click_on_a_form_leaves_the_focus_in_the_field(visitor: Visitor) -> None:
    await visitor.button("Attach").click()
    await visitor.page.get_by_role("menuitem", name="Contact").click()
    await visitor.page.get_by_label("First name").fill("Dora")
    await visitor.page.get_by_label("Phone number").fill("+380441234567")
    await visitor.page.get_by_role("dialog").get_by_role("button", name="Send").click()
    await expect(visitor.field).to_be_focused()
    await visitor.page.mouse.down(click_count=2)
    await visitor.page.mouse.up(click_count=2)
    await expect(visitor.field).to_be_focused()
