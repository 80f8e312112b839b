"""Memories in the console: lists them by owner (a person, a group or an agent), changes them and undoes changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from itsdangerous import BadData, URLSafeTimedSerializer
from pydantic import ValidationError

from shared.chat.store import paths
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.console.memory_offers import MemoryOffer, offers_in
from shared.console.request import own_chat
from shared.console.route import BadRequest, NotFound
from shared.memory.by_owner import MemoriesByOwner, memory_changes
from shared.memory.owner_changes import OwnerChange, may_share, put_memory_back, reason_not_to_move
from shared.memory.store import FirestoreMemories
from shared.memory.upsert import RefusedMemory
from shared.planning.personas.load import EVERYONE, load_memories
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.links import message_link
from shared.values.memory import LONGEST_MEMORY, Memory, MemoryOwner, MemoryScope, memories_of_chat
from shared.values.place import chat_of
from shared.values.trust import AccessList

if TYPE_CHECKING:
    from shared.console.services import ConsoleServices

#: owners on a page of the list
OWNERS_PER_PAGE: Final = 50
#: the most chats of a person, or topics of a group, that are searched for offers
MOST_CHATS: Final = 20
#: how long a change can be undone
UNDO_SECONDS: Final = 3_600


def name_of_owner(owner: MemoryOwner) -> str:
    """Return the name that stands for a memory owner in URLs and JSON, such as `person:1100000001:lull`."""
    match owner.scope:
        case MemoryScope.PERSON:
            return f"person:{owner.person}:{owner.agent}"
        case MemoryScope.CHAT:
            return f"chat:{owner.chat_id}:{owner.topic_id}:{owner.agent}"
        case MemoryScope.AGENT:
            return f"agent:{owner.agent}"


def owner_named(name: str, agents: Iterable[str]) -> MemoryOwner:
    """Return the memory owner that a name such as `person:1100000001:lull` stands for.

    Raises NotFound if the name is malformed, or the agent is not in `agents`.
    """
    scope, _, rest = name.partition(":")
    try:
        match scope:
            case "person":
                person, agent = rest.split(":", 1)
                found = MemoryOwner(scope=MemoryScope.PERSON, agent=agent, person=int(person))
            case "chat":
                chat, topic, agent = rest.split(":", 2)
                found = memories_of_chat(ChatKey(agent=agent, chat_id=int(chat), topic_id=int(topic)))
            case "agent":
                found = MemoryOwner(scope=MemoryScope.AGENT, agent=rest)
            case _:
                raise NotFound
    except ValueError:
        raise NotFound from None
    if found.agent not in set(agents) or name_of_owner(found) != name:
        raise NotFound
    return found


async def list_owners(services: ConsoleServices, agents: Sequence[str], after: str) -> Mapping[str, Any]:
    """Return a page of memory owners with counts of their memories. Costs a read for each owner and each agent."""
    page = await FirestoreMemories(services.client).owners(agents, after, OWNERS_PER_PAGE)
    known = {agent: await access_list_of(services, agent) for agent in {owner.agent for owner, _ in page.owners}}
    items = [_counts(owner, memories, known[owner.agent]) for owner, memories in page.owners]
    return {"items": [one for one in items if one["count"] or one["quoted"]], "next": page.next_after}


def _counts(owner: MemoryOwner, memories: Sequence[Memory], known: AccessList) -> dict[str, Any]:
    kept = [one for one in memories if one.forgotten_at is None]
    changed = max((one.changed_at for one in kept), default=None)
    return {
        **describe_owner(owner, known, kept),
        "count": sum(not one.outside for one in kept),
        "quoted": sum(bool(one.outside) for one in kept),
        "changed_at": changed.isoformat() if changed else None,
    }


def describe_owner(owner: MemoryOwner, known: AccessList, memories: Sequence[Memory] = ()) -> dict[str, Any]:
    """Return a memory owner as JSON for the page: scope, name, and whether it is the person who uses the console."""
    return {
        "owner": name_of_owner(owner),
        "scope": owner.scope.value,
        "agent": owner.agent,
        "id": str(owner.person or owner.chat_id or ""),
        "name": _name(owner, known, memories),
        "is_you": owner.person > 0 and owner.person == known.owner,
    }


def _name(owner: MemoryOwner, known: AccessList, memories: Sequence[Memory]) -> str:
    newest = sorted(memories, key=lambda one: one.changed_at, reverse=True)
    if owner.scope is MemoryScope.PERSON:
        listed = known.people.get(owner.person) or known.blocked.get(owner.person)
        names = (one.source.name for one in newest if one.source.person == owner.person and one.source.name)
        return listed.name if listed and listed.name else next(names, "")
    group = known.groups.get(owner.chat_id)
    titles = (one.source.title for one in newest if one.source.title)
    return group.title if group and group.title else next(titles, "") if owner.chat_id else ""


async def read_memories(services: ConsoleServices, owner: MemoryOwner) -> Mapping[str, Any]:
    """Return one owner's memories in three lists, and the open offers to remember something.

    The lists are ordinary memories, memories from quoted text, and memories in the persona's files (curated). Costs a
    read for the memories, one for the access list, and one for each chat of the owner.
    """
    owned = MemoriesByOwner(await FirestoreMemories(services.client).of([owner]))
    known, chats = await access_list_of(services, owner.agent), await chats_of(services, owner)
    kept = owned.of(owner)
    described = describe_owner(owner, known, kept)
    titles = [chat.title for chat in chats if chat.title and chat.key == chat.key.group]
    if owner.scope is MemoryScope.CHAT and titles:
        described["name"] = titles[0]
    offers = [one for chat in chats for one in offers_in(chat, services.clock()) if one.is_about(owner, owned)]
    return {
        **described,
        "most": services.knowledge.person_memories,
        "items": [_memory_item(one, owner, known) for one in reversed(kept) if not one.outside],
        "quoted": [_memory_item(one, owner, known) for one in reversed(kept) if one.outside],
        "curated": list(_curated_rows(services, owner)),
        "offers": [_offer_item(one) for one in offers],
        "forgotten": len(owned.forgotten_marks(owner)),
    }


def _memory_item(memory: Memory, owner: MemoryOwner, known: AccessList) -> dict[str, Any]:
    source = memory.source
    return {
        "id": memory.id,
        "text": memory.text,
        "made_at": memory.made_at.isoformat(),
        "changed_at": memory.changed_at.isoformat(),
        "used_at": memory.used_at.isoformat() if memory.used_at else None,
        "is_for_groups": memory.is_for_groups,
        "may_share": may_share(memory, owner, known.owner),
        "outside": memory.outside,
        "said_by": source.name or name_of_person(source.person, known),
        "said_by_others": len(memory.also_by),
        "said_in": source.title,
        "is_private": not source.title,
        "conversation": source.conversation,
        "seq": source.seq,
        "link": _link(memory),
        "moves": [describe_owner(one, known) for one in _targets(memory, owner, known)],
    }


def name_of_person(person: int, known: AccessList) -> str:
    """Return a person's name in an agent's access list; "" if they are not listed."""
    listed = known.people.get(person) or known.blocked.get(person)
    return listed.name if listed else ""


def _link(memory: Memory) -> str:
    try:
        return message_link(chat_of(memory.source.place), memory.source.message_id)
    except ValueError:
        return ""


def _targets(memory: Memory, owner: MemoryOwner, known: AccessList) -> Iterator[MemoryOwner]:
    """Yield the owners to whom a memory can be moved: the agent, the people who said it, and groups."""
    people = dict.fromkeys(one for one in (memory.source.person, *memory.also_by) if one > 0)
    candidates = [MemoryOwner(scope=MemoryScope.AGENT, agent=owner.agent)]
    candidates += [MemoryOwner(scope=MemoryScope.PERSON, agent=owner.agent, person=one) for one in people]
    groups = dict.fromkeys((*_groups_of(memory), *(ChatKey(agent=owner.agent, chat_id=one) for one in known.groups)))
    candidates += [memories_of_chat(one) for one in groups]
    yield from (one for one in candidates if not reason_not_to_move(memory, owner, one, known.owner))


def _groups_of(memory: Memory) -> Iterator[ChatKey]:
    for place in (memory.source.place, *memory.places):
        try:
            key = chat_of(place)
        except ValueError:
            continue
        if not key.is_private:
            yield key


def _curated_rows(services: ConsoleServices, owner: MemoryOwner) -> Iterator[dict[str, Any]]:
    """Yield the memories about this owner in the persona's files, each with the name of its file."""
    if owner.scope is MemoryScope.CHAT:
        return
    for folder in services.agent_folders:
        if (folder / owner.agent / "agent.md").is_file():
            for one in load_memories(folder / owner.agent / "memory"):
                if one.person in {0, owner.person}:
                    name = f"{one.person or EVERYONE}.md"
                    yield {
                        "text": one.text,
                        "file": f"agents/{owner.agent}/memory/{name}",
                        "is_for_all": not one.person,
                    }
            return


def _offer_item(offer: MemoryOffer) -> dict[str, Any]:
    wish = offer.wish
    return {
        "chat": offer.chat.key.id,
        "keyboard": offer.keyboard,
        "place": offer.place,
        "text": wish.text,
        "memory": wish.memory or wish.instead_of,
        "scope": wish.scope.value,
        "at": offer.at.isoformat(),
        "said_in": "" if offer.chat.key.is_private else offer.chat.title,
    }


async def chats_of(services: ConsoleServices, owner: MemoryOwner) -> Sequence[Chat]:
    """Return the chats where offers for this owner may be open: a person's private chat, or a group with its topics."""
    chat_id = owner.person or owner.chat_id
    if not chat_id:
        return await owners_chats(services, owner.agent)
    return await _chats(services, owner.agent, chat_id)


async def owners_chats(services: ConsoleServices, agent: str) -> Sequence[Chat]:
    """Return the private chats of the agent's owner, in which the agent offers to remember facts for everyone."""
    owner = (await access_list_of(services, agent)).owner
    return await _chats(services, agent, owner) if owner else ()


async def _chats(services: ConsoleServices, agent: str, chat_id: int) -> Sequence[Chat]:
    from shared.chat.store.queries import CHATS_OF_ID

    query = CHATS_OF_ID.on(services.client, chat_id).limit(MOST_CHATS)
    with translate_errors("find the chats of a person"):
        found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
    chats = [chat for one in found if (chat := decode_chat(one.to_dict())) is not None]
    return [one for one in chats if one.key.agent == agent]


async def find_chat(services: ConsoleServices, chat: str, agents: Collection[str]) -> Chat:
    """Return a chat of these agents by the id of its document. Raises NotFound."""
    key = own_chat(chat, agents)
    with translate_errors("read a chat"):
        found = await services.client.document(paths.chat_path(key)).get(retry=RETRY, timeout=CALL_SECONDS)
    known = decode_chat(found.to_dict())
    if known is None:
        raise NotFound
    return known


def decode_chat(document: dict[str, Any] | None) -> Chat | None:
    """Return the chat in a document; None without a document, or if this version cannot read it."""
    try:
        return Chat.model_validate(document) if document else None
    except ValidationError:
        return None


async def change_memories(
    services: ConsoleServices, owners: Sequence[MemoryOwner], change: Callable[[MemoriesByOwner], OwnerChange]
) -> tuple[MemoriesByOwner, MemoriesByOwner]:
    """Apply `change` to the memories of these owners. Return the memories before and after.

    Raises BadRequest with the reason if the change is refused. The call may be repeated.
    """
    store = FirestoreMemories(services.client)
    before = MemoriesByOwner(await store.of(tuple(dict.fromkeys(owners))))
    after = change(before)
    if isinstance(after, RefusedMemory):
        raise BadRequest(after.why, count=LONGEST_MEMORY)
    await store.change(memory_changes(before, after))
    return before, after


def seal_undo(secret: str, undo: Mapping[str, Any]) -> dict[str, str]:
    """Return the data for undoing a change, signed, so that the page cannot forge who said what, and where."""
    return {"sealed": URLSafeTimedSerializer(secret, salt="undo").dumps(undo)}


def open_undo(secret: str, sealed: object) -> Mapping[str, Any]:
    """Return the data for undoing a change. Raises BadRequest if it was altered or is too old."""
    try:
        opened: Mapping[str, Any] = URLSafeTimedSerializer(secret, salt="undo").loads(str(sealed), UNDO_SECONDS)
    except BadData:
        raise BadRequest("undo_too_late") from None
    return opened


def memory_before(owner: MemoryOwner, stored: object) -> Memory:
    """Decode a memory from the data for undoing a change of this owner's memories. Raises BadRequest."""
    try:
        memory = Memory.model_validate(stored)
    except ValidationError:
        raise BadRequest("undo_too_late") from None
    if memory.scope is not owner.scope or not _is_of_agent(memory, owner.agent):
        raise BadRequest("undo_too_late")
    return memory


async def undo_change(
    services: ConsoleServices, owner: MemoryOwner, moved_to: MemoryOwner | None, memory: Memory
) -> None:
    """Restore a memory as it was before a change, and remove it from `moved_to` if it was moved. Raises BadRequest."""
    most = services.knowledge.person_memories
    owners = [owner, *([moved_to] if moved_to is not None else [])]
    await change_memories(services, owners, lambda owned: put_memory_back(owned, owner, memory, most))


def _is_of_agent(memory: Memory, agent: str) -> bool:
    return all(place.rpartition(".")[0] == agent for place in (memory.source.place, *memory.places))


async def owner_of_agent(services: ConsoleServices, agent: str) -> int:
    """Return the id of an agent's owner; 0 if nobody has claimed it."""
    return (await access_list_of(services, agent)).owner


async def access_list_of(services: ConsoleServices, agent: str) -> AccessList:
    """Return an agent's access list. Costs a read."""
    return await FirestoreAccessLists(services.client, services.clock).access_list(agent)
