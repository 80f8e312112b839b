"""Media: the files that come with a message, as Telegram tells of them, and what is known of what they show and say."""

from enum import StrEnum
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from shared.base.model_call import ModelCall


class MediaKind(StrEnum):
    """What a file is, under the names of the Bot API's fields (core.telegram.org/bots/api#message)."""

    PHOTO = "photo"
    STICKER = "sticker"
    ANIMATION = "animation"
    VOICE = "voice"
    AUDIO = "audio"
    VIDEO = "video"
    VIDEO_NOTE = "video_note"
    DOCUMENT = "document"
    #: of the text itself; Telegram tells its id, and its file only when it is asked for it
    CUSTOM_EMOJI = "custom_emoji"


#: what people say with their own voice: what is said in it counts as what they wrote
SPOKEN: Final = frozenset({MediaKind.VOICE, MediaKind.VIDEO_NOTE})


class DescriptionOutcome(StrEnum):
    """What came of describing a file."""

    DESCRIBED = "described"
    #: no model takes such a file, or it is too large
    UNSUPPORTED = "unsupported"
    #: it waits for a later run
    BUDGET_EXHAUSTED = "budget_exhausted"
    #: it is tried again
    TEMPORARY_FAILURE = "temporary_failure"
    #: it was tried often enough, or cannot be opened
    PERMANENT_FAILURE = "permanent_failure"

    @property
    def is_final(self) -> bool:
        """Whether it is not tried again by itself."""
        return self not in {DescriptionOutcome.BUDGET_EXHAUSTED, DescriptionOutcome.TEMPORARY_FAILURE}


#: the source of a description that somebody wrote into a file of the deployment, as of the persona's photos
CURATED: Final = "curated"
#: the source of one of what the agent made itself, in its own words
OWN: Final = "agent"


class Description(BaseModel):
    """What is known of what a file shows and says, or why nothing is. `written` and `says` are text from elsewhere."""

    model_config = ConfigDict(frozen=True)

    outcome: DescriptionOutcome
    #: what it shows, or what kind of document it is, in a few sentences of whoever describes it
    shows: str = ""
    #: the text that stands in it, of a document the gist of it; None if that was not told apart from what it shows
    written: str | None = None
    #: what is said in it, word for word, in its language
    says: str = ""
    #: whether that is of a part of it alone, mostly its beginning
    is_cut: bool = False
    #: why it is not described, in a sentence of lull's own for the model; empty where it is
    why: str = ""
    #: who described it: `CURATED`, `OWN`, or a model's name
    source: str = ""
    #: what that took, if a model did
    call: ModelCall | None = None

    @property
    def visible_content(self) -> str:
        """What it shows, and the text that stands in it."""
        text = f'the text in it: "{self.written}"' if self.written else ""
        return "; ".join(filter(None, (self.shows, text)))

    def holds_outside(self, kind: MediaKind) -> bool:
        """Whether it holds words that neither the people of a chat, the agent nor the deployment's files wrote.

        A text that stands in a picture or a document is from outside; what the describing model says that it shows, or
        is about, is not. What is said in a voice message is the word of whoever sends it.
        """
        is_told_apart = self.written is not None
        words = self.written or ("" if is_told_apart else self.shows) or (self.says if kind not in SPOKEN else "")
        return bool(words) and self.source not in {CURATED, OWN}

    def is_textless(self, kind: MediaKind) -> bool:
        """Whether somebody has looked, and it holds no such words."""
        return self.outcome is DescriptionOutcome.DESCRIBED and not self.holds_outside(kind)


class MediaRef(BaseModel):
    """One file of a message. What its sender's program says of it (type, size, length) may be wrong."""

    model_config = ConfigDict(frozen=True)

    kind: MediaKind
    #: by which this bot asks for the file, and no other
    file_id: str
    #: the same for the same file, whoever sent it and whichever bot sees it; empty: not known
    unique_id: str = ""
    #: as it is told, or as the name of the file tells where that says nothing
    mime_type: str = ""
    #: in bytes; 0: not known, as below
    size: int = 0
    #: in pixels
    width: int = 0
    height: int = 0
    duration_s: int = 0
    #: of a sticker
    emoji: str = ""
    set_name: str = ""
    #: how its message told of it, in plain words: "a file: plan.pdf"; empty: not known
    words: str = ""
    #: whether it is covered until somebody wants to see it
    is_spoiler: bool = False
    #: what was known of it when the message was read; what is known later is an entry of its own (`Described`)
    description: Description | None = None


#: how Telegram's ids of photos begin: the first byte says what a file is (core.telegram.org/api/files, FileId type 2)
_PHOTO_ID: Final = "AgAC"


def with_media_refs(stored: Any) -> Any:
    """A stored message with its files as references: of one stored before there were any only the ids are known."""
    if not isinstance(stored, dict) or "file_ids" not in stored:
        return stored
    ids = (one for one in stored["file_ids"] if isinstance(one, str))
    rest = {name: value for name, value in stored.items() if name != "file_ids"}
    return {"media_refs": tuple(map(_of_id, ids)), **rest}


def _of_id(file_id: str) -> MediaRef:
    kind = MediaKind.PHOTO if file_id.startswith(_PHOTO_ID) else MediaKind.DOCUMENT
    return MediaRef(kind=kind, file_id=file_id)
