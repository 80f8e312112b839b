"""Memories grouped by owner, and the changes that turn one such set of memories into another."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from shared.values.evolve import evolve
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope


@dataclass(frozen=True)
class MemoriesByOwner:
    """Memories by owner (person, chat or agent), oldest first. A forgotten fact leaves a "mark": hashes of words."""

    by_owner: Mapping[MemoryOwner, tuple[Memory, ...]] = field(default_factory=dict)

    def of(self, owner: MemoryOwner) -> tuple[Memory, ...]:
        """Return the memories of one owner."""
        return tuple(one for one in self.by_owner.get(owner, ()) if one.forgotten_at is None)

    def forgotten_marks(self, owner: MemoryOwner) -> tuple[Memory, ...]:
        """Return the marks that identify an owner's forgotten facts."""
        return tuple(one for one in self.by_owner.get(owner, ()) if one.forgotten_at is not None)

    def with_own(self, owner: MemoryOwner, memories: tuple[Memory, ...]) -> "MemoriesByOwner":
        """Return a copy in which `memories` replace the owner's memories."""
        return replace(self, by_owner={**self.by_owner, owner: (*memories, *self.forgotten_marks(owner))})

    def with_marks(self, owner: MemoryOwner, marks: tuple[Memory, ...]) -> "MemoriesByOwner":
        """Return a copy in which `marks` replace the owner's marks of forgotten facts."""
        return replace(self, by_owner={**self.by_owner, owner: (*self.of(owner), *marks)})

    def find(self, memory_id: str) -> tuple[MemoryOwner, Memory] | None:
        """Return the memory with this id, and its owner; None if there is none."""
        found = ((owner, one) for owner in self.by_owner for one in self.of(owner) if one.id == memory_id)
        return next(found, None)

    def with_use(self, ids: set[str] | frozenset[str], at: datetime) -> "MemoriesByOwner":
        """Return a copy in which the memories with these ids were last used at `at`."""
        marked = {
            owner: tuple(evolve(one, used_at=at) if one.id in ids else one for one in some)
            for owner, some in self.by_owner.items()
        }
        return replace(self, by_owner=marked)


def share_with_groups(owned: MemoriesByOwner, memory: Memory, *, is_known: bool) -> MemoriesByOwner:
    """Return the memories after groups were allowed (`is_known`) or forbidden to see this memory about a person.

    Called only after the person pressed a button, or for the agent's owner in the console.
    """
    found = owned.find(memory.id)
    if found is None or memory.scope is not MemoryScope.PERSON or memory.outside:
        return owned
    owner, _ = found
    changed = (evolve(one, is_for_groups=is_known) if one.id == memory.id else one for one in owned.of(owner))
    return replace(owned, by_owner={**owned.by_owner, owner: tuple(changed)})


def memory_changes(before: MemoriesByOwner, after: MemoriesByOwner) -> Iterator[MemoryChange]:
    """Yield the changes that turn the stored state `before` into `after`."""
    for owner in after.by_owner:
        memories, known = after.of(owner), {one.id: one for one in before.of(owner)}
        marks, marked = after.forgotten_marks(owner), {one.id for one in before.forgotten_marks(owner)}
        change = MemoryChange(
            owner=owner,
            kept=tuple(one for one in memories if one.id not in known or _is_other(known[one.id], one)),
            gone=tuple(known.keys() - {one.id for one in memories}),
            used=tuple(
                (one.id, one.used_at)
                for one in memories
                if one.used_at is not None and (one.id not in known or known[one.id].used_at != one.used_at)
            ),
            forgotten=tuple(one for one in marks if one.id not in marked),
            renewed=tuple(marked - {one.id for one in marks}),
        )
        if change.kept or change.gone or change.used or change.forgotten or change.renewed:
            yield change


def _is_other(one: Memory, other: Memory) -> bool:
    return evolve(one, used_at=other.used_at) != other
