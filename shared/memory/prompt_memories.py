"""Loads the memories that a prompt shows, and removes forgotten facts from the prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from shared.memory.by_owner import MemoriesByOwner
from shared.memory.forgotten import LEFT, ForgottenFilter, SpokenText, forgotten_filter
from shared.memory.lines import common_passages, full_note, personal_passages
from shared.memory.loaded import LoadedMemories
from shared.memory.upsert import MOST_MEMORIES
from shared.memory.visible import MemoryAudience
from shared.planning.prompt.scene import Scene
from shared.tasks.registry import traits_of
from shared.values.agent import Agent
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.memory import Memory, MemoryOwner, MemoryScope
from shared.values.message import AnyEntry, Edit, Event, Message, QuotedMessage
from shared.values.origin import OWN, Passage, TextOrigin, TextSource
from shared.values.tool_use import ToolUse

if TYPE_CHECKING:
    from shared.memory.store import FirestoreMemories

#: the tool that returns the same memories as the prompt shows
RECALL_FACTS = "recall_facts"
#: how long memories that everyone may know are cached
FRESH = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True)
class MemoryLoader:
    """Loads an agent's memories. `most` is the largest number of memories of one owner."""

    memories: FirestoreMemories
    most: int = MOST_MEMORIES
    #: cached memories that everyone may know, with the time until which they are valid. Reading them for every message
    #: would cost as much as reading those of a person
    _common: dict[MemoryOwner, tuple[datetime, tuple[Memory, ...]]] = field(default_factory=dict, init=False)

    async def of(self, scene: Scene, people: tuple[int, ...], known: LoadedMemories | None) -> LoadedMemories:
        """Return the memories for the content of a prompt (`scene`) and for the people who are answered.

        `known`: the memories after an earlier reply of the same turn, which are not read again. For an agent without
        memory, nothing is read. Raises StoreUnavailable or StoreRefused.
        """
        here = MemoryAudience(key=scene.chat.key, moved_from=scene.chat.moves.moved_from, people=people)
        title = scene.chat.title if scene.chat.kind is not ChatKind.PRIVATE else ""
        found = LoadedMemories(here=here, curated=scene.agent.memories, title=title, most=self.most)
        if not has_memory(scene.agent):
            return found
        kept = self._fresh(here, scene) if known is None else known.after.by_owner
        missing = [owner for owner in here.owners if owner not in kept]
        read = await self.memories.of(missing) if missing else {}
        if here.agents in read:
            self._common[here.agents] = scene.now + FRESH, read[here.agents]
        if known is None:
            read = {**kept, **read}
            return replace(found, before=MemoriesByOwner(read), after=MemoriesByOwner(read))
        before, after = ({**one.by_owner, **read} for one in (known.before, known.after))
        return replace(found, before=MemoriesByOwner(before), after=MemoriesByOwner(after))

    def _fresh(self, here: MemoryAudience, scene: Scene) -> Mapping[MemoryOwner, tuple[Memory, ...]]:
        """Return the cached memories that everyone may know, if they are still valid.

        The agent's owner can change them, so when the owner is answered, the cache is not used.
        """
        until, memories = self._common.get(here.agents, (scene.now, ()))
        is_owners = scene.people.owner in here.people
        return {here.agents: memories} if scene.now < until and not is_owners else {}


def has_memory(agent: Agent) -> bool:
    """Return whether one of the agent's role prompts lets the agent remember facts or look them up."""
    return any(traits_of(kind).uses.memories for kind in agent.kinds) or RECALL_FACTS in agent.tools


def with_memories(scene: Scene, found: LoadedMemories) -> Scene:
    """Return the scene with the memories that may be shown in it, and without forgotten facts.

    In a group, the memories about the answered people come near the end of the prompt, because they differ from answer
    to answer.
    """
    scene = _without_forgotten(scene, forgotten_filter(found.known))
    common = (
        *common_passages(found.known, scene.people.owner, scene.zone),
        *_full_notes(found, MemoryScope.AGENT, MemoryScope.CHAT),
    )
    of_people = personal_passages(found.known, scene.people.owner, scene.zone)
    personal = (*of_people, *_full_notes(found, MemoryScope.PERSON))
    if scene.chat.key.is_private:
        return replace(scene, earlier=replace(scene.earlier, facts=(*common, *personal)))
    return replace(scene, earlier=replace(scene.earlier, facts=common, of_asked=personal))


def _without_forgotten(scene: Scene, hidden: ForgottenFilter) -> Scene:
    """Return the scene without forgotten facts: they are removed from messages, summaries and digests."""
    if not hidden.facts:
        return scene
    compression = scene.earlier.compression
    if compression is not None:
        compression = evolve(compression, text=hidden.remaining_text(compression.text))
    digests = tuple(evolve(one, text=hidden.remaining_text(one.text)) for one in scene.earlier.digests)
    said = [_spoken_text(one, scene.chat.conversation) for one in scene.entries]
    left = zip(scene.entries, said, hidden.remaining_texts(said), strict=True)
    entries = [
        _with_remaining_text(_without_hidden_quotes(one, hidden), was.text.strip(), text.strip())
        for one, was, text in left
    ]
    earlier = replace(scene.earlier, compression=compression, digests=digests)
    return replace(scene, earlier=earlier, entries=entries)


def _spoken_text(entry: AnyEntry, conversation: str) -> SpokenText:
    if not isinstance(entry, Message | Edit):
        return SpokenText("")
    return SpokenText(entry.text, 0 if entry.author.is_agent else entry.author.id, entry.at, conversation, entry.seq)


def _with_remaining_text(entry: AnyEntry, was: str, text: str) -> AnyEntry:
    """Return the entry with `text`, which is left of its text `was`. If both are equal, return the entry itself."""
    if text == was or not isinstance(entry, Message | Edit):
        return entry
    return evolve(entry, text=text or LEFT, entities=())


def _without_hidden_quotes(entry: AnyEntry, hidden: ForgottenFilter) -> AnyEntry:
    """Return an entry without forgotten facts in any field but its own text, such as quotes, notes and choices."""
    if isinstance(entry, Event):
        return entry if hidden.is_shown(entry.note) else evolve(entry, note=LEFT)
    if not isinstance(entry, Message):
        return entry
    told = {"task": entry.task, "confirms": entry.confirms, "media": entry.media}
    changes: dict[str, object] = {name: "" for name, text in told.items() if not hidden.is_shown(text)}
    if not all(map(hidden.is_shown, entry.choices)):
        changes["choices"] = tuple(one if hidden.is_shown(one) else LEFT for one in entry.choices)
    for name, told_of in (("looked_up", entry.looked_up), ("later", entry.later)):
        texts = [one if isinstance(one, str) else one.text for one in told_of]
        if not all(map(hidden.is_shown, texts)):
            changes[name] = tuple(one for one, text in zip(told_of, texts, strict=True) if hidden.is_shown(text))
    if entry.reply is not None and not all(map(hidden.is_shown, entry.reply.words)):
        changes["reply"] = _without_hidden_words(entry.reply, hidden)
    return entry.model_copy(update=changes) if changes else entry


def _without_hidden_words(quote: QuotedMessage, hidden: ForgottenFilter) -> QuotedMessage:
    """Return a quote without its forgotten facts. Its links are dropped, since their positions change."""
    whole, media = hidden.remaining_text(quote.whole), hidden.remaining_text(quote.media)
    part = hidden.remaining_text(quote.excerpt) if quote.around else ""
    # a quoted part of a removed sentence may have too few of the fact's words to be recognised
    is_kept = not quote.around or part in whole
    return evolve(
        quote,
        excerpt=part if part and is_kept else whole or LEFT,
        around=whole if part and is_kept else "",
        media=media,
        entities=(),
    )


def _full_notes(found: LoadedMemories, *scopes: MemoryScope) -> Iterator[Passage]:
    """Yield a note for each of these scopes in which there is no room for another memory."""
    for scope in scopes:
        if found.is_full(scope):
            yield Passage(text=full_note(scope, found.most), source=OWN)


def has_other_sources(sources: Sequence[TextSource], uses: Sequence[ToolUse], people: Sequence[int]) -> bool:
    """Return whether a plan's model was shown words of people whom the plan does not answer, or results of any tool but
    `recall_facts`.

    Memories that the owner stored for everyone do not count.
    """
    others = {source.person for source in sources if source.origin is TextOrigin.PERSON}.difference(people)
    return bool(others) or any(use.name != RECALL_FACTS for use in uses)
