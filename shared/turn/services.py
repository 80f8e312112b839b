"""The services of one agent in any chat, and the context of one tick in one chat."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Self

from shared.access.checker import AccessChecker
from shared.base.errors import ChannelError, NotDelivered, OutcomeUnknown
from shared.base.logs import log
from shared.chat.queue import TickQueue
from shared.chat.session import Session
from shared.commands.command import Permission
from shared.commands.dispatch import Dispatcher
from shared.commands.registry import command_names
from shared.deciding.circumstances import DecisionSettings, OwnIdentity
from shared.llm.ports.world import MessagingChannel
from shared.spending.policy import BudgetBackend
from shared.spending.tick_budget import TickBudgetService
from shared.turn.media import MediaServices, TickMedia
from shared.turn.replier import Replier
from shared.turn.runner import PlanRunner
from shared.values.agent import Agent
from shared.values.channel import BotName
from shared.values.retry import RetryBudgets
from shared.values.wake import Wake

if TYPE_CHECKING:
    from shared.chat.store.bots import FirestoreBotNames, FirestoreOwners
    from shared.chat.store.chats import FirestoreChats

#: the pause after Telegram was asked for the username without success
RETRY_AFTER: Final = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True)
class JudgeSettings:
    """The name of the model that judges unclear messages, and its timeout."""

    model: str
    timeout_s: float


@dataclass(kw_only=True)
class BotUsername:
    """The username of one agent's bot. All instances share Telegram's answer, and one of them asks every few hours."""

    agent: Agent
    channel: MessagingChannel
    names: FirestoreBotNames
    clock: Callable[[], datetime]
    _not_before: datetime | None = field(default=None, init=False)
    #: the reason why Telegram gave no username when it was asked last
    _failure: ChannelError | None = field(default=None, init=False)

    async def named_agent(self, *, in_group: bool) -> Agent:
        """Return the agent with the username by which people mention it.

        While Telegram cannot be reached, this is the last known username. If none is known, it is the persona's; but in
        a group an error is raised, since with a wrong username a mention would never be answered. Raises
        StoreUnavailable or StoreRefused; in a group, NotDelivered or OutcomeUnknown.
        """
        kept = (await self.names.names(self.agent.id)).get(self.channel.bot_id)
        if kept is None or not kept.is_current(self.clock(), self.agent.front.username):
            kept = await self._ask() or kept
        if kept is not None:
            return self.agent.with_username(kept.username)
        if in_group and isinstance(self._failure, NotDelivered | OutcomeUnknown):
            raise self._failure
        return self.agent

    async def _ask(self) -> BotName | None:
        now, in_persona = self.clock(), self.agent.front.username
        if self._not_before is not None and now < self._not_before:
            return None
        try:
            username = (await self.channel.identity()).username
        except ChannelError as error:
            self._not_before, self._failure = now + RETRY_AFTER, error
            log(f"Telegram did not give the bot's username: {error}", logging.WARNING)
            return None
        if told := self.agent.tell_other_username(username):
            log(told, logging.WARNING)
        name = BotName(bot_id=self.channel.bot_id, username=username, at=now, in_persona=in_persona)
        await self.names.keep_name(self.agent.id, name)
        return name


@dataclass(frozen=True, kw_only=True)
class AgentServices:
    """The services and settings of one agent. `follow_up`: the longest time after the agent's message for which another
    message counts as a follow-up.
    """

    chats: FirestoreChats
    queue: TickQueue
    replier: Replier
    runner: PlanRunner
    follow_up: timedelta
    dispatcher: Dispatcher
    budgets: RetryBudgets
    clock: Callable[[], datetime]
    judge_settings: JudgeSettings | None = None
    #: the services for files; None if files are ignored
    media: MediaServices | None = None
    #: whether a conversation gets its first title while it is active; if False, only once it rests
    names_early: bool = False
    #: the owners of agents, for messages that only an owner gets; None if there are no such messages
    owners: FirestoreOwners | None = None
    #: decides who may be answered; if None, everybody may be answered everywhere
    admission: AccessChecker | None = None
    #: lends budget; if None, spending is not limited, and costs are only logged
    budget_backend: BudgetBackend | None = None
    #: the bot's username according to Telegram; if None, the persona's username is used
    bot_username: BotUsername | None = None

    async def with_bot_username(self, *, in_group: bool) -> Self:
        """Return the services for the agent with its bot's username. Raises the errors of `BotUsername.named_agent`."""
        if self.bot_username is None:
            return self
        agent = await self.bot_username.named_agent(in_group=in_group)
        return replace(self, replier=replace(self.replier, agent=agent), runner=replace(self.runner, agent=agent))

    @property
    def me(self) -> OwnIdentity:
        """The bot's id and username, the agent's names, and the names of the commands."""
        agent = self.replier.agent
        return OwnIdentity(self.runner.channel.bot_id, agent.front.username, agent.names, command_names())

    @property
    def active(self) -> timedelta:
        """The time for which the agent counts as taking part after its own message. Further messages extend it."""
        return self.runner.active

    @property
    def decision_settings(self) -> DecisionSettings:
        """The settings by which the agent decides whether to answer a message in a group."""
        front = self.replier.agent.front
        return DecisionSettings(
            active=self.active,
            follow_up=self.follow_up,
            asks_judge=front.judge and self.judge_settings is not None,
            answers_bots=front.answers_bots,
        )


@dataclass
class Administrators:
    """The administrators of a group, as far as one tick has learned about them from Telegram."""

    channel: MessagingChannel
    chat_id: int
    #: by the person's id
    known: dict[int, Permission] = field(default_factory=dict)

    async def ask_about(self, people: set[int]) -> bool:
        """Ask Telegram about each of these people who is not in `known` yet. Return whether there was such a person."""
        new = people - self.known.keys()
        for person_id in sorted(new):
            self.known[person_id] = await self._permission_of(person_id)
        return bool(new)

    async def _permission_of(self, person_id: int) -> Permission:
        # only an anonymous administrator can write in the group's own name (core.telegram.org/bots/api#message,
        # sender_chat)
        if person_id == self.chat_id:
            return Permission.GRANTED
        try:
            is_administrator = await self.channel.is_administrator(self.chat_id, person_id)
        except ChannelError as error:
            log(f"a member's permissions cannot be looked up: {error}")
            return Permission.UNKNOWN
        return Permission.GRANTED if is_administrator else Permission.DENIED


@dataclass(frozen=True, kw_only=True)
class TickContext:
    """The context of one tick in a chat: the agent's services, the session, and the wake (the tick's task)."""

    services: AgentServices
    session: Session
    wake: Wake
    administrators: Administrators
    media: TickMedia = field(default_factory=lambda: TickMedia(services=None))
    #: pays for model calls; None if costs are not tracked
    budget_service: TickBudgetService | None = None
    #: when the chat was claimed; None if that is not recorded
    claimed_at: datetime | None = None

    @property
    def now(self) -> datetime:
        """The current time, in UTC."""
        return self.services.clock()
