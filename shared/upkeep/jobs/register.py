"""Registers each agent's bot at Telegram: sets the bot's webhook and command menus unless Telegram already has them.

The registration runs after each deployment and every day, so that a lost or changed webhook is restored.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from shared.base.errors import ChannelError
from shared.base.logs import about, log, log_failure
from shared.base.wording.words import words_in
from shared.commands.registry import menus
from shared.telegram.inbound.envelope import ALLOWED_UPDATES
from shared.values.channel import BotIdentity
from shared.values.registration import Menu, Webhook, WebhookState, claim_code, claim_link

if TYPE_CHECKING:
    from shared.chat.store.bots import FirestoreOwners
    from shared.telegram.outbound.bot import TelegramAccount

#: how many menus are written at once; there is one for each language and kind of chat, and each needs two calls
MENUS_AT_ONCE = 4
#: for the canary, which checks often, an error that Telegram reports counts for this long, and only while updates wait
JUST_NOW = timedelta(hours=1)
#: for the daily run, an error that Telegram reports counts for this long: until the next run checks again
RECENT = timedelta(days=1)


class WebhookFault(StrEnum):
    """The reason why a webhook had to be set."""

    NONE_THERE = "there was none"
    ELSEWHERE = "it went elsewhere"
    OTHER_SETTINGS = "it had other settings"
    FAILING = "Telegram reported an error, perhaps because of a wrong secret"


@dataclass(frozen=True, kw_only=True)
class Registration:
    """The result of registering one bot: what was changed at Telegram, and the link to become the owner."""

    identity: BotIdentity
    #: the link that makes the first person who opens it the owner of the agent; it is a secret
    claim_link: str = field(repr=False)
    #: the reason why the webhook was set; None if it was right, as far as Telegram reports
    cause: WebhookFault | None
    #: the number of menus that were written
    menus: int
    #: the state of the webhook before the registration: waiting updates, and the last error
    before: WebhookState


@dataclass(frozen=True, kw_only=True)
class Registrar:
    """Everything that registration needs: the bots by agent, and the secret that Telegram must send."""

    accounts: Mapping[str, TelegramAccount]
    secret: str = field(repr=False)
    clock: Callable[[], datetime]
    menus: tuple[Menu, ...] = field(default_factory=menus)


def cause_to_set(state: WebhookState, wanted: Webhook, now: datetime) -> WebhookFault | None:
    """Return the reason why a webhook must be set, or None if its `state` is as `wanted`."""
    if not state.url:
        return WebhookFault.NONE_THERE
    if state.url != wanted.url:
        return WebhookFault.ELSEWHERE
    is_same = state.allowed_updates == set(wanted.allowed_updates) and state.max_connections == wanted.max_connections
    if not is_same:
        return WebhookFault.OTHER_SETTINGS
    if state.last_error_at is not None and now - state.last_error_at < RECENT:
        return WebhookFault.FAILING
    return None


async def register(registrar: Registrar, agent: str, url: str, *, always: bool = False) -> Registration:
    """Set an agent's webhook and menus at Telegram where they are missing or differ. May be repeated.

    Raises a ChannelError.

    With `always`, the webhook is set even if it looks right: Telegram never returns the secret, which may have changed.
    """
    account = registrar.accounts[agent]
    identity, before = await account.identity(), await account.webhook()
    wanted = Webhook(url=url, secret=registrar.secret, allowed_updates=ALLOWED_UPDATES)
    cause = cause_to_set(before, wanted, registrar.clock())
    if cause is not None or always:
        await account.set_webhook(wanted)
    written = await _write_menus(account, registrar.menus)
    link = claim_link(identity.username, claim_code(registrar.secret, agent, identity.id))
    return Registration(identity=identity, claim_link=link, cause=cause, menus=written, before=before)


async def mend_webhook(registrar: Registrar, agent: str, url: str) -> tuple[bool, str]:
    """Set an agent's webhook if it is wrong. Return whether it was right before, and a sentence about it.

    Raises a ChannelError.
    """
    account, now = registrar.accounts[agent], registrar.clock()
    state, wanted = await account.webhook(), Webhook(url=url, secret=registrar.secret, allowed_updates=ALLOWED_UPDATES)
    cause, waiting = cause_to_set(state, wanted, now), f"{state.waiting} updates wait"
    if cause is WebhookFault.FAILING and not (state.waiting and now - (state.last_error_at or now) < JUST_NOW):
        return True, f"it stands, {waiting}; the last error is over: {state.last_error}"
    if cause is None:
        return True, f"it stands, {waiting}"
    await account.set_webhook(wanted)
    why = f"Telegram could not deliver ({state.last_error})" if cause is WebhookFault.FAILING else cause.value
    return False, f"{why}, {waiting}: it was set again, with its secret"


async def _write_menus(account: TelegramAccount, menus: Iterable[Menu]) -> int:
    """Write the menus that differ, and return their number. Raises the first ChannelError after all were tried."""
    gate = asyncio.Semaphore(MENUS_AT_ONCE)

    async def show(menu: Menu) -> bool:
        async with gate:
            is_new = await account.menu(menu.scope, menu.language) != menu
            if is_new:
                await account.set_menu(menu)
            return is_new

    done = await asyncio.gather(*map(show, menus), return_exceptions=True)
    for failure in done:
        if isinstance(failure, BaseException):
            raise failure
    return done.count(True)


async def register_all(registrar: Registrar, webhook_url: str) -> Counter[str]:
    """Register every agent at its own path below `webhook_url`. Return how many agents were registered, and how many
    webhooks and menus were set.

    All agents are tried. Then the first ChannelError is raised, if there was one.
    """
    done, failures = Counter[str](agents=0, webhooks=0, menus=0), list[ChannelError]()
    for agent in sorted(registrar.accounts):
        with about(agent=agent):
            try:
                registered = await register(registrar, agent, f"{webhook_url.rstrip('/')}/{agent}")
            except ChannelError as error:
                log_failure(error)
                failures.append(error)
                continue
            _tell(registered)
        done.update(agents=1, webhooks=int(registered.cause is not None), menus=registered.menus)
    if failures:
        raise failures[0]
    return done


async def show_consoles(registrar: Registrar, owners: FirestoreOwners, url: str) -> int:
    """Store the console's address for every agent, and show the owner a button for it beside the chat's message field.

    Return how many owners see the button. Raises StoreUnavailable or StoreRefused. An owner whom the bot cannot reach
    is skipped.
    """
    shown = 0
    for agent, account in sorted(registrar.accounts.items()):
        await owners.keep_console(agent, url)
        owner = await owners.owner(agent)
        if owner is None:
            continue
        words = words_in(await owners.language(agent, owner))
        try:
            await account.show_mini_app(owner, str(words.say("console.menu")), url)
        except ChannelError as error:
            log_failure(error)
            continue
        shown += 1
    return shown


def _tell(registered: Registration) -> None:
    if registered.cause is None:
        log("the webhook is set as it should be", waiting=registered.before.waiting)
    else:
        said = registered.before.last_error if registered.cause is WebhookFault.FAILING else ""
        log(f"the webhook was set: {registered.cause}", waiting=registered.before.waiting, telegram_says=said)
