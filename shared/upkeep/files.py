"""The files of a message as the operator's pages show them: the known facts, and the sources of each description."""

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
    """The sources of a file's description, in the order in which they are asked."""

    AGENT = "agent"  #: the agent, which made the file itself
    CURATED = "curated"  #: descriptions written by the operator, in the files of the deployment or of the agent
    KEPT = "kept"  #: the stored description of the same file, whoever sent the file
    FILE = "file"  #: the file itself, which may be too large or of an unsupported kind
    BUDGET = "budget"  #: the limit of files that one run describes
    MODEL = "model"


class SourceAnswer(StrEnum):
    """The state of asking a source: its answer, or that it has not answered yet."""

    KNOWN = "known"  #: the source answered, and no other source is asked
    NOTHING = "nothing"  #: the source knows nothing, and the next source is asked
    WAITING = "waiting"  #: the source has not been asked yet, or is working
    DELAYED = "delayed"  #: the source failed and is asked again
    UNKNOWN = "unknown"  #: the source will not answer


_OF_MODEL = {
    DescriptionOutcome.DESCRIBED: SourceAnswer.KNOWN,
    DescriptionOutcome.UNSUPPORTED: SourceAnswer.UNKNOWN,
    DescriptionOutcome.PERMANENT_FAILURE: SourceAnswer.UNKNOWN,
    DescriptionOutcome.TEMPORARY_FAILURE: SourceAnswer.DELAYED,
    DescriptionOutcome.BUDGET_EXHAUSTED: SourceAnswer.WAITING,
}


@dataclass(frozen=True, kw_only=True)
class InspectedFile:
    """A file of a message, with all known facts about it."""

    ref: MediaRef
    #: the file's document, which all chats share; None if describing has not begun
    kept: StoredMedia | None = None
    #: the reference of the sender in this chat; None if nothing had to be described
    reference: FileReference | None = None
    #: the description that reached the conversation after the message was read
    told: MediaDescribed | None = None

    @property
    def description(self) -> Description | None:
        """The description to show: the first final one of those in the message, in a later event and in the store.

        If none is final, the stored one is preferred, since it may not have reached the conversation yet.
        """
        told = self.told.description if self.told is not None else None
        kept = self.kept.description if self.kept is not None else None
        found = [one for one in (self.ref.description, told, kept) if one is not None]
        return next((one for one in found if one.outcome.is_final), kept or next(iter(found), None))

    @property
    def call(self) -> ModelCall | None:
        """The model call that described the file, or None. Calls are stored with the file, not in conversations."""
        known = self.description
        kept = self.kept.description if self.kept is not None else None
        return (known.call if known is not None else None) or (kept.call if kept is not None else None)

    @property
    def is_settled(self) -> bool:
        """True if no change is expected: the description will not change, or nobody is waiting for it."""
        known = self.description
        is_known = known is not None and known.outcome.is_final
        return is_known or self.reference is None or not self.reference.is_open

    @property
    def chain(self) -> tuple[tuple[DescriptionSource, SourceAnswer], ...]:
        """The sources that are asked for a description, in order, with their answers. Empty if no source is asked."""
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
        """Return the sources that are asked if no curated description exists, in order, with their answers."""
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
        """The cost in US dollars of the description made for this message: 0 if none was made, None if not known."""
        if self.call is None or self.kept is None or self.ref.description is not None:
            return 0.0
        return cost_of([self.call], self.kept.updated_at)


async def files_of(
    store: FirestoreInspection, chat: str, message: Message, entries: Sequence[AnyEntry]
) -> tuple[InspectedFile, ...]:
    """Return a message's files, after its last edit. `entries` are the loaded entries of its conversation.

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
            told=_description_event(ref, message, entries),
        )
        for ref in refs
    )


def known_in(entries: Sequence[AnyEntry]) -> Mapping[str, Description]:
    """Return the descriptions in a conversation's entries, by unique id of the file."""
    known: dict[str, Description] = {}
    for entry in entries:
        if isinstance(entry, Message | Edit):
            known |= {ref.unique_id: ref.description for ref in entry.media_refs if ref.description is not None}
        elif isinstance(entry, MediaDescribed):
            known[entry.unique_id] = entry.description
    return known


def _reference_id(ref: MediaRef, chat: str, message: Message) -> str:
    """Return the id of the FileReference that records that this message contains the file."""
    sent = FileReference(ref=ref, agent="", chat=chat, person=message.author.id, at=message.at, try_at=message.at)
    return sent.id


def _refs_of(message: Message, entries: Sequence[AnyEntry]) -> tuple[MediaRef, ...]:
    """Return the files of a message. If an edit replaced the files, return the new ones."""
    edits = (one for one in reversed(entries) if isinstance(one, Edit) and one.message_id == message.message_id)
    return next((edit.media_refs for edit in edits if edit.media_refs), message.media_refs)


def _description_event(ref: MediaRef, message: Message, entries: Sequence[AnyEntry]) -> MediaDescribed | None:
    told = (one for one in reversed(entries) if isinstance(one, MediaDescribed) and one.unique_id == ref.unique_id)
    return next((one for one in told if ref.unique_id and message.message_id in one.message_ids), None)
