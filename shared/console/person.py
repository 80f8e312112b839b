"""One person: what an agent knows of them, and what their answers cost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from ulid import ULID

from shared.access.store.requests import FirestoreAccessRequests
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.chats import decode_chat
from shared.chat.store.conversations import FirestoreConversations
from shared.chat.store.people import FirestorePeople, PersonProfile
from shared.chat.store.queries import CONVERSATIONS_OF_CHAT
from shared.console.costs import today_of
from shared.console.names import stored_names
from shared.console.people import access_lists_of, name_of, request_view
from shared.console.services import ConsoleServices
from shared.recall.store.memberships import FirestoreMemberships, Membership
from shared.spending.statement import UsageTotal, statement_of
from shared.spending.store.usage import FirestoreUsages, UsageQuery
from shared.values.access_request import AccessRequest, request_id
from shared.values.account import month_of
from shared.values.budget import ChatBudget, usage_record
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.money import AgentLimits, SpendingLimits
from shared.values.trust import NOW, AccessList, BlockedPerson, TrustTier

#: the most groups of a person
MOST_GROUPS: Final = 20
#: the most usage documents that are read for a person's month
MOST_READ: Final = 200


@dataclass(frozen=True, kw_only=True)
class KnownPerson:
    """The stored data about a person, as one agent knows them."""

    key: ChatKey
    access_list: AccessList
    profile: PersonProfile
    request: AccessRequest | None
    #: their private chat with the agent; None if there is none
    chat: Chat | None
    memberships: Sequence[Membership]
    #: the times of their first conversation, and of the newest
    first: datetime | None
    newest: datetime | None

    @property
    def person(self) -> int:
        # the id of a private chat is the person's id (core.telegram.org/bots/api#chat)
        return self.key.chat_id

    @property
    def groups(self) -> Sequence[int]:
        """The groups in which the person is now, as far as lull knows."""
        return list(dict.fromkeys(one.chat_id for one in self.memberships if one.is_member))

    @property
    def tier(self) -> TrustTier:
        is_fellow = any(one in self.access_list.groups for one in self.groups)
        return self.access_list.tier_of(self.person, is_fellow=is_fellow)

    @property
    def is_known(self) -> bool:
        """Whether this agent has met the person. The profile does not count, as all agents of a deployment share it."""
        listed = self.access_list.people.keys() | self.access_list.blocked.keys()
        return self.person in listed or bool(self.request or self.chat or self.memberships)

    @property
    def times_seen(self) -> Sequence[datetime]:
        """All times at which the agent is known to have seen the person, in private or in a group."""
        found = (self.first, self.newest, *(one.seen_at for one in self.memberships))
        return [one for one in found if one is not None]


async def read_person(services: ConsoleServices, agent: str, person: int) -> KnownPerson:
    """Return the stored data about a person. Raises StoreUnavailable or StoreRefused.

    Costs about seven reads, and one for each of the person's groups.
    """
    client, key = services.client, ChatKey(agent=agent, chat_id=person)
    access_list, profile, request = await asyncio.gather(
        access_lists_of(services).access_list(agent, NOW),
        FirestorePeople(client).profile(person),
        FirestoreAccessRequests(client).find(request_id(key)),
    )
    memberships, chat, newest, first = await asyncio.gather(
        FirestoreMemberships(client).of_person(agent, person, MOST_GROUPS),
        _chat(services, key),
        FirestoreConversations(client).page([key.id], 0, 1),
        _first_seen_in(services, key),
    )
    return KnownPerson(
        key=key,
        access_list=access_list,
        profile=profile,
        request=request,
        chat=chat,
        memberships=memberships,
        first=first,
        newest=newest[0].updated_at if newest else None,
    )


async def person_view(services: ConsoleServices, agent: str, person: int) -> Mapping[str, Any]:
    """Return what the owner may see about a person, and the person's usage.

    Costs the reads of `read_person`, and one more for each 20 answers of this month. Raises StoreUnavailable or
    StoreRefused.
    """
    known = await read_person(services, agent, person)
    titles = await _group_titles(services, known)
    entry, request, chat = known.access_list.people.get(person), known.request, known.chat
    return {
        "id": str(person),
        "agent": agent,
        "name": name_of(known.access_list, request, person),
        "username": request.username if request is not None else "",
        "pronouns": known.profile.pronouns if known.is_known else "",
        "zone": known.profile.zone if known.is_known else "",
        "tier": known.tier.value,
        "is_listed": entry is not None,
        "since": _iso(entry.since if entry is not None else None),
        "blocked": _blocked_view(known.access_list.blocked.get(person)),
        "request": request_view(request) if request is not None else None,
        "first_seen": _iso(min(known.times_seen, default=None)),
        "last_seen": _iso(max(known.times_seen, default=None)),
        "groups": [{"id": str(chat_id), "name": titles.get(chat_id, "")} for chat_id in known.groups],
        "chat": known.key.id if chat is not None else "",
        "is_muted": chat is not None and chat.is_muted(services.clock()),
        "limits": limits_of_tier(services, known.access_list, known.tier).model_dump(exclude_none=True),
        **await _usage_of(services, known),
    }


def limits_of_tier(services: ConsoleServices, access_list: AccessList, tier: TrustTier) -> SpendingLimits:
    """Return the limits of a trust tier. There are none for the owner, or if the deployment has no spending limits."""
    policy = services.spending()
    if not policy.is_on or tier is TrustTier.OWNER:
        return SpendingLimits()
    limits = policy.agents.get(access_list.agent, AgentLimits()).at_most(access_list.limits)
    return limits.known if tier is TrustTier.KNOWN else limits.stranger


async def _usage_of(services: ConsoleServices, known: KnownPerson) -> Mapping[str, Any]:
    """Return a person's usage of today and of this month.

    Costs that are not settled yet are included only from the private chat: each other chat would cost a read.
    """
    today = today_of(services.spending(), [known.key.agent], services.clock())
    month = month_of(today.isoformat())
    asked = UsageQuery(agent=known.key.agent, month=month, person=known.person)
    kept = await FirestoreUsages(services.client).of(asked, MOST_READ)
    budget = known.chat.budget if known.chat is not None else ChatBudget()
    leases = [usage_record(one, known.key.agent, known.key.id, one.until) for one in (*budget.open, *budget.closed)]
    theirs = [one for one in leases if one.person == known.person and one.month == month]
    told = statement_of([*kept, *theirs], today)
    return {"today": _total(told.today), "month": _total(told.month), "is_partial": kept.read >= MOST_READ}


async def _group_titles(services: ConsoleServices, known: KnownPerson) -> Mapping[int, str]:
    listed: Iterable[int] = (one for one in known.groups if one in known.access_list.groups)
    titles = {one: title for one in listed if (title := known.access_list.groups[one].title)}
    others = [one for one in known.groups if one not in titles]
    return titles | await stored_names(services, [known.key.agent], others)


def _blocked_view(one: BlockedPerson | None) -> Mapping[str, Any] | None:
    if one is None:
        return None
    return {"since": one.since.isoformat(), "why": one.why, "is_by_agent": not one.by}


def _total(one: UsageTotal) -> Mapping[str, Any]:
    return {"usd": one.amount.usd, "answers": one.amount.messages, "calls": one.calls}


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at is not None else None


async def _first_seen_in(services: ConsoleServices, key: ChatKey) -> datetime | None:
    """Return when the oldest conversation of a chat began. The time is part of the conversation's id."""
    with translate_errors("find a chat's first conversation"):
        oldest = CONVERSATIONS_OF_CHAT.on(services.client, key.id).select([]).limit(1)
        found = await oldest.get(retry=RETRY, timeout=CALL_SECONDS)
    for one in found:
        with suppress(ValueError):
            return ULID.from_str(one.id.removeprefix("conv-")).datetime
    return None


async def _chat(services: ConsoleServices, key: ChatKey) -> Chat | None:
    with translate_errors("read a chat"):
        found = await services.client.document(paths.chat_path(key)).get(retry=RETRY, timeout=CALL_SECONDS)
    return decode_chat(key, found.to_dict()) if found.exists else None
