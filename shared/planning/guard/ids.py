"""Remove ids of the prompt from prose that imitates a header: `message_id: 5`, `Replying to message 5:`, `(user_id 7)`.

A number is an id only together with its kind: user 7 of somebody's database is not message 7 of the prompt. An id in a
plain sentence stays ("your user ID is 7"), and so does an id in a program. Telegram shows nobody the number of a
message, so a message's id in a header's spelling is removed everywhere. People may ask for their own id, so a user's id
is removed only in brackets or at the beginning of a line.
"""

import re
from collections.abc import Collection, Iterator
from enum import StrEnum
from functools import partial
from typing import NamedTuple

#: the names of ids in headers
ID_FIELDS = (
    "chat_id|thread_id|message_id|sent_message_id|user_id|reply_to_message_id|reply_to_user_id"
    "|forwarded_from_user_id|reply_forwarded_from_user_id"
)
#: a lookbehind: the name is a word of its own, not a part of an address, of a longer name or of a comparison
FREE = r"(?<![\w.?&/$@%<=-])"
#: a smaller number may be a chapter, an exercise or an error code, so it counts as an id only with a clearer label
LEAST_PLAIN = 1000

_KINDS = "chat|thread|topic|message|user"
_MARKUP = r"[*_\"'“”]{1,3}"
_SIGNS = r"[ \t:=#№*_\"'“”]{0,8}"
#: a field's name. ` = ` and `==` after it are signs of a program, not of a header
_NAME = rf"{FREE}(?:{ID_FIELDS}|(?:{_KINDS})[ \t]id)(?![^\W_]|[ \t]+=|[ \t]*==)"
_NUMBERED = rf"{_NAME}{_SIGNS}-?\d{{1,19}}(?!\w|[.,:]\d)"
_ONE = rf"(?:{_MARKUP}{_NUMBERED}(?:{_MARKUP})?|{_NUMBERED})"
_EACH = re.compile(rf"(?P<kind>{_KINDS})(?P<by>[_ \t])id(?P<signs>{_SIGNS})(?P<number>-?\d{{1,19}})", re.IGNORECASE)
_ID_RUN = rf"{_ONE}(?:(?:[ \t]*[,;|/&])?[ \t]*{_ONE})*"
_NAMED = re.compile(
    rf"(?P<lead>(?<![ \t])[ \t]*+|(?<=[ \t]))(?P<run>[(\[（][ \t]*{_ID_RUN}[ \t]*[)\]）]|{_ID_RUN})"
    r"(?P<tail>[ \t]*(?:[:,;.!?–—-](?!\w))?[ \t]*)",
    re.IGNORECASE,
)
#: words for "replying to" in the languages of lull's own texts
_ANSWERING = (
    *("replying", "responding", "answering", "in reply", "in response", "in answer", "reply", "response", "answer"),
    *("re", "antwort", "als antwort", "відповідь", "у відповідь", "відповідаю"),
)
_MESSAGE = "message|msg|nachricht|повідомлення"
_SMALL_WORDS = "to|the|auf|die|deine|на|id|number|nr|no|№"
_BEGIN = r"^[ \t>*_]*+[(\[]?[ \t]*+"
_ANSWER = re.compile(
    rf"{_BEGIN}(?:{'|'.join(_ANSWERING)})(?:[ \t:]+(?:(?P<message>{_MESSAGE})|{_SMALL_WORDS})\b\.?)+"
    r"[ \t:#]*(?P<id>-?\d{1,19})(?!\w|[.,:]\d)"
    r"[ \t]*(?:[)\]][ \t]*[:,–—-]?|[:–—]|-(?=\s)|\.?[ \t]*$)[*_]*[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_OPENINGS = "([（"
#: the line before an id, if it is part of a program: a query, a call of a function, an option of a command
_PROGRAM = re.compile(
    r"\b(?:SELECT|WHERE|UPDATE|DELETE|INSERT|VALUES|HAVING|AND|OR|SET|[Ww]here)\b|(?<!\w)[a-z_][\w.]*\([^()\n]*\Z"
    r"|(?:^|\s)-{1,2}[a-zA-Z][\w-]*[ \t=]*[\"']?\Z|\bexport[ \t]+\Z"
)
#: the number of characters before an id that are examined
FARTHEST = 400
#: the beginning of a text that consists only of fields, one on each line
_HEADER_LINES = re.compile(r"\A(?:[ \t]*(?:\w+_id|name|username|time)\b[^\n]*\n|\s)*+\Z")
#: the longest run of names and numbers, so that no search starts again in its middle
_BEGUN_RUN = re.compile(rf"(?:[(\[{{（][ \t]*)?(?:{_MARKUP})?{_NAME}(?:[^\w\n]|[\d_]|{_NAME})*+", re.IGNORECASE)
_BEGUN_ID = re.compile(
    rf"(?<![\w-])(?:{_KINDS})[ \t]+i?\Z"
    r"|(?<![\w*_\"'“({（])[*_\"'“({（]+[ \t]*\Z"
    rf"|{_BEGIN}(?:{'|'.join(_ANSWERING)})(?:[ \t:#.]|\b(?:{_MESSAGE}|{_SMALL_WORDS})\b)*-?\w*[)\]:,.–—* \t-]*\Z",
    re.IGNORECASE | re.MULTILINE,
)
_LAST_LINE = re.compile(rf"{_BEGIN}(?P<word>[\w \t]*)\Z", re.MULTILINE)


class IdKind(StrEnum):
    CHAT = "chat"
    THREAD = "thread"
    MESSAGE = "message"
    USER = "user"


class TelegramId(NamedTuple):
    """An id of Telegram. The same number may be the id of a message, a user or a chat."""

    kind: IdKind
    number: int


def ids_in(text: str) -> Iterator[TelegramId]:
    """Yield the ids that a text names, as header fields or in words."""
    return map(_id, _EACH.finditer(text))


def without_ids(prose: str, ids: Collection[TelegramId], *, is_asked: bool = False) -> str:
    """Return the prose without ids that imitate a header, and without phrases such as `Replying to message 5:`.

    `is_asked`: somebody asked for ids, so only these phrases are removed.
    """
    if not ids:
        return prose
    prose = _ANSWER.sub(partial(_without_answer, ids), prose)
    return prose if is_asked else _NAMED.sub(partial(_without_named, ids), prose)


def is_program(prose: str, start: int, end: int) -> bool:
    """Return whether the text from `start` to `end` belongs to a query, a function call, a command or an address."""
    begin = max(prose.rfind("\n", 0, start) + 1, start - FARTHEST)
    line = prose[begin : start + 1 if prose[start] == "(" else start]
    return prose[end : end + 1] == "&" or _PROGRAM.search(line) is not None


def may_become_id(prose: str, ids: Collection[TelegramId]) -> int:
    """If `prose` may end with an unfinished id, return that id's index; else, or if `ids` is empty, `len(prose)`."""
    if not ids:
        return len(prose)
    run = next((run for run in _BEGUN_RUN.finditer(prose) if run.end() == len(prose)), None)
    line = _LAST_LINE.search(prose)
    word = line["word"].lower() if line is not None else ""
    is_answering = word != "" and any(one.startswith(word) for one in _ANSWERING)
    begun = (run, _BEGUN_ID.search(prose), line if is_answering else None)
    return min((end.start() for end in begun if end is not None), default=len(prose))


def _id(named: re.Match[str]) -> TelegramId:
    kind = named["kind"].lower()
    return TelegramId(IdKind.THREAD if kind == "topic" else IdKind(kind), int(named["number"]))


def _is_plain(number: int) -> bool:
    return abs(number) >= LEAST_PLAIN


def _is_one_of(ids: Collection[TelegramId], named: re.Match[str]) -> bool:
    """Return whether the match names one of the ids. A small number must be labelled as in headers, not as in JSON."""
    signs = named["signs"]
    is_label = '"' not in signs and (named["by"] == "_" or bool(signs.strip()))
    one = _id(named)
    return one in ids and (is_label or _is_plain(one.number))


def _imitates_header(named: re.Match[str], run: re.Match[str]) -> bool:
    """Return whether `named`, an id in a run of ids, is written as in a header and not as in a sentence."""
    prose, start, end = run.string, run.start("run"), run.end()
    begins_line = not prose[prose.rfind("\n", 0, start) + 1 : start].strip()
    is_of_message = _id(named).kind in {IdKind.MESSAGE, IdKind.THREAD}
    if named["by"] != "_":
        return is_of_message and begins_line and bool(named["signs"].strip())
    if named["kind"].isupper():
        return False  # then it is a shell variable
    if is_of_message or run["run"][0] in _OPENINGS:
        return True
    ends_line = prose[end : end + 1] in {"", "\n"}
    is_begun = not ends_line or (start < FARTHEST and _HEADER_LINES.match(prose[:start]) is not None)
    return begins_line and '"' not in named["signs"] and is_begun


def _without_answer(ids: Collection[TelegramId], words: re.Match[str]) -> str:
    """Return "" in place of words such as "replying to message 5", if they name one of the ids; else the words."""
    number = int(words["id"])
    is_message = TelegramId(IdKind.MESSAGE, number) in ids and bool(words["message"] or _is_plain(number))
    return "" if is_message else words[0]


def _without_named(ids: Collection[TelegramId], named: re.Match[str]) -> str:
    """Return the replacement of a run of ids: the run if it does not leak; else at most the sentence's punctuation."""
    prose, (start, end) = named.string, named.span()
    leaks = (one for one in _EACH.finditer(named["run"]) if _is_one_of(ids, one) and _imitates_header(one, named))
    if is_program(prose, named.start("run"), named.end("run")) or not any(leaks):
        return named[0]
    if not start or prose[start - 1] in "\n([{（":
        return ""
    mark, is_last = named["tail"].strip(), prose[end : end + 1] in {"", "\n"}
    if is_last:
        return mark if mark in {".", "!", "?"} else ""
    return f"{mark} " if mark or named["lead"] or named["tail"] else ""
