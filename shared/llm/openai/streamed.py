"""Streams of chat completions: chunks joined into one answer."""

from typing import Any

from shared.base.text import well_formed
from shared.llm.openai.answers import OpenAIAnswer, clean_message, content_text, error_in, split_thoughts, usage_in
from shared.llm.openai.json_values import Json, as_list, as_object, as_text
from shared.llm.reading_progress import report_reading

#: texts that a stream sends in pieces
_IN_PIECES = frozenset({"reasoning_content", "reasoning", "refusal"})


class StreamedAnswer:
    """An answer that grows chunk by chunk."""

    def __init__(self) -> None:
        """Start with an empty answer."""
        self._content: list[str] = []
        self._message: Json = {}
        self._calls: list[Json] = []
        self._finish, self._has_choice = "", False
        self._usage: Json = {}
        self._shown = 0
        #: the error that came instead of a chunk; and whether the last chunk said that the model still reads the prompt
        self.error: object = None
        self.is_reading = False

    def add(self, chunk: object) -> str:
        """Add a chunk. Return the whole visible text so far if the chunk adds to it; otherwise ""."""
        said = as_object(chunk)
        choice = as_object(next(iter(as_list(said.get("choices"))), None))
        self._usage = usage_in(said, choice) or self._usage
        self._finish = as_text(choice.get("finish_reason")) or self._finish
        self.error = self.error or error_in(said, choice)
        progress = as_object(said.get("prompt_progress"))
        self.is_reading = bool(progress)
        if isinstance(total := progress.get("total"), int) and isinstance(read := progress.get("processed"), int):
            report_reading(read, total)
        # a server that does not stream sends the message whole
        delta = as_object(choice.get("delta")) or as_object(choice.get("message"))
        self._has_choice = self._has_choice or bool(delta)
        return self._merge(delta)

    @property
    def has_begun(self) -> bool:
        """Return whether the model has written anything."""
        return bool(self._content or self._calls or self._message.keys() & _IN_PIECES)

    @property
    def is_cut(self) -> bool:
        """Return whether the stream ended before the answer did."""
        return self._has_choice and not self._finish

    def whole(self) -> OpenAIAnswer:
        """Return the complete answer, assembled from the chunks so far."""
        message = {**self._message, "content": "".join(self._content) or None}
        if self._calls:
            message["tool_calls"] = [{k: v for k, v in call.items() if k != "index"} for call in self._calls]
        return OpenAIAnswer(message=clean_message(message), finish=self._finish, usage=self._usage, error=self.error)

    def _merge(self, delta: Json) -> str:
        for name, value in delta.items():
            if name == "content":
                if text := content_text(value):
                    self._content.append(text)
                _add_thoughts(self._message, value)
            elif name == "tool_calls":
                for call in map(as_object, as_list(value)):
                    self._merge_call(call)
            else:
                _merge_field(self._message, name, value, in_pieces=name in _IN_PIECES)
        return self._more_text() if delta.get("content") else ""

    def _more_text(self) -> str:
        _, text = split_thoughts("".join(self._content))
        if len(text) <= self._shown:
            return ""
        self._shown = len(text)
        return well_formed(text)

    def _merge_call(self, piece: Json) -> None:
        """Add a piece of a tool call to the call with the same `index`, else the same id, else to the last call."""
        number, identity = piece.get("index"), as_text(piece.get("id"))
        found = next((call for call in self._calls if isinstance(number, int) and call.get("index") == number), None)
        if found is None and not isinstance(number, int):
            same = (call for call in self._calls if identity and call.get("id") == identity)
            is_new = identity or as_text(as_object(piece.get("function")).get("name"))
            found = next(same, None) if is_new else (self._calls[-1] if self._calls else None)
        if found is None:
            found = {}
            self._calls.append(found)
        function = {**as_object(found.get("function"))}
        for name, value in as_object(piece.get("function")).items():
            _merge_field(function, name, value, in_pieces=name == "arguments")
        found |= {name: value for name, value in piece.items() if value not in (None, "")} | {"function": function}


def _merge_field(into: Json, name: str, value: Any, *, in_pieces: bool) -> None:
    """Merge a chunk's field: lists, and strings sent `in_pieces`, grow. Other values are replaced unless empty."""
    before: Any = into.get(name)
    is_piece = isinstance(value, list) or (in_pieces and isinstance(value, str))
    if value in (None, ""):
        into.setdefault(name, value)
    else:
        into[name] = before + value if is_piece and isinstance(before, type(value)) else value


def _add_thoughts(message: Json, content: object) -> None:
    """Add the thoughts in `content` to the message's `reasoning` field. They are not part of the text."""
    for part in map(as_object, as_list(content)):
        if part.get("type") == "thinking":
            message["reasoning"] = as_text(message.get("reasoning")) + content_text(part.get("thinking"))
