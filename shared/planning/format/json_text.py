"""Read the JSON values in a model's reply, which may also contain prose, code fences and thoughts.

Values are read leniently, but nothing is ever added to them. Single and smart quotes, comments, trailing commas, bare
keys, Python's literals, stray backslashes, and raw line ends in strings are accepted. A bracket or a quote that is
never closed is refused. Reading takes time linear in the length of the text, and uses no recursion. (A JSON5 parser
accepts only half of these forms, and the `json5` package hits Python's recursion limit at 60 nested brackets.)
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from shared.base.text import well_formed
from shared.planning.format.raw_task import ReplyProblem

#: the maximum nesting; a plan nests 3 levels deep. CPython's decoder must not reach the recursion limit
MAX_DEPTH: Final = 64
_SAFE_INT_DIGITS: Final = 18

#: a token of JSON in any accepted spelling; the group `cut` matches the opening quote of a string that is never closed
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


class JsonFault(Enum):
    """The reason why no value could be read."""

    CUT_OFF = auto()
    TOO_DEEP = auto()
    MALFORMED = auto()


@dataclass(frozen=True)
class JsonValue:
    """A JSON value and the position in the text where it ends."""

    end: int
    content: object


@dataclass(frozen=True)
class JsonError:
    """The reason why there is no value, and the position at which the fault was found."""

    end: int
    fault: JsonFault
    #: the decoder's message, which quotes no part of the text
    detail: str = ""


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str


def read_value(text: str, start: int) -> JsonValue | JsonError:
    """Read the object or list whose bracket opens at `start`."""
    tokens: list[_Token] = []
    closers: list[str] = []
    for match in _TOKEN.finditer(text, start):
        token = _Token(match.lastgroup or "junk", match.group())
        if token.kind == "space":
            continue
        tokens.append(token)
        if fault := _check_token(token, closers):
            return JsonError(match.end(), fault)
        if not closers:
            return _decode_region(text[start : match.end()], tokens, match.end())
    return JsonError(len(text), JsonFault.CUT_OFF)


def _check_token(token: _Token, closers: list[str]) -> JsonFault | None:
    """Return the fault if this token cannot follow the previous ones, else None.

    Updates `closers`, the stack of closing brackets that are still missing.
    """
    match token.kind:
        case "open":
            closers.append(_CLOSER[token.text])
            return JsonFault.TOO_DEEP if len(closers) > MAX_DEPTH else None
        case "close":
            return None if closers.pop() == token.text else JsonFault.MALFORMED
        case "cut":
            return JsonFault.CUT_OFF
        case "junk":
            return JsonFault.MALFORMED
    return None


def _decode_region(strict: str, tokens: list[_Token], end: int) -> JsonValue | JsonError:
    """Decode a stretch of text whose brackets match: as it is, or if that fails, after rewriting it as strict JSON."""
    try:
        return JsonValue(end, decode(strict))
    except ValueError:
        pass
    try:
        return JsonValue(end, decode(_to_strict_json(tokens)))
    except json.JSONDecodeError as cause:
        return JsonError(end, JsonFault.MALFORMED, cause.msg)
    except ValueError as cause:
        return JsonError(end, JsonFault.MALFORMED, str(cause))


#: commands of TeX with a single backslash that JSON would read as an escape: `\\frac` as a form feed and `rac`
_TEX_COMMAND: Final = re.compile(
    r"(?<!\\)((?:\\\\)*+)\\(?=(?:backslash|bar|because|begin|beta|big[lr]?|bigcap|bigcup|binom|bmod|boldsymbol|boxed|bullet"
    r"|[dt]?frac|flat|forall|nabla|nearrow|neq|nexists|not|notin|nleq|ngeq|nmid|nonumber|rangle|rceil|rfloor|rho"
    r"|right|rightarrow|tag|tau|text(?:bf|it|rm|tt)?|theta|therefore|tilde|times|to|top|triangle)(?![A-Za-z])"
    r"|tanh?[({^\\])"
)


def escape_tex(text: str) -> str:
    """Return a JSON text in which the backslashes of TeX commands are doubled, where the model did not double them."""
    return _TEX_COMMAND.sub(r"\1\\\\", text) if "\\" in text else text


def decode(text: str) -> object:
    """Decode a JSON text whose strings may contain raw line ends.

    Raises ValueError if the JSON is invalid, or if an object has the same key twice with different values.
    """
    return _DECODER.decode(escape_tex(text))


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build the object. Raises ValueError if a key has two different values, since one of them would be lost."""
    made = dict(pairs)
    if len(made) < len(pairs) and any(made[key] != value for key, value in pairs):
        raise ValueError("an object has the same key twice, with different values")
    return made


def _number(digits: str) -> int | float:
    """Read a whole number. A very long number becomes a float, since Python refuses to read thousands of digits."""
    return int(digits) if len(digits) <= _SAFE_INT_DIGITS else float(digits)


_DECODER: Final = json.JSONDecoder(strict=False, object_pairs_hook=_object, parse_int=_number)


def _to_strict_json(tokens: list[_Token]) -> str:
    """Rewrite the tokens as strict JSON. A token that cannot be rewritten is kept, so that the decoder refuses it."""
    return " ".join(_strict_tokens(tokens))


def _strict_tokens(tokens: list[_Token]) -> Iterable[str]:
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
    """Rewrite one escape for JSON. A backslash that begins no JSON escape (`\\d`, `\\_`) is a part of the text."""
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


#: Gemini's longest reply has 65,536 tokens (ai.google.dev/gemini-api/docs/models), each of about 4 characters
MAX_REPLY_CHARS: Final = 300_000
#: bytes in UTF-8. A plan is a document of at most 1 MiB, with copies of some texts and parts of an earlier plan
MAX_REPLY_BYTES: Final = 300_000
#: the maximum number of times that JSON may be wrapped in a JSON string
_MAX_WRAPPINGS: Final = 3

_TAG: Final = "think|thinking|thought|reasoning"
#: the beginning or end of a thought, or a bracket that may open a JSON value
_NOTABLE: Final = re.compile(
    rf"""
      (?P<thought> <(?P<tag>{_TAG})> )
    | (?P<thought_end> </(?:{_TAG})> )
    | \{{ \s*+ (?: ["'“”/}}] | [\w$-]++ \s*+ (?: : | \Z ) | \Z )
    | \[ \s*+ (?: ["'“”/\]\[{{] | \Z )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_FENCE: Final = "```"
_BLANK: Final = "\ufeff \t\r\n"

_ANSWER: Final = 'Answer with the JSON plan alone: {"tasks": [...]}.'
_HINTS: Final = {
    JsonFault.CUT_OFF: "The JSON is cut off: a bracket or a quote was never closed. "
    'Write the whole plan again, shorter if it was too long, with every " inside a text escaped as \\".',
    JsonFault.TOO_DEEP: f"The JSON nests more than {MAX_DEPTH} deep. {_ANSWER}",
    JsonFault.MALFORMED: f'The JSON is not valid. Escape every " inside a text as \\". {_ANSWER}',
}
_TOO_LONG: Final = ReplyProblem(f"The reply is longer than {MAX_REPLY_BYTES} bytes. {_ANSWER}")
_STILL_THINKING: Final = ReplyProblem(f"The reply ends inside a thought that was never closed. {_ANSWER}")


@dataclass(frozen=True)
class ReplyValue:
    """An outermost JSON object or list in a reply."""

    content: object
    #: the prose between the previous value (or the start of the reply) and this value
    before: str


@dataclass(frozen=True)
class ReplyText:
    """The JSON values of a reply, and the prose after the last value."""

    values: tuple[ReplyValue, ...]
    after: str


def read_text(text: str) -> ReplyText | ReplyProblem:
    """Return every outermost object and list of the reply, or the problem that makes the reply unusable.

    A value that is cut off or malformed is a problem even after valid ones, which may be only half of a plan.
    """
    if is_too_long(text):
        return _TOO_LONG
    return _split_reply(_unwrap_string(well_formed(text)))


def is_too_long(text: str) -> bool:
    """Return whether a reply is too long to be stored in a plan's document."""
    if len(text) > MAX_REPLY_CHARS:
        return True
    return not text.isascii() and len(text.encode(errors="replace")) > MAX_REPLY_BYTES


def next_value(text: str, position: int = 0) -> int:
    """Return the position of the next object or list outside of thoughts; -1 if there is none."""
    while notable := _NOTABLE.search(text, position):
        if not (notable["thought"] or notable["thought_end"]):
            return notable.start()
        position = _end_of_thought(text, notable) if notable["thought"] else notable.end()
        if position < 0:
            break
    return -1


def _unwrap_string(text: str) -> str:
    """If the reply is one JSON string, with or without a code fence, return its content; else return the reply."""
    for _ in range(_MAX_WRAPPINGS):
        inner = _strip_fence(text.strip(_BLANK))
        if not (inner.startswith('"') and inner.endswith('"')):
            break
        try:
            content = decode(inner)
        except ValueError:
            break
        text = well_formed(str(content))
    return text


def _strip_fence(text: str) -> str:
    """Return the text without the code fences at its beginning and end; unchanged if either fence is missing."""
    opening = re.match(r"```[\w-]*", text)
    if opening and text.endswith(_FENCE) and len(text) >= opening.end() + len(_FENCE):
        return text[opening.end() : -len(_FENCE)].strip(_BLANK)
    return text


def _split_reply(text: str) -> ReplyText | ReplyProblem:
    values: list[ReplyValue] = []
    prose, since = "", 0  # `since` is where the prose begins that was not yet added to `prose`
    position = 0
    while notable := _NOTABLE.search(text, position):
        start, position = notable.span()
        if notable["thought_end"]:  # some chat templates open the thought, so the reply only closes it
            values, prose, since = [], "", position
        elif notable["thought"]:
            position = _end_of_thought(text, notable)
            if position < 0:
                return _STILL_THINKING
            prose, since = prose + text[since:start], position
        else:
            read = read_value(text, start)
            position = read.end
            if isinstance(read, JsonValue):
                values.append(ReplyValue(read.content, before=prose + text[since:start]))
                prose, since = "", position
            elif not _is_prose(text, start, read):
                return _problem(read)
    return ReplyText(tuple(values), after=prose + text[since:])


def _end_of_thought(text: str, opening: re.Match[str]) -> int:
    """Return the end of the thought that this match opens; -1 if the thought is never closed."""
    closing = re.compile(f"</{opening['tag']}>", re.IGNORECASE).search(text, opening.end())
    return closing.end() if closing else -1


def _is_prose(text: str, start: int, broken: JsonError) -> bool:
    """Return whether a malformed value is only a remark in brackets that contains no task."""
    return broken.fault is JsonFault.MALFORMED and text[start] == "[" and "{" not in text[start : broken.end]


def _problem(broken: JsonError) -> ReplyProblem:
    detail = f" The decoder says: {broken.detail}." if broken.detail else ""
    return ReplyProblem(_HINTS[broken.fault] + detail)
