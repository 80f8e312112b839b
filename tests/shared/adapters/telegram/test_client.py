"""The client of a bot."""

import pytest

from shared.adapters.telegram.client import TelegramClient
from shared.errors import SettingsWrong


async def test_the_bots_id_is_that_of_its_token_and_no_call_is_made() -> None:
    client = TelegramClient("987654321:RECOGNISABLE-token", "http://127.0.0.1:1")
    assert client.bot_id == 987654321
    await client.aclose()


def test_what_is_no_token_is_told_by_its_setting() -> None:
    with pytest.raises(SettingsWrong, match="LULL_BOT_TOKENS"):
        TelegramClient("no token", "http://127.0.0.1:1")
