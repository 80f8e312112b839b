"""The parts of registering, put together for a local Telegram."""

import httpx
import pytest

from local.telegram.serving import serve
from shared.base.errors import InvalidSettings
from shared.upkeep.jobs.register import register_all
from shared.wiring import now
from shared.wiring.registration import open_registrar

TOKEN = "700000001:local-bot-token_0123456789abcdefghi"


async def test_each_token_is_a_bot_that_can_be_registered() -> None:
    async with serve() as telegram, httpx.AsyncClient(base_url=telegram.url) as api:
        await api.post("/world/bots", json={"token": TOKEN, "first_name": "Lull", "username": "lull_bot"})
        async with open_registrar({"lull": TOKEN}, telegram.url, "a-secret") as made:
            assert (await register_all(made, "https://w.example"))["webhooks"] == 1
            assert made.accounts["lull"].bot_id == 700000001
    assert now().utcoffset() is not None


async def test_what_is_no_token_is_told_without_it() -> None:
    with pytest.raises(InvalidSettings, match="LULL_BOT_TOKENS") as caught:
        async with open_registrar({"lull": "an odd one"}, "https://api.telegram.org"):
            pass
    assert "an odd one" not in str(caught.value)
