"""The first message of a reply that is still being written, as far as it goes."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from shared.models.agent import Codec
from shared.models.text import well_formed
from shared.planning.json_text import MAX_REPLY_CHARS, next_value
from shared.planning.json_tokens import MAX_DEPTH, TOKEN, string_so_far
from shared.planning.markdown_codec import item_in
from shared.planning.markdown_lines import fences_of, may_become_a_mark
from shared.planning.markdown_text import blocks_in, without_thought, wrapper_of
from shared.planning.raw_task import kind_of, named_fields
from shared.tasks.registry import traits_of

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
        traits = traits_of(kind_of(named_fields(inner.fields) if is_cut else item))
        if traits.is_text and isinstance(item.get("text"), str):
            self.text = str(item["text"])
        inner.fields[inner.key] = string_so_far(body)
        return is_cut or traits.ends_preview or bool(self.text)


def _note(inner: _Open, token: re.Match[str]) -> None:
    if token.group() == ",":
        inner.key, inner.has_colon = "", False
    elif token.group() == ":":
        inner.has_colon = True
    elif not inner.has_colon:
        inner.key = token.group()


def first_in_markdown(reply: str) -> str:
    """The text of the first `send` as far as it is written; empty: there is none yet, or a pause comes before it."""
    spoken = without_thought(reply)
    if spoken is None:
        return ""
    lines = spoken.split("\n")
    wrapper = wrapper_of(lines)
    for block in blocks_in(_certain(lines[wrapper + 1 :], is_wrapped=wrapper >= 0)):
        traits = traits_of(kind_of({"kind": block.heading.kind}))
        if traits.is_text or traits.ends_preview:
            return str(item_in(block)["text"]) if traits.is_text else ""
    return ""


def _certain(lines: Sequence[str], *, is_wrapped: bool) -> Sequence[str]:
    """The lines without those that may still become something else.

    That is a last line that begins like a heading or a fence, a code block in which nothing stands yet, and, in a plan
    with a fence around it, one that is not closed: it may be the end of the plan.
    """
    if (is_wrapped or not fences_of(lines[:-1]).is_open) and may_become_a_mark(lines[-1]):
        lines = lines[:-1]
    fences = fences_of(lines)
    if fences.is_open and (is_wrapped or not any(line.strip() for line in lines[fences.openings[-1] + 1 :])):
        return lines[: fences.openings[-1]]
    return lines


_READERS: Final[Mapping[Codec, Callable[[str], str]]] = MappingProxyType(
    {Codec.JSON: first_in_json, Codec.MARKDOWN: first_in_markdown}
)


def first_text(reply: str, codec: Codec = Codec.JSON) -> str:
    """The markdown of the first `send`, as far as the beginning of a reply tells it; empty: nothing is to be shown.

    Total, and linear in the reply. Never a thought, another task, the spelling of the plan, half an escape or half a
    surrogate pair; nothing of a message that comes after a pause. (It may end within a letter and its accents.)
    """
    if len(reply) > MAX_REPLY_CHARS:
        return ""
    ends_in_half = reply[-1:] and "\ud800" <= reply[-1] <= "\udbff"
    return _READERS[codec](well_formed(reply[:-1] if ends_in_half else reply))
