"""Lines that tell a person how to become the owner of a bot: a link for each real bot, and a message to send for each
bot on the local page.
"""

from collections.abc import Iterable, Mapping

import httpx

from local.checks import RealBot
from local.parts import PROJECT, REAL
from shared.chat.store import paths
from shared.values.registration import claim_code, claim_link

TIMEOUT_S = 15.0


def claim_lines(
    urls: Mapping[str, str], bots: Iterable[RealBot], tokens: Mapping[str, str], webhook_secret: str
) -> list[str]:
    """Return a line of instructions for each bot that has no owner yet, real bots first. The lines contain claim
    codes, so show them only in a terminal and never in a log.

    `urls`: addresses of the local cloud's parts by name; `tokens`: tokens of the page's bots by agent.
    """
    real = real_claim_lines(bots, urls.get(f"{REAL}_firestore", ""), webhook_secret)
    return [*real, *page_claim_lines(tokens, urls["firestore"], webhook_secret)]


def real_claim_lines(bots: Iterable[RealBot], firestore_url: str, webhook_secret: str) -> list[str]:
    """Return a line with a claim link for each real bot that has no owner yet. Bots that could not be checked at
    Telegram are skipped.
    """
    lines = []
    for bot in bots:
        # `privacy` is set, and the username known, only if Telegram was asked about the bot
        if bot.privacy and not _has_owner(firestore_url, bot.agent):
            link = claim_link(bot.username, claim_code(webhook_secret, bot.agent, _bot_id(bot.token)))
            lines.append(f"@{bot.username} has no owner yet. To become its owner, open this in Telegram: {link}")
    return lines


def page_claim_lines(tokens: Mapping[str, str], firestore_url: str, webhook_secret: str) -> list[str]:
    """Return a line with a claim command for each agent whose bot on the page has no owner yet. `tokens` are the
    tokens of the page's bots, by agent.
    """
    return [
        f"{agent} has no owner yet. To become its owner, send this to {agent} in a private chat on the page: "
        f"/claim {claim_code(webhook_secret, agent, _bot_id(token))}"
        for agent, token in tokens.items()
        if not _has_owner(firestore_url, agent)
    ]


def _bot_id(token: str) -> int:
    return int(token.partition(":")[0])


def _has_owner(firestore_url: str, agent: str) -> bool:
    path = f"/v1/projects/{PROJECT}/databases/(default)/documents/{paths.bot_path(agent)}"
    return "owner" in httpx.get(f"{firestore_url}{path}", timeout=TIMEOUT_S).json().get("fields", {})
