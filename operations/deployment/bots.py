"""The bots of a deployment: checks their tokens, sets their webhooks, and prints their links."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from http import HTTPStatus
from typing import Any, Final

import httpx

from operations.deployment.options import CannotDeploy, Options
from operations.deployment.secret_values import SecretValues
from operations.deployment.terminal import Terminal
from shared.access.bot_setup import privacy_text
from shared.base.errors import ChannelError, ChannelRefused, InvalidSettings, LullError
from shared.base.wording.words import words_in
from shared.upkeep.jobs.register import Registration, register
from shared.wiring.registration import open_registrar

TIMEOUT_S = 15.0
_TOKEN: Final = re.compile(r"[0-9]+:[A-Za-z0-9_-]+")
#: texts that people enter instead of a token
_NO_TOKENS: Final = (
    (r"^@|^[A-Za-z]\w*bot$|t\.me/", "a bot's name"),
    (r"^AIza", "a Gemini API key"),
    (r"^[0-9]+:?$", "a bot's id"),
    (r"\s", "a token that contains a space or a line break"),
    (r"[\"'<>]", "a token in quotes or brackets"),
)
_KEPT: Final = (
    " If the wrong token is in the secrets file (its name is printed above), remove it there; lull then asks again."
)
#: characters allowed in a header
_KEY: Final = re.compile(r"[!-~]+")


@dataclass(frozen=True, kw_only=True)
class LeavingBot:
    """A bot that is to be removed: the address of its webhook, and its token (empty if not known here)."""

    url: str
    token: str = field(repr=False)


def check_tokens(tokens: Mapping[str, str]) -> None:
    """Check that each token is well formed and used by one agent only. Raises CannotDeploy without quoting a token."""
    if complaint := complaint_of_tokens(tokens):
        raise CannotDeploy(f"{complaint}{_KEPT}")


def complaint_of_tokens(tokens: Mapping[str, str]) -> str:
    """Return a sentence about the first invalid token, without quoting the token; empty if all tokens are valid."""
    owners = dict[str, str]()
    for agent, token in tokens.items():
        if _TOKEN.fullmatch(token) is None:
            what = next((what for sign, what in _NO_TOKENS if re.search(sign, token)), "not a bot token")
            return (
                f"The bot token of {agent} is invalid: the given text is {what}. A token is digits, "
                "a colon and about 35 letters, like 123456:ABC-DEF… Copy it from @BotFather: /mybots → API Token."
            )
        if (other := owners.setdefault(token.partition(":")[0], agent)) != agent:
            return (
                f"{other} and {agent} have the same bot token, but each agent needs a bot of its own. Make another bot "
                "with /newbot at @BotFather, and set its token for one of them."
            )
    return ""


async def check_bots(options: Options, secrets: SecretValues) -> None:
    """Check that Telegram knows each token. Raises CannotDeploy."""
    check_tokens(secrets.bot_tokens)
    for agent, token in secrets.bot_tokens.items():
        try:
            async with open_registrar({agent: token}, options.telegram_url) as registrar:
                await registrar.accounts[agent].identity()
        except ChannelRefused:
            raise CannotDeploy(
                f"Telegram does not know the bot token of {agent}: copy it again from @BotFather.{_KEPT}"
            ) from None
        except LullError as cause:
            raise CannotDeploy(f"The bot of {agent} could not be checked at Telegram: {cause}.") from cause


def check_key(options: Options, secrets: SecretValues, models: Mapping[str, Collection[str]] | None = None) -> None:
    """Check that Gemini accepts the key and lists the models. Do nothing without a key. Raises CannotDeploy.

    `models` maps the name of a setting to the names of the models in it.
    """
    if not secrets.gemini_api_key:
        return
    if complaint := complaint_of_key(secrets.gemini_api_key):
        raise CannotDeploy(complaint)
    headers = {"x-goog-api-key": secrets.gemini_api_key}
    try:
        answer = httpx.get(f"{options.gemini_url}/v1/models?pageSize=1000", headers=headers, timeout=TIMEOUT_S)
    except httpx.TransportError as cause:
        raise CannotDeploy(
            f"Gemini cannot be reached ({type(cause).__name__}). Check the network and try again."
        ) from cause
    if answer.status_code in (400, 401, 403):
        raise CannotDeploy(
            f"Gemini refuses the API key ({answer.status_code}). Make a new key at https://aistudio.google.com/apikey."
        )
    if answer.status_code == HTTPStatus.OK:
        check_models(answer.json().get("models", []), models or {})


def is_sendable(key: str) -> bool:
    """Return whether a key can be sent in a header, and has no quotes around it."""
    return _KEY.fullmatch(key) is not None and not re.search(r"[\"']", key)


def complaint_of_key(key: str) -> str:
    """Return a sentence about a key that cannot be sent in a header, without quoting the key; empty if it can be
    sent.
    """
    if is_sendable(key):
        return ""
    return (
        "The Gemini API key contains a space, a line break, quotes or a character that is not ASCII. Copy it again "
        "from https://aistudio.google.com/apikey."
    )


def check_models(known: Collection[Mapping[str, Any]], wanted: Mapping[str, Collection[str]]) -> None:
    """Check that Gemini lists all models that settings name; `wanted` maps a setting to its models. Do nothing if
    `known`, Gemini's list, is empty. Raises CannotDeploy.
    """
    names = {str(model.get("name", "")).removeprefix("models/") for model in known}
    for setting, models in wanted.items() if names else ():
        for name in models:
            if name not in names:
                close = get_close_matches(name, names, 3)
                raise CannotDeploy(
                    f"{setting} is {name}, but Gemini has no such model. In `settings` of terraform.tfvars, set it to "
                    f"{' or '.join(close) or 'one of https://ai.google.dev/gemini-api/docs/models'}."
                )


async def register_bots(
    options: Options,
    secrets: SecretValues,
    urls: Mapping[str, str],
    owned: Collection[str],
    terminal: Terminal,
) -> dict[str, str]:
    """Set each bot's webhook at Telegram to the address in `urls`, and print how to talk to the bot and how to become
    its owner. Raises CannotDeploy.

    `owned` are the agents that have an owner. Returns the username of each agent's bot.
    """
    usernames = dict[str, str]()
    async with open_registrar(secrets.bot_tokens, options.telegram_url, secrets.webhook_secret) as registrar:
        for agent, url in sorted(urls.items()):
            try:
                found = await register(registrar, agent, url, always=True)
            except ChannelError as cause:
                raise CannotDeploy(
                    f"Telegram did not register {agent}: {cause}. Run `make register` to try again."
                ) from cause
            usernames[agent] = found.identity.username
            for line in (*lines_of(agent, found), f"  {owner_line(options, found, has_owner=agent in owned)}"):
                terminal.say(line)
    return usernames


async def remove_webhooks(options: Options, leaving_bots: Mapping[str, LeavingBot], terminal: Terminal) -> None:
    """Remove the webhooks of these agents' bots, and print the results. Raises CannotDeploy.

    Bots that were deleted at Telegram are skipped, and so are bots that another deployment uses now.
    """
    for agent, bot in leaving_bots.items():
        if not bot.token:
            terminal.say(
                f"The bot token of {agent} is not known here, so its webhook cannot be removed: Telegram keeps sending "
                "updates to an address that no longer exists, until the bot has another webhook or is deleted."
            )
            continue
        try:
            is_removed = await _remove(options, agent, bot)
        except (ChannelRefused, InvalidSettings):
            terminal.say(f"Telegram does not know the bot token of {agent} any more, so there is no webhook to remove.")
        except ChannelError as cause:
            raise CannotDeploy(f"Telegram did not remove the webhook of {agent}: {cause}.") from cause
        else:
            terminal.say(
                f"The webhook of {agent} {'was removed' if is_removed else 'already leads to another address'}."
            )


async def _remove(options: Options, agent: str, bot: LeavingBot) -> bool:
    async with open_registrar({agent: bot.token}, options.telegram_url) as registrar:
        account = registrar.accounts[agent]
        if (await account.webhook()).url != bot.url:
            return False
        await account.remove_webhook()
        return True


def lines_of(agent: str, found: Registration) -> list[str]:
    """Return the lines to print about a registered bot."""
    bot = found.identity
    webhook = (
        f"its webhook was set, {found.cause}" if found.cause else "its webhook was correct, its secret was set again"
    )
    return [
        f"{agent}: https://t.me/{bot.username} ({webhook})",
        f"  {privacy_text(bot, words_in(), f'@{bot.username}')}",
    ]


def owner_line(options: Options, found: Registration, *, has_owner: bool) -> str:
    """Return a sentence that says that a bot has an owner, or else how to become the owner."""
    if has_owner:
        return "It has an owner."
    if options.is_agreed:  # the output is a CI's log, which others may read
        return "It has no owner yet: `make register` prints a link for becoming the owner."
    return f"It has no owner yet; open this in Telegram to become the owner: {found.claim_link}"
