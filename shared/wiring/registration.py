"""Builds the registrar, which registers bots at Telegram, for deployments and for the local cloud."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from shared.telegram.outbound.bot import TelegramAccount
from shared.upkeep.jobs.register import Registrar
from shared.wiring import now


@asynccontextmanager
async def open_registrar(tokens: Mapping[str, str], telegram_url: str, secret: str = "") -> AsyncIterator[Registrar]:
    """Open a registrar of these bots, and close its connections after the block. Raises InvalidSettings."""
    accounts = {agent: TelegramAccount(token, telegram_url) for agent, token in tokens.items()}
    try:
        yield Registrar(accounts=accounts, secret=secret, clock=now)
    finally:
        for account in accounts.values():
            await account.aclose()
