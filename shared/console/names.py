"""Names of people and groups, from access lists, access requests and chats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shared.chat.store import paths
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.console.services import ConsoleServices
from shared.values.access_request import request_id
from shared.values.chat_key import ChatKey
from shared.values.trust import AccessList

#: the most people and groups whose names are looked up outside of access lists
MOST_LOOKED_UP = 24


async def names_of(
    services: ConsoleServices, agents: Sequence[str], people: Iterable[int], chats: Iterable[int]
) -> Mapping[int, str]:
    """Return the names of people and groups by id. Ids without a known name are left out.

    Costs a read for each agent and for each name in no access list. Raises StoreUnavailable or StoreRefused.
    """
    lists = FirestoreAccessLists(services.client, services.clock)
    known: dict[int, str] = {}
    for agent in agents:
        known |= names_in(await lists.access_list(agent))
    unknown = [one for one in dict.fromkeys((*people, *chats)) if not known.get(one)][:MOST_LOOKED_UP]
    return known | await stored_names(services, agents, unknown)


def names_in(access_list: AccessList) -> dict[int, str]:
    """Return the names that an access list has, by id."""
    groups = {group.chat_id: group.title for group in access_list.groups.values()}
    blocked = {one.id: one.name for one in access_list.blocked.values()}
    people = {one.id: one.name for one in access_list.people.values()}
    return {name: text for name, text in {**groups, **blocked, **people}.items() if text}


async def stored_names(services: ConsoleServices, agents: Sequence[str], unknown: Sequence[int]) -> dict[int, str]:
    """Return names by id: people's from their access requests, groups' from their chats. Unknown names are left out."""
    places = dict[str, int]()
    for agent in agents:
        for one in unknown:
            key = ChatKey(agent=agent, chat_id=one)
            places[paths.request_path(request_id(key)) if one > 0 else paths.chat_path(key)] = one
    found, documents = dict[int, str](), [services.client.document(path) for path in places]
    if not documents:
        return found
    with translate_errors("read names"):
        async for document in services.client.get_all(
            documents, field_paths=["name", "title"], retry=RETRY, timeout=CALL_SECONDS
        ):
            fields = document.to_dict() or {}
            name = fields.get("title") or fields.get("name")
            if isinstance(name, str) and name:
                found[places[document.reference.path]] = name
    return found
