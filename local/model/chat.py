"""Prepares requests to the small model, and filters the chunks of its answers. Requests get a token limit, sampling
options and a narrower schema. An answer that repeats itself is cut off.
"""

import json
import re
from collections.abc import Iterable

from local.model.calls import ApiError, Fault, Json
from local.model.repetition import LEAST_CHARACTERS, end_of_sense
from local.model.schema import for_small_model
from local.model.state import ReadingReport

#: most tokens of an answer: one or two minutes of generating, and an eighth of the model's context
ANSWER_TOKENS = 1_024

#: Added to the log probability of words with which an answer should not begin. A word that is strongly expected is
#: still generated.
UNWANTED = -6.0

#: Plans are best without chance. With greedy sampling a model may repeat itself forever, so a token that continues a
#: repetition of at least this many tokens becomes less likely with each repetition (github.com/ggml-org/llama.cpp,
#: `--dry-multiplier`).
SAMPLING: Json = {
    "temperature": 0.0,
    "top_p": 0.9,
    "dry_multiplier": 0.8,
    "dry_allowed_length": 8,
    "dry_penalty_last_n": 256,
}
#: the name before a line of a group
_NAME = re.compile(r"([^\W\d][^:\n]{0,63}): ")
#: names of the limit of an answer
_LIMITS = ("max_completion_tokens", "max_tokens")


def messages_in(request: Json) -> list[Json]:
    """Return a request's messages; the text parts of each are joined to one text. Raises ApiError if `messages` is not
    a list of turns.
    """
    try:
        return [{**turn, "content": _text_of(turn.get("content"))} for turn in request["messages"]]
    except (KeyError, TypeError, AttributeError) as cause:
        raise ApiError(Fault.INVALID_ARGUMENT, "`messages` is not a list of turns.") from cause


def _text_of(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""


def bound_request(request: Json, unwanted: Iterable[int]) -> Json:
    """Return the request to send to the engine (llama.cpp's server): it limits the answer's tokens, and asks for a
    stream with progress reports.

    The caller's sampling options replace the defaults. `unwanted`: tokens that are made unlikely.
    """
    given = {name: value for name, value in request.items() if name not in _LIMITS}
    asked = [request[name] for name in _LIMITS if isinstance(request.get(name), int)]
    return {
        **SAMPLING,
        **given,
        **_narrowed(request.get("response_format")),
        "max_tokens": min([*asked, ANSWER_TOKENS]),
        "logit_bias": [[token, UNWANTED] for token in unwanted],
        "cache_prompt": True,
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,
    }


def _narrowed(form: object) -> Json:
    """Return the field `response_format` with a JSON Schema that allows fewer values; {} if `form` has no schema."""
    try:
        held = form["json_schema"]  # type: ignore[index]
        return {"response_format": {**form, "json_schema": {**held, "schema": for_small_model(held["schema"])}}}  # type: ignore[dict-item]
    except (KeyError, TypeError):
        return {}


def chunk_in(line: str) -> Json | None:
    """Return the JSON chunk in a line of an event stream; None if the line has none."""
    return dict(json.loads(line.removeprefix("data: "))) if line.startswith("data: {") else None


class AnswerStream:
    """Filters the chunks of one answer: removes a speaker's name at the beginning, and ends the answer once it repeats
    itself.

    The last characters are held back until it is known that they do not begin a repetition.
    """

    def __init__(self, names: Iterable[str] = (), *, is_json: bool = False) -> None:
        """Begin with an empty text. `names`: the speakers' names to remove. `is_json`: chunks are passed on unchanged,
        since a schema limits the answer.
        """
        self.is_endless, self._is_json = False, is_json
        self._names = tuple(f"{name}:" for name in names)
        self._text, self._sent, self._pieces, self._prompt_tokens = "", 0, 0, 0

    def take(self, chunk: Json) -> Json:
        """Return the chunk to pass on to the caller. It has no text while characters are held back. It is marked as the
        last one if the answer begins to repeat itself.
        """
        self._prompt_tokens = (chunk.get("prompt_progress") or {}).get("total", self._prompt_tokens)
        choice = next(iter(chunk.get("choices") or ()), None)
        if choice is None or self._is_json:
            return chunk
        delta = choice.get("delta") or {}
        if delta.get("content"):
            self._text += delta["content"]
            self._pieces += 1
        end = end_of_sense(self._text)
        self.is_endless = end < len(self._text)
        is_last = self.is_endless or choice.get("finish_reason")
        said = self._next(end if is_last else end - LEAST_CHARACTERS)
        if not said and not self.is_endless:
            return {
                **chunk,
                "choices": [{**choice, "delta": {**delta, "content": None} if "content" in delta else delta}],
            }
        choice = {**choice, "delta": {**delta, "content": said}}
        if not self.is_endless:
            return {**chunk, "choices": [choice]}
        usage = {"prompt_tokens": self._prompt_tokens, "completion_tokens": self._pieces}
        usage["total_tokens"] = sum(usage.values())
        return {**chunk, "choices": [{**choice, "finish_reason": "stop"}], "usage": usage}

    def _next(self, until: int) -> str:
        """Return the text from the end of what was passed on so far to the position `until`."""
        if not self._sent and until > 0:
            name = next((name for name in self._names if self._text.startswith(name)), "")
            rest = self._text[len(name) :]
            self._sent = len(self._text) - len(rest.lstrip()) if name else 0
        said = self._text[self._sent : max(self._sent, until)]
        self._sent += len(said)
        return said


def names_in(messages: list[Json]) -> list[str]:
    """Return the speakers' names that begin the lines of the last message, as in a group's prompt. The final line is
    ignored. If any other line does not begin with a name, return an empty list.
    """
    *lines, _ = str(messages[-1]["content"] if messages else "").split("\n")
    found = [_NAME.match(line) for line in lines if line.strip()]
    return list(dict.fromkeys(name[1] for name in found if name)) if all(found) else []


def reading_in(chunk: Json, name: str) -> ReadingReport | None:
    """Return how many tokens of the prompt have been read, cached ones not counted. Return None if the chunk does not
    report this. `name`: the agent's name, or empty.
    """
    progress = chunk.get("prompt_progress")
    if not isinstance(progress, dict):
        return None
    known = int(progress.get("cache", 0))
    return ReadingReport(
        names=[name] if name else [],
        done_tokens=int(progress["processed"]) - known,
        total_tokens=int(progress["total"]) - known,
    )


def whole_of(chunks: Iterable[Json]) -> Json:
    """Return the complete answer that the chunks make, in the form of a response without streaming."""
    text, finish, usage, last = "", None, Json(), Json()
    for chunk in chunks:
        last = chunk
        usage = chunk.get("usage") or usage
        for choice in chunk.get("choices") or ():
            text += choice["delta"].get("content") or ""
            finish = choice.get("finish_reason") or finish
    about: Json = {name: last[name] for name in ("id", "created", "model") if name in last}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return {**about, "object": "chat.completion", "choices": [choice], "usage": usage}
