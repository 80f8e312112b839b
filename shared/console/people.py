"""The people of an agent as its owner sees them: admitted, waiting for a decision, blocked; and one person's page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from google.cloud.firestore_v1.base_query import FieldFilter

from shared.access.store.invitations import FirestoreInvitations
from shared.access.store.requests import FirestoreAccessRequests
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.queries import MUTED_CHATS
from shared.console.names import stored_names
from shared.console.services import ConsoleServices
from shared.values.access_action import FOREVER
from shared.values.access_request import AccessRequest
from shared.values.chat_key import ChatKey
from shared.values.invitation import Invitation
from shared.values.trust import NOW, AccessList, AdmittedGroup, AdmittedPerson, BlockedPerson

#: the entries of one page of a list
PAGE: Final = 50
#: the most requests and muted chats that are listed, and the most groups of a person
MOST_WAITING: Final = 50
MOST_MUTED: Final = 100
MOST_GROUPS: Final = 20
#: the most usage documents that are read for a person's month
MOST_READ: Final = 200


def access_lists_of(services: ConsoleServices) -> FirestoreAccessLists:
    """Return a new reader of access lists, without lists cached by earlier requests."""
    return FirestoreAccessLists(services.client, services.clock)


async def overview_of(services: ConsoleServices, agent: str) -> Mapping[str, Any]:
    """Return an agent's counts, access requests, invitations and muted chats. Raises StoreUnavailable or StoreRefused.

    Costs a read for the access list, one for invitations, and one for each waiting request and each muted chat.
    """
    lists = access_lists_of(services)
    access_list, waiting, invitations, muted = await asyncio.gather(
        lists.access_list(agent, NOW),
        FirestoreAccessRequests(services.client).waiting(agent, MOST_WAITING),
        FirestoreInvitations(services.client, lists).open(agent, services.clock()),
        muted_chats(services, agent),
    )
    silenced = access_list.silenced
    return {
        "id": agent,
        "counts": {
            "people": len(access_list.people),
            "groups": len(access_list.groups),
            "blocked": len(access_list.blocked),
        },
        "silenced_since": silenced.since.isoformat() if silenced is not None else None,
        "requests": [request_view(one) for one in waiting],
        "invitations": [_invitation_view(one) for one in invitations],
        "muted": muted,
    }


def page_of_list(access_list: AccessList, kind: str, words: str, skipped: int) -> Mapping[str, Any]:
    """Return a page of the list `kind`: people, groups or blocked people, the newest first.

    Only entries with `words` in their id or name are listed. `skipped` is the number of entries before the page.
    """
    entries: dict[str, Sequence[AdmittedPerson | AdmittedGroup | BlockedPerson]] = {
        "people": list(access_list.people.values()),
        "groups": list(access_list.groups.values()),
        "blocked": list(access_list.blocked.values()),
    }
    found = [_entry_view(one) for one in sorted(entries[kind], key=lambda one: one.since, reverse=True)]
    asked = words.casefold().strip()
    found = [one for one in found if asked in one["name"].casefold() or asked in one["id"]]
    is_more = skipped + PAGE < len(found)
    return {
        "items": found[skipped : skipped + PAGE],
        "next": str(skipped + PAGE) if is_more else "",
        "count": len(found),
    }


def _entry_view(one: AdmittedPerson | AdmittedGroup | BlockedPerson) -> dict[str, Any]:
    if isinstance(one, AdmittedGroup):
        return {"id": str(one.chat_id), "name": one.title, "since": one.since.isoformat()}
    more = {"is_invited": bool(one.invitation)} if isinstance(one, AdmittedPerson) else {"why": one.why, "by": one.by}
    return {"id": str(one.id), "name": one.name, "since": one.since.isoformat(), **more}


def request_view(one: AccessRequest) -> Mapping[str, Any]:
    """Return an access request as JSON for the page."""
    return {
        "id": one.id,
        "agent": one.agent,
        "is_group": one.is_group,
        "chat_id": str(one.key.chat_id),
        "title": one.title,
        "person": str(one.person),
        "name": one.name,
        "username": one.username,
        # the owner must not read what a group's members say to each other
        "words": "" if one.is_group else one.words,
        "at": one.at.isoformat(),
        "state": one.state.value,
        "decided_at": one.decided_at.isoformat() if one.decided_at is not None else None,
    }


def _invitation_view(one: Invitation) -> Mapping[str, Any]:
    return {
        "id": one.id,
        "made_at": one.made_at.isoformat(),
        "until": one.until.isoformat(),
        "most": one.most,
        "used": one.used,
    }


async def muted_chats(services: ConsoleServices, agent: str) -> list[Mapping[str, Any]]:
    """Return the muted chats of an agent with their names.

    Of the muted chats of all agents, only the `MOST_MUTED` chats whose muting ends first are read; the others are
    missing in the result. Raises StoreUnavailable or StoreRefused.
    """
    query = MUTED_CHATS.on(services.client).where(filter=FieldFilter("muted_until", ">", services.clock()))
    with translate_errors("list muted chats"):
        asked = query.select(["muted_until", "title"]).limit(MOST_MUTED)
        found = await asked.get(retry=RETRY, timeout=CALL_SECONDS)
    chats = [(ChatKey.from_id(one.id), one.to_dict() or {}) for one in found]
    chats = [(key, fields) for key, fields in chats if key.agent == agent]
    unnamed = [key.chat_id for key, fields in chats if key.is_private and not fields.get("title")]
    names = await stored_names(services, [agent], unnamed[:PAGE])
    return [
        {
            "chat": key.id,
            "chat_id": str(key.chat_id),
            "topic_id": str(key.topic_id),
            "name": fields.get("title") or names.get(key.chat_id, ""),
            "until": None if fields["muted_until"] >= FOREVER else fields["muted_until"].isoformat(),
        }
        for key, fields in chats
    ]


def name_of(access_list: AccessList, request: AccessRequest | None, person: int) -> str:
    """Return a person's name from the access list, or else from their access request; "" if neither has one."""
    known = access_list.people.get(person) or access_list.blocked.get(person)
    return (known.name if known is not None else "") or (request.name if request is not None else "")
