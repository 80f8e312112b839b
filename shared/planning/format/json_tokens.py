"""The lenient JSON reader: one JSON value inside a text, in any spelling. It never adds what is not there.

It accepts single and smart quotes, comments, trailing commas, bare keys, Python's literals, stray backslashes, and raw
line ends in strings. It refuses a bracket or a quote that is never closed. It takes time linear in the text, without
recursion. (A JSON5 parser accepts half of these; the `json5` package hits the recursion limit at 60 brackets.)
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

#: a plan nests 3 deep. CPython's JSON decoder recurses, and must not reach its limit
MAX_DEPTH: Final = 64
_SAFE_INT_DIGITS: Final = 18

#: a token of JSON in any spelling; `cut` is the quote of a string that is never closed
_TOKEN: Final = re.compile(
    r"""
      (?P<space>[\s\ufeff]+ | //[^\n]* | /\*.*?(?:\*/|\Z))
    | (?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+" | '[^'\\]*+(?:\\.[^'\\]*+)*+' | [“”][^“”\\]*+(?:\\.[^“”\\]*+)*+[“”])
    | (?P<cut>["'“”])
    | (?P<open>[\[{])
    | (?P<close>[\]}])
    | (?P<mark>[,:])
    | (?P<word>[^\s\ufeff\[\]{},:"'“”/]+)
    | (?P<junk>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_ENDS_OF_VALUES: Final = ("string", "word", "close")
_CLOSER: Final = {"{": "}", "[": "]"}
_ESCAPE: Final = re.compile(r'\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)|"', re.DOTALL)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?|-?Infinity|NaN", re.ASCII)
_LITERALS: Final = {"true": "true", "false": "false", "null": "null", "none": "null", "undefined": "null"}


class Fault(Enum):
    """Why no value could be read."""

    CUT_OFF = auto()
    TOO_DEEP = auto()
    MALFORMED = auto()


@dataclass(frozen=True)
class Value:
    """A JSON value and where it ends in the text."""

    end: int
    content: object


@dataclass(frozen=True)
class Broken:
    """Why there is no value, and where in the text that became clear."""

    end: int
    fault: Fault
    #: the decoder's message, which quotes nothing
    detail: str = ""


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str


def read_value(text: str, start: int) -> Value | Broken:
    """The object or list whose bracket opens at `start`."""
    tokens: list[_Token] = []
    closers: list[str] = []
    for match in _TOKEN.finditer(text, start):
        token = _Token(match.lastgroup or "junk", match.group())
        if token.kind == "space":
            continue
        tokens.append(token)
        if fault := _fault_of(token, closers):
            return Broken(match.end(), fault)
        if not closers:
            return _decoded(text[start : match.end()], tokens, match.end())
    return Broken(len(text), Fault.CUT_OFF)


def _fault_of(token: _Token, closers: list[str]) -> Fault | None:
    """What is wrong with this token here, if anything. It updates `closers`, the closing brackets still to come."""
    match token.kind:
        case "open":
            closers.append(_CLOSER[token.text])
            return Fault.TOO_DEEP if len(closers) > MAX_DEPTH else None
        case "close":
            return None if closers.pop() == token.text else Fault.MALFORMED
        case "cut":
            return Fault.CUT_OFF
        case "junk":
            return Fault.MALFORMED
    return None


def _decoded(strict: str, tokens: list[_Token], end: int) -> Value | Broken:
    """The value of a region whose brackets match: as it stands, or else respelled as strict JSON."""
    try:
        return Value(end, decode(strict))
    except ValueError:
        pass
    try:
        return Value(end, decode(_respelled(tokens)))
    except json.JSONDecodeError as cause:
        return Broken(end, Fault.MALFORMED, cause.msg)
    except ValueError as cause:
        return Broken(end, Fault.MALFORMED, str(cause))


def decode(text: str) -> object:
    """The value of a JSON text, in whose strings raw line ends may stand.

    Raises ValueError, also if a key stands twice in one object with two values.
    """
    return _DECODER.decode(text)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The object. Two different values for one key raise ValueError, since one of them would be lost."""
    made = dict(pairs)
    if len(made) < len(pairs) and any(made[key] != value for key, value in pairs):
        raise ValueError("One key stands twice in an object")
    return made


def _number(digits: str) -> int | float:
    """A whole number. A very long one becomes a float, since Python refuses to read thousands of digits."""
    return int(digits) if len(digits) <= _SAFE_INT_DIGITS else float(digits)


_DECODER: Final = json.JSONDecoder(strict=False, object_pairs_hook=_object, parse_int=_number)


def _respelled(tokens: list[_Token]) -> str:
    """The tokens as strict JSON. What cannot be respelled stays, and the decoder refuses it."""
    return " ".join(_respellings(tokens))


def _respellings(tokens: list[_Token]) -> Iterable[str]:
    outside = _Token("close", "")
    for before, token, following in zip([outside, *tokens], tokens, [*tokens[1:], outside], strict=False):
        if token.kind == "string":
            yield _string(token.text[1:-1])
        elif token.kind == "word":
            yield _word(token.text, is_key=following.text == ":")
        elif not (token.text == "," and following.kind == "close" and before.kind in _ENDS_OF_VALUES):
            yield token.text


def _string(body: str) -> str:
    return f'"{_ESCAPE.sub(_escape, body)}"'


def _escape(match: re.Match[str]) -> str:
    """One escape as JSON has it. A backslash that escapes nothing belongs to the text (`\\d`, `\\_`)."""
    escaped = match.group(1)
    if escaped is None or escaped == '"':
        return '\\"'
    if escaped[0] in "'“”\n":
        return escaped
    if escaped[0] == "x" and len(escaped) > 1:
        return f"\\u00{escaped[1:]}"
    return match.group() if escaped[0] in "\\/bfnrt" or len(escaped) > 1 else f"\\\\{escaped}"


def _word(word: str, *, is_key: bool) -> str:
    if is_key:
        return json.dumps(word)
    return word if _NUMBER.fullmatch(word) else _LITERALS.get(word.lower(), word)
