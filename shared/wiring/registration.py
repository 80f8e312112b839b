"""The parts of registering bots, for whoever deploys lull and for the local cloud."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from shared.telegram.outbound.bot import TelegramAccount
from shared.upkeep.jobs.register import Registrar
from shared.wiring import now


@asynccontextmanager
async def opened(tokens: Mapping[str, str], telegram_url: str, secret: str = "") -> AsyncIterator[Registrar]:
    """What registering these bots needs; their connections are closed after the block. Raises InvalidSettings."""
    accounts = {agent: TelegramAccount(token, telegram_url) for agent, token in tokens.items()}
    try:
        yield Registrar(accounts=accounts, secret=secret, clock=now)
    finally:
        for account in accounts.values():
            await account.aclose()
