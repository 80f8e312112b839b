"""Runs bots of the real Telegram in a local cloud: in a separate deployment, with a poller for each bot.

The first deployment serves the test bots of the local Telegram and its page. An agent has chats in both Telegrams, and
the ids of these chats are unrelated. So everything that real bots' functions store or schedule is separate from the
data of the test bots. Only the person at this machine uses the page, but anybody can find a real bot. So a real bot
answers only its owner, as in the cloud, unless `LULL_OPEN` is set.

The real bots have a separate console on this machine, with a login at which their owners sign in.
"""

import sys
from collections.abc import Collection, Mapping

from local.bots import keep_console
from local.checks import RealBot
from local.cloud import LocalCloud
from local.parts import LOGIN_CLIENT, REAL, CloudPart
from operations.environment import bare_surroundings, surroundings

CONSOLE = f"{REAL}_console"
LOGIN = f"{REAL}_login"


def add_real_bots(cloud: LocalCloud, bots: Collection[RealBot], telegram_url: str) -> None:
    """Start the deployment for the bots, and a poller for each bot. `telegram_url` is the address of the Bot API to
    poll. Raises PartFailed.
    """
    if not bots:
        return
    tokens = {bot.agent: bot.token for bot in bots}
    settings = real_settings(telegram_url, cloud.spec.env)
    if "console" in cloud.spec.parts:
        # Telegram opens no Mini App at a local address, but the console requires the key for their signatures
        settings |= {"LULL_LOGIN_ISSUER": f"{cloud.reserve(LOGIN)}/oauth", "LULL_MINI_APP_KEY": "production"}
    cloud.add_deployment(REAL, tokens, settings)
    if CONSOLE in cloud.parts:
        _add_login(cloud, tokens)
    for bot in bots:
        secrets = {
            "TELEGRAM_BOT_TOKEN": bot.token,
            "TELEGRAM_API_URL": telegram_url,
            "LULL_WEBHOOK_SECRET": cloud.webhook_secret,
        }
        webhook = cloud.url(f"{REAL}_webhook")
        argv = (sys.executable, "-m", "local.poller", "--agent", bot.agent, "--webhook", webhook)
        cloud.add_part(CloudPart(name=f"poller_{bot.agent}", argv=argv, env=surroundings(secrets)))


def console_of_real_bots(urls: Mapping[str, str], door: str) -> str:
    """Return the address at which owners of real bots sign in to their console; empty if there is no such console.
    `urls` are the addresses of the local cloud's parts by name, and `door` is the path of the console's sign-in
    page.
    """
    return f"{urls[CONSOLE]}/{door}" if CONSOLE in urls else ""


def _add_login(cloud: LocalCloud, agents: Collection[str]) -> None:
    """Start the login server for owners of real bots, and store the console's address in the database, where the agents
    read it.
    """
    reached, url = cloud.beside[REAL], cloud.url(LOGIN)
    console = console_of_real_bots({CONSOLE: cloud.url(CONSOLE)}, cloud.credentials.console_door)
    settings = {
        "FIRESTORE_EMULATOR_HOST": reached["FIRESTORE_EMULATOR_HOST"],
        "GOOGLE_CLOUD_PROJECT": reached["GOOGLE_CLOUD_PROJECT"],
        "LULL_AGENTS": ",".join(agents),
        "LULL_LOCAL_SEED": cloud.credentials.telegram_seed,
        "LULL_LOGIN_CLIENT": LOGIN_CLIENT,
        "LULL_LOCAL_LOGIN_BACK": f"{console}/back",
    }
    cloud.add_part(
        CloudPart(
            name=LOGIN,
            argv=(sys.executable, "-m", "local.owner_login", "--port", url.rpartition(":")[2]),
            env=bare_surroundings(settings),
            url=url,
            health=f"{url}/healthz",
            is_forked=bool(cloud.spec.preload),
        )
    )
    keep_console(cloud.url(f"{REAL}_firestore"), reached["GOOGLE_CLOUD_PROJECT"], agents, console)


def real_settings(telegram_url: str, said: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of functions that serve real bots, as far as they differ from the settings of functions that
    serve the page's bots.

    `said` is the shell's environment.
    """
    return {"TELEGRAM_API_URL": telegram_url, "LULL_OPEN": said.get("LULL_OPEN", "no")}
