"""Bots of the real Telegram beside the local page: a deployment of their own, and a poller for each.

The page's functions keep their test bots and the local Telegram. An agent has chats in both, and ids of the two are
unrelated. So everything that real bots' functions store or schedule is separate from the page's. The page is used by
the person at this machine, but anybody can find a real bot. So it answers only its owner, as in a deployment, unless
`LULL_OPEN` is set.
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
    """Return the settings of real bots' functions that differ from the page's. `said` is what the shell sets."""
    return {"TELEGRAM_API_URL": telegram_url, "LULL_OPEN": said.get("LULL_OPEN", "no")}
