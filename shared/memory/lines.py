"""Renders memories as lines of a prompt."""

import re
from collections.abc import Collection, Iterator
from datetime import tzinfo
from typing import Final

from shared.values.agent import CuratedMemory
from shared.values.memory import Memory, MemoryScope, VisibleMemories
from shared.values.origin import OWN, Passage, TextOrigin, TextSource

#: the parts of a name that a line may contain. Brackets, colons and the like are left out, since they have a meaning in
#: it
_NAME: Final = re.compile(r"[\w'’.-]+")
LONGEST_NAME: Final = 40
#: label for memories that text from outside asked to store
QUOTED = "what words from outside asked to remember"


def common_passages(known: VisibleMemories, owner: int, zone: tzinfo) -> Iterator[Passage]:
    """Yield the memories that do not depend on who is answered: those of the persona, the agent and the chat."""
    yield from (Passage(text=_curated_line(one), source=OWN) for one in known.curated)
    yield from (_passage(one, owner, zone) for one in known.common)


def personal_passages(known: VisibleMemories, owner: int, zone: tzinfo) -> Iterator[Passage]:
    """Yield the memories of the people who are answered. Memories that repeat untrusted text (which nobody in the chat
    wrote) are only counted, so that such text does not get into every later prompt.
    """
    yield from (_passage(one, owner, zone) for one in known.personal)
    if known.quoted:
        count = len(known.quoted)
        told = f"({count} more {'is' if count == 1 else 'are'} kept of what others' words asked to remember)"
        yield Passage(text=told, source=OWN)


def full_note(scope: MemoryScope, most: int) -> str:
    """Return a note that tells the model that there is no room for another memory of this scope."""
    whose = {MemoryScope.CHAT: "this chat", MemoryScope.AGENT: "what everyone may know"}.get(scope, "one of them")
    return (
        f"({most} facts of {whose} are kept, and no more have room: for a new one they are asked by buttons what to "
        "forget. Until they choose it is not remembered, so do not say that it is)"
    )


def memory_line(memory: Memory, zone: tzinfo) -> str:
    """Return a memory with its id, its author and its date."""
    who = _plain(memory.source.name) or "someone"
    scope = {MemoryScope.CHAT: ", of this chat", MemoryScope.AGENT: ", for everyone"}.get(memory.scope, "")
    return f"{memory.id} ({who}, {memory.changed_at.astimezone(zone):%Y-%m-%d}{scope}): {memory.text}"


def memory_details(memory: Memory, zone: tzinfo, places: Collection[str] = ()) -> str:
    """Return a memory with the chat in which it was said, and whether groups may know it.

    `places` are the present and the earlier place (`place_of`) of the group in which the memory is shown; () for a
    private chat. A group does not learn in which other chat a memory was said.
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
    # only the agent's owner, or an earlier owner, can store a memory for everyone
    is_owners = memory.scope is MemoryScope.AGENT or (person and person == owner)
    origin = TextOrigin.OWNER if is_owners else TextOrigin.PERSON
    return Passage(text=memory_line(memory, zone), source=TextSource(origin=origin, person=person))


def _curated_line(one: CuratedMemory) -> str:
    return f"(always) {one.text}"


def _plain(name: str) -> str:
    return " ".join(_NAME.findall(name))[:LONGEST_NAME].rstrip()
