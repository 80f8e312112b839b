"""The client of a bot."""

from collections.abc import AsyncIterator

import pytest

from shared.base.errors import ChannelError, ChannelRefused, InvalidSettings, NotDelivered, OutcomeUnknown
from shared.telegram.outbound.bot import TelegramChannel
from shared.telegram.outbound.client import TelegramClient
from shared.values.channel import Recipient
from shared.values.outgoing import OutgoingFile, OutgoingKind
from tests.shared.exports import ExportHarness
from tests.shared.telegram.outbound.bot_api_server import (
    BotApiServer,
    Reaction,
    bot_api_server,
    cuts,
    fails,
    resets,
    stays_silent,
    succeeds,
)

TOKEN = "987654321:RECOGNISABLE-token_0123456789abcdefgh"
#: bytes that no connection holds on its way, and some that arrive at once
LARGE, SMALL = 24_000_000, 100_000


@pytest.fixture
async def server() -> AsyncIterator[BotApiServer]:
    async with bot_api_server() as running:
        yield running


async def sent(server: BotApiServer, export_harness: ExportHarness, run: str, whole_seconds: float = 25.0) -> None:
    """Send a file from the bucket, a large one if the server stops listening midway. Raises ChannelError."""
    async with export_harness.bucket.writing(f"{run}/1") as writer:
        await writer.write(b"x" * (SMALL if server.hears is None else LARGE))
    channel = TelegramChannel(TOKEN, server.url, whole_seconds=whole_seconds)
    channel.stored = lambda: export_harness.bucket
    try:
        file = OutgoingFile(kind=OutgoingKind.DOCUMENT, stored=f"{run}/1", file_name="lull-2026.zip")
        await channel.send_file(Recipient(chat_id=7), file, None, None)
    finally:
        await channel.aclose()
        await export_harness.bucket.clear(run)


@pytest.mark.parametrize(
    ("hears", "reaction", "kind"),
    [
        (None, cuts, OutcomeUnknown),
        (None, stays_silent, OutcomeUnknown),
        (1_000_000, cuts, NotDelivered),
        (1_000_000, resets, NotDelivered),
        (1_000_000, stays_silent, NotDelivered),
        (1_000_000, fails(413, "Request Entity Too Large"), ChannelRefused),
    ],
)
async def test_a_file_of_which_the_end_did_not_leave_was_certainly_not_sent(
    server: BotApiServer, export_harness: ExportHarness, hears: int | None, reaction: Reaction, kind: type[ChannelError]
) -> None:
    server.hears = hears
    server.will(reaction)
    with pytest.raises(ChannelError) as caught:
        await sent(server, export_harness, f"upload-{hears}-{kind.__name__}", 2.0 if reaction is stays_silent else 25.0)
    assert type(caught.value) is kind
    assert TOKEN not in str(caught.value)


async def test_a_file_that_is_taken_is_sent(server: BotApiServer, export_harness: ExportHarness) -> None:
    server.will(succeeds({"message_id": 5, "date": 1, "document": {"file_id": "f", "file_unique_id": "u"}}))
    await sent(server, export_harness, "upload-whole")
    assert [call.method for call in server.calls] == ["sendDocument"]


async def test_the_bots_id_is_that_of_its_token_and_no_call_is_made() -> None:
    client = TelegramClient("987654321:RECOGNISABLE-token", "http://127.0.0.1:1")
    assert client.bot_id == 987654321
    await client.aclose()


def test_what_is_no_token_is_told_by_its_setting() -> None:
    with pytest.raises(InvalidSettings, match="LULL_BOT_TOKENS"):
        TelegramClient("no token", "http://127.0.0.1:1")
