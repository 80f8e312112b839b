"""Sent media, and how people see and hear them."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import FilePayload, expect

from local.telegram.clips import clip_of
from tests import media_files
from tests.local.page.acted_bot import ActedBot
from tests.local.page.telegram_server import Telegram
from tests.local.page.visitor import PHONE, Visitor, Visits

#: a second of recording or more, as checks come at irregular times
A_SECOND = re.compile(r"^0:(0[1-9]|[1-5]\d)$")


def file(name: str, mime_type: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": mime_type, "buffer": content}


async def attaches(visitor: Visitor, entry: str, *files: FilePayload) -> None:
    await visitor.button("Attach").click()
    async with visitor.page.expect_file_chooser() as chosen:
        await visitor.page.get_by_role("menuitem", name=entry, exact=True).click()
    await (await chosen.value).set_files(list(files))


async def test_a_voice_note_is_recorded_and_played(visitor: Visitor, bot: ActedBot, telegram: Telegram) -> None:
    await visitor.page.context.grant_permissions(["microphone"])
    await visitor.button("Record a voice note").click()
    await expect(visitor.page.get_by_role("timer")).to_have_text(A_SECOND)
    await visitor.button("Send the voice message").click()
    voice = (await bot.next("message"))["voice"]
    kept = await bot.call("getFile", file_id=voice["file_id"])
    content = (await telegram.client.get(f"/file/bot{bot.id}:acted-by-a-test/{kept['file_path']}")).content
    assert voice["mime_type"] == "audio/ogg"
    assert content.startswith(b"OggS")
    assert voice["duration"] == clip_of(content).duration >= 1
    player = visitor.page.get_by_role("group", name="the voice message", exact=True)
    await player.get_by_role("button", name="Play the voice message").click()
    await expect(player.get_by_role("slider")).not_to_have_value("0")
    await expect(player.locator(".wave[data-drawn] .is-heard").first).to_be_attached()
    await expect(visitor.field).to_be_visible()


async def test_the_menu_records_too(visitor: Visitor) -> None:
    await visitor.page.context.grant_permissions(["microphone"])
    await visitor.button("Attach").click()
    await visitor.page.get_by_role("menuitem", name="Record a voice note").click()
    await expect(visitor.page.get_by_role("timer")).to_have_text(A_SECOND)
    await visitor.page.keyboard.press("Escape")


async def test_a_recording_is_thrown_away_with_escape(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.page.context.grant_permissions(["microphone"])
    await visitor.button("Record a voice note").click()
    await expect(visitor.button("Send the voice message")).to_be_focused()
    await visitor.page.keyboard.press("Escape")
    await visitor.writes("never mind")
    assert (await bot.next("message"))["text"] == "never mind"


async def test_without_a_microphone_it_is_said_what_to_do(visitor: Visitor) -> None:
    await visitor.button("Record a voice note").click()
    await expect(visitor.page.locator(".toast")).to_have_text(
        "The microphone is blocked for this page. Allow it, then try again."
    )


async def test_files_go_as_what_was_chosen(visitor: Visitor, bot: ActedBot) -> None:
    await attaches(visitor, "Voice note from a file", file("a.ogg", "audio/ogg", media_files.ogg(3)))
    await visitor.button("Send").click()
    assert (await bot.next("message"))["voice"]["duration"] == 3
    picture = file("scan.png", "image/png", media_files.png())
    await attaches(visitor, "File", picture, file("b.pdf", "application/pdf", b"%PDF-1.4"))
    await visitor.writes("two papers")
    first, second = await bot.next("message"), await bot.next("message")
    assert (first["document"]["file_name"], first["caption"]) == ("scan.png", "two papers")
    assert first["media_group_id"] == second["media_group_id"]
    await expect(visitor.page.get_by_role("link", name="b.pdf")).to_have_attribute("download", "b.pdf")


async def test_what_does_not_go_together_is_sent_in_parts(visitor: Visitor, bot: ActedBot) -> None:
    wave = file("tone.wav", "audio/wav", media_files.wav(2))
    gif = file("blink.gif", "image/gif", media_files.gif((200, 90, 60), (60, 90, 200)))
    await attaches(visitor, "Photo or video", file("a.png", "image/png", media_files.png()), gif, wave)
    await visitor.button("Cover a.png").click()
    await visitor.writes("all of it")
    photo, animation, audio = [await bot.next("message") for _ in range(3)]
    assert (photo["caption"], photo["has_media_spoiler"]) == ("all of it", True)
    assert animation["animation"]["mime_type"] == "image/gif"
    assert audio["audio"]["duration"] == 2
    await visitor.button("Hidden photo (spoiler). Show it").click()
    await expect(visitor.button("Photo: all of it. Open it large")).to_be_visible()
    await visitor.button("GIF. Stop it").click()
    await expect(visitor.page.locator(".animation canvas")).to_be_visible()


async def test_a_file_over_20_mb_is_refused_before_it_is_sent(visitor: Visitor) -> None:
    # the browser makes the file itself: Playwright passes at most 50 MB, and slowly
    give = """() => {
        const carried = new DataTransfer();
        carried.items.add(new File([new Uint8Array(20 * 2 ** 20 + 1)], "film.mkv"));
        const drop = new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true });
        document.querySelector(".pane-body").dispatchEvent(drop);
    }"""
    await visitor.page.evaluate(give)
    await expect(visitor.page.locator(".toast")).to_contain_text("over 20 MB")
    await expect(visitor.page.locator(".thumb")).to_have_count(0)


async def test_what_is_no_sound_no_film_and_no_sticker_is_refused_with_what_to_do(visitor: Visitor) -> None:
    problem = "m.attachments([new File(['x'], a[0], { type: a[1] })], a[2]).problem"
    kinds = {
        "voice": "an audio file",
        "audio": "an audio file",
        "video_note": "a video",
        "sticker": "a sticker (WebP, PNG, TGS or WebM)",
    }
    for kind, what in kinds.items():
        told = await visitor.module("attachments", problem, "notes.txt", "text/plain", kind)
        assert told == f"Not {what}: notes.txt. Use “File” instead."
    good = [("a.ogg", "audio/ogg", "voice"), ("a.oga", "", "voice"), ("a.tgs", "", "sticker")]
    assert [await visitor.module("attachments", problem, *one) for one in good] == [None] * 3


async def test_a_caption_that_is_too_long_stays_with_its_file(visits: Visits, visitor: Visitor) -> None:
    await attaches(visitor, "Photo or video", file("a.png", "image/png", media_files.png()))
    await visitor.field.fill("x" * 5_000)
    await visitor.button("Send").click()
    said = "A caption has at most 1,024 characters; this one has 5,000."
    await expect(visitor.page.locator(".toast")).to_contain_text(said)
    await expect(visitor.field).to_have_value("x" * 5_000)
    await expect(visitor.page.locator(".thumb")).to_have_count(1)
    visits.expect_problem("400")


async def test_stickers_and_custom_emoji_of_ones_own_are_brought_and_sent(visitor: Visitor, bot: ActedBot) -> None:
    fox, cub = file("fox.tgs", "", media_files.tgs()), file("cub.png", "image/png", media_files.png())
    for brought, set_name, is_emoji in ((fox, "Mine", False), (cub, "Small", True)):
        await visitor.button("Send a sticker").click()
        await visitor.page.get_by_role("menuitem", name="New sticker …").click()
        dialog = visitor.page.get_by_role("dialog", name="New sticker")
        await dialog.get_by_label("File", exact=True).set_input_files(brought)
        await dialog.get_by_label("Emoji", exact=True).fill("🦊")
        await dialog.get_by_label("Set", exact=True).fill(set_name)
        await dialog.get_by_role("checkbox").set_checked(is_emoji)
        await dialog.get_by_role("button", name="Add it").click()
        await expect(dialog).to_have_count(0)
    for name in ("Sticker 🦊", "Custom emoji 🦊"):
        await visitor.button("Send a sticker").click()
        await visitor.page.get_by_role("menuitem", name=name, exact=True).click()
    sticker, emoji = (await bot.next("message"))["sticker"], await bot.next("message")
    assert (sticker["emoji"], sticker["set_name"], sticker["is_animated"]) == ("🦊", "Mine", True)
    ((entity,), text) = emoji["entities"], emoji["text"]
    assert (text, entity["type"], entity["length"]) == ("🦊", "custom_emoji", 2)
    (found,) = await bot.call("getCustomEmojiStickers", custom_emoji_ids=[entity["custom_emoji_id"]])
    assert (found["set_name"], found["type"]) == ("Small", "custom_emoji")
    await expect(visitor.page.locator(".text .custom-emoji img")).to_be_visible()


async def test_a_person_can_refuse_voice_messages(visitor: Visitor, telegram: Telegram) -> None:
    await visitor.page.locator(".you-picture").click()
    switch = visitor.page.get_by_role("menuitemcheckbox", name="Allow no voice messages")
    await expect(switch).to_have_attribute("aria-checked", "false")
    await switch.click()
    await expect(switch).to_have_attribute("aria-checked", "true")
    assert (await telegram.world())["people"][0]["refuses_voice"] is True


async def test_a_place_of_the_browser_is_sent(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.page.context.grant_permissions(["geolocation"])
    await visitor.page.context.set_geolocation({"latitude": 50.45, "longitude": 30.52})
    await visitor.button("Attach").click()
    await visitor.page.get_by_role("menuitem", name="Location").click()
    await visitor.button("Where I am now").click()
    await expect(visitor.page.get_by_label("Latitude")).to_have_value("50.450000")
    await visitor.page.get_by_label("Name of the place").fill("Café")
    await visitor.page.get_by_role("dialog").get_by_role("button", name="Send", exact=True).click()
    message = await bot.next("message")
    assert (message["venue"]["title"], message["location"]["latitude"]) == ("Café", 50.45)
    await expect(visitor.page.get_by_role("link", name="Café")).to_be_visible()


async def sends(telegram: Telegram, bot: ActedBot, method: str, field: str, content: Any, **more: Any) -> None:
    """Upload a file as the bot."""
    url = f"{telegram.url}/bot{bot.id}:acted-by-a-test/{method}"
    async with httpx.AsyncClient() as client:
        (await client.post(url, data=more, files={field: content})).raise_for_status()


async def test_what_a_bot_sends_is_shown(visits: Visits, telegram: Telegram, bot: ActedBot, pictures: Path) -> None:
    visitor = await visits.visit()
    await visitor.writes("show me")
    chat = (await bot.next("message"))["chat"]["id"]
    await bot.call("sendChatAction", chat_id=chat, action="record_voice")
    await expect(visitor.page.get_by_test_id("typing")).to_have_text("lull is recording a voice message")
    photo = ("a.png", media_files.png((40, 120, 110), 320, 200))
    bold = json.dumps([{"type": "bold", "offset": 0, "length": 6}])
    await sends(telegram, bot, "sendPhoto", "photo", photo, chat_id=chat, caption="A wall", caption_entities=bold)
    await sends(telegram, bot, "sendVoice", "voice", ("v.ogg", media_files.ogg(7)), chat_id=chat)
    await sends(telegram, bot, "sendDocument", "document", ("plan.txt", b"1. sleep"), chat_id=chat)
    await sends(telegram, bot, "sendSticker", "sticker", ("s.tgs", media_files.tgs()), chat_id=chat, emoji="🦊")
    await sends(telegram, bot, "sendVideoNote", "video_note", ("n.mp4", media_files.mp4()), chat_id=chat)
    await expect(visitor.page.locator(".text strong")).to_have_text("A wall")
    await expect(visitor.page.get_by_role("group", name="the voice message", exact=True)).to_contain_text("0:07")
    await expect(visitor.page.get_by_role("link", name="plan.txt")).to_be_visible()
    await expect(visitor.page.get_by_role("img", name="Sticker 🦊").locator("svg")).to_be_attached()
    await expect(visitor.button("Play the video message")).to_be_visible()
    shown = (await telegram.messages(f"p{chat}-{bot.id}"))[1]["photo"]["unique_id"]
    await visitor.module("descriptions", "m.noteDescriptions(a[0])", {shown: "a grey wall"})
    await expect(visitor.button("Photo: a grey wall. Open it large")).to_be_visible()
    await visitor.page.screenshot(path=pictures / "media.png")


async def test_the_menu_fits_a_phone(visits: Visits, bot: ActedBot, pictures: Path) -> None:
    visitor = await visits.visit(PHONE)
    await visitor.page.locator(".row").click()
    await visitor.button("Attach").click()
    for entry in await visitor.page.get_by_role("menuitem").all():
        await expect(entry).to_be_in_viewport(ratio=1)
    wide = await visitor.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]
    await visitor.page.screenshot(path=pictures / "attach-phone.png")
