"""Removes a model's thoughts from its answer.

Servers send thoughts in a separate field (`reasoning` in Ollama, `reasoning_content` in LM Studio and llama.cpp) or
before the answer, between `<think>` and `</think>`. LM Studio has even sent the plan in the field of thoughts, with an
empty text (lmstudio-bug-tracker 1698, 1773 and 1971, seen with 0.4.7 to 0.4.10).
"""

import json
from collections.abc import AsyncGenerator

from local.gemini.calls import Json

OPENS, CLOSES = "<think>", "</think>"
_FIELDS = ("reasoning_content", "reasoning")


async def without_thoughts(chunks: AsyncGenerator[Json], *, is_json: bool) -> AsyncGenerator[Json]:
    """Yield the chunks without thoughts. `is_json`: if the answer is empty, JSON among the thoughts is taken as the
    answer.
    """
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
    """Removes the thoughts at the beginning of a text that arrives in pieces."""

    def __init__(self) -> None:
        """Start with an empty text."""
        self._held, self._has_begun = "", False

    def take(self, piece: str) -> str:
        """Return the part of the answer that was not returned yet."""
        if self._has_begun:
            return piece
        self._held += piece
        begun = self._held.lstrip()
        if not begun.startswith(OPENS):
            return "" if OPENS.startswith(begun) else self._told(self._held)
        return self._told(begun.partition(CLOSES)[2].lstrip())

    def rest(self) -> str:
        """Return the held-back text at the end, if it turned out to be no thought."""
        return "" if self._held.lstrip().startswith(OPENS) else self._held

    def _told(self, answer: str) -> str:
        """Return the beginning of the answer; later pieces are returned as they arrive."""
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
