"""What a model thinks before it answers, kept out of its answer.

Servers have thoughts in a field of their own (`reasoning` in Ollama, `reasoning_content` in LM Studio and llama.cpp) or
before the answer, between `<think>` and `</think>`. LM Studio has even answered with the plan where thoughts belong,
and with no text at all (lmstudio-bug-tracker 1698, 1773 and 1971, seen with 0.4.7 to 0.4.10).
"""

import json
from collections.abc import AsyncGenerator

from local.gemini.calls import Json

OPENS, CLOSES = "<think>", "</think>"
_FIELDS = ("reasoning_content", "reasoning")


async def without_thoughts(chunks: AsyncGenerator[Json], *, is_json: bool) -> AsyncGenerator[Json]:
    """The chunks with nothing but the answer in them. `is_json`: JSON among the thoughts of an empty answer is it."""
    tagged, thoughts, is_empty = TaggedThoughts(), "", True
    async for chunk in chunks:
        delta = _delta_of(chunk)
        thoughts += next((str(delta[name]) for name in _FIELDS if delta.get(name)), "")
        if delta.get("content"):
            delta["content"] = tagged.take(str(delta["content"]))
        is_empty = is_empty and not delta.get("content") and not delta.get("tool_calls")
        yield chunk
    text = tagged.rest() or (thoughts.strip() if is_empty and is_json and _is_object(thoughts) else "")
    if text:
        yield {"choices": [{"delta": {"content": text}}]}


class TaggedThoughts:
    """Text as it is written, without the thoughts that it begins with."""

    def __init__(self) -> None:
        """Nothing is written yet."""
        self._held, self._has_begun = "", False

    def take(self, piece: str) -> str:
        """What of the text so far is the answer, and was not told yet."""
        if self._has_begun:
            return piece
        self._held += piece
        begun = self._held.lstrip()
        if not begun.startswith(OPENS):
            return "" if OPENS.startswith(begun) else self._told(self._held)
        return self._told(begun.partition(CLOSES)[2].lstrip())

    def rest(self) -> str:
        """What was held back and is no thought after all: the text has ended."""
        return "" if self._held.lstrip().startswith(OPENS) else self._held

    def _told(self, answer: str) -> str:
        """The first of the answer; what follows it is told as it comes."""
        if answer:
            self._held, self._has_begun = "", True
        return answer


def _delta_of(chunk: Json) -> Json:
    choice = (chunk.get("choices") or [{}])[0]
    delta: Json = choice.get("delta") or choice.get("message") or {}
    return delta


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
