"""Turns a wish to remember or forget into a change of the memories, or refuses the wish with a reason.

The decision depends on who wrote the words that led to the wish, never on what the model claims. `WishContext` has the
author, and what the plan's model was shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias

from shared.base.language.likeness import has_same_meaning
from shared.base.text import abridge
from shared.memory.by_owner import MemoriesByOwner
from shared.memory.forgotten import drop_marks_said_again, forget_memory
from shared.memory.visible import MemoryAudience, visible_memories
from shared.values.evolve import evolve
from shared.values.memory import LONGEST_MEMORY, Memory, MemoryOwner, MemoryScope, MemorySource, MemoryWish

#: the largest numbers of an owner's ordinary and quoted memories, counted apart so that quoted ones displace no others
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
    """The author and the source of a wish, and what its plan's model was shown."""

    source: MemorySource
    now: datetime
    #: the id of a new memory; if the plan is carried out twice, the id is the same
    new_id: str
    #: id of the agent's owner; 0 if unknown
    owner: int = 0
    #: a description of the text from outside that the model was shown; "" if there was none
    outside: str = ""
    #: whether the model was shown other people's words or tool results
    is_mixed: bool = False
    most: int = MOST_MEMORIES


@dataclass(frozen=True)
class RefusedMemory:
    """The reason for refusing a wish, as a sentence for the model. The sentence quotes nobody."""

    why: str


@dataclass(frozen=True)
class MemoryFull(RefusedMemory):
    """There is no room for another memory. `kept` are the owner's memories, the longest unused first."""

    kept: tuple[Memory, ...] = ()


WishOutcome: TypeAlias = MemoriesByOwner | RefusedMemory


def apply_wish(owned: MemoriesByOwner, audience: MemoryAudience, wish: MemoryWish, context: WishContext) -> WishOutcome:
    """Return the memories with a wish carried out, or the reason to refuse it. The same wish again changes nothing."""
    if wish.is_for_groups and not _is_own_word(audience, context):
        wish = replace(wish, is_for_groups=None)
    if wish.memory:
        return _change(owned, audience, wish, context)
    if wish.instead_of:
        return _exchange(owned, audience, wish, context)
    if not wish.text.strip():
        return RefusedMemory(NOTHING)
    owner = _owner_of(audience, wish, context)
    return owner if isinstance(owner, RefusedMemory) else _add(owned, owner, wish, context)


def _owner_of(audience: MemoryAudience, wish: MemoryWish, context: WishContext) -> MemoryOwner | RefusedMemory:
    """Return the owner of a new memory, or the reason for refusing the wish."""
    if wish.scope is MemoryScope.AGENT:
        return audience.agents if _is_owners_word(audience, context) else RefusedMemory(OWNER_ALONE)
    if wish.scope is MemoryScope.CHAT and audience.chats:
        return RefusedMemory(AFTER_OUTSIDE) if context.outside else audience.chats[0]
    if context.source.person not in audience.known_people:
        return RefusedMemory(NOBODY)
    return audience.person(context.source.person)


def _is_owners_word(audience: MemoryAudience, context: WishContext) -> bool:
    """Return whether only the agent's owner can have caused the wish. In a group, the result is always False."""
    return context.owner > 0 and context.source.person == context.owner and _is_own_word(audience, context)


def _is_own_word(audience: MemoryAudience, context: WishContext) -> bool:
    return audience.key.is_private and not context.outside and not context.is_mixed


def _change(owned: MemoriesByOwner, audience: MemoryAudience, wish: MemoryWish, context: WishContext) -> WishOutcome:
    """Change or forget a memory that is shown in this chat, if the author of the wish may change it."""
    known = visible_memories(owned, audience)
    shown = {one.id for one in (*known.listed, *known.quoted)}
    found = owned.find(wish.memory) if wish.memory in shown else None
    if found is None:
        return RefusedMemory(NO_SUCH)
    if context.outside:
        return RefusedMemory(AFTER_OUTSIDE)
    owner, memory = found
    if owner.scope is MemoryScope.AGENT and not _is_owners_word(audience, context):
        return RefusedMemory(OWNER_ALONE)
    if owner.scope is MemoryScope.PERSON and owner.person != context.source.person:
        return RefusedMemory(NOT_THEIRS)
    rest = tuple(one for one in owned.of(owner) if one.id != memory.id)
    if not wish.text.strip():
        return forget_memory(owned, owner, memory, context.now)
    return _add(owned.with_own(owner, rest), owner, wish, context, memory)


def _exchange(owned: MemoriesByOwner, audience: MemoryAudience, wish: MemoryWish, context: WishContext) -> WishOutcome:
    """Forget the memory that a person gives up, and store the new one. If the person has another memory with the same
    meaning as the new one, nothing is given up.
    """
    new, found = replace(wish, instead_of=""), owned.find(wish.instead_of)
    if found is None or any(has_same_meaning(one.text, wish.text) for one in owned.of(found[0])):
        return apply_wish(owned, audience, new, context)
    freed = _change(owned, audience, MemoryWish(memory=wish.instead_of), context)
    return freed if isinstance(freed, RefusedMemory) else apply_wish(freed, audience, new, context)


def _add(
    owned: MemoriesByOwner, owner: MemoryOwner, wish: MemoryWish, context: WishContext, old: Memory | None = None
) -> WishOutcome:
    """Return the owner's memories with a new one, or with a new version of `old`.

    Memories with the same meaning are merged. Others stay, however many words they share: "Ann's son is allergic to
    nuts" does not replace "Ann is allergic to nuts". To change a fact, a wish names the memory's id.
    """
    new = _new(owner, wish, context, old)
    kept = owned.of(owner)
    same = next((one for one in kept if has_same_meaning(one.text, new.text)), None)
    if same is not None and new.outside:
        return owned
    if same is not None:
        new = _as_one(same, new, wish.is_for_groups)
    said = [one for one in kept if not one.outside]
    is_more = old is None and not new.outside and (same is None or bool(same.outside))
    if is_more and len(said) >= context.most:
        return MemoryFull(FULL, tuple(sorted(said, key=lambda one: (one.useful_at, one.made_at))))
    gone = {new.id, *((same.id,) if same is not None else ())}
    rest = (*(one for one in kept if one.id not in gone), new)
    return drop_marks_said_again(owned.with_own(owner, _within_quota(rest)), owner, new.text)


def _new(owner: MemoryOwner, wish: MemoryWish, context: WishContext, old: Memory | None) -> Memory:
    text = abridge(" ".join(wish.text.split()), LONGEST_MEMORY)
    memory = Memory(
        id=old.id if old is not None else context.new_id,
        text=text,
        scope=owner.scope,
        source=context.source,
        made_at=old.made_at if old is not None else context.now,
        changed_at=context.now,
        used_at=old.used_at if old is not None else None,
        # the person who changes the text has not allowed groups to see the new text
        is_for_groups=bool(wish.is_for_groups) and owner.scope is MemoryScope.PERSON,
        outside=context.outside,
        elsewhere=wish.elsewhere,
    )
    if old is None or not has_same_meaning(old.text, text):
        return memory
    return evolve(_as_one(old, memory, wish.is_for_groups), text=text)  # the new wording was asked for


def _as_one(known: Memory, new: Memory, is_for_groups: bool | None) -> Memory:
    """Return a known memory merged with a new one of the same meaning. Both chats in which it was said are kept, and
    the new wording if the same person stated both. A quoted memory becomes an ordinary one.
    """
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


def _within_quota(memories: Sequence[Memory]) -> tuple[Memory, ...]:
    """Return the memories in order. Of the quoted ones, only the newest are kept, at most MOST_QUOTED."""
    quoted = sorted((one for one in memories if one.outside), key=lambda one: one.made_at)
    gone = {one.id for one in quoted[: max(0, len(quoted) - MOST_QUOTED)]}
    return tuple(sorted((one for one in memories if one.id not in gone), key=lambda one: (one.made_at, one.id)))
