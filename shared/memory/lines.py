"""Telling: how the model is told of what is remembered."""

import re
from collections.abc import Collection, Iterator
from datetime import tzinfo
from typing import Final

from shared.values.agent import CuratedMemory
from shared.values.memory import Memory, MemoryScope, VisibleMemories
from shared.values.origin import OWN, Passage, TextOrigin, TextSource

#: a name among other words: without brackets, colons and the like, which have a meaning there
_NAME: Final = re.compile(r"[\w'’.-]+")
LONGEST_NAME: Final = 40
#: what of an answer is from outside
QUOTED = "what words from outside asked to remember"


def common_passages(known: VisibleMemories, owner: int, zone: tzinfo) -> Iterator[Passage]:
    """What is known whoever is answered: the persona's own, the agent's, the chat's."""
    yield from (Passage(text=_curated_line(one), source=OWN) for one in known.curated)
    yield from (_passage(one, owner, zone) for one in known.common)


def personal_passages(known: VisibleMemories, owner: int, zone: tzinfo) -> Iterator[Passage]:
    """What is known of whoever is answered. Of what was quoted it is told only how many there are.

    Its text would be words from outside in every prompt of that person from then on.
    """
    yield from (_passage(one, owner, zone) for one in known.personal)
    if known.quoted:
        count = len(known.quoted)
        told = f"({count} more {'is' if count == 1 else 'are'} kept of what others' words asked to remember)"
        yield Passage(text=told, source=OWN)


def full_note(scope: MemoryScope, most: int) -> str:
    """The note that no more memories of a scope have room."""
    whose = {MemoryScope.CHAT: "this chat", MemoryScope.AGENT: "what everyone may know"}.get(scope, "one of them")
    return (
        f"({most} facts of {whose} are kept, and no more have room: for a new one they are asked by buttons what to "
        "forget. Until they choose it is not remembered, so do not say that it is)"
    )


def memory_line(memory: Memory, zone: tzinfo) -> str:
    """A memory with its id, whose it is, and when it was said."""
    who = _plain(memory.source.name) or "someone"
    scope = {MemoryScope.CHAT: ", of this chat", MemoryScope.AGENT: ", for everyone"}.get(memory.scope, "")
    return f"{memory.id} ({who}, {memory.changed_at.astimezone(zone):%Y-%m-%d}{scope}): {memory.text}"


def memory_details(memory: Memory, zone: tzinfo, places: Collection[str] = ()) -> str:
    """A memory with where it was said, too, and whether groups may know it.

    `places`: those of the group where it is told; one that was said elsewhere first tells nothing of that there. None:
    it is told in private.
    """
    source = memory.source
    is_elsewhere = bool(places) and source.place not in places
    where = "" if is_elsewhere else f'in the group "{_plain(source.title)}"' if source.title else "in a private chat"
    marks = (
        where,
        "groups may know it" if memory.is_for_groups else "",
        f"quoted: {memory.outside}" if memory.outside else "",
    )
    told = "; ".join(filter(None, marks))
    return f"{memory_line(memory, zone)} [{told}]" if told else memory_line(memory, zone)


def _passage(memory: Memory, owner: int, zone: tzinfo) -> Passage:
    person = memory.source.person
    # nobody but the owner has everyone know something, be it an owner of before
    is_owners = memory.scope is MemoryScope.AGENT or (person and person == owner)
    origin = TextOrigin.OWNER if is_owners else TextOrigin.PERSON
    return Passage(text=memory_line(memory, zone), source=TextSource(origin=origin, person=person))


def _curated_line(one: CuratedMemory) -> str:
    return f"(always) {one.text}"


def _plain(name: str) -> str:
    return " ".join(_NAME.findall(name))[:LONGEST_NAME].rstrip()
