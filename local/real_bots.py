"""Bots of the real Telegram beside the local page.

They get a webhook function, a tick function and a poller of their own. The functions of the page keep their made-up
tokens and the local Telegram, so that the page works as ever, with the same agents and the same Firestore. Who comes
by on the page was let in by whoever sits there; a real bot anybody finds, so it is closed as a deployment is, unless
`LULL_OPEN` says otherwise.
"""

import json
import sys
from collections.abc import Collection, Mapping

from local.checks import RealBot
from local.cloud import LocalCloud
from local.parts import Part
from operations.environment import surroundings


def add_real_bots(cloud: LocalCloud, bots: Collection[RealBot], telegram_url: str) -> None:
    """Start what the bots need, and feed them from `telegram_url`. Raises PartFailed."""
    if not bots:
        return
    env = real_settings(bots, telegram_url, cloud.spec.env)
    tick_url = cloud.add("tick", name="real_tick", env=env)
    env |= {"LULL_TICK_URL": tick_url}
    webhook_url = cloud.add("webhook", name="real_webhook", env=env)
    for bot in bots:
        secrets = {
            "TELEGRAM_BOT_TOKEN": bot.token,
            "TELEGRAM_API_URL": telegram_url,
            "LULL_WEBHOOK_SECRET": cloud.webhook_secret,
        }
        argv = (sys.executable, "-m", "local.poller", "--agent", bot.agent, "--webhook", webhook_url)
        cloud.add_part(Part(name=f"poller_{bot.agent}", argv=argv, env=surroundings(secrets)))


def real_settings(bots: Collection[RealBot], telegram_url: str, said: Mapping[str, str]) -> dict[str, str]:
    """What the functions of real bots have otherwise than those of the page; `said`: what the shell has set."""
    tokens = {bot.agent: bot.token for bot in bots}
    return {
        "TELEGRAM_API_URL": telegram_url,
        "LULL_BOT_TOKENS": json.dumps(tokens),
        "LULL_OPEN": said.get("LULL_OPEN", "no"),
    }
