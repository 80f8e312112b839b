"""What models take and make: a table by their names, after ai.google.dev/gemini-api/docs/models, read on 2026-11-24."""

from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final

from shared.values.media import MediaKind


class Taken(StrEnum):
    """What a model is shown besides words."""

    PICTURES = "pictures"
    SOUND = "sound"
    FILMS = "films"
    PDF = "pdf"
    #: a file of plain text, beside the texts of the prompt
    TEXT = "text"


class Made(StrEnum):
    """What a model answers with."""

    TEXT = "text"
    SPEECH = "speech"
    PICTURES = "pictures"
    #: numbers that tell what a text means, and no answer
    VECTORS = "vectors"


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """What one model takes and makes. Every model takes words."""

    takes: frozenset[Taken] = frozenset()
    makes: frozenset[Made] = frozenset({Made.TEXT})

    def takes_type(self, mime_type: str) -> bool:
        """Whether it can be shown a file of that MIME type."""
        return taken_as(mime_type) in self.takes


#: by the beginning of a MIME type
_TYPES: Final = {
    "image/": Taken.PICTURES,
    "audio/": Taken.SOUND,
    "video/": Taken.FILMS,
    "application/pdf": Taken.PDF,
    "text/": Taken.TEXT,
    "application/json": Taken.TEXT,
    "application/xml": Taken.TEXT,
}

#: what is known of no other model: it is asked for words, with words
WORDS_ONLY: Final = Capabilities()
_EVERYTHING: Final = frozenset(Taken)

#: by what a model's name looks like, the first that fits; `*` stands for any letters
TABLE: Final[tuple[tuple[str, Capabilities], ...]] = (
    ("gemini-*-tts*", Capabilities(makes=frozenset({Made.SPEECH}))),
    ("gemini-*-image*", Capabilities(takes=frozenset({Taken.PICTURES}), makes=frozenset({Made.TEXT, Made.PICTURES}))),
    (
        "gemini-nano-banana*",
        Capabilities(takes=frozenset({Taken.PICTURES}), makes=frozenset({Made.TEXT, Made.PICTURES})),
    ),
    ("gemini-*-transcribe*", Capabilities(takes=frozenset({Taken.SOUND}))),
    ("gemini-embedding*", Capabilities(makes=frozenset({Made.VECTORS}))),
    # these are asked through another API
    ("gemini-*-live*", Capabilities(makes=frozenset())),
    ("gemini-*-native-audio*", Capabilities(makes=frozenset())),
    ("gemini-*", Capabilities(takes=_EVERYTHING)),
)


def taken_as(mime_type: str) -> Taken | None:
    """What a file of a MIME type is to a model; none: no model is shown such a file as it is."""
    return next((taken for start, taken in _TYPES.items() if mime_type.strip().lower().startswith(start)), None)


#: as what a model is shown what is made of a kind of media; of a document its own type tells
_SHOWN: Final = {
    MediaKind.PHOTO: Taken.PICTURES,
    MediaKind.STICKER: Taken.PICTURES,
    MediaKind.CUSTOM_EMOJI: Taken.PICTURES,
    MediaKind.ANIMATION: Taken.PICTURES,
    MediaKind.VOICE: Taken.SOUND,
    MediaKind.AUDIO: Taken.SOUND,
    MediaKind.VIDEO: Taken.FILMS,
    MediaKind.VIDEO_NOTE: Taken.FILMS,
}


def shown_as(kind: MediaKind, mime_type: str) -> Taken | None:
    """As what a file is shown to a model, by what it is said to be; none: as nothing but words."""
    return _SHOWN.get(kind) or taken_as(mime_type)


def capabilities_of(model: str) -> Capabilities:
    """What a model takes and makes, by its name, with or without whose it is ("models/…", "publishers/…/models/…")."""
    name = model.rpartition("/")[2].lower()
    return next((found for pattern, found in TABLE if fnmatchcase(name, pattern)), WORDS_ONLY)
