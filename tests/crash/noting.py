"""Checks the notes of a play: the notes on its conversation and the summaries of its chat must be complete and made
once.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from google.cloud.firestore_v1.base_query import FieldFilter

from benchmarks.relay.ledger import Request
from local.gemini import hashed
from shared.chat.store import paths
from shared.recall.jobs.embed_notes import with_notes
from shared.recall.store.notes import decode_observation
from shared.recall.store.segments import decode_segment
from shared.recall.store.summaries import ChatSummary, FirestoreSummaries, SummarySpan
from shared.values.notes import Notes, Observation
from shared.values.segment import Segment
from tests.crash.judging import KeptFaults
from tests.crash.lanes import Lane
from tests.crash.stories import Noted
from tests.stories.play import Chat

NOTING = "summarize"
ASKING = "Gemini generateContent"


@dataclass(frozen=True, kw_only=True)
class Found:
    """The stored notes of a conversation and its chat's summaries, and the number of model calls for them."""

    notes: Notes
    #: whether the abbreviation has a vector
    has_vector: bool = True
    observations: Sequence[Observation] = ()
    segments: Sequence[Segment] = ()
    #: the numbers of the segments with a vector
    embedded: frozenset[int] = frozenset()
    kept: Sequence[ChatSummary] = ()
    shown: Sequence[ChatSummary] = ()
    calls: int = 0


async def comes_to_rest(chat: Chat) -> None:
    """Make the chat's conversation rest, as if time had passed."""
    conversation = paths.conversation_path((await chat.document())["conversation"])
    await chat.firestore.document(conversation).set({"due_at": datetime.now(UTC)}, merge=True)


async def nothing_rests(lane: Lane) -> None:
    """Prevent conversations of earlier plays from resting, since their notes would be made during this play."""
    due = lane.kept.firestore.collection(paths.CONVERSATIONS).where(
        filter=FieldFilter("due_at", "<=", datetime.now(UTC))
    )
    for one in await due.get():
        await one.reference.update({"due_at": None})


async def faults_of_notes(
    lane: Lane, chat: Chat, wanted: Noted, requests: Iterable[Request], *, was_struck: bool
) -> KeptFaults:
    """Return the faults in the expected notes. A kill may cost at most one more model call."""
    calls = sum(one.step.maker == NOTING and one.step.what == ASKING for one in requests)
    return unlike(wanted, await _found(lane, chat, calls), was_struck=was_struck)


async def _found(lane: Lane, chat: Chat, calls: int) -> Found:
    firestore, current = lane.kept.firestore, str((await chat.document()).get("conversation", "-"))
    conversation = firestore.document(paths.conversation_path(current))
    document = (await conversation.get()).to_dict() or {}
    observed = [decode_observation(one.to_dict()) async for one in conversation.collection(paths.OBSERVATIONS).stream()]
    parts = [one.to_dict() or {} async for one in conversation.collection(paths.SEGMENTS).stream()]
    summaries = FirestoreSummaries(firestore)
    kept, shown = await summaries.last_summaries(chat.chat_key.id), await summaries.shown_summaries(chat.chat_key.id)
    return Found(
        notes=Notes.model_validate(document),
        has_vector="embedding" in document,
        observations=[one for one in observed if one is not None],
        segments=[decode_segment(part) for part in parts],
        embedded=frozenset(int(part["number"]) for part in parts if "embedding" in part),
        kept=[kept[span] for span in SummarySpan if span in kept],
        shown=[shown[span] for span in SummarySpan if span in shown],
        calls=calls,
    )


def unlike(wanted: Noted, found: Found, *, was_struck: bool) -> KeptFaults:
    """Return the differences between stored and expected notes."""
    times = Counter(one.text for one in found.observations)
    most = wanted.calls + was_struck
    return KeptFaults(
        lost=(
            *_unnoted(wanted, found.notes, has_vector=found.has_vector),
            *(f"it was not observed that {text}" for text in wanted.observations if not times[text]),
            *(what for segment in found.segments for what in _unlike_segment(segment, found)),
            *([] if found.segments else ["there is no segment"]),
            *(_unsummarised(wanted, found) if wanted.summary else []),
        ),
        doubled=(
            *(f"it was observed {count} times that {text}" for text, count in times.items() if count > 1),
            *(f"it was observed that {text}, which nobody said" for text in times if text not in wanted.observations),
            *([f"{found.calls} notes and summaries were asked for"] if found.calls > most else []),
        ),
    )


def _unnoted(wanted: Noted, notes: Notes, *, has_vector: bool) -> Iterable[str]:
    signs = {
        f"the abbreviation is {notes.abbreviation!r}": notes.abbreviation != wanted.abbreviation,
        f"the title is {notes.title!r}": notes.title != wanted.title,
        f"the topics are {notes.topics}": notes.topics != wanted.topics,
        f"{notes.entries - notes.noted_seq} entries are not noted": notes.noted_seq != notes.entries,
        "an abbreviation is still needed": notes.needs_abbreviation,
        "something is still due": notes.due_at is not None,
        "the abbreviation has no vector": not has_vector or notes.embedding_model != hashed.NAME,
    }
    return [sign for sign, is_so in signs.items() if is_so]


def _unlike_segment(segment: Segment, found: Found) -> Iterable[str]:
    if segment.embedding_model != hashed.NAME or segment.number not in found.embedded:
        yield f"segment {segment.number} has no vector"
    wanted = with_notes(segment, found.observations).notes
    if Counter(one.id for one in segment.notes) != Counter(one.id for one in wanted):
        yield f"segment {segment.number} has {len(segment.notes)} notes of {len(wanted)}"


def _unsummarised(wanted: Noted, found: Found) -> Iterable[str]:
    """Yield the spans without exactly one new summary that covers every message and is shown in prompts."""
    for where, summaries in (("kept", found.kept), ("shown", found.shown)):
        texts = [one.text for one in summaries]
        if texts != [wanted.summary for _ in SummarySpan]:
            yield f"the summaries that are {where} are {texts}"
    if [one.made_at for one in found.kept] != [one.made_at for one in found.shown]:
        yield "others are shown than are kept"
    for one in found.kept:
        seqs = [seq for part in one.ranges for seq in range(part.first_seq, part.last_seq + 1)]
        if seqs != list(range(1, found.notes.entries + 1)):
            yield f"a summary was made of the entries {seqs}, of {found.notes.entries}"


async def had_summaries(chat: Chat, text: str, made_at: datetime) -> None:
    """Store summaries of both spans that were made at that time."""
    summaries = FirestoreSummaries(chat.firestore)
    for span in SummarySpan:
        old = ChatSummary(text=text, made_at=made_at)
        await summaries.keep(chat.chat_key.id, span, old)
        await summaries.show(chat.chat_key.id, span, old)
