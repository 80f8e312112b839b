"""Registers a bot for each agent at the local Telegram server, and sets the bot's webhook to the webhook function."""

import asyncio
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import httpx

from shared.base.errors import LullError
from shared.chat.store import paths
from shared.upkeep.jobs.register import register
from shared.values.agent import Agent
from shared.wiring.registration import open_registrar


class NotRegistered(Exception):
    """The local Telegram refused a bot or its webhook."""


def register_bots(telegram_url: str, agents: Mapping[str, Agent], tokens: Mapping[str, str]) -> None:
    """Register a bot for each agent, unless it is registered already. Raises NotRegistered."""
    with httpx.Client(base_url=telegram_url, timeout=30) as client:
        for agent in agents.values():
            names = {"first_name": agent.front.name, "username": agent.front.username}
            # as an owner would set up the bot with BotFather: without privacy mode, so that the bot receives all
            # messages of its groups
            bot = {"token": tokens[agent.id], "privacy": False, **names}
            answer = client.post("/world/bots", json=bot)
            if answer.is_error:
                raise NotRegistered(f"the local Telegram server refused the agent {agent.id!r}: {answer.text[:300]}")


def keep_console(firestore_url: str, project: str, agents: Iterable[str], url: str) -> None:
    """Store the console's address in the document of each agent's bot; the agent reads the address there. In a
    deployment, the daily registration of bots stores the address.
    """
    fields = {"fields": {"console_url": {"stringValue": url}}}
    with httpx.Client(base_url=firestore_url, timeout=30) as client:
        for agent in agents:
            path = f"/v1/projects/{project}/databases/(default)/documents/{paths.bot_path(agent)}"
            client.patch(path, params={"updateMask.fieldPaths": "console_url"}, json=fields).raise_for_status()


def set_webhooks(
    telegram_url: str, tokens: Mapping[str, str], webhook_url: str, secret: str, *, with_menus: bool = True
) -> None:
    """Set each bot's webhook to its agent's path at the webhook function, as a deployment does. Also set the bot's
    menu of commands, unless `with_menus` is false. Raises NotRegistered.
    """
    setting = _set_webhooks(telegram_url, tokens, webhook_url, secret, with_menus=with_menus)
    with ThreadPoolExecutor(1) as thread:  # the caller may have a running event loop
        thread.submit(lambda: asyncio.run(setting)).result()


async def _set_webhooks(
    telegram_url: str, tokens: Mapping[str, str], webhook_url: str, secret: str, *, with_menus: bool
) -> None:
    async with open_registrar(tokens, telegram_url, secret) as registrar:
        registering = registrar if with_menus else replace(registrar, menus=())
        for agent in tokens:
            try:
                await register(registering, agent, f"{webhook_url}/{agent}")
            except LullError as cause:
                raise NotRegistered(f"the local Telegram server refused the agent {agent!r}: {cause}") from cause
