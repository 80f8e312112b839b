"""What models take and make: a table by their names, after ai.google.dev/gemini-api/docs/models, read on 2026-11-24."""

from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final

from shared.values.media import MediaKind


class InputKind(StrEnum):
    """What a model is shown besides words."""

    PICTURES = "pictures"
    SOUND = "sound"
    FILMS = "films"
    PDF = "pdf"
    #: a file of plain text, beside the texts of the prompt
    TEXT = "text"


class OutputKind(StrEnum):
    """What a model answers with."""

    TEXT = "text"
    SPEECH = "speech"
    PICTURES = "pictures"
    #: numbers that tell what a text means, and no answer
    VECTORS = "vectors"


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """What one model takes and makes. Every model takes words."""

    takes: frozenset[InputKind] = frozenset()
    makes: frozenset[OutputKind] = frozenset({OutputKind.TEXT})

    def takes_type(self, mime_type: str) -> bool:
        """Whether it can be shown a file of that MIME type."""
        return input_kind(mime_type) in self.takes


#: by the beginning of a MIME type
_TYPES: Final = {
    "image/": InputKind.PICTURES,
    "audio/": InputKind.SOUND,
    "video/": InputKind.FILMS,
    "application/pdf": InputKind.PDF,
    "text/": InputKind.TEXT,
    "application/json": InputKind.TEXT,
    "application/xml": InputKind.TEXT,
}

#: what is known of no other model: it is asked for words, with words
WORDS_ONLY: Final = Capabilities()
_EVERYTHING: Final = frozenset(InputKind)

#: by what a model's name looks like, the first that fits; `*` stands for any letters
TABLE: Final[tuple[tuple[str, Capabilities], ...]] = (
    ("gemini-*-tts*", Capabilities(makes=frozenset({OutputKind.SPEECH}))),
    (
        "gemini-*-image*",
        Capabilities(takes=frozenset({InputKind.PICTURES}), makes=frozenset({OutputKind.TEXT, OutputKind.PICTURES})),
    ),
    (
        "gemini-nano-banana*",
        Capabilities(takes=frozenset({InputKind.PICTURES}), makes=frozenset({OutputKind.TEXT, OutputKind.PICTURES})),
    ),
    ("gemini-*-transcribe*", Capabilities(takes=frozenset({InputKind.SOUND}))),
    ("gemini-embedding*", Capabilities(makes=frozenset({OutputKind.VECTORS}))),
    # these are asked through another API
    ("gemini-*-live*", Capabilities(makes=frozenset())),
    ("gemini-*-native-audio*", Capabilities(makes=frozenset())),
    ("gemini-*", Capabilities(takes=_EVERYTHING)),
)


def input_kind(mime_type: str) -> InputKind | None:
    """What a file of a MIME type is to a model; none: no model is shown such a file as it is."""
    return next((taken for start, taken in _TYPES.items() if mime_type.strip().lower().startswith(start)), None)


#: as what a model is shown what is made of a kind of media; of a document its own type tells
_SHOWN: Final = {
    MediaKind.PHOTO: InputKind.PICTURES,
    MediaKind.STICKER: InputKind.PICTURES,
    MediaKind.CUSTOM_EMOJI: InputKind.PICTURES,
    MediaKind.ANIMATION: InputKind.PICTURES,
    MediaKind.VOICE: InputKind.SOUND,
    MediaKind.AUDIO: InputKind.SOUND,
    MediaKind.VIDEO: InputKind.FILMS,
    MediaKind.VIDEO_NOTE: InputKind.FILMS,
}


def expected_input_kind(kind: MediaKind, mime_type: str) -> InputKind | None:
    """As what a file is shown to a model, by what it is said to be; none: as nothing but words."""
    return _SHOWN.get(kind) or input_kind(mime_type)


def capabilities_of(model: str) -> Capabilities:
    """What a model takes and makes, by its name, with or without whose it is ("models/…", "publishers/…/models/…")."""
    name = model.rpartition("/")[2].lower()
    return next((found for pattern, found in TABLE if fnmatchcase(name, pattern)), WORDS_ONLY)
