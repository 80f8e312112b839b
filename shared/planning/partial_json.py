"""The first message in the beginning of a JSON reply, in whatever spelling the plan itself may have."""

import re
from dataclasses import dataclass, field
from typing import Final

from shared.planning.json_text import next_value
from shared.planning.json_tokens import MAX_DEPTH, TOKEN, string_so_far
from shared.planning.raw_task import kind_of, named_fields

_CLOSERS: Final = {"{": "}", "[": "]"}


def first_in_json(reply: str) -> str:
    """The text of the first `send` as far as it is written; empty: there is none yet, or a pause comes before it."""
    reading = _Reading()
    position = next_value(reply)
    while position >= 0:
        for token in TOKEN.finditer(reply, position):
            if reading.is_prose(token):
                break
            if reading.takes(token, reply):
                return reading.text
        else:
            break
        position = next_value(reply, token.start())
    return ""


@dataclass
class _Open:
    """An object or a list that is not closed yet."""

    closer: str
    #: the word or string before a colon
    key: str = ""
    has_colon: bool = False
    fields: dict[str, object] = field(default_factory=dict)


@dataclass
class _Reading:
    """The way through the tokens, until the first message is found or there can be none."""

    opened: list[_Open] = field(default_factory=list)
    text: str = ""

    def is_prose(self, token: re.Match[str]) -> bool:
        """Whether this stands between two values, where only a comma may."""
        return not self.opened and token.lastgroup not in ("space", "open") and token.group() != ","

    def takes(self, token: re.Match[str], reply: str) -> bool:
        """Read on; whether it is clear what to show: `text`, or nothing if it is empty."""
        match token.lastgroup:
            case "open":
                self.opened.append(_Open(_CLOSERS[token.group()]))
                return len(self.opened) > MAX_DEPTH
            case "close":
                return self.opened.pop().closer != token.group()
            case "junk":
                return True
            case "mark" | "word" if self.opened:
                _note(self.opened[-1], token)
            case "string":
                return self._is_told(token.group()[1:-1])
            case "cut":
                return self._is_told(reply[token.end() :], is_cut=True)
        return False

    def _is_told(self, body: str, *, is_cut: bool = False) -> bool:
        """Note a string, and look whether it completes the first message, or is the part of it that there is."""
        inner = self.opened[-1]
        if not inner.has_colon:
            inner.key = string_so_far(body)
            return is_cut
        item = named_fields({**inner.fields, inner.key: string_so_far(body)})
        kind = kind_of(named_fields(inner.fields) if is_cut else item)
        if kind == "send" and isinstance(item.get("text"), str):
            self.text = str(item["text"])
        inner.fields[inner.key] = string_so_far(body)
        return is_cut or kind == "wait" or bool(self.text)


def _note(inner: _Open, token: re.Match[str]) -> None:
    if token.group() == ",":
        inner.key, inner.has_colon = "", False
    elif token.group() == ":":
        inner.has_colon = True
    elif not inner.has_colon:
        inner.key = token.group()
