"""Erases words in one transcript, a few pages at a time, since a group's transcript may not fit into memory.

First the whole transcript is read to learn what the person said. Then each stage of erasing reads it backwards, and a
final pass rebuilds the derived data. If a run is killed or runs out of time, the next run reads the whole transcript
again, and continues to erase at the page at which the last run stopped. Before the first page is changed, derived data
is hidden from models, since they might otherwise repeat text that is being erased.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from shared.chat.conversation import newest
from shared.privacy.deletion.entries import without
from shared.privacy.deletion.forgotten import ForgottenSubject
from shared.privacy.deletion.participation import DeletionStage
from shared.privacy.jobs.erase_run import DeletionRun
from shared.privacy.store.deletion_lookup import MOST_PAGES, ConversationOutline, TranscriptPage
from shared.recall.matching.segmenting import searched_text, segment_chat
from shared.recall.store.rebuilding import ConversationRebuild
from shared.values.chat import Chat
from shared.values.deletion import ConversationProgress
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Message
from shared.values.place import place_of
from shared.values.segment import Segment, SegmentStart
from shared.values.transcript import TranscriptScan

ENTRIES_AT_ONCE: Final = 1_000


async def learn_conversation(run: DeletionRun, who: ForgottenSubject, conversation: str) -> bool:
    """Call `who.learn` with the pages of a conversation that `who` has not read yet. Return whether any were left.

    Raises a StoreError, WriteConflict if another run continues the deletion, or RunTimeExceeded.
    """
    known = who.begin(conversation)
    before = known.up_to
    async for page in run.by.finding.pages(conversation, after=known.up_to):
        await _learn_page(run, who, page)
        known.up_to = page.first
    return known.up_to != before


async def _learn_page(run: DeletionRun, who: ForgottenSubject, page: TranscriptPage) -> None:
    who.learn(entry for entry in page.entries if entry is not None)
    await run.check_time()


async def erase_entries(
    run: DeletionRun,
    who: ForgottenSubject,
    conversation: str,
    stage: DeletionStage,
    hide: Callable[[], Awaitable[None]],
) -> Counter[str]:
    """Erase from a conversation the entries of this stage, the newest first.

    Returns how many pages (`documents`) and `entries` changed. `hide` is called before the first page is changed; it
    hides derived data from models. Raises WriteConflict if a page changed meanwhile, a StoreError, or RunTimeExceeded.
    """
    if await learn_conversation(run, who, conversation):
        who.settle()
        who.begin(conversation)
    if stage not in who.heard.stages:
        return Counter()
    counts = Counter[str]()
    async for pages in _pages_left(run, conversation):
        rest = [(page, _without(page, who, stage)) for page in pages]
        changed = [(page, entries) for page, entries in rest if entries != page.entries or _is_recorded(page, who)]
        if not changed:
            continue
        if not counts:
            await run.note(changed=[conversation])
            await hide()
        await run.by.of_chats.rewrite(changed)
        counts += Counter(documents=len(changed), entries=sum(_changes(page, entries) for page, entries in changed))
    return counts


def _is_recorded(page: TranscriptPage, who: ForgottenSubject) -> bool:
    """Return whether the page has a record of the tick that wrote it, and the record is about the person."""
    return bool(page.tick) and who.is_in_body(page.tick)


def _changes(page: TranscriptPage, entries: Sequence[AnyEntry]) -> int:
    return sum(one != other for one, other in zip(entries, page.entries, strict=False))


async def _pages_left(run: DeletionRun, conversation: str) -> AsyncIterator[Sequence[TranscriptPage]]:
    """Yield the pages of a conversation that are left to erase, several at a time, the newest first.

    When the next pages are requested, the previous ones are noted as done.
    """
    back, within = run.by.finding.pages_back, run.deletion.within_of(conversation)
    up_to = within.up_to if within is not None else 0
    if within is not None:
        new = [page async for page in _newer(back(conversation), within.up_to)]
        for start in range(0, len(new), MOST_PAGES):
            yield new[start : start + MOST_PAGES]
        up_to = new[0].first if new else up_to
    async for pages in _several(back(conversation, before=within.down_to if within is not None else 0)):
        yield pages
        up_to = up_to or pages[0].first
        run.set_progress(within=ConversationProgress(conversation=conversation, up_to=up_to, down_to=pages[-1].first))
        await run.check_time()


async def _newer(pages: AsyncIterator[TranscriptPage], than: int) -> AsyncIterator[TranscriptPage]:
    """Yield the pages that are newer than the page `than`. `pages` must come newest first."""
    async for page in pages:
        if page.first <= than:
            return
        yield page


async def _several(pages: AsyncIterator[TranscriptPage]) -> AsyncIterator[Sequence[TranscriptPage]]:
    """Yield the pages in groups of at most `MOST_PAGES`, as many as one commit may write."""
    some = list[TranscriptPage]()
    async for page in pages:
        some.append(page)
        if len(some) == MOST_PAGES:
            yield some
            some = []
    if some:
        yield some


def _without(page: TranscriptPage, who: ForgottenSubject, stage: DeletionStage) -> tuple[AnyEntry, ...]:
    """Return the entries of a page, with those of this stage erased.

    An entry of an unknown kind may be about the person, so it is dropped.
    """
    entries = [entry for entry in page.entries if entry is not None]
    return tuple(without(entry, who) if who.stage_of(entry) <= stage else entry for entry in entries)


@dataclass(frozen=True, kw_only=True)
class RebuiltConversation:
    """The state of a chat's rebuilt conversation: the start of the last segment, and the newest entries."""

    start: SegmentStart
    newest: Sequence[AnyEntry]


async def rebuild_conversation(
    run: DeletionRun, chat: Chat, outline: ConversationOutline, person: int
) -> RebuiltConversation:
    """Rebuild all data that is derived from a conversation. The titles become those of the outline."""
    conversation = outline.conversation
    fresh = evolve(chat, conversation=conversation, recall=evolve(chat.recall, segment=SegmentStart()))
    telling, segments = TranscriptScan(), _Segments(run, fresh)
    last, turn = tuple[AnyEntry, ...](), 0
    async for entries in _parts(run.by.finding.pages(conversation)):
        old, new = [e for e in entries if e.at <= run.cut], [e for e in entries if e.at > run.cut]
        telling.hear(old)
        telling.people.discard(person)
        telling.hear(new)
        await segments.add(entries)
        last = newest((*last, *entries), run.by.holding.window_entries)
        turn = max(turn, *(entry.turn for entry in entries if isinstance(entry, Message)), 0)
        await run.check_time()
    await run.by.of_chats.reduce_conversation(outline, telling, last)
    await run.by.rebuilding.replace(
        ConversationRebuild(
            conversation=conversation,
            place=place_of(chat.key),
            segments=segments.open,
            written=frozenset(segments.written),
            start=segments.chat.recall.segment,
            due_at=run.by.clock() if turn > 0 else None,
        )
    )
    return RebuiltConversation(start=segments.chat.recall.segment, newest=last)


async def _parts(pages: AsyncIterator[TranscriptPage]) -> AsyncIterator[Sequence[AnyEntry]]:
    """Yield the entries of these pages, many at a time."""
    part = list[AnyEntry]()
    async for page in pages:
        part += [entry for entry in page.entries if entry is not None]
        if len(part) >= ENTRIES_AT_ONCE:
            yield part
            part = []
    if part:
        yield part


class _Segments:
    """The segments of a conversation. A segment is written as soon as no later entry can change it."""

    def __init__(self, run: DeletionRun, chat: Chat) -> None:
        """`chat` must have no segments yet."""
        self._run, self.chat = run, chat
        self.open: Sequence[Segment] = ()
        self.written = set[int]()
        #: searchable entries of the open segment, which is made again together with the next entries
        self._begun: Sequence[AnyEntry] = ()

    async def add(self, entries: Sequence[AnyEntry]) -> None:
        """Add the next entries, and write each segment that they complete."""
        known = (*self._begun, *entries)
        self.chat, segments = segment_chat(self.chat, known)
        await self._run.by.rebuilding.write(segments[:-1])
        self.written |= {one.number for one in segments[:-1]}
        self.open = segments[-1:] or self.open
        self._begun = [
            one for one in known if one.seq >= self.chat.recall.segment.seq and searched_text(one) is not None
        ]
