"""Changes that the agent's owner makes to memories in the console: edit, adopt, move, delete, and undo.

In a chat only the person themself may change a memory about them (`upsert.py`). In the console the owner may change
all memories of the agent, but a change never shows a fact to people who may not know it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, TypeAlias

from shared.base.language.likeness import has_same_meaning
from shared.memory.by_owner import MemoriesByOwner, share_with_groups
from shared.memory.forgotten import drop_marks_said_again, forget_memory
from shared.memory.upsert import MOST_MEMORIES, RefusedMemory
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.memory import LONGEST_MEMORY, Memory, MemoryOwner, MemoryScope
from shared.values.place import place_of

#: the reasons for refusing a change: codes of texts of the console's page
GONE: Final = "memory_gone"
EMPTY: Final = "memory_empty"
TOO_LONG: Final = "memory_too_long"
KNOWN_ALREADY: Final = "memory_known_already"
NO_ROOM: Final = "memory_no_room"
NOT_QUOTED: Final = "memory_in_use_already"
THERE_ALREADY: Final = "memory_there_already"
OF_ANOTHER_AGENT: Final = "memory_of_another_agent"
ADOPT_FIRST: Final = "memory_adopt_first"
NOT_YOUR_WORDS: Final = "memory_not_your_words"
NOT_SAID_THERE: Final = "memory_not_said_there"
NOT_THEIR_WORDS: Final = "memory_not_their_words"
NOT_TO_SHARE: Final = "memory_not_to_share"

#: the memories after a change, or the reason for refusing the change, as the code of a text of the console's page
OwnerChange: TypeAlias = MemoriesByOwner | RefusedMemory


def edit_memory(owned: MemoriesByOwner, memory_id: str, text: str, now: datetime) -> OwnerChange:
    """Return the memories after the owner wrote another text for one of them.

    If groups may see the old text, they see the new one only if it means the same, since the person allowed only that.
    """
    found, text = owned.find(memory_id), " ".join(text.split())
    if found is None:
        return RefusedMemory(GONE)
    if not text or len(text) > LONGEST_MEMORY:
        return RefusedMemory(TOO_LONG if text else EMPTY)
    owner, memory = found
    others = _others(owned, owner, memory_id)
    if _says_the_same(others, text):
        return RefusedMemory(KNOWN_ALREADY)
    is_same = has_same_meaning(memory.text, text)
    new = evolve(memory, text=text, changed_at=now, is_for_groups=memory.is_for_groups and is_same)
    return _with_memory(owned.with_own(owner, others), owner, new)


def delete_memory(owned: MemoriesByOwner, memory_id: str, now: datetime) -> OwnerChange:
    """Return the memories without this one. The agent does not learn the fact again from earlier messages."""
    found = owned.find(memory_id)
    return forget_memory(owned, *found, now) if found is not None else RefusedMemory(GONE)


def put_memory_back(
    owned: MemoriesByOwner, owner: MemoryOwner, memory: Memory, most: int = MOST_MEMORIES
) -> OwnerChange:
    """Return the memories with one of them restored, to undo its deletion, edit or move.

    `memory` is the state to restore, and `owner` its owner then. `owned` has the memories of this owner and, if the
    memory was moved, of its present owner.
    """
    others = _others(owned, owner, memory.id)
    if sum(not one.outside for one in others) >= most and not memory.outside:
        return RefusedMemory(NO_ROOM)
    if _says_the_same(others, memory.text):
        return RefusedMemory(KNOWN_ALREADY)
    moved_to = owned.find(memory.id)
    if moved_to is not None and moved_to[0] != owner:
        owned = owned.with_own(moved_to[0], _others(owned, moved_to[0], memory.id))
    marks = tuple(one for one in owned.forgotten_marks(owner) if one.id != memory.id)
    return _with_memory(owned.with_own(owner, others).with_marks(owner, marks), owner, memory)


def adopt_memory(owned: MemoriesByOwner, memory_id: str, now: datetime, most: int = MOST_MEMORIES) -> OwnerChange:
    """Remove a memory's mark "quotes text from outside", as the owner asked. Return the memories, or the refusal."""
    found = owned.find(memory_id)
    if found is None or not found[1].outside:
        return RefusedMemory(GONE if found is None else NOT_QUOTED)
    owner, memory = found
    others = _others(owned, owner, memory_id)
    if _says_the_same([one for one in others if not one.outside], memory.text):
        return RefusedMemory(KNOWN_ALREADY)
    if _is_full(owned, owner, most):
        return RefusedMemory(NO_ROOM)
    return _with_memory(owned.with_own(owner, others), owner, evolve(memory, outside="", changed_at=now))


def may_share(memory: Memory, owner: MemoryOwner, agents_owner: int) -> bool:
    """Return whether the agent's owner may decide if groups see a memory about a person. The memory must be about the
    owner, or groups must be allowed to see it already. Memories that quote text from outside are never shared.
    """
    is_own = owner.person == agents_owner or memory.is_for_groups
    return memory.scope is MemoryScope.PERSON and not memory.outside and is_own


def share_memory(owned: MemoriesByOwner, memory_id: str, is_shared: bool, agents_owner: int) -> OwnerChange:
    """Return the memories after the agent's owner let groups see one of them, or hid it from groups.

    For memories about other people, the owner can only withdraw what these people allowed.
    """
    found = owned.find(memory_id)
    if found is None:
        return RefusedMemory(GONE)
    owner, memory = found
    if not may_share(memory, owner, agents_owner) or (is_shared and owner.person != agents_owner):
        return RefusedMemory(NOT_TO_SHARE)
    return share_with_groups(owned, memory, is_known=is_shared)


def move_memory(
    owned: MemoriesByOwner, memory_id: str, target: MemoryOwner, agents_owner: int, most: int = MOST_MEMORIES
) -> OwnerChange:
    """Return the memories after one of them was moved to another owner: a person, a chat or the agent.

    `agents_owner` is the id of the agent's owner. `owned` has the memories of both owners.
    """
    found = owned.find(memory_id)
    if found is None:
        return RefusedMemory(GONE)
    source, memory = found
    if why := reason_not_to_move(memory, source, target, agents_owner):
        return RefusedMemory(why)
    there = owned.of(target)
    if _says_the_same(there, memory.text) or memory_id in {one.id for one in there}:
        return RefusedMemory(KNOWN_ALREADY)
    if _is_full(owned, target, most):
        return RefusedMemory(NO_ROOM)
    left = owned.with_own(source, _others(owned, source, memory_id))
    return _with_memory(left, target, _moved_memory(memory, target))


def reason_not_to_move(memory: Memory, source: MemoryOwner, target: MemoryOwner, agents_owner: int) -> str:
    """Return the reason why a memory may not be moved to this owner; "" if it may.

    A move must not reveal to others what somebody said in private. A group may get a memory only if the fact was said
    in that group, if the person let groups see it, or if the agent's owner, who moves it, said it. A person may get
    only what they said themself, and the agent only what its owner said.
    """
    said_by = (memory.source.person, *memory.also_by)
    if source == target:
        return THERE_ALREADY
    if source.agent != target.agent:
        return OF_ANOTHER_AGENT
    if memory.outside:
        return ADOPT_FIRST
    is_owners = agents_owner > 0 and memory.source.person == agents_owner
    match target.scope:
        case MemoryScope.AGENT:
            return "" if is_owners else NOT_YOUR_WORDS
        case MemoryScope.CHAT:
            is_known = source.scope is MemoryScope.AGENT or is_owners or memory.is_for_groups
            return "" if is_known or _place_of(target) in (memory.source.place, *memory.places) else NOT_SAID_THERE
        case MemoryScope.PERSON:
            return "" if target.person > 0 and target.person in said_by else NOT_THEIR_WORDS


def _moved_memory(memory: Memory, target: MemoryOwner) -> Memory:
    """Return a memory as it is stored for another owner.

    A group sees a memory only if the memory's places include the group. So a move to a group adds the group's place.
    """
    places = dict.fromkeys((*memory.places, *((_place_of(target),) if target.scope is MemoryScope.CHAT else ())))
    source = memory.source
    if target.scope is MemoryScope.PERSON and source.person != target.person:
        source = evolve(source, person=target.person, name="")
    return evolve(
        memory,
        scope=target.scope,
        source=source,
        places=tuple(one for one in places if one != source.place),
        also_by=tuple(one for one in memory.also_by if one != source.person),
        is_for_groups=memory.is_for_groups and target.scope is MemoryScope.PERSON,
    )


def _place_of(chat: MemoryOwner) -> str:
    return place_of(ChatKey(agent=chat.agent, chat_id=chat.chat_id, topic_id=chat.topic_id))


def _others(owned: MemoriesByOwner, owner: MemoryOwner, memory_id: str) -> tuple[Memory, ...]:
    return tuple(one for one in owned.of(owner) if one.id != memory_id)


def _says_the_same(memories: Sequence[Memory], text: str) -> bool:
    return any(has_same_meaning(one.text, text) for one in memories)


def _is_full(owned: MemoriesByOwner, owner: MemoryOwner, most: int) -> bool:
    return sum(not one.outside for one in owned.of(owner)) >= most


def _with_memory(owned: MemoriesByOwner, owner: MemoryOwner, memory: Memory) -> MemoriesByOwner:
    kept = tuple(sorted((*owned.of(owner), memory), key=lambda one: (one.made_at, one.id)))
    return drop_marks_said_again(owned.with_own(owner, kept), owner, memory.text)
