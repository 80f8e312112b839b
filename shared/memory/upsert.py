"""Upsert: what a plan wants remembered or forgotten becomes a change of the memories, or is refused with the reason.

Whose word something is decides, never what the model says of it: `WishContext` tells who said it and what the plan saw.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias

from shared.base.language.likeness import says_the_same
from shared.base.text import abridged
from shared.memory.by_owner import MemoriesByOwner
from shared.memory.forgotten import drop_marks_said_again, forget_memory
from shared.memory.visible import MemoryAudience, visible_memories
from shared.values.evolve import evolve
from shared.values.memory import LONGEST_MEMORY, Memory, MemoryOwner, MemoryScope, MemorySource, MemoryWish

#: of one owner, without those that were quoted; and of those, which so never push out what somebody said themselves
MOST_MEMORIES: Final = 50
MOST_QUOTED: Final = 10

NO_SUCH: Final = "There is no memory of that id here. Take the id from [memory], or leave it out for a new one."
NOT_THEIRS: Final = "That memory is somebody else's: only who it is about may have it changed or forgotten."
OWNER_ALONE: Final = (
    "What is known to everyone is what the agent's owner says, in a private chat and before anything is looked up or "
    "quoted. Remember it with another `scope`, or not at all."
)
NOBODY: Final = "Nobody knows whom that is about: name the message that says so by its `message_id`."
NOT_SENT: Final = "What a page, a file or a forward asks to remember is kept for nobody but who sent it."
NOTHING: Final = "There is nothing to remember: write the fact in `text`."
FULL: Final = (
    "There is no room for another fact. They are asked by buttons what to forget for it; until then it is not "
    "remembered."
)
AFTER_OUTSIDE: Final = "After text from outside only a new memory of whoever is answered may be made."


@dataclass(frozen=True, kw_only=True)
class WishContext:
    """Whose word it is, and what the plan had seen that wants it remembered."""

    source: MemorySource
    now: datetime
    #: the id of a new memory: the same if the same plan is carried out twice
    new_id: str
    #: the id of the agent's owner; 0: nobody's is known
    owner: int = 0
    #: what the plan saw from outside, in lull's own words; empty: nothing
    outside: str = ""
    #: whether it saw other people's words, or what a tool found
    is_mixed: bool = False
    most: int = MOST_MEMORIES


@dataclass(frozen=True)
class RefusedMemory:
    """Why nothing is remembered or forgotten, as a sentence for the model that quotes nobody."""

    why: str


@dataclass(frozen=True)
class MemoryFull(RefusedMemory):
    """There is no room; the memories of the same owner, those that were of no use for longest first."""

    kept: tuple[Memory, ...] = ()


WishOutcome: TypeAlias = MemoriesByOwner | RefusedMemory


def apply_wish(owned: MemoriesByOwner, here: MemoryAudience, wish: MemoryWish, saying: WishContext) -> WishOutcome:
    """The memories as a wish leaves them; the same wish again changes nothing."""
    if wish.is_for_groups and not _is_own_word(here, saying):
        wish = replace(wish, is_for_groups=None)
    if wish.memory:
        return _change(owned, here, wish, saying)
    if wish.instead_of:
        return _exchange(owned, here, wish, saying)
    if not wish.text.strip():
        return RefusedMemory(NOTHING)
    owner = _owner_of(here, wish, saying)
    return owner if isinstance(owner, RefusedMemory) else _add(owned, owner, wish, saying)


def _owner_of(here: MemoryAudience, wish: MemoryWish, saying: WishContext) -> MemoryOwner | RefusedMemory:
    """Whose a new memory is."""
    if wish.scope is MemoryScope.AGENT:
        return here.agents if _is_owners_word(here, saying) else RefusedMemory(OWNER_ALONE)
    if wish.scope is MemoryScope.CHAT and here.chats:
        return RefusedMemory(AFTER_OUTSIDE) if saying.outside else here.chats[0]
    if saying.source.person not in here.known_people:
        return RefusedMemory(NOBODY)
    return here.person(saying.source.person)


def _is_owners_word(here: MemoryAudience, saying: WishContext) -> bool:
    """Whether the agent's owner says it, and nobody else can have had a word in it: so never in a group."""
    return saying.owner > 0 and saying.source.person == saying.owner and _is_own_word(here, saying)


def _is_own_word(here: MemoryAudience, saying: WishContext) -> bool:
    return here.key.is_private and not saying.outside and not saying.is_mixed


def _change(owned: MemoriesByOwner, here: MemoryAudience, wish: MemoryWish, saying: WishContext) -> WishOutcome:
    """One memory with another text, or without it; of those that are shown here, and only one's own."""
    known = visible_memories(owned, here)
    shown = {one.id for one in (*known.listed, *known.quoted)}
    found = owned.find(wish.memory) if wish.memory in shown else None
    if found is None:
        return RefusedMemory(NO_SUCH)
    if saying.outside:
        return RefusedMemory(AFTER_OUTSIDE)
    owner, memory = found
    if owner.scope is MemoryScope.AGENT and not _is_owners_word(here, saying):
        return RefusedMemory(OWNER_ALONE)
    if owner.scope is MemoryScope.PERSON and owner.person != saying.source.person:
        return RefusedMemory(NOT_THEIRS)
    rest = tuple(one for one in owned.of(owner) if one.id != memory.id)
    if not wish.text.strip():
        return forget_memory(owned, owner, memory, saying.now)
    return _add(owned.with_own(owner, rest), owner, wish, saying, memory)


def _exchange(owned: MemoriesByOwner, here: MemoryAudience, wish: MemoryWish, saying: WishContext) -> WishOutcome:
    """A new one in the room of one that its person gives up; for what is known by now nothing is given up."""
    new, found = replace(wish, instead_of=""), owned.find(wish.instead_of)
    if found is None or any(says_the_same(one.text, wish.text) for one in owned.of(found[0])):
        return apply_wish(owned, here, new, saying)
    freed = _change(owned, here, MemoryWish(memory=wish.instead_of), saying)
    return freed if isinstance(freed, RefusedMemory) else apply_wish(freed, here, new, saying)


def _add(
    owned: MemoriesByOwner, owner: MemoryOwner, wish: MemoryWish, saying: WishContext, old: Memory | None = None
) -> WishOutcome:
    """The owner's memories with one more, or with a new version of an old one.

    Those that say the same become one. Any other stays, however many of its words the new one has: "Ann's son is
    allergic to nuts" takes nothing from "Ann is allergic to nuts". What has changed is told by its id.
    """
    new = _new(owner, wish, saying, old)
    kept = owned.of(owner)
    same = next((one for one in kept if says_the_same(one.text, new.text)), None)
    if same is not None and new.outside:
        return owned
    if same is not None:
        new = _as_one(same, new, wish.is_for_groups)
    said = [one for one in kept if not one.outside]
    is_more = old is None and not new.outside and (same is None or bool(same.outside))
    if is_more and len(said) >= saying.most:
        return MemoryFull(FULL, tuple(sorted(said, key=lambda one: (one.useful_at, one.made_at))))
    gone = {new.id, *((same.id,) if same is not None else ())}
    rest = (*(one for one in kept if one.id not in gone), new)
    return drop_marks_said_again(owned.with_own(owner, _that_fit(rest)), owner, new.text)


def _new(owner: MemoryOwner, wish: MemoryWish, saying: WishContext, old: Memory | None) -> Memory:
    text = abridged(" ".join(wish.text.split()), LONGEST_MEMORY)
    memory = Memory(
        id=old.id if old is not None else saying.new_id,
        text=text,
        scope=owner.scope,
        source=saying.source,
        made_at=old.made_at if old is not None else saying.now,
        changed_at=saying.now,
        used_at=old.used_at if old is not None else None,
        # who changed what it says has not said that groups may know that, too
        is_for_groups=bool(wish.is_for_groups) and owner.scope is MemoryScope.PERSON,
        outside=saying.outside,
        elsewhere=wish.elsewhere,
    )
    if old is None or not says_the_same(old.text, text):
        return memory
    return evolve(_as_one(old, memory, wish.is_for_groups), text=text)  # its wording is meant, too


def _as_one(known: Memory, new: Memory, is_for_groups: bool | None) -> Memory:
    """A memory that was said again, as its person said it last; known in all places. What was quoted is said now."""
    if known.outside:
        return evolve(new, id=known.id, made_at=known.made_at)
    places = dict.fromkeys((known.source.place, *known.places, new.source.place))
    others = dict.fromkeys((*known.also_by, new.source.person))
    return evolve(
        known,
        text=new.text if known.source.person == new.source.person else known.text,
        also_by=tuple(one for one in others if one not in {0, known.source.person}),
        is_for_groups=known.is_for_groups if is_for_groups is None else new.is_for_groups,
        places=tuple(one for one in places if one != known.source.place),
        used_at=new.changed_at if new.changed_at > known.useful_at else known.used_at,
    )


def _that_fit(memories: Sequence[Memory]) -> tuple[Memory, ...]:
    """The memories without the oldest of too many quoted ones; in the order in which they were made."""
    quoted = sorted((one for one in memories if one.outside), key=lambda one: one.made_at)
    gone = {one.id for one in quoted[: max(0, len(quoted) - MOST_QUOTED)]}
    return tuple(sorted((one for one in memories if one.id not in gone), key=lambda one: (one.made_at, one.id)))
