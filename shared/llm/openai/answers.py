"""Answers of chat completions (platform.openai.com/docs/api-reference/chat). Servers differ in many fields.

Missing parts, and parts of the wrong type, are read as empty.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from shared.base.model_call import ModelCall
from shared.llm.openai.json_values import Json, as_count, as_list, as_object, as_text, is_count, well_formed_json
from shared.values.prompt import Prompt, ToolCall

_THINKING: Final = ("<think>", "<thinking>", "<thought>")
#: the tag at the end of thoughts, if it is alone on its line; elsewhere a text may be about the tag
_THOUGHTS_END: Final = re.compile(r"^[ \t]*</(?:think|thinking|thought)>[ \t]*(?:\n\s*|\Z)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class OpenAIAnswer:
    """An answer: the assistant's message, the finish reason, the token counts, and the error, if there is one."""

    message: Json = field(default_factory=dict)
    finish: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    #: an error in place of a message, or beside it
    error: object = None

    @property
    def text(self) -> str:
        """The text without the model's thoughts."""
        return split_thoughts(content_text(self.message.get("content")))[1]

    @property
    def thoughts(self) -> str:
        """The model's thoughts, wherever the server puts them."""
        content = self.message.get("content")
        apart = as_text(self.message.get("reasoning_content")) or as_text(self.message.get("reasoning"))
        return apart + "".join(_thinking_parts(content)) + split_thoughts(content_text(content))[0]

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls of tools in their order. A call without a name, or with unreadable arguments, has the name ""."""
        return tuple(_tool_call(as_object(call)) for call in as_list(self.message.get("tool_calls")))

    @property
    def verbatim(self) -> str:
        """The message as JSON to pass back: with the thoughts and signatures that some servers want, and without empty
        fields, which others refuse.
        """
        full = {name: value for name, value in self.message.items() if name == "content" or value not in (None, [], "")}
        return json.dumps({**full, "role": "assistant"}, ensure_ascii=False, separators=(",", ":"))

    def call(self, model: str, ms: int, prompt: Prompt) -> ModelCall:
        """Return the call with its token counts. `model` is the model's name in the price list."""
        counts, prompted, written = self.usage, as_object(self.usage.get("prompt_tokens_details")), self._written_tokens
        read, cached = as_count(counts.get("prompt_tokens")), self._cached_tokens
        has_sound = any(one.mime_type.startswith("audio/") for one in prompt.attached)
        sound = as_count(prompted.get("audio_tokens"))
        thoughts = self._thought_tokens(written)
        return ModelCall(
            model=model,
            prompt_tokens=read,
            media_tokens=min(read, sound + as_count(prompted.get("image_tokens"))),
            cached_tokens=min(cached, read),
            thought_tokens=thoughts,
            output_tokens=max(0, written - thoughts),
            # if the counts do not tell sound apart, all counts as sound, which costs most
            sound_tokens=min(read, sound or (read if has_sound else 0)),
            ms=ms,
            is_uncounted=not self._is_counted(read, cached, written),
        )

    @property
    def _cached_tokens(self) -> int:
        """The number of prompt tokens that came from the server's cache. DeepSeek uses a field of its own."""
        details = as_object(self.usage.get("prompt_tokens_details"))
        return as_count(details.get("cached_tokens")) or as_count(self.usage.get("prompt_cache_hit_tokens"))

    @property
    def _written_tokens(self) -> int:
        """The tokens written, thoughts included. xAI counts thoughts only in `total_tokens`."""
        written, total = (as_count(self.usage.get(name)) for name in ("completion_tokens", "total_tokens"))
        apart = written + self._reasoning
        return apart if total == as_count(self.usage.get("prompt_tokens")) + apart else written

    @property
    def _reasoning(self) -> int:
        return as_count(as_object(self.usage.get("completion_tokens_details")).get("reasoning_tokens"))

    def _thought_tokens(self, written: int) -> int:
        """Return the number of thought tokens: as reported, else estimated by the thoughts' share of the characters."""
        if self._reasoning or not self.thoughts:
            return min(self._reasoning, written)
        said = len(self.text) + sum(len(str(call)) for call in as_list(self.message.get("tool_calls")))
        return round(written * len(self.thoughts) / (len(self.thoughts) + said))

    def _is_counted(self, read: int, cached: int, written: int) -> bool:
        """Return whether the token counts are plausible: numbers, consistent, and not 0 where there is content."""
        names = ("prompt_tokens", "completion_tokens", "total_tokens")
        if not all(self.usage.get(name) is None or is_count(self.usage[name]) for name in names):
            return False
        has_written = bool(self.text or self.thoughts or self.message.get("tool_calls"))
        is_whole = as_count(self.usage.get("total_tokens")) <= read + written
        return is_whole and read > 0 and cached <= read and (written > 0 or not has_written)


def parse_answer(body: object) -> OpenAIAnswer:
    """Parse a whole chat completion."""
    said = as_object(body)
    choice = as_object(next(iter(as_list(said.get("choices"))), None))
    return OpenAIAnswer(
        message=clean_message(as_object(choice.get("message"))),
        finish=as_text(choice.get("finish_reason")),
        usage=usage_in(said, choice),
        error=error_in(said, choice),
    )


def usage_in(said: Json, choice: Json) -> Json:
    """Return the token counts in an answer or a chunk. Groq and Moonshot send them in other fields than OpenAI."""
    places = (said.get("usage"), as_object(said.get("x_groq")).get("usage"), choice.get("usage"))
    return next(filter(None, map(as_object, places)), {})


def error_in(said: Json, choice: Json) -> object:
    """Return the error in an answer or a chunk that was sent with a status of success; None if there is none."""
    return said.get("error") or choice.get("error") or (said if said.get("object") == "error" else None)


def clean_message(message: Json) -> Json:
    """Return a message with well-formed texts, and with an id for each tool call, which the tool's answer must name.

    Missing ids get nine letters and digits, the only form that Mistral takes.
    """
    message = as_object(well_formed_json(message))
    calls = [as_object(call) for call in as_list(message.get("tool_calls"))]
    if not calls:
        return {name: value for name, value in message.items() if name != "tool_calls"}
    named = [{**call, "id": as_text(call.get("id")) or f"call{n:05}"} for n, call in enumerate(calls)]
    return {**message, "tool_calls": named}


def content_text(content: object) -> str:
    """Return the text of a message's content: a string, or a list of parts."""
    if isinstance(content, list):
        return "".join(as_text(part.get("text")) for part in map(as_object, content) if _is_text(part))
    return as_text(content)


def _is_text(part: Json) -> bool:
    return as_text(part.get("type")) in {"", "text", "output_text"}


def _thinking_parts(content: object) -> Iterator[str]:
    """Yield the thoughts among a content's parts, as Mistral sends them."""
    for part in map(as_object, as_list(content)):
        if part.get("type") == "thinking":
            yield content_text(part.get("thinking"))


def split_thoughts(text: str) -> tuple[str, str]:
    """Return the thoughts at the beginning of a text, and the text after them.

    The text may be the beginning of a stream. So an incomplete tag, and thoughts that have not ended, are not text.
    """
    begun = text.lstrip()
    if not begun.startswith("<"):
        return _split_unopened(text)
    if any(tag.startswith(begun) for tag in _THINKING):
        return "", ""
    opened = next((tag for tag in _THINKING if begun.startswith(tag)), "")
    if not opened:
        return "", text
    thoughts, _, rest = begun.removeprefix(opened).partition(f"</{opened[1:]}")
    return thoughts, rest.lstrip()


def _split_unopened(text: str) -> tuple[str, str]:
    """Split a text that has a closing thought tag but no opening one.

    With some chat templates the opening tag is part of the prompt. A text that is JSON is not split.
    """
    if "</th" not in text or text.lstrip().startswith(("{", "[", "`")):
        return "", text
    end = _THOUGHTS_END.search(text)
    return (text[: end.start()], text[end.end() :]) if end is not None else ("", text)


def _tool_call(call: Json) -> ToolCall:
    function = as_object(call.get("function"))
    name, arguments = as_text(function.get("name")), _arguments(function.get("arguments"))
    identity = as_text(call.get("id"))
    return ToolCall(id=identity, name=name if arguments is not None else "", arguments=arguments or {})


def _arguments(value: object) -> Json | None:
    """Return the arguments of a call, which are JSON in a string or, at some servers, an object; None if unreadable."""
    if isinstance(value, dict):
        return value
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    try:
        found = well_formed_json(json.loads(value)) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
