"""The channels of an agent: a file that came from one of them is sent in the other."""

import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count

import pytest

from local.parts import MEDIA_BUCKET
from shared.base.errors import FileUnknown, NotDelivered
from shared.media.blobs import StorageBlobs
from shared.telegram.outbound.bot import TelegramChannel
from shared.values.channel import Recipient
from shared.values.chat_key import ChatKey
from shared.values.outgoing import OutgoingFile, OutgoingKind
from shared.webchat.downloads import AgentDownloads
from shared.webchat.files import WebFiles
from shared.webchat.ids import update_number
from shared.webchat.outbound import WebChannel
from shared.webchat.store import FirestoreScreens
from shared.wiring.channels import AgentChannels
from tests.media_files import png
from tests.stories.play import Sandbox
from tests.stories.test_stickers import SET

_numbers = count()


@dataclass
class Agent:
    """An agent with both channels, and a private chat in Telegram."""

    channels: AgentChannels
    downloads: AgentDownloads
    files: WebFiles
    telegram: Recipient
    web: Recipient
    screens: FirestoreScreens
    sandbox: Sandbox

    async def shown(self) -> list[tuple[str, str]]:
        """Return the kinds and ids of the files on the screen."""
        key = ChatKey(agent="lull", chat_id=self.web.chat_id, topic_id=self.web.topic_id)
        return [(one.file_kind, one.file_id) for one in (await self.screens.screen(key)).messages.values()]


def _now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
async def agent(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Agent]:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", sandbox.cloud.storage_url)
    person = await sandbox.person("Ann")
    chat = await sandbox.private(person)
    await chat.writes(person, "/start")
    bot = TelegramChannel(sandbox.cloud.tokens["lull"], sandbox.cloud.telegram_url)
    blobs = StorageBlobs(sandbox.cloud.project, MEDIA_BUCKET)
    files, screens = WebFiles(lambda: blobs), FirestoreScreens(sandbox.firestore, _now)
    web = WebChannel(agent="lull", screens=screens, clock=_now, files=files)
    downloads = AgentDownloads(telegram=bot, web=files)
    channels = AgentChannels(telegram=bot, web=web, downloads=downloads)
    topic = update_number(_now()) // 1000 + next(_numbers)
    place = Recipient(chat_id=person.id, topic_id=topic, delivery=f"{os.getpid()}-{topic}")
    yield Agent(channels, downloads, files, Recipient(chat_id=person.id), place, screens, sandbox)
    await bot.aclose()


async def test_a_file_of_the_web_is_uploaded_to_telegram(agent: Agent) -> None:
    picture = png((5, 5, 200))
    file = OutgoingFile(kind=OutgoingKind.PHOTO, file_id=await agent.files.keep(picture))
    sent = await agent.channels.send_file(agent.telegram, file, None, None)
    assert await agent.downloads.download(sent.file_id, 10) == picture
    assert not sent.file_id.startswith("web-")


async def test_a_file_of_the_web_is_shown_again_in_the_web(agent: Agent) -> None:
    kept = await agent.files.keep(png((1, 5, 200)))
    file = OutgoingFile(kind=OutgoingKind.PHOTO, file_id=kept)
    sent = await agent.channels.send_file(agent.web, file, None, None)
    assert (sent.file_id, sent.unique_id) == (kept, kept)
    assert await agent.shown() == [("photo", kept)]


async def test_a_sticker_of_telegram_is_copied_for_the_screen_and_a_photo_is_not(agent: Agent) -> None:
    frogs = await agent.channels.sticker_set(SET)
    assert frogs is not None
    sticker = OutgoingFile(kind=OutgoingKind.STICKER, file_id=frogs.stickers[0].file_id)
    sent = await agent.channels.send_file(agent.web, sticker, None, None)
    assert (sent.file_id, sent.unique_id) == (sticker.file_id, "")
    ((kind, copied),) = await agent.shown()
    assert (kind, copied[:4]) == ("sticker", "web-")
    assert await agent.files.load(copied) == await agent.downloads.download(sticker.file_id, 10)


async def test_a_file_that_is_gone_is_not_sent(agent: Agent) -> None:
    gone = OutgoingFile(kind=OutgoingKind.PHOTO, file_id="web-" + "0" * 40)
    with pytest.raises(FileUnknown):
        await agent.channels.send_file(agent.telegram, gone, None, None)
    kept = await agent.files.keep(png((7, 7, 7)))
    with pytest.raises(NotDelivered):
        await agent.downloads.download(kept, 0)
