"""Checks this machine, the settings and the bots before the local cloud starts. Each failure is a sentence that says
what to do.
"""

import os
import re
import shutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx

from local.java import PACKAGE, NoJava, find_java
from local.options import BOT_TOKEN, OF_THIS_MACHINE, CannotStart, LocalOptions
from local.parts import MODEL_SETTINGS, Backend, model_access
from local.ports import HOST, PortTaken, reserve_port
from operations.deployment.bots import complaint_of_key, complaint_of_tokens
from operations.deployment.starting import KINDS, complaints_of
from shared.access.bot_setup import privacy_text
from shared.base.errors import InvalidPersona
from shared.base.wording.words import words_in
from shared.planning.personas.load import load_everything
from shared.values.agent import Agent
from shared.values.channel import BotIdentity
from shared.wiring.settings.environment import is_lulls, nearest_setting

#: settings of the functions whose names do not begin with LULL_
_PLACES = ("TELEGRAM_API_URL", "GEMINI_BASE_URL")
#: prefixes of AI Studio keys, which have 39 letters or more
_USUAL_KEY = re.compile(r"(?:AIza|AQ\.)[\w.-]{30}")
NO_USUAL_KEY = (
    "GEMINI_API_KEY does not look like a Gemini key, which begins with AIza or AQ. and has at least 39 characters. "
    "Copy the key again from https://aistudio.google.com/apikey, or unset GEMINI_API_KEY to use the small local model."
)
#: settings for a bot or a model whose misspelt names are reported
_ALSO_GIVEN = (BOT_TOKEN, "GEMINI_API_KEY", "GEMINI_BASE_URL")
#: variables that `make deploy` reads from the shell (operations/deployment/options.py)
OF_DEPLOYING = ("LULL_SECRETS", "LULL_INFRA", "LULL_GOOGLE_APIS")
#: free bytes needed for logs, documents and files; each download checks its own needs
FREE_BYTES = 300_000_000
TIMEOUT_S = 15.0


@dataclass(frozen=True, kw_only=True)
class RealBot:
    """A bot at the real Telegram (not the local one), and the agent that uses the bot."""

    agent: str
    username: str
    token: str = field(repr=False)
    #: a sentence about the bot's privacy mode; empty if Telegram could not be asked
    privacy: str = ""


def check_machine(
    options: LocalOptions,
    env: Mapping[str, str] = os.environ,
    java_package: str = PACKAGE,
    free_bytes: int = FREE_BYTES,
) -> None:
    """Check that a new enough Java is installed, that the disk has enough free space, and that the requested port is
    free. Raises CannotStart.
    """
    try:
        find_java(env, java_package)
        if options.page_port:
            reserve_port(options.page_port).release()
    except (NoJava, PortTaken) as problem:
        raise CannotStart(f"{problem}.") from problem
    _check_room(options.data, free_bytes)


def check_personas(options: LocalOptions) -> Mapping[str, Agent]:
    """Return the agents by name. Raises CannotStart if a persona cannot be read."""
    try:
        return load_everything(options.agents)
    except (InvalidPersona, OSError) as problem:
        raise CannotStart(f"A persona cannot be read: {problem}.") from problem


def check_settings(options: LocalOptions, env: Mapping[str, str] = os.environ) -> None:
    """Check that the functions accept the settings in the environment. Raises CannotStart with a line for each invalid
    setting.
    """
    of_shell = {name: value for name, value in env.items() if name.startswith("LULL_") or name in _PLACES}
    access = model_access(options.spec(), f"http://{HOST}:1")  # the part's address is not known yet
    settings = {**of_shell, **MODEL_SETTINGS.get(options.backend, {}), **access, **options.settings}
    if complaints := complaints_of(settings):
        raise CannotStart("\n".join(complaints))


def unknown_settings(env: Mapping[str, str] = os.environ) -> list[str]:
    """Return a sentence for each variable that looks like a misspelt setting.

    A variable without lull's prefix may belong to another program. It is reported only if its name resembles a setting
    that is not set.
    """
    of_functions = {name for kind in KINDS for name in kind.variables()}
    known = {*of_functions, *OF_THIS_MACHINE, *OF_DEPLOYING, BOT_TOKEN}
    unset = [name for name in _ALSO_GIVEN if not env.get(name)]
    told = []
    for name in sorted(name for name in env if name not in known):
        if is_lulls(name):
            meant = nearest_setting(name, known) or _with_more_words(name, known)
            more = f"Did you mean {meant}?" if meant else "docs/configuration.md lists all settings."
            told.append(f"{name} is not a setting of lull and is ignored. {more}")
        elif not name.startswith(f"{BOT_TOKEN}_") and (meant := nearest_setting(name, unset)):
            told.append(f"{name} is ignored by lull. Did you mean {meant}?")
    return told


def _with_more_words(name: str, known: Collection[str]) -> str:
    """Return the known setting whose words (without LULL) all occur in `name`. Only settings with at least two such
    words count. If several settings match, return the one with the most words. Return an empty string if none
    matches.
    """
    words = {*name.upper().split("_")}
    within = {one: {*one.split("_")} - {"LULL"} for one in known if one.startswith("LULL_")}
    found = sorted((-len(own), one) for one, own in within.items() if len(own) > 1 and own <= words)
    return found[0][1] if found else ""


def check_gemini_key(options: LocalOptions, warn: Callable[[str], None]) -> None:
    """Check that Google accepts the Gemini API key, if one is used. Raises CannotStart if Google refuses it. If Google
    cannot be reached, only warn.
    """
    if options.backend is not Backend.GOOGLE:
        return
    if complaint := complaint_of_key(options.gemini_key):
        raise CannotStart(f"{complaint} Correct GEMINI_API_KEY.")
    headers = {"x-goog-api-key": options.gemini_key}
    try:
        answer = httpx.get(f"{options.gemini_url}/v1/models?pageSize=1", headers=headers, timeout=TIMEOUT_S)
    except httpx.TransportError as cause:
        looks = "" if _USUAL_KEY.match(options.gemini_key) else f" {NO_USUAL_KEY}"
        why = (
            f"Gemini cannot be reached ({type(cause).__name__}), so the key was not checked. "
            "lull cannot answer without the network."
        )
        warn(f"{why}{looks}")
        return
    if answer.status_code in (400, 401, 403):
        raise CannotStart(
            f"Gemini refuses GEMINI_API_KEY ({answer.status_code}). Make a new key at "
            "https://aistudio.google.com/apikey, or unset GEMINI_API_KEY to use the small local model."
        )


def check_bots(
    options: LocalOptions, agents: Collection[str], warn: Callable[[str], None], ask: Callable[[str], bool] | None
) -> list[RealBot]:
    """Check the tokens of the real bots, and return the bots. If a bot has a webhook, remove the webhook, but only
    with a person's consent.

    `ask` asks a person a yes-or-no question; None if no person is at the terminal. If Telegram cannot be reached, only
    warn. Raises CannotStart if a token is wrong, or if a webhook may not be removed.
    """
    bots = []
    tokens = {_agent_called(name, agents): token for name, token in options.real_tokens.items()}
    if complaint := complaint_of_tokens(tokens):
        raise CannotStart(complaint)
    for agent, token in tokens.items():
        bot = RealBot(agent=agent, username=agent, token=token)
        try:
            bot = _ask_telegram(options.telegram_url, bot)
            _clear_webhook(options, token, bot.username, ask)
        except httpx.TransportError as cause:
            warn(f"Telegram cannot be reached ({type(cause).__name__}); lull starts anyway and keeps trying.")
        bots.append(bot)
    return bots


def check_usernames(bots: Collection[RealBot], agents: Mapping[str, Agent], warn: Callable[[str], None]) -> None:
    """Warn of each bot whose username at Telegram differs from the one in its persona's file. lull uses Telegram's."""
    for bot in bots:
        # `privacy` is empty if Telegram could not be asked
        told = agents[bot.agent].tell_other_username(bot.username) if bot.privacy else ""
        if told:
            warn(f"{told}. Write this username into the file, so that the local page uses it, too.")


def _check_room(folder: Path, needed: int) -> None:
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(existing).free
    if free < needed:
        need = f"{needed >> 20} MiB are needed, {free >> 20} MiB are free"
        raise CannotStart(
            f"The disk of {existing} is full: {need}. Free some space, or set LULL_DATA to a folder on another disk."
        )


def _agent_called(name: str, agents: Collection[str]) -> str:
    for agent in agents:
        if agent.upper().replace("-", "_") == name.upper():
            return agent
    raise CannotStart(f"{BOT_TOKEN}_{name}: unknown agent {name.lower()}; the agents are {', '.join(agents)}.")


def _ask_telegram(telegram_url: str, bot: RealBot) -> RealBot:
    """Return the bot with its username and privacy mode from Telegram, or unchanged if Telegram answers with an error.
    Raises CannotStart if Telegram does not know the token.
    """
    answer = _call(telegram_url, bot.token, "getMe")
    if answer.status_code in (401, 404):
        raise CannotStart(f"Telegram does not know the bot token of {bot.agent}; copy it again from @BotFather.")
    if not answer.is_success:
        return bot
    me = answer.json()["result"]
    identity = BotIdentity(
        id=me["id"],
        username=me["username"],
        first_name=me["first_name"],
        can_read_all_group_messages=bool(me.get("can_read_all_group_messages")),
        can_join_groups=bool(me.get("can_join_groups")),
    )
    return replace(bot, username=identity.username, privacy=privacy_text(identity, words_in(), f"@{identity.username}"))


def _clear_webhook(options: LocalOptions, token: str, username: str, ask: Callable[[str], bool] | None) -> None:
    answer = _call(options.telegram_url, token, "getWebhookInfo")
    url = answer.json()["result"]["url"] if answer.is_success else ""
    if not url:
        return
    found = f"@{username} has a webhook at {httpx.URL(url).host}, and Telegram sends a bot's updates to one place only."
    if not options.may_remove_webhook:
        if ask is None:
            raise CannotStart(f"{found} To remove it, set LULL_REMOVE_WEBHOOK=yes.")
        if not ask(f"{found} Remove it?"):
            raise CannotStart(
                f"The webhook of @{username} was kept. To use only the local page, unset the bot's token."
            )
    _call(options.telegram_url, token, "deleteWebhook")


def _call(telegram_url: str, token: str, method: str) -> httpx.Response:
    return httpx.post(f"{telegram_url}/bot{token}/{method}", timeout=TIMEOUT_S)
