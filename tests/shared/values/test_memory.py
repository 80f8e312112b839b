"""The places in which a memory is known."""

from datetime import UTC, datetime

import pytest

from shared.values.memory import Memory, MemoryScope, MemorySource

AT = datetime(2026, 11, 1, tzinfo=UTC)


def memory(place: str, scope: MemoryScope = MemoryScope.PERSON, *, is_for_groups: bool = False) -> Memory:
    source = MemorySource(place=place, person=5)
    text = "likes tea"
    return Memory(id="m", text=text, scope=scope, source=source, made_at=AT, changed_at=AT, is_for_groups=is_for_groups)


@pytest.mark.parametrize("place", ["lull.5", "lull.-100"])
def test_in_private_a_person_s_memories_are_known_wherever_they_were_said(place: str) -> None:
    assert memory(place).is_known_in("lull.5", is_private=True)


def test_a_group_knows_what_was_said_in_it_and_not_what_was_said_in_private() -> None:
    assert memory("lull.-100").is_known_in("lull.-100", is_private=False)
    assert not memory("lull.5").is_known_in("lull.-100", is_private=False)
    assert not memory("lull.-200").is_known_in("lull.-100", is_private=False)


def test_what_is_for_groups_is_known_in_them() -> None:
    assert memory("lull.5", is_for_groups=True).is_known_in("lull.-100", is_private=False)


def test_what_the_owner_told_the_agent_is_known_everywhere() -> None:
    assert memory("lull.5", MemoryScope.AGENT).is_known_in("lull.-100", is_private=False)
