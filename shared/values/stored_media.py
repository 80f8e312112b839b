"""What is kept of a file: what came of describing it, how often that was tried, and where its decoded parts are."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from shared.values.media import CURATED, Description, DescriptionOutcome, MediaKind
from shared.values.prepared import FileFacts, PreparedFile, PreparedPart

#: a file is tried at most so often
MOST_TRIES: Final = 5


class StoredPart(BaseModel):
    """One of a file's decoded parts in Cloud Storage: what a model is shown of it, without what tells of its sender."""

    model_config = ConfigDict(frozen=True)

    #: the object's name in the bucket of media
    path: str
    mime_type: str
    #: in bytes
    size: int
    #: of a sound or a film, as it was measured
    duration_s: float = Field(default=0.0, ge=0, allow_inf_nan=False)


class StoredMedia(BaseModel):
    """The document `media/{unique_id}`; one for all agents. Without a description it is being worked on, or waits."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    unique_id: str
    kind: MediaKind
    description: Description | None = None
    #: how often it was begun
    tries: int = Field(default=0, ge=0)
    #: until when whoever began it has it; a claim that ran out may be taken by others
    claimed_until: AwareDatetime | None = None
    #: a claim's own word, by which two that are made at the same moment differ
    claim: str = ""
    #: when it may be tried again; none: it is not, by itself
    next_try_at: AwareDatetime | None = None
    #: for whose limit it waits until then: who else sent it need not; 0: for nobody's
    limited: int = 0
    #: written before they are stored, so that no file lies in the bucket of which nothing is known
    parts: tuple[StoredPart, ...] = ()
    #: what was found in it by reading it
    facts: FileFacts = FileFacts()
    updated_at: AwareDatetime

    @model_validator(mode="before")
    @classmethod
    def _written_by_hand(cls, stored: Any) -> Any:
        """A document in which somebody wrote what a sticker shows: nothing but words, which no model's replace."""
        if not isinstance(stored, dict) or not isinstance(words := stored.get("description"), str) or not words.strip():
            return stored
        description = Description(outcome=DescriptionOutcome.DESCRIBED, shows=words, source=CURATED)
        unsaid = {"unique_id": "", "kind": MediaKind.STICKER, "updated_at": datetime.fromtimestamp(0, UTC)}
        return {**unsaid, **stored, "description": description}

    def to_prepared(self, contents: Sequence[bytes | None]) -> PreparedFile | None:
        """What the file was made into, as the bucket has it; none if a part is gone, or there is none."""
        pairs = zip(self.parts, contents, strict=True)
        parts = [PreparedPart(one.mime_type, content, one.duration_s) for one, content in pairs if content is not None]
        return PreparedFile(parts=tuple(parts), facts=self.facts) if parts and len(parts) == len(self.parts) else None

    def is_due(self, now: datetime, person: int = 0) -> bool:
        """Whether somebody may begin to describe it now; `person`: who sent it, and pays for it."""
        if self.description is not None and self.description.outcome.is_final:
            return False
        next_try_at = None if self.limited and person not in {0, self.limited} else self.next_try_at
        return not any(moment is not None and moment > now for moment in (self.claimed_until, next_try_at))
