"""The links that make somebody the owner of the real bots."""

from collections.abc import Iterable

import httpx

from local.checks import RealBot
from local.parts import PROJECT
from shared.adapters.firestore import paths
from shared.models.registration import claim_code, claim_link

TIMEOUT_S = 15.0


def claim_lines(bots: Iterable[RealBot], firestore_url: str, webhook_secret: str) -> list[str]:
    """A line for each bot that has no owner yet: how somebody becomes it. They are for a terminal, and for no log."""
    lines = []
    for bot in bots:
        # what its username is, only Telegram knows; where it was asked, it told of privacy mode too
        if bot.privacy and not _has_owner(firestore_url, bot.agent):
            code = claim_code(webhook_secret, bot.agent, int(bot.token.partition(":")[0]))
            link = claim_link(bot.username, code)
            lines.append(f"@{bot.username} has no owner yet; open this in Telegram to become the owner: {link}")
    return lines


def _has_owner(firestore_url: str, agent: str) -> bool:
    path = f"/v1/projects/{PROJECT}/databases/(default)/documents/{paths.bot_path(agent)}"
    return "owner" in httpx.get(f"{firestore_url}{path}", timeout=TIMEOUT_S).json().get("fields", {})
