"""Decides which people may get an answer in a chat. Which of their messages are answered is decided in `deciding`."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Self

from shared.access.store.requests import FirestoreAccessRequests
from shared.base.errors import ChannelError, ChannelRefused
from shared.base.logs import log
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.deciding.access_policy import BLOCKED, GROUP, AccessPolicy
from shared.llm.ports.world import MessagingChannel, PortRegistry
from shared.telegram.inbound.entries import entry_of
from shared.telegram.inbound.envelope import direct_person_of
from shared.telegram.inbound.service import adder_of, group_title
from shared.values.access_request import ADMITTED, is_let_in_once
from shared.values.agent import Agent, FrontMatter, GroupPolicy
from shared.values.chat import Chat
from shared.values.message import Message
from shared.values.trust import AccessList, AdmittedGroup, TrustTier
from shared.values.update import InboxUpdate

#: before somebody is refused, an access list older than this is read again, since the person may just have been let in
LAST_LOOK: Final = timedelta(seconds=5)
#: how long Telegram's answer about a membership is used
FRESH_MEMBER: Final = timedelta(minutes=5)
#: the most groups in which Telegram is asked about a person, the newest first; and the most people whose memberships
#: are cached
MOST_ASKED: Final = 20
MOST_KEPT: Final = 1_000


@dataclass(frozen=True, kw_only=True)
class AccessChecker:
    """Decides which people may get an answer from one agent."""

    agent: str
    front: FrontMatter
    access_lists: FirestoreAccessLists
    requests: FirestoreAccessRequests
    channel: MessagingChannel
    clock: Callable[[], datetime]
    #: answer everybody everywhere, whatever the persona says
    is_open: bool = False
    #: by person and group: until when Telegram's answer counts, and whether the person is in the group
    _fellows: dict[int, dict[int, tuple[datetime, bool]]] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, agent: Agent, ports: PortRegistry, clock: Callable[[], datetime], *, is_open: bool) -> Self:
        """Return the checker of an agent with its ports."""
        return cls(
            agent=agent.id,
            front=agent.front,
            access_lists=ports[FirestoreAccessLists],
            requests=ports[FirestoreAccessRequests],
            channel=ports[MessagingChannel],
            clock=clock,
            is_open=is_open,
        )

    async def access(self, chat: Chat, unread: Sequence[InboxUpdate]) -> AccessPolicy:
        """Return the access policy of the chat.

        If the owner adds the agent to a group, the group is admitted. Each instance reads the access list once a
        minute, and again before a person is refused. Raises StoreUnavailable or StoreRefused.
        """
        access_list = await self.access_lists.access_list(self.agent)
        access = await self._access(access_list, chat, unread)
        if not access.turns_away:
            return access
        again = await self.access_lists.access_list(self.agent, LAST_LOOK)
        return access if again is access_list else await self._access(again, chat, unread)

    async def reason_to_withhold_reminders(self, chat: Chat, person: int) -> str:
        """Return the reason why a person gets no reminders in a chat: they are blocked, or the group is not admitted.

        Return "" for everybody else, including strangers, who do get their reminders. Costs one read per minute and
        instance. Raises StoreUnavailable or StoreRefused.
        """
        access_list, is_private = await self.access_lists.access_list(self.agent), chat.key.is_of_one
        if not is_private:
            access_list = await self._with_group(access_list, chat, ())
        chat_id = _chat_id(chat, ())
        refusal = AccessPolicy(
            access_list=access_list, chat_id=chat_id, is_open=self._is_open(access_list, is_private)
        ).refusal(person)
        return refusal if refusal in {BLOCKED, GROUP} else ""

    async def may_stop(self, chat: Chat, update: InboxUpdate) -> bool:
        """Return whether an update may stop a tick; False for a message from a blocked person, or in a group that is
        not admitted. Costs one read per minute and instance. Raises StoreUnavailable or StoreRefused.
        """
        entry = entry_of(update, self.channel.bot_id)
        return not isinstance(entry, Message) or not await self.reason_to_withhold_reminders(chat, entry.author.id)

    def refresh_memberships(self, chat_id: int, here: Iterable[int], gone: Iterable[int]) -> None:
        """Forget what is cached about people who left a group (`gone`), or who were seen in it although the cache says
        otherwise (`here`).
        """
        for person in (*gone, *(one for one in here if not self._cached_membership(one, chat_id))):
            self._fellows.get(person, {}).pop(chat_id, None)

    async def _access(self, access_list: AccessList, chat: Chat, unread: Sequence[InboxUpdate]) -> AccessPolicy:
        chat_id, is_private = _chat_id(chat, unread), chat.key.is_of_one
        if not is_private:
            access_list = await self._with_group(access_list, chat, unread)
        decided = [update for update in unread if update.envelope.kind == ADMITTED]
        access = AccessPolicy(
            access_list=access_list,
            chat_id=chat_id,
            is_open=self._is_open(access_list, is_private),
            is_admitted=bool(decided) or chat.access.may_ask_once,
            is_once=all(map(is_let_in_once, decided)),
        )
        is_decided = access.tier_of(chat_id) is not TrustTier.STRANGER or not access_list.rules.fellows
        if not is_private or is_decided:
            return access
        return replace(access, is_fellow=await self._is_fellow(access_list, chat_id))

    def _is_open(self, access_list: AccessList, is_private: bool) -> bool:
        """Return whether the agent answers everybody in private chats (`is_private`), or else in groups.

        The setting of the deployment opens the agent everywhere. A rule of the owner or the persona counts only once
        the agent has an owner.
        """
        front = access_list.rules.in_front(self.front)
        says_so = front.open if is_private else front.groups is GroupPolicy.OPEN
        return self.is_open or (says_so and access_list.is_claimed)

    async def _with_group(self, access_list: AccessList, chat: Chat, unread: Sequence[InboxUpdate]) -> AccessList:
        """Return the access list, after adding the group to it if the owner added the agent there, or if the group is
        listed under a former id.
        """
        chat_id, before = chat.key.chat_id, access_list.groups.get(chat.moves.moved_from)
        if chat_id in access_list.groups:
            return access_list
        is_added = any(adder_of(update) == access_list.owner for update in unread) and access_list.is_claimed
        if before is None and not is_added:
            return access_list
        title = before.title if before is not None else next(filter(None, map(group_title, unread)), chat.title)
        entry = AdmittedGroup(chat_id=chat_id, title=title, since=self.clock(), by=access_list.owner)
        if await self.access_lists.let_group_in(self.agent, entry, chat.moves.moved_from):
            log("a group was added to the access list", chat=chat.key.id)
        return await self.access_lists.access_list(self.agent)

    async def _is_fellow(self, access_list: AccessList, person: int) -> bool:
        """Return whether a person is in an admitted group; Telegram's answer is cached for some minutes."""
        newest = sorted(access_list.groups.values(), key=lambda group: group.since, reverse=True)[:MOST_ASKED]
        known = {group.chat_id: self._cached_membership(person, group.chat_id) for group in newest}
        if any(known.values()):
            return True
        unknown = [group for group, is_member in known.items() if is_member is None]
        if not unknown:
            return False
        answers = await asyncio.gather(*(self._is_member(group, person) for group in unknown))
        if len(self._fellows) >= MOST_KEPT:
            self._fellows.clear()
        until = self.clock() + FRESH_MEMBER
        told = {group: (until, one) for group, one in zip(unknown, answers, strict=True) if one is not None}
        self._fellows.setdefault(person, {}).update(told)
        return any(answers)

    def _cached_membership(self, person: int, group: int) -> bool | None:
        """Return whether the person is in the group, as Telegram last answered; None if no fresh answer is cached."""
        until, is_member = self._fellows.get(person, {}).get(group, (self.clock(), False))
        return is_member if until > self.clock() else None

    async def _is_member(self, chat_id: int, person: int) -> bool | None:
        try:
            return await self.channel.is_member(chat_id, person)
        except ChannelRefused as refusal:  # the agent is not in the group, or the person is unknown
            log(f"Telegram did not report whether a person is in a group: {refusal}")
            return False
        except ChannelError as error:
            log(f"could not read whether a person is in a group: {error}")
            return None


def _chat_id(chat: Chat, unread: Sequence[InboxUpdate]) -> int:
    """Return Telegram's id of the chat; for a topic of direct messages, the id of the person who writes there."""
    if not chat.key.is_direct:
        return chat.key.chat_id
    return next(filter(None, map(direct_person_of, unread)), chat.access.direct_person)
