"""Inputs and outputs of models, by their names (ai.google.dev/gemini-api/docs/models, read on 2026-11-24)."""

from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final

from shared.values.media import MediaKind


class InputKind(StrEnum):
    """Kinds of input that a model takes besides words."""

    PICTURES = "pictures"
    SOUND = "sound"
    FILMS = "films"
    PDF = "pdf"
    #: a plain text file, besides the prompt's own texts
    TEXT = "text"


class OutputKind(StrEnum):
    """Kinds of output that a model answers with."""

    TEXT = "text"
    SPEECH = "speech"
    PICTURES = "pictures"
    #: embeddings instead of an answer
    VECTORS = "vectors"


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """Inputs and outputs of one model. Every model takes words."""

    takes: frozenset[InputKind] = frozenset()
    makes: frozenset[OutputKind] = frozenset({OutputKind.TEXT})

    def takes_type(self, mime_type: str) -> bool:
        """Return whether the model takes a file of that MIME type."""
        return input_kind(mime_type) in self.takes


#: kinds by the beginning of the MIME type
_TYPES: Final = {
    "image/": InputKind.PICTURES,
    "audio/": InputKind.SOUND,
    "video/": InputKind.FILMS,
    "application/pdf": InputKind.PDF,
    "text/": InputKind.TEXT,
    "application/json": InputKind.TEXT,
    "application/xml": InputKind.TEXT,
}

#: for unknown models: words in, words out
WORDS_ONLY: Final = Capabilities()
_EVERYTHING: Final = frozenset(InputKind)

#: capabilities by name pattern; the first match counts, and `*` stands for any letters
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
    # these have another API
    ("gemini-*-live*", Capabilities(makes=frozenset())),
    ("gemini-*-native-audio*", Capabilities(makes=frozenset())),
    ("gemini-*", Capabilities(takes=_EVERYTHING)),
)


def input_kind(mime_type: str) -> InputKind | None:
    """Return the input kind of a MIME type, or None if no model takes such a file as it is."""
    return next((taken for start, taken in _TYPES.items() if mime_type.strip().lower().startswith(start)), None)


#: the input kind that each kind of media is converted to; a document's own type decides
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
    """Return the input kind for a file of this kind and type, or None if only words can be shown."""
    return _SHOWN.get(kind) or input_kind(mime_type)


def capabilities_of(model: str) -> Capabilities:
    """Return a model's capabilities by its name, with or without a prefix ("models/…", "publishers/…/models/…")."""
    name = model.rpartition("/")[2].lower()
    return next((found for pattern, found in TABLE if fnmatchcase(name, pattern)), WORDS_ONLY)
