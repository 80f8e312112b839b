"""Parses answers of Gemini's API. Missing parts, and parts of the wrong type, are read as empty."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from shared.base.model_call import ModelCall
from shared.llm.gemini.errors import maybe_paid_error
from shared.llm.gemini.generated_media import generated_files
from shared.values.prompt import Attachment, Prompt, ToolCall

Json: TypeAlias = dict[str, Any]
T = TypeVar("T")


#: the counts of a call (ai.google.dev/api/generate-content#UsageMetadata); a missing one is 0
_COUNTS: Final = (
    "promptTokenCount",
    "toolUsePromptTokenCount",
    "cachedContentTokenCount",
    "thoughtsTokenCount",
    "candidatesTokenCount",
)
#: more tokens than any call takes, and fewer tokens than any picture takes
_MOST, _LEAST_OF_PICTURE = 10_000_000, 200
#: MIME types that have sound, or may have
_HEARD: Final = ("audio/", "video/")


@dataclass(frozen=True, kw_only=True)
class GeminiAnswer:
    """An answer, or one event of a streamed answer.

    `finish` and `blocked` are the API's reasons why an answer ended and why a prompt was blocked.
    """

    parts: Sequence[Json] = ()
    finish: str = ""
    blocked: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""
    #: the results of a web search; empty if none was made
    grounding: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text of the answer, without the model's thoughts."""
        return "".join(_text(part.get("text")) for part in self.parts if not part.get("thought"))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The function calls in their order. A call without a name has the name ""."""
        called = [_object(part["functionCall"]) for part in self.parts if "functionCall" in part]
        return tuple(
            ToolCall(id=_text(call.get("id")), name=_text(call.get("name")), arguments=_object(call.get("args")))
            for call in called
        )

    @property
    def files(self) -> tuple[Attachment, ...]:
        """The sounds and pictures in their order, without drafts from the model's thoughts."""
        return tuple(generated_files(part for part in self.parts if not part.get("thought")))

    @property
    def verbatim(self) -> str:
        """The answer as JSON, to be sent back to Gemini: every part unchanged, with its thought signatures.

        Gemini 3 refuses a function call that comes back without its signature
        (ai.google.dev/gemini-api/docs/thought-signatures).
        """
        return json.dumps({"role": "model", "parts": list(self.parts)}, ensure_ascii=False, separators=(",", ":"))

    def call(self, model: str, ms: int, prompted: Prompt | None = None) -> ModelCall:
        """Return this model call with its token counts. `model`, the requested model, determines the price.

        Token counts of audio and of searches are expected only if `prompted`, the prompt, has audio or allows searches.
        """
        has_sound = prompted is not None and any(one.mime_type.startswith(_HEARD) for one in prompted.attached)
        is_told = self._is_counted and self._tells_searches(may_search=prompted is not None and prompted.searches)
        counts = [_count(self.usage.get(name)) for name in _COUNTS]
        prompt, tools, cached, thoughts, output = counts
        drawn = _count_of("IMAGE", self.usage.get("candidatesTokensDetails"))
        return ModelCall(
            model=model,
            prompt_tokens=prompt + tools,
            media_tokens=sum(_media_tokens(self.usage.get("promptTokensDetails"))),
            cached_tokens=min(cached, prompt + tools),
            thought_tokens=thoughts,
            output_tokens=output,
            sound_tokens=self._sound(prompt + tools) if has_sound else self._tokens_of_modalities("AUDIO"),
            # if the counts do not tell pictures apart, all output counts as pictures, which cost most
            picture_tokens=output if self._pictures and not drawn else drawn,
            ms=ms,
            searches=len(_list(self.grounding.get("webSearchQueries"))),
            is_uncounted=not is_told,
        )

    def _tokens_of_modalities(self, *modalities: str) -> int:
        """Return the number of prompt tokens that the API reports for these modalities."""
        return sum(_count_of(one, self.usage.get("promptTokensDetails")) for one in modalities)

    def _sound(self, prompt: int) -> int:
        """Return the number of prompt tokens to charge as audio. If the API reports none for audio, return the number
        of all tokens that it does not report as text, pictures, video or documents.
        """
        return self._tokens_of_modalities("AUDIO") or max(
            0, prompt - self._tokens_of_modalities("TEXT", "IMAGE", "VIDEO", "DOCUMENT")
        )

    def _tells_searches(self, *, may_search: bool) -> bool:
        """Return False if the answer used search but does not list its queries. Each query costs money, so the cost is
        then unknown.
        """
        queries, used = self.grounding.get("webSearchQueries"), _count(self.usage.get("toolUsePromptTokenCount"))
        has_read = bool(self.grounding.get("groundingChunks")) or (may_search and used > 0)
        return bool(_list(queries)) or not (has_read or queries)

    @property
    def _is_counted(self) -> bool:
        """Return whether the token counts are plausible: all are numbers, consistent, and fit the answer's content."""
        if not all(map(_is_count, map(self.usage.get, (*_COUNTS, "totalTokenCount")))):
            return False
        prompt, tools, cached, thoughts, output = (_count(self.usage.get(name)) for name in _COUNTS)
        written, took = thoughts + output, prompt + tools + thoughts + output
        is_whole = prompt > 0 and cached <= prompt + tools and _count(self.usage.get("totalTokenCount")) <= took
        return is_whole and (written > 0 or not self._has_written) and output >= self._pictures * _LEAST_OF_PICTURE

    @property
    def _has_written(self) -> bool:
        return any(
            part.get("text") or not part.keys().isdisjoint({"functionCall", "inlineData"}) for part in self.parts
        )

    @property
    def _pictures(self) -> int:
        """The number of pictures, without drafts from the model's thoughts."""
        blobs = (_object(part.get("inlineData")) for part in self.parts if not part.get("thought"))
        return sum(_text(blob.get("mimeType")).startswith("image/") for blob in blobs)


def parse_answer(body: object) -> GeminiAnswer:
    said = _object(body)
    candidate = _object(next(iter(_list(said.get("candidates"))), None))
    return GeminiAnswer(
        parts=[part for part in _list(_object(candidate.get("content")).get("parts")) if isinstance(part, dict)],
        finish=_text(candidate.get("finishReason")),
        blocked=_text(_object(said.get("promptFeedback")).get("blockReason")),
        usage=_object(said.get("usageMetadata")),
        model=_text(said.get("modelVersion")),
        grounding=_object(candidate.get("groundingMetadata")),
    )


def join_events(events: Sequence[GeminiAnswer]) -> GeminiAnswer:
    """Join the events of a stream into one answer. Raises ModelUnavailable if the stream ended too early."""
    found = GeminiAnswer(
        parts=[part for event in events for part in event.parts],
        finish=_last(event.finish for event in events) or "",
        blocked=_last(event.blocked for event in events) or "",
        usage=_usage_of(events),
        model=_last(event.model for event in events) or "",
        grounding=_last(event.grounding for event in events) or {},
    )
    if found.parts and not found.finish and not found.blocked:
        raise maybe_paid_error("Gemini's answer broke off")
    return found


def _usage_of(events: Sequence[GeminiAnswer]) -> Mapping[str, Any]:
    """Return the last token counts of a stream; the counts in each event are the totals so far.

    Empty if more of the answer came after the last event with counts, since the totals are then unknown.
    """
    for event in reversed(events):
        if event.usage or event.parts or event.finish or event.blocked:
            return event.usage
    return {}


def _count_of(modality: str, details: object) -> int:
    """Return a modality's number of tokens (ai.google.dev/api/generate-content, ModalityTokenCount)."""
    counts = [_object(one) for one in _list(details)]
    return sum(_count(one.get("tokenCount")) for one in counts if one.get("modality") == modality)


def _last(values: Iterable[T]) -> T | None:
    """Return the last value that is not empty."""
    return next((value for value in reversed(list(values)) if value), None)


def _media_tokens(details: object) -> Iterator[int]:
    """Yield the token count of each modality except text (ai.google.dev/api/generate-content#ModalityTokenCount)."""
    counts = (count for count in _list(details) if isinstance(count, dict))
    yield from (_count(one.get("tokenCount")) for one in counts if _text(one.get("modality")) not in {"", "TEXT"})


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _is_count(value: object) -> bool:
    """Return True if a value is a plausible token count, or if it is None."""
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST)


def _count(value: object) -> int:
    return value if isinstance(value, int) and _is_count(value) else 0
