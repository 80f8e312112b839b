"""Files in web conversations in the browser, with canned answers and events."""

import re
from copy import deepcopy
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.async_api import FilePayload, Locator, expect

from tests import media_files
from tests.local.page.visitor import DESKTOP, PHONE
from tests.web.console_page import ConsolePage
from tests.web.owner import Owner, Owners
from tests.web.test_talk import API, PLACE, STATE, on_screen, opened

FILES = f"{API}/files"
CAT = "web-" + "c" * 40
SONG = "web-" + "5" * 40
A_SECOND = re.compile(r"^0:(0[1-9]|[1-5]\d)$")


def file(name: str, mime_type: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": mime_type, "buffer": content}


PHOTO = file("cat.png", "image/png", media_files.png())
PLAN = file("plan.txt", "text/plain", b"tea, then quince jam")


@pytest.fixture(autouse=True)
def _files(console: ConsolePage) -> None:
    console.answers[f"POST {FILES}"] = {"id": 2147483700, "is_new": True, "file": CAT}
    console.answers[f"GET /api/web-files/{CAT}"] = {"picture": [200, 120, 60]}


async def sent(console: ConsolePage, count: int) -> list[dict[str, Any]]:
    """Return what was told about the files that were sent, once there are at least `count`."""
    return await console.bodies(FILES, count)


async def attaches(owner: Owner, entry: str, *files: FilePayload) -> None:
    await owner.button("Attach").click()
    async with owner.page.expect_file_chooser() as choosing:
        await owner.page.get_by_role("menuitem", name=entry).click()
    await (await choosing.value).set_files(list(files))


def field(owner: Owner) -> Locator:
    return owner.page.get_by_role("textbox", name="Write a message")


async def drops(owner: Owner, kind: str, *files: FilePayload) -> None:
    """Let files be dropped on the page, or pasted into the field."""
    given = [{"name": one["name"], "type": one["mimeType"], "bytes": list(one["buffer"])} for one in files]
    await field(owner).evaluate(
        """(node, [kind, files]) => {
            const data = new DataTransfer();
            for (const { name, type, bytes } of files) {
                data.items.add(new File([new Uint8Array(bytes)], name, { type }));
            }
            const event = kind === "paste"
                ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
                : new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
            node.dispatchEvent(event);
        }""",
        [kind, given],
    )


async def test_several_files_go_one_after_the_other_and_the_caption_with_the_first(
    owners: Owners, console: ConsolePage
) -> None:
    (owner,) = await opened(owners)
    await attaches(owner, "Photo or video", PHOTO)
    await attaches(owner, "File, as it is", PLAN)
    await field(owner).fill("what is this?")
    await field(owner).press("Enter")
    await expect(owner.page.locator(".upload, .thumb")).to_have_count(0)
    await expect(field(owner)).to_have_value("")
    photo, plan = await sent(console, 2)
    assert (photo["name"], photo["as"], photo["text"]) == ("cat.png", "", "what is this?")
    assert (plan["name"], plan["as"], plan.get("text"), plan["file"]) == (
        "plan.txt",
        "file",
        None,
        b"tea, then quince jam",
    )
    assert photo["id"] < plan["id"]


async def test_a_photo_of_a_camera_is_made_smaller_and_tells_no_place(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    content = await owner.page.evaluate(
        """async () => {
            const canvas = Object.assign(document.createElement("canvas"), { width: 4000, height: 100 });
            canvas.getContext("2d").fillRect(0, 0, 4000, 100);
            const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg"));
            return [...new Uint8Array(await blob.arrayBuffer())];
        }"""
    )
    exif = b"\xff\xe1\x00\x10Exif\0\0Tenerife"
    jpeg = bytes(content)
    await attaches(owner, "Photo or video", file("day.jpg", "image/jpeg", jpeg[:2] + exif + jpeg[2:]))
    await owner.button("Send").click()
    await expect(owner.page.locator(".upload, .thumb")).to_have_count(0)
    (told,) = await sent(console, 1)
    made = Image.open(BytesIO(told["file"]))
    assert (made.format, made.size) == ("JPEG", (2560, 64))
    assert b"Tenerife" not in told["file"]


@pytest.mark.parametrize("how", ["paste", "drop"])
async def test_files_are_pasted_and_dropped(owners: Owners, console: ConsolePage, how: str) -> None:
    (owner,) = await opened(owners)
    if how == "drop":
        await drops(owner, "dragenter", PHOTO)
        await expect(owner.page.get_by_text("Drop files to send them")).to_be_visible()
    await drops(owner, how, PHOTO)
    await expect(owner.page.get_by_text("Drop files to send them")).to_have_count(0)
    await expect(owner.button("Leave out cat.png")).to_be_visible()
    await owner.button("Send").click()
    await expect(owner.page.locator(".upload, .thumb")).to_have_count(0)
    assert [one["name"] for one in await sent(console, 1)] == ["cat.png"]


async def test_what_is_too_large_or_empty_is_named(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await owner.page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(20 * 2 ** 20 + 1)], "film.mp4", { type: "video/mp4" }));
            data.items.add(new File([], "none.txt"));
            window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    toast = owner.page.locator(".toast")
    await expect(toast).to_have_text("film.mp4 is too large: at most 20 MB. There is nothing in none.txt.")
    await expect(owner.page.locator(".thumb")).to_have_count(0)
    assert await sent(console, 0) == []


async def test_after_a_lost_connection_it_is_sent_again_with_the_same_number(
    owners: Owners, console: ConsolePage
) -> None:
    (owner,) = await opened(owners)
    console.answers[f"POST {FILES}"] = (503, {"code": "does_not_answer"})
    await attaches(owner, "Photo or video", PHOTO)
    await owner.button("Send").click()
    await expect(owner.page.get_by_role("progressbar", name="Sending cat.png")).to_be_visible()
    told = "Something that the console needs doesn't answer. Try again."
    await expect(owner.page.get_by_role("alert")).to_have_text(told)
    console.answers[f"POST {FILES}"] = {"id": 2147483700, "is_new": True, "file": CAT}
    await owner.button("Try again").click()
    await expect(owner.page.locator(".upload")).to_have_count(0)
    numbers = [one["id"] for one in await sent(console, 5)]
    assert (len(set(numbers)), len(numbers)) == (1, 5)
    owners.expect_problem("503")


async def test_what_is_refused_is_left_out(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    console.answers[f"POST {FILES}"] = (400, {"code": "file_too_large", "values": {"count": 20}})
    await attaches(owner, "File, as it is", PLAN)
    await owner.button("Send").click()
    await expect(owner.page.get_by_role("alert")).to_have_text("The file is too large. At most 20 MB can be sent.")
    await owner.button("Leave out plan.txt").click()
    await expect(owner.page.locator(".upload")).to_have_count(0)
    assert len(await sent(console, 1)) == 1
    owners.expect_problem("400")


async def test_a_voice_message_is_recorded_and_sent(owners: Owners, console: ConsolePage, pictures: Path) -> None:
    (owner,) = await opened(owners)
    await owner.page.context.grant_permissions(["microphone"])
    await owner.button("Record a voice message").click()
    await expect(owner.page.get_by_role("timer")).to_have_text(A_SECOND)
    await owner.page.screenshot(path=pictures / "console-recording.png")
    assert await owner.faults() == []
    await owner.button("Send the voice message").click()
    await expect(field(owner)).to_be_visible()
    await expect(owner.page.locator(".upload")).to_have_count(0)
    (voice,) = await sent(console, 1)
    assert (voice["as"], voice["file"][:4], voice["seconds"] >= 1) == ("voice", b"OggS", True)


async def test_a_recording_is_discarded_with_escape(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await owner.page.context.grant_permissions(["microphone"])
    await owner.button("Record a voice message").click()
    await expect(owner.button("Send the voice message")).to_be_focused()
    await owner.page.keyboard.press("Escape")
    await expect(field(owner)).to_be_focused()
    assert await sent(console, 0) == []


async def test_a_blocked_microphone_is_said(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await owner.button("Record a voice message").click()
    await expect(owner.page.locator(".toast")).to_contain_text("icrophone")


def shown_files() -> dict[str, Any]:
    """Return a message of the agent with a picture."""
    return {
        "id": 2147483655, "at": "2999-01-01T00:00:01+00:00", "text": "A cat, as you wished.", "entities": [],
        "reply_to": None, "buttons": [], "file": {"kind": "photo", "id": CAT, "mime_type": "image/png"},
    }  # fmt: skip


async def test_a_picture_of_the_agent_is_shown_and_opened_large(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    on_screen(console, messages=[*console.answers[STATE]["screen"]["messages"], shown_files()])
    picture = owner.page.locator(".talk-items .talk-entry").last.get_by_role("button", name="Photo")
    await picture.click()
    await expect(owner.page.get_by_role("dialog").locator("img")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desk", "phone"])
async def test_files_look_well_and_can_be_read(
    owners: Owners, console: ConsolePage, pictures: Path, size: str, scheme: str
) -> None:
    state = deepcopy(console.answers[STATE])
    state["screen"]["messages"].append(shown_files())
    console.answers[STATE] = state
    owner = await owners.visit(PHONE if size == "phone" else DESKTOP, PLACE, color_scheme=scheme)
    await owner.settles()
    console.answers[f"POST {FILES}"] = (400, {"code": "file_no_sound", "values": {}})
    await drops(owner, "drop", PLAN)
    await owner.button("Send").click()
    await expect(owner.page.get_by_role("alert")).to_be_visible()
    await drops(owner, "drop", PHOTO, PLAN)
    await expect(owner.button("Leave out cat.png")).to_be_visible()
    await field(owner).fill("both of them")
    await owner.page.screenshot(path=pictures / f"console-files-{size}-{scheme}.png")
    assert await owner.is_sideways() == []
    assert await owner.faults() == []
    owners.expect_problem("400")
