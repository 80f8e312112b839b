"""The files of a message: what is known of each, and who answered in the chain of those who may know it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from shared.base.model_call import ModelCall
from shared.values.media import CURATED, OWN, Description, DescriptionOutcome, MediaRef
from shared.values.message import AnyEntry, Edit, MediaDescribed, Message
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia
from shared.values.usage import cost_of

if TYPE_CHECKING:
    from shared.upkeep.store.inspection import FirestoreInspection


class DescriptionSource(StrEnum):
    """Who may know what a file shows, in the order in which they are asked."""

    AGENT = "agent"  #: it made the file
    CURATED = "curated"  #: what is written in the files of the deployment and of the agent
    KEPT = "kept"  #: what was found out before, whoever sent the file
    FILE = "file"  #: itself: it may be too large, or nothing that anybody here takes
    BUDGET = "budget"  #: how many files may be described in one run
    MODEL = "model"


class SourceAnswer(StrEnum):
    """What came of asking one of them."""

    KNOWN = "known"  #: it answered; nobody else is asked
    NOTHING = "nothing"  #: the next one is asked
    WAITING = "waiting"  #: it is not asked yet, or is at work
    DELAYED = "delayed"  #: it failed, and is asked again
    UNKNOWN = "unknown"  #: it will not answer any more


_OF_MODEL = {
    DescriptionOutcome.DESCRIBED: SourceAnswer.KNOWN,
    DescriptionOutcome.UNSUPPORTED: SourceAnswer.UNKNOWN,
    DescriptionOutcome.PERMANENT_FAILURE: SourceAnswer.UNKNOWN,
    DescriptionOutcome.TEMPORARY_FAILURE: SourceAnswer.DELAYED,
    DescriptionOutcome.BUDGET_EXHAUSTED: SourceAnswer.WAITING,
}


@dataclass(frozen=True, kw_only=True)
class InspectedFile:
    """A file of a message with all that is known of it."""

    ref: MediaRef
    #: what is kept of it for everybody; none: nobody has begun to describe it
    kept: StoredMedia | None = None
    #: that this person sent it in this chat; none: nothing was to be found out
    reference: FileReference | None = None
    #: what the conversation was told of it after the message was read
    told: MediaDescribed | None = None

    @property
    def description(self) -> Description | None:
        """What is known of it: by the message, by what was told later, or by what is kept and not told yet."""
        told = self.told.description if self.told is not None else None
        kept = self.kept.description if self.kept is not None else None
        found = [one for one in (self.ref.description, told, kept) if one is not None]
        return next((one for one in found if one.outcome.is_final), kept or next(iter(found), None))

    @property
    def call(self) -> ModelCall | None:
        """What describing it took, which is kept with the file alone; none: no model was asked."""
        known = self.description
        kept = self.kept.description if self.kept is not None else None
        return (known.call if known is not None else None) or (kept.call if kept is not None else None)

    @property
    def is_settled(self) -> bool:
        """Whether nothing more is to come: it is known, or nobody is to be told."""
        known = self.description
        is_known = known is not None and known.outcome.is_final
        return is_known or self.reference is None or not self.reference.is_open

    @property
    def chain(self) -> tuple[tuple[DescriptionSource, SourceAnswer], ...]:
        """Who was asked, in order, and what came of it; empty: nobody is asked what it shows."""
        known, nothing = self.description, SourceAnswer.NOTHING
        if known is None:
            waits = (
                (DescriptionSource.CURATED, nothing),
                (DescriptionSource.KEPT, nothing),
                (DescriptionSource.MODEL, SourceAnswer.WAITING),
            )
            return () if self.is_settled else waits
        if known.source in (OWN, CURATED):
            return (
                (DescriptionSource.AGENT if known.source == OWN else DescriptionSource.CURATED, SourceAnswer.KNOWN),
            )
        return ((DescriptionSource.CURATED, nothing), *self._asked_for(known))

    def _asked_for(self, known: Description) -> tuple[tuple[DescriptionSource, SourceAnswer], ...]:
        """Who was asked for what no file of the deployment knows."""
        nothing, outcome = SourceAnswer.NOTHING, _OF_MODEL[known.outcome]
        if known is self.ref.description and self.kept is not None:
            return ((DescriptionSource.KEPT, outcome),)
        if self.call is None and outcome is SourceAnswer.UNKNOWN:
            return ((DescriptionSource.KEPT, nothing), (DescriptionSource.FILE, outcome))
        if known.outcome is DescriptionOutcome.BUDGET_EXHAUSTED:
            return ((DescriptionSource.KEPT, nothing), (DescriptionSource.BUDGET, outcome))
        return (
            (DescriptionSource.KEPT, nothing),
            (DescriptionSource.BUDGET, nothing),
            (DescriptionSource.MODEL, outcome),
        )

    @property
    def cost(self) -> float | None:
        """US dollars that describing it took for this message; none when the price is not known."""
        if self.call is None or self.kept is None or self.ref.description is not None:
            return 0.0
        return cost_of([self.call], self.kept.updated_at)


async def files_of(
    store: FirestoreInspection, chat: str, message: Message, entries: Sequence[AnyEntry]
) -> tuple[InspectedFile, ...]:
    """The files of a message of a chat, as it reads now; `entries` are those of its conversation that are at hand.

    Raises StoreUnavailable or StoreRefused.
    """
    refs = _refs_of(message, entries)
    ids = {ref.unique_id: _reference_id(ref, chat, message) for ref in refs if ref.unique_id}
    kept, references = await store.kept_media(ids), await store.references(ids.values())
    return tuple(
        InspectedFile(
            ref=ref,
            kept=kept.get(ref.unique_id),
            reference=references.get(ids.get(ref.unique_id, "")),
            told=_told(ref, message, entries),
        )
        for ref in refs
    )


def known_in(entries: Sequence[AnyEntry]) -> Mapping[str, Description]:
    """By unique id, what a conversation knows of files."""
    known: dict[str, Description] = {}
    for entry in entries:
        if isinstance(entry, Message | Edit):
            known |= {ref.unique_id: ref.description for ref in entry.media_refs if ref.description is not None}
        elif isinstance(entry, MediaDescribed):
            known[entry.unique_id] = entry.description
    return known


def _reference_id(ref: MediaRef, chat: str, message: Message) -> str:
    """The name of the document which tells that a message's author sent a file."""
    sent = FileReference(ref=ref, agent="", chat=chat, person=message.author.id, at=message.at, try_at=message.at)
    return sent.id


def _refs_of(message: Message, entries: Sequence[AnyEntry]) -> tuple[MediaRef, ...]:
    """Its files; after an edit that changed them, the new ones."""
    edits = (one for one in reversed(entries) if isinstance(one, Edit) and one.message_id == message.message_id)
    return next((edit.media_refs for edit in edits if edit.media_refs), message.media_refs)


def _told(ref: MediaRef, message: Message, entries: Sequence[AnyEntry]) -> MediaDescribed | None:
    told = (one for one in reversed(entries) if isinstance(one, MediaDescribed) and one.unique_id == ref.unique_id)
    return next((one for one in told if ref.unique_id and message.message_id in one.message_ids), None)
