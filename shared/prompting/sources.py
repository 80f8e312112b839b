"""Sources: where each text of a prompt that is shown comes from."""

from collections.abc import Iterable, Iterator

from shared.models.described import seen_files
from shared.models.origin import OWN, UNSEEN, Origin, Passage, Source
from shared.prompting.history import HistoryEvent, HistoryItem
from shared.prompting.origins import ATTACHED, PLANNED_AFTER, SUMMARY
from shared.prompting.scene import Scene


def source_of(item: HistoryItem, owner: int) -> Source:
    """Whose words an item is. `owner`: the id of the agent's owner; 0: nobody's is known."""
    if item.outside:
        return Source(origin=Origin.OUTSIDE, what=item.outside)
    if isinstance(item, HistoryEvent):
        return OWN
    if item.is_own:
        return Source(origin=Origin.AGENT)
    author = item.message.author
    return Source(origin=Origin.OWNER if author.id == owner else Origin.PERSON, person=author.id)


def sources_in(scene: Scene, shown: Iterable[HistoryItem], passages: Iterable[Passage]) -> tuple[Source, ...]:
    """The sources of a prompt's texts, each once.

    `shown`: what is shown of the conversation; `passages`: what is shown besides it.
    """
    return tuple(dict.fromkeys(_sources(scene, shown, passages)))


def _sources(scene: Scene, shown: Iterable[HistoryItem], passages: Iterable[Passage]) -> Iterator[Source]:
    yield OWN
    yield from (source_of(item, scene.owner) for item in shown)
    yield from (passage.source for passage in passages)
    if any(file.is_outside and file.unseen is None for file in scene.attached):
        yield Source(origin=Origin.OUTSIDE, what=ATTACHED)
    if any(file.unseen is not None for file in scene.attached):
        yield Source(origin=Origin.OUTSIDE, what=UNSEEN)
    seen = seen_files(scene.entries)
    if any(one.saw_outside and not (one.unseen and all(map(seen.get, one.unseen))) for one in scene.pending):
        yield Source(origin=Origin.OUTSIDE, what=PLANNED_AFTER)
    if scene.compression is not None and scene.compression.holds_outside:
        yield Source(origin=Origin.OUTSIDE, what=SUMMARY)
