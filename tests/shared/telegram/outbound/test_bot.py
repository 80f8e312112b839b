"""Setting up a bot, against a server with any answers."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from shared.base.errors import ChannelError, ChannelRefused
from shared.telegram.outbound.bot import TelegramAccount
from shared.values.registration import Webhook, WebhookState
from tests.shared.telegram.outbound.bot_api_server import BotApiServer, bot_api_server, fails, resets, succeeds

TOKEN = "987654321:RECOGNISABLE-token_0123456789abcdefgh"
SECRET = "a-secret-that-is-not-to-be-told"
WEBHOOK = Webhook(url="https://w.example/lull", secret=SECRET, allowed_updates=("message",))


@pytest.fixture
async def server() -> AsyncIterator[BotApiServer]:
    async with bot_api_server() as running:
        yield running


@pytest.fixture
async def account(server: BotApiServer) -> AsyncIterator[TelegramAccount]:
    made = TelegramAccount(TOKEN, server.url)
    yield made
    await made.aclose()


async def test_what_telegram_says_of_a_webhook_is_read(server: BotApiServer, account: TelegramAccount) -> None:
    server.will(
        succeeds(
            {
                "url": "https://w.example/lull",
                "has_custom_certificate": False,
                "pending_update_count": 7,
                "last_error_date": 1_770_000_000,
                "last_error_message": "Wrong response from the webhook: 401 Unauthorized at https://x.example/secret",
                "max_connections": 40,
                "allowed_updates": ["message"],
            }
        )
    )
    assert await account.webhook() == WebhookState(
        url="https://w.example/lull",
        allowed_updates=frozenset({"message"}),
        max_connections=40,
        waiting=7,
        last_error_at=datetime.fromtimestamp(1_770_000_000, UTC),
        last_error="Wrong response from the webhook: 401 Unauthorized at …",
    )


async def test_a_bot_without_a_webhook_has_an_empty_one(server: BotApiServer, account: TelegramAccount) -> None:
    server.will(succeeds({"url": "", "has_custom_certificate": False, "pending_update_count": 0}))
    assert await account.webhook() == WebhookState(url="")


async def test_a_refusal_tells_neither_the_token_nor_the_secret(server: BotApiServer, account: TelegramAccount) -> None:
    server.will(fails(400, f"Bad Request: bad webhook: {WEBHOOK.url} {TOKEN} refused"))
    with pytest.raises(ChannelRefused) as caught:
        await account.set_webhook(WEBHOOK)
    assert server.calls[0].params["secret_token"] == SECRET
    assert not any(word in str(caught.value) for word in (TOKEN, SECRET, WEBHOOK.url))


async def test_an_answer_that_was_cut_off_is_no_success(server: BotApiServer, account: TelegramAccount) -> None:
    server.will(resets)
    with pytest.raises(ChannelError):
        await account.remove_webhook()
