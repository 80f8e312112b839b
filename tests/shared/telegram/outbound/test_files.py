"""Files that a bot sends, against the local Telegram, which is as strict as the real one."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from local.telegram.images import picture_size
from local.telegram.serving import serve
from shared.base.errors import ChannelRefused, FileUnknown, NotDelivered, OutcomeUnknown, ReplyTargetGone
from shared.base.text import Entity, EntityType, FormattedText
from shared.telegram.outbound.bot import TelegramChannel
from shared.values.channel import Button, Recipient
from shared.values.outgoing import OutgoingFile, OutgoingKind
from shared.values.stickers import SetSticker

TOKEN = "700000001:local-bot-token_0123456789abcdefghi"
SET = "Moods_by_lull"
VOICE = OutgoingFile(kind=OutgoingKind.VOICE, content=b"OggS" + bytes(40), file_name="voice.ogg", duration_s=3)


@dataclass
class LocalSetup:
    """A local Telegram with a bot, a person and their private chat."""

    api: httpx.AsyncClient
    channel: TelegramChannel
    person: int
    chat: str

    @property
    def here(self) -> Recipient:
        return Recipient(chat_id=self.person)

    async def last(self) -> dict[str, Any]:
        answer = await self.api.get(f"/world/chats/{self.chat}/messages")
        return dict(answer.json()["messages"][-1])

    async def sticker(self, name: str = "😂") -> SetSticker:
        found = await self.channel.sticker_set(SET)
        sticker = found.find(name) if found is not None else None
        assert sticker is not None
        return sticker

    async def fails(self, method: str, kind: str) -> None:
        (await self.api.post("/world/faults", json={"method": method, "kind": kind, "times": 1})).raise_for_status()


@pytest.fixture
async def local_setup() -> AsyncIterator[LocalSetup]:
    async with serve() as telegram, httpx.AsyncClient(base_url=telegram.url) as api:

        async def made(path: str, **body: Any) -> Any:
            answer = await api.post(f"/world/{path}", json=body)
            assert answer.is_success, answer.text
            return answer.json()

        await made("bots", token=TOKEN, first_name="Lull", username="lull_bot")
        person = (await made("people", first_name="Ann"))["id"]
        chat = (await made("chats", type="private", person_id=person, bot_id=int(TOKEN.partition(":")[0])))["key"]
        await made(f"chats/{chat}/messages", **{"from": person, "text": "hi"})
        local_setup = LocalSetup(api, TelegramChannel(TOKEN, telegram.url), person, chat)
        yield local_setup
        await local_setup.channel.aclose()


async def picture(local_setup: LocalSetup) -> bytes:
    world = (await local_setup.api.get("/world")).json()
    return (await local_setup.api.get(f"/world/files/{world['stickers'][0]['file_id']}")).content


async def test_a_set_tells_its_stickers_and_a_set_that_is_none_is_none(local_setup: LocalSetup) -> None:
    found = await local_setup.channel.sticker_set(SET)
    assert found is not None
    assert (found.name, found.title) == (SET, "Moods")
    assert list(found.by_name) == ["🙂", "😂", "😢", "😴", "😮", "❤"]
    assert len({one.unique_id for one in found.stickers}) == len(found.stickers)
    assert await local_setup.channel.sticker_set("No_such_set") is None


async def test_a_sticker_is_sent_by_its_id_and_quotes_a_message(local_setup: LocalSetup) -> None:
    sticker = await local_setup.sticker()
    theirs = (await local_setup.last())["message_id"]
    file = OutgoingFile(kind=OutgoingKind.STICKER, file_id=sticker.file_id)
    sent = await local_setup.channel.send_file(local_setup.here, file, None, theirs)
    seen = await local_setup.last()
    assert (seen["message_id"], seen["reply_to"], seen["sticker"]["emoji"]) == (sent.message_id, theirs, "😂")


async def test_a_photo_is_sent_by_its_bytes_with_a_caption_and_buttons(local_setup: LocalSetup) -> None:
    content = await picture(local_setup)
    caption = FormattedText("a face", (Entity(EntityType.BOLD, 2, 4),))
    file = OutgoingFile(kind=OutgoingKind.PHOTO, content=content, file_name="face.png")
    await local_setup.channel.send_file(local_setup.here, file, caption, None, (Button("one", "1"),))
    seen = await local_setup.last()
    assert (seen["caption"], seen["buttons"][0][0]["text"]) == ("a face", "one")
    assert picture_size(content) == (seen["photo"]["width"], seen["photo"]["height"])


async def test_a_voice_message_is_sent_with_its_duration(local_setup: LocalSetup) -> None:
    await local_setup.channel.send_file(local_setup.here, VOICE, FormattedText("hm"), None)
    seen = await local_setup.last()
    (call,) = [c for c in (await local_setup.api.get("/world/calls")).json()["calls"] if c["method"] == "sendVoice"]
    assert (seen["file"]["kind"], seen["file"]["name"], seen["caption"]) == ("voice", "voice.ogg", "hm")
    assert str(call["params"]["duration"]) == "3"


async def test_an_id_that_is_none_of_the_bots_says_so(local_setup: LocalSetup) -> None:
    sticker = await local_setup.sticker()
    known = OutgoingFile(kind=OutgoingKind.PHOTO, file_id=sticker.file_id)
    for file in (OutgoingFile(kind=OutgoingKind.STICKER, file_id="CAACAgIAnonsense"), known):
        with pytest.raises(FileUnknown):
            await local_setup.channel.send_file(local_setup.here, file, None, None)


async def test_what_is_no_picture_is_refused(local_setup: LocalSetup) -> None:
    with pytest.raises(ChannelRefused, match="IMAGE_PROCESS_FAILED"):
        await local_setup.channel.send_file(
            local_setup.here, OutgoingFile(kind=OutgoingKind.PHOTO, content=b"x"), None, None
        )


async def test_a_file_that_quotes_what_is_gone_is_refused(local_setup: LocalSetup) -> None:
    with pytest.raises(ReplyTargetGone):
        await local_setup.channel.send_file(local_setup.here, VOICE, None, 4711)


async def test_a_failure_says_whether_the_file_was_sent(local_setup: LocalSetup) -> None:
    await local_setup.fails("sendVoice", "500")
    with pytest.raises(NotDelivered):
        await local_setup.channel.send_file(local_setup.here, VOICE, None, None)
    assert (await local_setup.last())["text"] == "hi"
    await local_setup.fails("sendVoice", "cut_after")
    with pytest.raises(OutcomeUnknown):
        await local_setup.channel.send_file(local_setup.here, VOICE, None, None)
    assert (await local_setup.last())["file"]["kind"] == "voice"


async def test_a_set_is_not_taken_for_none_while_telegram_fails(local_setup: LocalSetup) -> None:
    await local_setup.fails("getStickerSet", "500")
    with pytest.raises(NotDelivered):
        await local_setup.channel.sticker_set(SET)
