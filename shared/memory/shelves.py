"""Shelves: the memories that were read, by whose they are, and what was changed of them since."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from shared.models.memory import Memory, MemoryChange, MemoryOwner, MemoryScope


@dataclass(frozen=True)
class Shelves:
    """Memories by their owners, oldest first."""

    by_owner: Mapping[MemoryOwner, tuple[Memory, ...]] = field(default_factory=dict)

    def of(self, owner: MemoryOwner) -> tuple[Memory, ...]:
        """Those of one owner."""
        return self.by_owner.get(owner, ())

    def with_own(self, owner: MemoryOwner, memories: tuple[Memory, ...]) -> "Shelves":
        """With other ones of an owner."""
        return replace(self, by_owner={**self.by_owner, owner: memories})

    def find(self, memory_id: str) -> tuple[MemoryOwner, Memory] | None:
        """A memory by its id, with its owner."""
        found = ((owner, one) for owner, some in self.by_owner.items() for one in some if one.id == memory_id)
        return next(found, None)

    def used(self, ids: set[str] | frozenset[str], at: datetime) -> "Shelves":
        """With the moment at which some of them were of use."""
        marked = {
            owner: tuple(one.model_copy(update={"used_at": at}) if one.id in ids else one for one in some)
            for owner, some in self.by_owner.items()
        }
        return replace(self, by_owner=marked)


def for_groups(shelves: Shelves, memory: Memory, *, is_known: bool) -> Shelves:
    """The memories, one of a person's made known to groups, or kept from them, as that person says by a button."""
    found = shelves.find(memory.id)
    if found is None or memory.scope is not MemoryScope.PERSON or memory.outside:
        return shelves
    owner, _ = found
    changed = (
        one.model_copy(update={"is_for_groups": is_known}) if one.id == memory.id else one for one in shelves.of(owner)
    )
    return replace(shelves, by_owner={**shelves.by_owner, owner: tuple(changed)})


def changes(before: Shelves, after: Shelves) -> Iterator[MemoryChange]:
    """What is to be written to make the one of the other."""
    for owner, memories in after.by_owner.items():
        known = {one.id: one for one in before.of(owner)}
        change = MemoryChange(
            owner=owner,
            kept=tuple(one for one in memories if one.id not in known or _is_other(known[one.id], one)),
            gone=tuple(known.keys() - {one.id for one in memories}),
            used=tuple(
                (one.id, one.used_at)
                for one in memories
                if one.used_at is not None and (one.id not in known or known[one.id].used_at != one.used_at)
            ),
        )
        if change.kept or change.gone or change.used:
            yield change


def _is_other(one: Memory, other: Memory) -> bool:
    return one.model_copy(update={"used_at": other.used_at}) != other
