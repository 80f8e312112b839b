"""Files that come with a message, and the known facts about their content."""

from enum import StrEnum
from typing import Any, Final

from shared.base.model_call import ModelCall
from shared.values.evolve import FrozenModel


class MediaKind(StrEnum):
    """Kinds of file, with the names of the Bot API's fields (core.telegram.org/bots/api#message)."""

    PHOTO = "photo"
    STICKER = "sticker"
    ANIMATION = "animation"
    VOICE = "voice"
    AUDIO = "audio"
    VIDEO = "video"
    VIDEO_NOTE = "video_note"
    DOCUMENT = "document"
    #: an emoji within the text; the update has only the emoji's id, and Telegram must be asked for the file
    CUSTOM_EMOJI = "custom_emoji"


#: kinds of file in which the senders themselves speak; the transcript counts as written by the sender
SPOKEN: Final = frozenset({MediaKind.VOICE, MediaKind.VIDEO_NOTE})


class DescriptionOutcome(StrEnum):
    """The ways in which an attempt to describe a file can end. If `is_final` is true, no other attempt follows."""

    DESCRIBED = "described"
    #: no model takes such a file, or the file is too large
    UNSUPPORTED = "unsupported"
    #: the file waits for a later run
    BUDGET_EXHAUSTED = "budget_exhausted"
    #: the file will be tried again
    TEMPORARY_FAILURE = "temporary_failure"
    #: no try is left, or the file cannot be opened
    PERMANENT_FAILURE = "permanent_failure"

    @property
    def is_final(self) -> bool:
        """Return whether no further attempt is made."""
        return self not in {DescriptionOutcome.BUDGET_EXHAUSTED, DescriptionOutcome.TEMPORARY_FAILURE}


#: the source of a description written by hand in the deployment's files, such as for the persona's photos
CURATED: Final = "curated"
#: the source of a description of a file that the agent made itself
OWN: Final = "agent"


class Description(FrozenModel):
    """A file's content in words, or the reason why there is none. `written` and `says` are untrusted text."""

    outcome: DescriptionOutcome
    #: what the file shows, or what kind of document it is, in a few sentences
    shows: str = ""
    #: the text in a picture, or the gist of a document; None if it was not separated from `shows`
    written: str | None = None
    #: the transcript, word for word, in the spoken language
    says: str = ""
    #: whether only a part was described, mostly the beginning
    is_cut: bool = False
    #: why the file is not described, in one of lull's sentences for the model; empty if it is
    why: str = ""
    #: `CURATED`, `OWN`, or the describing model's name
    source: str = ""
    #: the record of the model's call, if a model described it
    call: ModelCall | None = None

    @property
    def visible_content(self) -> str:
        """Return what the file shows and, quoted, the text that is written in it."""
        text = f'the text in it: "{self.written}"' if self.written else ""
        return "; ".join(filter(None, (self.shows, text)))

    def holds_outside(self, kind: MediaKind) -> bool:
        """Return whether the description holds words that were written neither in the chat, nor by the agent, nor in
        the deployment's files.

        Text in a picture or a document is from outside. The describing model's own words are not. A voice message's
        words are its sender's.
        """
        is_told_apart = self.written is not None
        words = self.written or ("" if is_told_apart else self.shows) or (self.says if kind not in SPOKEN else "")
        return bool(words) and self.source not in {CURATED, OWN}

    def is_textless(self, kind: MediaKind) -> bool:
        """Return whether the file was described and holds no text from outside."""
        return self.outcome is DescriptionOutcome.DESCRIBED and not self.holds_outside(kind)


class MediaRef(FrozenModel):
    """One file of a message. Its type, size and length come from the sender's program and may be wrong."""

    kind: MediaKind
    #: the id by which this bot, and no other, downloads the file
    file_id: str
    #: the same id for every sender and every bot; empty if not known
    unique_id: str = ""
    #: as Telegram tells it, or else guessed from the file's name
    mime_type: str = ""
    #: in bytes; 0 if not known, as for the following numbers
    size: int = 0
    #: in pixels
    width: int = 0
    height: int = 0
    duration_s: int = 0
    #: of a sticker
    emoji: str = ""
    set_name: str = ""
    #: lull's plain words for the file in the message ("a file: plan.pdf"); empty if not known
    words: str = ""
    #: whether it is hidden as a spoiler
    is_spoiler: bool = False
    #: the description, if it was known when the message was read; a later description is an entry of its own
    #: (`MediaDescribed`)
    description: Description | None = None


#: the beginning of a photo's file id, whose first byte is the file's type (core.telegram.org/api/files, FileId type 2)
_PHOTO_ID: Final = "AgAC"


def with_media_refs(stored: Any) -> Any:
    """Return a stored message with `media_refs`; messages stored in the old form have only `file_ids`."""
    if not isinstance(stored, dict) or "file_ids" not in stored:
        return stored
    ids = (one for one in stored["file_ids"] if isinstance(one, str))
    rest = {name: value for name, value in stored.items() if name != "file_ids"}
    return {"media_refs": tuple(map(_of_id, ids)), **rest}


def _of_id(file_id: str) -> MediaRef:
    kind = MediaKind.PHOTO if file_id.startswith(_PHOTO_ID) else MediaKind.DOCUMENT
    return MediaRef(kind=kind, file_id=file_id)
