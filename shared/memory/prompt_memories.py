"""Recollecting: the memories that a prompt shows are read before it, and changed once its whole reply is valid."""

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

#: what it answers is what the prompt's own memories are
RECALL_FACTS = "recall_facts"
#: what everyone may know is as good as new for so long
FRESH = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True)
class MemoryLoader:
    """Where an agent's memories are, and how many of each owner's are kept."""

    memories: FirestoreMemories
    most: int = MOST_MEMORIES
    #: by agent, what everyone may know and until when that is fresh: read for each message it would cost as much as the
    #: memories of a person
    _common: dict[MemoryOwner, tuple[datetime, tuple[Memory, ...]]] = field(default_factory=dict, init=False)

    async def of(self, scene: Scene, people: tuple[int, ...], known: LoadedMemories | None) -> LoadedMemories:
        """What is remembered where a scene plays, for whom it answers; `known`: what an earlier reply left.

        Nothing is read for an agent that cannot remember. Raises StoreUnavailable or StoreRefused.
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
        """What everyone may know, if it is known well enough; the owner, who changes it, sees it as it is."""
        until, memories = self._common.get(here.agents, (scene.now, ()))
        is_owners = scene.people.owner in here.people
        return {here.agents: memories} if scene.now < until and not is_owners else {}


def has_memory(agent: Agent) -> bool:
    """Whether a role prompt lets the agent remember, or look up what it did."""
    return any(traits_of(kind).uses.memories for kind in agent.kinds) or RECALL_FACTS in agent.tools


def with_memories(scene: Scene, found: LoadedMemories) -> Scene:
    """The scene with what is remembered of those in it.

    In a group, what is known of whoever is answered stands near the end: it changes with each who is.
    """
    scene = _without_forgotten(scene, forgotten_filter(found.known))
    common = (
        *common_passages(found.known, scene.people.owner, scene.zone),
        *_full(found, MemoryScope.AGENT, MemoryScope.CHAT),
    )
    personal = (*personal_passages(found.known, scene.people.owner, scene.zone), *_full(found, MemoryScope.PERSON))
    if scene.chat.key.is_private:
        return replace(scene, earlier=replace(scene.earlier, facts=(*common, *personal)))
    return replace(scene, earlier=replace(scene.earlier, facts=common, of_asked=personal))


def _without_forgotten(scene: Scene, hidden: ForgottenFilter) -> Scene:
    """The scene without what somebody had forgotten, wherever it was said."""
    if not hidden.facts:
        return scene
    compression = scene.earlier.compression
    if compression is not None:
        compression = evolve(compression, text=hidden.left_in(compression.text))
    digests = tuple(evolve(one, text=hidden.left_in(one.text)) for one in scene.earlier.digests)
    said = [_spoken_text(one, scene.chat.conversation) for one in scene.entries]
    left = zip(scene.entries, said, hidden.left_of(said), strict=True)
    entries = [_left_of(_without_hidden_quotes(one, hidden), was.text.strip(), text.strip()) for one, was, text in left]
    earlier = replace(scene.earlier, compression=compression, digests=digests)
    return replace(scene, earlier=earlier, entries=entries)


def _spoken_text(entry: AnyEntry, conversation: str) -> SpokenText:
    if not isinstance(entry, Message | Edit):
        return SpokenText("")
    return SpokenText(entry.text, 0 if entry.author.is_agent else entry.author.id, entry.at, conversation, entry.seq)


def _left_of(entry: AnyEntry, was: str, text: str) -> AnyEntry:
    """A message of which something was left out; the same one, if nothing was."""
    if text == was or not isinstance(entry, Message | Edit):
        return entry
    return evolve(entry, text=text or LEFT, entities=())


def _without_hidden_quotes(entry: AnyEntry, hidden: ForgottenFilter) -> AnyEntry:
    """An entry without what is hidden of all that it tells besides its own words."""
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
        changes["reply"] = _quote_left(entry.reply, hidden)
    return entry.model_copy(update=changes) if changes else entry


def _quote_left(quote: QuotedMessage, hidden: ForgottenFilter) -> QuotedMessage:
    """What is left of a quote. Its links would stand elsewhere in it."""
    whole, media = hidden.left_in(quote.whole), hidden.left_in(quote.media)
    part = hidden.left_in(quote.excerpt) if quote.around else ""
    # a part of a sentence that goes may tell it in fewer words than are known of it
    is_kept = not quote.around or part in whole
    return evolve(
        quote,
        excerpt=part if part and is_kept else whole or LEFT,
        around=whole if part and is_kept else "",
        media=media,
        entities=(),
    )


def _full(found: LoadedMemories, *scopes: MemoryScope) -> Iterator[Passage]:
    """What the model is told where there is no room for another memory."""
    for scope in scopes:
        if found.is_full(scope):
            yield Passage(text=full_note(scope, found.most), source=OWN)


def has_other_sources(sources: Sequence[TextSource], uses: Sequence[ToolUse], people: Sequence[int]) -> bool:
    """Whether a plan saw the words of others than whom it answers, or what a tool found besides memories.

    What the owner has everyone know counts as nobody else's.
    """
    others = {source.person for source in sources if source.origin is TextOrigin.PERSON}.difference(people)
    return bool(others) or any(use.name != RECALL_FACTS for use in uses)
