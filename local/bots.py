"""Makes each agent a bot of the local Telegram and has its updates sent to the webhook function."""

from collections.abc import Mapping

import httpx

from shared.models.agent import Agent

#: every kind that lull reads; two of them Telegram sends only if asked (core.telegram.org/bots/api#setwebhook)
ALLOWED_UPDATES = (
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "callback_query",
    "message_reaction",
    "my_chat_member",
    "chat_member",
)


class NotRegistered(Exception):
    """The local Telegram did not take a bot or its webhook."""


def register_bots(telegram_url: str, agents: Mapping[str, Agent], tokens: Mapping[str, str]) -> None:
    """Make a bot of each agent, or find it made. Raises NotRegistered."""
    with httpx.Client(base_url=telegram_url, timeout=30) as client:
        for agent in agents.values():
            names = {"first_name": agent.front.name, "username": agent.front.username}
            # as its owner would have it with BotFather: in a group it reads along, and answers when it is meant
            bot = {"token": tokens[agent.id], "privacy": False, **names}
            _check(client.post("/world/bots", json=bot), agent.id)


def set_webhooks(telegram_url: str, tokens: Mapping[str, str], webhook_url: str, secret: str) -> None:
    """Have each agent's updates sent to its path of the webhook function. Raises NotRegistered."""
    with httpx.Client(base_url=telegram_url, timeout=30) as client:
        for agent, token in tokens.items():
            webhook = {
                "url": f"{webhook_url}/{agent}",
                "secret_token": secret,
                "allowed_updates": ALLOWED_UPDATES,
                "max_connections": 100,
            }
            _check(client.post(f"/bot{token}/setWebhook", json=webhook), agent)


def _check(answer: httpx.Response, agent: str) -> None:
    if answer.is_error:
        # never the URL: the token is in it
        raise NotRegistered(f"the local Telegram does not take the agent {agent!r}: {answer.text[:300]}")
