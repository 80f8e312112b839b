"""Files in web conversations: the routes by which the page sends and shows them, called by HTTP."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import httpx
import pytest

from local.cloud import LocalCloud
from local.parts import MEDIA_BUCKET
from shared.base.text import FormattedText
from shared.chat.store.chats import FirestoreChats
from shared.media.blobs import StorageBlobs
from shared.telegram.inbound.entries import entry_of
from shared.values.channel import Recipient
from shared.values.media import MediaKind
from shared.values.message import Message
from shared.values.outgoing import OutgoingFile, OutgoingKind
from shared.values.prepared import MOST_FILE_BYTES
from shared.webchat.files import WebFiles, file_id_of
from shared.webchat.outbound import WebChannel
from shared.webchat.store import FirestoreScreens
from tests.media_files import gif, mp4, ogg, png, wav
from tests.shared.console.harness import OWN_PAGE, OWNER, ConsoleHarness
from tests.shared.console.test_talk import BEGUN, KEY, TALK, number

FILES = f"{TALK}/files"
#: the beginning of a recording of Chromium: a WebM container
WEBM = b"\x1a\x45\xdf\xa3" + b"\0" * 40
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.fixture
async def talk(console: ConsoleHarness, cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> ConsoleHarness:
    """Give the console of an owner who has signed in, with a bucket of media."""
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", cloud.storage_url)
    console.services = replace(console.services, media_bucket=MEDIA_BUCKET)
    await console.claim()
    assert (await console.enter()).status_code == 200
    return console


async def send(talk: ConsoleHarness, content: bytes, **told: Any) -> httpx.Response:
    """Send a file as the page does."""
    body = json.dumps({"id": number(), **told}).encode() + b"\n" + content
    return await talk.http.post(FILES, content=body, headers=OWN_PAGE)


async def got_file(talk: ConsoleHarness, file: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
    """Read a file as the page does."""
    place = {"agent": "lull", "number": str(BEGUN)}
    return await talk.http.get(f"/api/web-files/{file}", params=place, headers=headers)


async def waiting(talk: ConsoleHarness) -> list[Message]:
    """Return the messages that no tick has read yet."""
    found = await FirestoreChats(talk.services.project, talk.client).unread(KEY, 10)
    return [one for one in (entry_of(update, 0) for update in found) if isinstance(one, Message)]


async def test_a_photo_is_posted_once_with_its_caption_and_shown_before_it_is_read(talk: ConsoleHarness) -> None:
    picture = png((9, 8, 7))
    first, again = [await send(talk, picture, name="cat.png", text=" a cat ") for _ in range(2)]
    assert [first.json()["is_new"], again.json()["is_new"]] == [True, False]
    file = first.json()["file"]
    assert file == file_id_of(picture)
    (message,) = await waiting(talk)
    (ref,) = message.media_refs
    assert (message.text, ref.kind, ref.unique_id, ref.size) == ("a cat", MediaKind.PHOTO, file, len(picture))
    (shown,) = (await talk.http.get(TALK)).json()["waiting"]
    assert [(one["kind"], one["id"]) for one in shown["files"]] == [("photo", file)]
    got = await got_file(talk, file)
    assert (got.content, got.headers["content-type"]) == (picture, "image/png")
    assert "sandbox" in got.headers["content-security-policy"]
    assert (got.headers["x-content-type-options"], got.headers["content-disposition"]) == ("nosniff", "inline")


@pytest.mark.parametrize(
    ("content", "told", "kind", "mime_type"),
    [
        (png(), {"name": "evil.html"}, MediaKind.PHOTO, "image/png"),
        (png(), {"as": "file", "name": "a.png"}, MediaKind.DOCUMENT, "image/png"),
        (gif((1,), (2,)), {}, MediaKind.ANIMATION, "image/gif"),
        (mp4(), {}, MediaKind.VIDEO, "video/mp4"),
        (wav(), {}, MediaKind.AUDIO, "audio/wav"),
        (ogg(), {"as": "voice", "seconds": 2}, MediaKind.VOICE, "audio/ogg"),
        (WEBM, {"as": "voice", "seconds": 3}, MediaKind.VOICE, "audio/webm"),
        (SVG, {"name": "picture.png"}, MediaKind.DOCUMENT, "text/plain"),
        (b"%PDF-1.7\n", {"name": "a.pdf"}, MediaKind.DOCUMENT, "application/pdf"),
    ],
)
async def test_the_kind_of_a_file_is_that_of_its_content(
    talk: ConsoleHarness, content: bytes, told: Mapping[str, Any], kind: MediaKind, mime_type: str
) -> None:
    assert (await send(talk, content, **told)).status_code == 200
    ((ref,),) = [one.media_refs for one in await waiting(talk)]
    assert (ref.kind, ref.mime_type) == (kind, mime_type)
    assert ref.duration_s == told.get("seconds", 0)


@pytest.mark.parametrize("content", [SVG, b"<!doctype html><script>alert(1)</script>", b"%PDF-1.7\n"])
async def test_what_could_run_in_a_page_is_only_saved(talk: ConsoleHarness, content: bytes) -> None:
    file = (await send(talk, content, name="../..\\nice.png")).json()["file"]
    got = await got_file(talk, file)
    assert (got.content, got.headers["content-type"]) == (content, "application/octet-stream")
    assert got.headers["content-disposition"] == "attachment"
    (message,) = await waiting(talk)
    assert message.media == "a file: nice.png"


@pytest.mark.parametrize(
    ("wanted", "status", "part"),
    [
        ("bytes=0-", 206, slice(0, None)),
        ("bytes=5-9", 206, slice(5, 10)),
        ("bytes=-4", 206, slice(-4, None)),
        ("bytes=0-99999999", 206, slice(0, None)),
        ("bytes=0-1,4-5", 200, slice(0, None)),
        ("bytes=99999999-", 416, slice(0, 0)),
    ],
)
async def test_a_player_gets_the_part_that_it_asks_for(
    talk: ConsoleHarness, wanted: str, status: int, part: slice
) -> None:
    sound = wav()
    file = (await send(talk, sound)).json()["file"]
    got = await got_file(talk, file, headers={"Range": wanted, "Accept-Encoding": "gzip"})
    assert (got.status_code, got.content) == (status, sound[part])
    if status == 206:
        begin = part.start % len(sound)
        assert got.headers["content-range"] == f"bytes {begin}-{begin + len(got.content) - 1}/{len(sound)}"


@pytest.mark.parametrize(
    ("content", "told", "code"),
    [
        (b"", {}, "file_empty"),
        (b"x" * (MOST_FILE_BYTES + 1), {}, "file_too_large"),
        (b"hello", {"as": "voice"}, "file_no_sound"),
        (b"hello", {"text": "x" * 16_001}, "text_too_long"),
        (b"hello", {"id": number(-86_401)}, "page_or_clock_wrong"),
    ],
)
async def test_what_cannot_be_sent_is_refused_with_a_code(
    talk: ConsoleHarness, content: bytes, told: Mapping[str, Any], code: str
) -> None:
    refused = await send(talk, content, **told)
    assert (refused.status_code, refused.json()["code"]) == (400, code)
    assert await waiting(talk) == []


async def test_a_body_without_a_file_is_refused(talk: ConsoleHarness) -> None:
    for body in (b"{}", b"[]\nfile", b"\xff\nfile"):
        assert (await talk.http.post(FILES, content=body, headers=OWN_PAGE)).status_code == 400


async def test_without_a_bucket_no_file_can_be_sent(talk: ConsoleHarness) -> None:
    talk.services = replace(talk.services, media_bucket="")
    assert (await send(talk, png())).json() == {"code": "no_files_stored", "values": {}}


async def test_another_page_cannot_send_a_file(talk: ConsoleHarness) -> None:
    body = json.dumps({"id": number()}).encode() + b"\n" + png()
    forged = await talk.http.post(FILES, content=body, headers=OWN_PAGE | {"Origin": "https://evil.org"})
    assert forged.status_code == 404
    assert await waiting(talk) == []


async def test_a_file_that_was_sent_elsewhere_is_not_reached(talk: ConsoleHarness) -> None:
    blobs = StorageBlobs(talk.services.project, MEDIA_BUCKET)
    theirs = await WebFiles(lambda: blobs).keep(b"somebody else's")
    for file in (theirs, "web-0", "..%2Fcanary"):
        assert (await got_file(talk, file)).status_code == 404
    places: tuple[dict[str, str], ...] = ({}, {"agent": "moss", "number": str(BEGUN)}, {"agent": "lull", "number": "1"})
    for place in places:
        assert (await talk.http.get(f"/api/web-files/{theirs}", params=place)).status_code == 404
    wrong = {"agent": "lull", "number": "x"}
    assert (await talk.http.get(f"/api/web-files/{theirs}", params=wrong)).status_code == 400


async def test_what_the_agent_sends_is_stored_and_shown_once(talk: ConsoleHarness) -> None:
    blobs = StorageBlobs(talk.services.project, MEDIA_BUCKET)
    channel = WebChannel(
        agent="lull",
        screens=FirestoreScreens(talk.client, talk.services.clock),
        clock=talk.services.clock,
        files=WebFiles(lambda: blobs),
    )
    to = Recipient(chat_id=OWNER, topic_id=BEGUN, delivery="plan/draw/0")
    picture, other = png((1, 2, 3)), png((3, 2, 1))
    sent = await channel.send_file(
        to, OutgoingFile(kind=OutgoingKind.PHOTO, content=picture), FormattedText("Here."), None
    )
    # after a crash the picture is made anew, but the first one is on the screen already
    assert await channel.send_file(to, OutgoingFile(kind=OutgoingKind.PHOTO, content=other), None, None) == sent
    assert sent.file_id == sent.unique_id == file_id_of(picture)
    assert await blobs.find(f"{file_id_of(other)}/file") is None
    (shown,) = (await talk.http.get(TALK)).json()["screen"]["messages"]
    assert (shown["text"], shown["file"]) == (
        "Here.",
        {"kind": "photo", "id": sent.file_id, "mime_type": "image/png"},
    )
    assert (await got_file(talk, sent.file_id)).content == picture
