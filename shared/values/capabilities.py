"""Abilities of models, by model name: of Gemini's models (ai.google.dev/gemini-api/docs/models, read on 2026-11-24),
and of the models that other providers serve through OpenAI's protocol.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final

from shared.values.agent import Codec
from shared.values.media import MediaKind
from shared.values.model_name import split_model_name


class InputKind(StrEnum):
    """Kinds of input besides the prompt's text that a model may accept."""

    PICTURES = "pictures"
    SOUND = "sound"
    FILMS = "films"
    PDF = "pdf"
    #: a plain text file, besides the prompt's own texts
    TEXT = "text"


class OutputKind(StrEnum):
    """Kinds of output that a model can produce: a reply's text, sound, pictures, or embedding vectors."""

    TEXT = "text"
    SPEECH = "speech"
    PICTURES = "pictures"
    #: embeddings instead of an answer
    VECTORS = "vectors"


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """Abilities of one model. Every model accepts the text of a prompt."""

    takes: frozenset[InputKind] = frozenset()
    makes: frozenset[OutputKind] = frozenset({OutputKind.TEXT})
    #: tokens of a prompt and its reply together; 0 if the settings alone limit them
    context: int = 0
    #: whether functions can be declared to the model, and whether its reply can be made to follow a JSON schema
    tools: bool = True
    schema: bool = True
    #: the format in which the model writes plans; None if the persona decides
    codec: Codec | None = None

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

#: for unknown Gemini models: they take words and answer with words
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
    # these models have another API
    ("gemini-*-live*", Capabilities(makes=frozenset())),
    ("gemini-*-native-audio*", Capabilities(makes=frozenset())),
    ("gemini-*", Capabilities(takes=_EVERYTHING)),
)


def input_kind(mime_type: str) -> InputKind | None:
    """Return the input kind of a MIME type, or None if no model takes such a file as it is."""
    return next((taken for start, taken in _TYPES.items() if mime_type.strip().lower().startswith(start)), None)


#: the input kind that each kind of media is converted to. A document is not listed: its MIME type decides
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
    """Return the input kind for a file of this kind and MIME type; None if models can only be given its description."""
    return _SHOWN.get(kind) or input_kind(mime_type)


#: billions of parameters in a model's name, such as 1.7 in `qwen3:1.7b`
_SIZE: Final = re.compile(r"(?:^|[-_:])(\d+(?:\.\d+)?)b(?:$|[-_:.])")
#: a model with fewer billions of parameters does not keep to a format
_SMALL: Final = 5.0
_TEXT: Final = frozenset({InputKind.TEXT})
_PICTURES: Final = _TEXT | {InputKind.PICTURES}
_VECTORS: Final = Capabilities(makes=frozenset({OutputKind.VECTORS}), tools=False, schema=False)
_SPEAKS: Final = Capabilities(makes=frozenset({OutputKind.SPEECH}), tools=False, schema=False)
_DRAWS: Final = Capabilities(makes=frozenset({OutputKind.PICTURES}), tools=False, schema=False)
_READS: Final = Capabilities(takes=_TEXT)
_SEES: Final = Capabilities(takes=_PICTURES)
_HEARS: Final = Capabilities(takes=_TEXT | {InputKind.SOUND})
#: for unknown models of other providers: they are asked for markdown, where the model writes its calls of tools as text
CAUTIOUS: Final = Capabilities(takes=_TEXT, tools=False, schema=False, codec=Codec.MARKDOWN)

#: capabilities of models at other providers, by name pattern; the first match counts
OTHERS: Final[tuple[tuple[str, Capabilities], ...]] = (
    ("*embed*", _VECTORS),
    ("*minilm*", _VECTORS),
    ("bge-*", _VECTORS),
    # platform.openai.com/docs/models
    ("*tts*", _SPEAKS),
    ("gpt-image*", _DRAWS),
    ("dall-e*", _DRAWS),
    ("gpt-*audio*", replace(_HEARS, context=128_000)),
    ("gpt-oss*", replace(_READS, context=131_072)),
    ("gpt-*", replace(_SEES, takes=_PICTURES | {InputKind.PDF}, context=128_000)),
    ("o[134]*", replace(_SEES, takes=_PICTURES | {InputKind.PDF}, context=128_000)),
    # docs.mistral.ai/getting-started/models
    ("voxtral*", replace(_HEARS, context=32_000)),
    ("pixtral*", replace(_SEES, context=128_000)),
    ("mistral-medium*", replace(_SEES, context=128_000)),
    ("mistral-large*", replace(_READS, context=128_000)),
    ("mistral-small*", replace(_SEES, context=32_000)),
    # openrouter.ai/docs: structured outputs, and multimodal inputs
    ("gemini-*", replace(_SEES, takes=_PICTURES | {InputKind.PDF})),
    ("claude-*", replace(CAUTIOUS, takes=_PICTURES | {InputKind.PDF}, tools=True, context=200_000)),
    # console.groq.com/docs: structured outputs, and vision
    ("llama-4-*", replace(_SEES, context=131_072)),
    ("llama-3.[123]-*", replace(CAUTIOUS, tools=True, context=131_072)),
    # api-docs.deepseek.com: JSON only without a schema
    ("deepseek-*", replace(CAUTIOUS, tools=True, context=64_000)),
)
#: capabilities that the deployment sets, by model
_GIVEN: dict[str, Capabilities] = {}


def set_capabilities(given: Mapping[str, Capabilities]) -> None:
    """Override the capabilities in this module's tables with those in `given`, in this process."""
    _GIVEN.clear()
    _GIVEN.update(given)


def capabilities_of(model: str) -> Capabilities:
    """Return a model's capabilities.

    `model` is the text form of a `ModelName`. The name of a Gemini model may also have a prefix ("models/…",
    "publishers/…/models/…").
    """
    return _GIVEN.get(model) or listed_capabilities(model)


def prompt_tokens_at_most(model: str, most: int, reply_tokens: int) -> int:
    """Return the most tokens for a prompt: `most`, or the model's context minus `reply_tokens` if that is less."""
    room = capabilities_of(model).context - reply_tokens
    return min(most, room) if room > 0 else most


def listed_capabilities(model: str) -> Capabilities:
    """Return a model's capabilities from the tables alone. A model without a row gets cautious defaults."""
    found = _row_of(model)
    if split_model_name(model).is_gemini:
        return found or WORDS_ONLY
    found = found or CAUTIOUS
    return replace(found, codec=Codec.TEXT) if OutputKind.TEXT in found.makes and is_small(model) else found


def is_listed(model: str) -> bool:
    """Return whether the tables have a row for a model."""
    return _row_of(model) is not None


def _row_of(model: str) -> Capabilities | None:
    parts = split_model_name(model)
    name = parts.name.rpartition("/")[2].lower()
    rows = TABLE if parts.is_gemini else OTHERS
    return next((found for pattern, found in rows if fnmatchcase(name, pattern)), None)


def is_small(model: str) -> bool:
    """Return whether a model's name says that it has fewer than five billion parameters."""
    size = _SIZE.search(model.lower())
    return size is not None and float(size[1]) < _SMALL


def may_describe(model: str, kind: MediaKind, mime_type: str = "") -> bool:
    """Return whether a model may accept a file of this type. True for texts and PDFs, since their text can be shown."""
    expected = expected_input_kind(kind, mime_type)
    return expected in {None, InputKind.TEXT, InputKind.PDF} or expected in capabilities_of(model).takes
