"""Runs bots of the real Telegram beside the local page: a separate deployment, and a poller for each bot.

The page's functions serve test bots of the local Telegram. An agent has chats in both Telegrams, and their ids are
unrelated. So everything that real bots' functions store or schedule is separate from the page's data. Only the person
at this machine uses the page, but anybody can find a real bot. So a real bot answers only its owner, as in a
deployment, unless `LULL_OPEN` is set.
"""

import sys
from collections.abc import Collection, Mapping

from local.checks import RealBot
from local.cloud import LocalCloud
from local.parts import REAL, CloudPart
from operations.environment import surroundings


def add_real_bots(cloud: LocalCloud, bots: Collection[RealBot], telegram_url: str) -> None:
    """Start the deployment for the bots, and a poller for each bot. `telegram_url` is the address of the Bot API to
    poll. Raises PartFailed.
    """
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
    """Return the settings in which the functions of real bots differ from those of the page's bots.

    `said` is the shell's environment.
    """
    return {"TELEGRAM_API_URL": telegram_url, "LULL_OPEN": said.get("LULL_OPEN", "no")}
