"""A file's stored document: its description, the attempts to describe it, and the paths of its decoded parts."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from pydantic import AwareDatetime, Field, model_validator

from shared.values.chat_key import ChatKey
from shared.values.evolve import FrozenModel
from shared.values.media import CURATED, Description, DescriptionOutcome, MediaKind
from shared.values.prepared import FileFacts, PreparedFile, PreparedPart

#: most tries of one file
MOST_TRIES: Final = 5


class StoredPart(FrozenModel):
    """One decoded part of a file in Cloud Storage, as a model takes it and without metadata about the sender."""

    #: the object's name in the media bucket
    path: str
    mime_type: str
    #: in bytes
    size: int
    #: the measured length of a sound or a film
    duration_s: float = Field(default=0.0, ge=0, allow_inf_nan=False)


class DescribeAgain(FrozenModel):
    """An owner's request to describe a file again. The owner pays, within the limits of the agent."""

    by: int
    agent: str
    at: AwareDatetime

    @property
    def key(self) -> ChatKey:
        """The key of the owner's private chat, to which the call is charged. Its chat id is the owner's id."""
        return ChatKey(agent=self.agent, chat_id=self.by)


class StoredMedia(FrozenModel):
    """The document `media/{unique_id}`, shared by all agents.

    As long as `description` is None, the file is being described or waits to be described. While the file is described
    again, the document keeps the old description.
    """

    unique_id: str
    kind: MediaKind
    description: Description | None = None
    #: tries that were begun
    tries: int = Field(default=0, ge=0)
    #: when the current claim expires; others may then claim the file
    claimed_until: AwareDatetime | None = None
    #: a random token that tells apart two claims made at the same moment
    claim: str = ""
    #: the time of the next try; None if there is none
    next_try_at: AwareDatetime | None = None
    #: the person whose spending limit delays the file; other senders of the file need not wait. 0 if nobody's limit
    #: does
    limited: int = 0
    #: the wish to describe the file again; None if there is none, or if it was tried
    again: DescribeAgain | None = None
    #: why describing it again failed, so that the earlier description stays; "" if it did not
    again_failure: str = ""
    #: the decoded parts, recorded here before they are stored in the bucket, so that the bucket has no unknown objects
    parts: tuple[StoredPart, ...] = ()
    #: facts found by decoding the file
    facts: FileFacts = FileFacts()
    updated_at: AwareDatetime

    @model_validator(mode="before")
    @classmethod
    def _written_by_hand(cls, stored: Any) -> Any:
        """Accept a document in which an operator wrote a sticker's description as plain text.

        No model replaces such a description.
        """
        if not isinstance(stored, dict) or not isinstance(words := stored.get("description"), str) or not words.strip():
            return stored
        description = Description(outcome=DescriptionOutcome.DESCRIBED, shows=words, source=CURATED)
        unsaid = {"unique_id": "", "kind": MediaKind.STICKER, "updated_at": datetime.fromtimestamp(0, UTC)}
        return {**unsaid, **stored, "description": description}

    @property
    def is_described_or_given_up(self) -> bool:
        """True if the file has a final description, or will never get one."""
        return self.description is not None and self.description.outcome.is_final

    def to_prepared(self, contents: Sequence[bytes | None]) -> PreparedFile | None:
        """Return the prepared file made of the parts' contents, or None if one is missing or there are no parts."""
        pairs = zip(self.parts, contents, strict=True)
        parts = [PreparedPart(one.mime_type, content, one.duration_s) for one, content in pairs if content is not None]
        return PreparedFile(parts=tuple(parts), facts=self.facts) if parts and len(parts) == len(self.parts) else None

    def is_due(self, now: datetime, person: int = 0) -> bool:
        """Return whether a try may begin now. The spending limit of a sender other than `person` does not delay it."""
        if self.again is not None:
            return self.claimed_until is None or self.claimed_until <= now
        if self.is_described_or_given_up:
            return False
        next_try_at = None if self.limited and person not in {0, self.limited} else self.next_try_at
        return not any(moment is not None and moment > now for moment in (self.claimed_until, next_try_at))
