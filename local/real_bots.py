"""Bots of the real Telegram beside the local page: a deployment of their own, and a poller for each.

The page's functions keep their made-up bots and the local Telegram. An agent has chats in both, and Telegram numbers
them in each as it likes; so all that real bots' functions store, and each call that they put off, is apart from the
page's. Who comes by on the page was let in by whoever sits there. A real bot anybody finds: it is closed, as a
deployment is, unless `LULL_OPEN` says otherwise.
"""

import sys
from collections.abc import Collection, Mapping

from local.checks import RealBot
from local.cloud import LocalCloud
from local.parts import REAL, CloudPart
from operations.environment import surroundings


def add_real_bots(cloud: LocalCloud, bots: Collection[RealBot], telegram_url: str) -> None:
    """Start what the bots need, and feed them from `telegram_url`. Raises PartFailed."""
    if not bots:
        return
    tokens = {bot.agent: bot.token for bot in bots}
    cloud.add_deployment(REAL, tokens, real_settings(telegram_url, cloud.spec.env))
    for bot in bots:
        secrets = {
            "TELEGRAM_BOT_TOKEN": bot.token,
            "TELEGRAM_API_URL": telegram_url,
            "LULL_WEBHOOK_SECRET": cloud.webhook_secret,
        }
        webhook = cloud.url(f"{REAL}_webhook")
        argv = (sys.executable, "-m", "local.poller", "--agent", bot.agent, "--webhook", webhook)
        cloud.add_part(CloudPart(name=f"poller_{bot.agent}", argv=argv, env=surroundings(secrets)))


def real_settings(telegram_url: str, said: Mapping[str, str]) -> dict[str, str]:
    """What the functions of real bots have otherwise than those of the page; `said`: what the shell has set."""
    return {"TELEGRAM_API_URL": telegram_url, "LULL_OPEN": said.get("LULL_OPEN", "no")}
