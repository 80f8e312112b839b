"""Downloads from a server with any answers: limited in size and time, and no error contains an address."""

from collections.abc import AsyncIterator

import pytest

from shared.base.errors import BotUnknown, ChannelError, ChannelRefused, FileTooLarge, FileUnknown, NotDelivered
from shared.telegram.outbound.client import TelegramDownloads
from shared.values.prepared import MOST_FILE_BYTES
from tests.shared.telegram.outbound.bot_api_server import (
    BotApiServer,
    Reaction,
    Writer,
    answers,
    bot_api_server,
    cuts_within_the_answer,
    fails,
    never_ends,
    resets,
    stays_silent,
    succeeds,
)

TOKEN = "987654321:RECOGNISABLE-token_0123456789abcdefgh"
FOUND = succeeds({"file_id": "f", "file_unique_id": "u", "file_path": "photos/file 0.jpg"})


@pytest.fixture
async def server() -> AsyncIterator[BotApiServer]:
    async with bot_api_server() as running:
        yield running


@pytest.fixture
async def bot(server: BotApiServer) -> AsyncIterator[TelegramDownloads]:
    made = TelegramDownloads(TOKEN, server.url)
    yield made
    await made.aclose()


async def test_the_bytes_are_fetched_from_where_telegram_says(server: BotApiServer, bot: TelegramDownloads) -> None:
    server.will(FOUND, answers(200, b"bytes", "image/jpeg"))
    assert await bot.download("f", 10) == b"bytes"
    assert server.calls[0].params == {"file_id": "f"}
    assert [call.path for call in server.calls] == [
        f"/bot{TOKEN}/getFile",
        f"/file/bot{TOKEN}/photos/file%200.jpg",
    ]


async def chunked_without_end(writer: Writer) -> None:
    """Send more than a bot may download, without giving the size before."""
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in range(MOST_FILE_BYTES // 1_048_576 + 2):
        writer.write(b"100000\r\n" + bytes(1_048_576) + b"\r\n")
        await writer.drain()
    writer.close()


FAILURES: dict[str, tuple[tuple[Reaction, ...], type[ChannelError]]] = {
    "another bot's": ((fails(400, "Bad Request: wrong file_id or the file is temporarily unavailable"),), FileUnknown),
    "too big": ((fails(400, "Bad Request: file is too big"),), FileTooLarge),
    "a wrong token": ((fails(401, "Unauthorized"),), BotUnknown),
    "too many calls": ((fails(429, "Too Many Requests: retry after 5", retry_after=5),), NotDelivered),
    "told to be too big": ((succeeds({"file_id": "f", "file_unique_id": "u", "file_size": 30_000_000}),), FileTooLarge),
    "longer than was told": ((FOUND, chunked_without_end), FileTooLarge),
    "gone": ((FOUND, answers(404, b"{}")), NotDelivered),
    "its server fails": ((FOUND, answers(502, b"")), NotDelivered),
    "forbidden": ((FOUND, answers(403, b"")), ChannelRefused),
    "cut off": ((FOUND, cuts_within_the_answer), NotDelivered),
    "broken off": ((FOUND, resets), NotDelivered),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILURES)
async def test_a_failure_says_whether_it_is_for_good(server: BotApiServer, bot: TelegramDownloads, name: str) -> None:
    reactions, kind = FAILURES[name]
    server.will(*reactions)
    with pytest.raises(ChannelError) as failed:
        await bot.download("f", 30)
    assert type(failed.value) is kind
    told = f"{failed.value} {failed.value.__cause__!r} {failed.value.__context__!r}"
    for secret in ("RECOGNISABLE", "file%20", "photos/", server.url):
        assert secret not in told


@pytest.mark.parametrize("reaction", [never_ends, stays_silent])
async def test_a_download_has_an_end(server: BotApiServer, bot: TelegramDownloads, reaction: Reaction) -> None:
    server.will(FOUND, reaction)
    with pytest.raises(NotDelivered, match=r"^Telegram took more than 0.3 s to give a file$"):
        await bot.download("f", 0.3)


async def test_a_custom_emoji_has_a_file(server: BotApiServer, bot: TelegramDownloads) -> None:
    emoji = {"file_id": "f7", "file_unique_id": "u", "type": "custom_emoji", "width": 100, "height": 100}
    server.will(succeeds([emoji | {"is_animated": True, "is_video": False}]), succeeds([]))
    assert await bot.custom_emoji_file("54321") == "f7"
    assert server.calls[0].params == {"custom_emoji_ids": '["54321"]'}
    with pytest.raises(FileUnknown):
        await bot.custom_emoji_file("54321")
