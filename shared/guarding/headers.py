"""Headers and ids of the prompt where they do not belong: `[meta] message_id=5 …`, `Ann#000001 → Bob:`, `(chat id 7)`.

A number is an id by its kind: the user 7 of somebody's database is not the message 7 of the prompt.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from functools import lru_cache, partial
from typing import NamedTuple

#: the names of ids in headers
ID_FIELDS = (
    "chat_id|thread_id|message_id|user_id|reply_to_message_id|reply_to_user_id"
    "|forwarded_from_user_id|reply_forwarded_from_user_id"
)
#: before a name that stands alone: not in an address, a longer name or a comparison
FREE = r"(?<![\w.?&/$@%<=-])"
#: smaller numbers may be chapters, exercises or errors: they need a clearer sign that they are ids
LEAST_PLAIN = 1000

_KINDS = "chat|thread|topic|message|user"
_MARKUP = r"[*_\"'“”]{1,3}"
_SIGNS = r"[ \t:=#№*_\"'“”]{0,8}"
#: ` = ` and `==` stand in programs, not in headers
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
#: in the languages of lull's own texts
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
    r"[ \t]*(?:[)\]][ \t]*[:,–—-]?|[:,–—]|-(?=\s)|\.?[ \t]*$)[*_]*[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
#: names and numbers. It runs to the end of them, so that no search begins in their middle again
_BEGUN_RUN = re.compile(rf"(?:[(\[{{（][ \t]*)?(?:{_MARKUP})?{_NAME}(?:[^\w\n]|[\d_]|{_NAME})*+", re.IGNORECASE)
_BEGUN_ID = re.compile(
    rf"(?<![\w-])(?:{_KINDS})[ \t]+i?\Z"
    r"|(?<![\w*_\"'“({（])[*_\"'“({（]+[ \t]*\Z"
    rf"|{_BEGIN}(?:{'|'.join(_ANSWERING)})(?:[ \t:#.]|\b(?:{_MESSAGE}|{_SMALL_WORDS})\b)*-?\w*[)\]:,.–—* \t-]*\Z",
    re.IGNORECASE | re.MULTILINE,
)
_LAST_LINE = re.compile(rf"{_BEGIN}(?P<word>[\w \t]*)\Z", re.MULTILINE)


class IdKind(StrEnum):
    """The kind of thing that an id names."""

    CHAT = "chat"
    THREAD = "thread"
    MESSAGE = "message"
    USER = "user"


class Id(NamedTuple):
    """One of Telegram's numbers."""

    kind: IdKind
    number: int


def ids_in(text: str) -> Iterator[Id]:
    """The ids that a text names, as fields of headers or in words."""
    return map(_id, _EACH.finditer(text))


def without_ids(prose: str, ids: Collection[Id]) -> str:
    """The prose without those ids, their names, and words that only introduce them."""
    if not ids:
        return prose
    return _NAMED.sub(partial(_without_named, ids), _ANSWER.sub(partial(_without_answer, ids), prose))


def may_become_id(prose: str, ids: Collection[Id]) -> int:
    """Where the end of the prose begins that may become one of those ids; the prose's length if it has no such end."""
    if not ids:
        return len(prose)
    run = next((run for run in _BEGUN_RUN.finditer(prose) if run.end() == len(prose)), None)
    line = _LAST_LINE.search(prose)
    word = line["word"].lower() if line is not None else ""
    is_answering = word != "" and any(one.startswith(word) for one in _ANSWERING)
    begun = (run, _BEGUN_ID.search(prose), line if is_answering else None)
    return min((end.start() for end in begun if end is not None), default=len(prose))


def _id(named: re.Match[str]) -> Id:
    kind = named["kind"].lower()
    return Id(IdKind.THREAD if kind == "topic" else IdKind(kind), int(named["number"]))


def _is_plain(number: int) -> bool:
    return abs(number) >= LEAST_PLAIN


def _is_one_of(ids: Collection[Id], named: re.Match[str]) -> bool:
    """Whether one of the ids is named. A small number must be labelled as in headers, not in JSON or in passing."""
    signs = named["signs"]
    is_label = '"' not in signs and (named["by"] == "_" or bool(signs.strip()))
    one = _id(named)
    return one in ids and (is_label or _is_plain(one.number))


def _without_answer(ids: Collection[Id], words: re.Match[str]) -> str:
    """Nothing for words that only say which message is answered."""
    number = int(words["id"])
    is_message = Id(IdKind.MESSAGE, number) in ids and bool(words["message"] or _is_plain(number))
    return "" if is_message else words[0]


def _without_named(ids: Collection[Id], named: re.Match[str]) -> str:
    """What stays of a run of ids: nothing at a line's begin, elsewhere the marks that keep the sentence together."""
    if not any(_is_one_of(ids, one) for one in _EACH.finditer(named["run"])):
        return named[0]
    prose, (start, end) = named.string, named.span()
    if not start or prose[start - 1] in "\n([{（":
        return ""
    mark, is_last = named["tail"].strip(), prose[end : end + 1] in {"", "\n"}
    if is_last:
        return mark if mark in {".", "!", "?"} else ""
    return f"{mark} " if mark or named["lead"] or named["tail"] else ""


_NAME_FIELDS = "forwarded_from_name|reply_forwarded_from_name|reply_to_name|name|username"
_FIELDS = f"{ID_FIELDS}|{_NAME_FIELDS}|reply_excerpt|reply_to_other_chat|time"
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*\""
_FIELD = rf"(?:(?:{ID_FIELDS})=-?\d{{1,19}}(?!\w|[.,:]\w):?|(?:{_FIELDS})=(?!=)(?:{_QUOTED}|[^\s\",;)\]]+))"
_FIELDS_IN_LINE = rf"{FREE}{_FIELD}(?:[ \t]+{_FIELD})*"
_RUN = rf"{_FIELDS_IN_LINE}[ \t]*"
_OPEN, _CLOSE = "[(\\[（【«“]", "[)\\]）】»”]"
#: what follows the mark of a header; its fields may be invented
_SAID = rf"(?:{_RUN}|(?=\w{{1,40}}=))"
#: what does not follow words in brackets, unless they are the text or the label of a link
_NO_LINK = r"(?![(:]|\[(?!/?(?:meta|now|respond)\]))"
_META = rf"\[/?(?:meta|now)\]{_NO_LINK}[ \t]*+"
#: `[meta]` or `[now]` is a header if fields follow, if it stands alone on its line, or if the text begins with it.
#: Elsewhere it is a word in brackets
_HEADER = re.compile(
    rf"(?P<meta>\A(?:\s*+{_META})++(?:{_SAID})?|^[ \t]*+(?:{_META})++(?:{_SAID}|$)|{_META}{_SAID}|\[/meta\]{_NO_LINK})"
    rf"|(?<![ \t])[ \t]*+{_OPEN}{_FIELDS_IN_LINE}{_CLOSE}|(?P<begin>^[ \t]*+)?{_RUN}",
    re.IGNORECASE | re.MULTILINE,
)
_RESPOND = re.compile(rf"\[/?respond\]{_NO_LINK}", re.IGNORECASE)
_BEGUN = re.compile(rf"\[/?(?:meta|now|respond)\]{_NO_LINK}[^\n]*\Z|\[[^\]\n]*\Z", re.IGNORECASE)
_BEGUN_FIELD = re.compile(rf"{_OPEN}?{FREE}(?:{_FIELDS})=[^\n]*\Z", re.IGNORECASE)
_LAST_WORD = re.compile(rf"{_OPEN}?(?<![\w-])(?P<word>[a-z_]*)\Z", re.IGNORECASE)
_FIELD_NAMES = tuple(_FIELDS.split("|"))


def header_ids(parts: Iterable[str]) -> Iterator[Id]:
    """The ids in the headers among a prompt's parts. What a header quotes does not count: it is somebody's words."""
    return (one for part in parts if part.startswith("[meta]") for one in _ids(part))


def without_headers(prose: str, ids: Collection[Id]) -> str:
    """The prose without headers and parts of headers, which are recognised by the ids of the prompt.

    If the prompt has ids, a line that begins with several fields is a header, whatever its numbers.
    """
    return _HEADER.sub(partial(_without_header, ids), prose)


def without_respond(prose: str) -> str:
    """The prose without `[RESPOND]`, which ends a prompt."""
    return _RESPOND.sub("", prose)


def may_become_header(prose: str, ids: Collection[Id]) -> int:
    """Where the end of the prose begins that may become a header or words in brackets; its length if there is none."""
    begun = [_BEGUN.search(prose)]
    if ids:
        word = _LAST_WORD.search(prose)
        is_field = word is not None and any(field.startswith(word["word"].lower()) for field in _FIELD_NAMES)
        begun += [_BEGUN_FIELD.search(prose), word if is_field else None]
    return min((end.start() for end in begun if end is not None), default=len(prose))


def _ids(header: str) -> Iterator[Id]:
    return ids_in(re.sub(_QUOTED, "", header))


def _without_header(ids: Collection[Id], fields: re.Match[str]) -> str:
    named = set(_ids(fields[0]))
    begins_line = fields["begin"] is not None and len(re.findall(_FIELD, fields[0], re.IGNORECASE)) > 1
    is_header = fields["meta"] or (ids and named and begins_line) or any(one in ids for one in named)
    return "" if is_header else fields[0]


#: `#` and six digits
_NUMBER_LENGTH = 7


def without_speakers(prose: str, authors: Collection[str], own_name: str) -> str:
    """The prose without the names of speakers before their words. An author elsewhere loses only the number.

    `authors` are written as `Ann#000001`. The agent's own name is removed at the beginning of the text alone, as in
    `lull: yes` and `**lull → Ann:** yes`: elsewhere it may be an entry of a glossary. `own_name` is empty if the prompt
    has no names before words.
    """
    prose = _speaker(frozenset(authors), own_name).sub(_without_speaker, prose)
    return _own_words(frozenset(authors), own_name).sub("", prose) if own_name else prose


def may_become_speaker(prose: str, authors: Collection[str], own_name: str) -> int:
    """Where the end of the prose begins that may become a speaker's name; the prose's length if it has no such end."""
    begun = _begun(frozenset(authors), own_name).search(prose)
    return begun.start() if begun is not None else len(prose)


def may_be_own_name(text: str, own_name: str) -> bool:
    """Whether the whole text may become the agent's own name before its words."""
    begun = text.strip(" \t\n*_")
    whole = re.compile(rf"{re.escape(own_name)}[*_]*(?: →[^\n:：]*)?[:：]?")
    return bool(own_name) and (own_name.startswith(begun) or whole.fullmatch(begun) is not None)


def _without_speaker(speaker: re.Match[str]) -> str:
    return _bare(speaker[0]) if speaker["line"] is None else ""


def _bare(author: str) -> str:
    """The author's name without the number."""
    return author[:-_NUMBER_LENGTH]


@lru_cache
def _speaker(authors: frozenset[str], own_name: str) -> re.Pattern[str]:
    """`Ann#000001 forwards Bob#000002 → lull:` or `lull → Ann#000001:` at a line's begin; `Ann#000001` anywhere."""
    author, anyone = _either(authors), _either({*authors, own_name})
    own = rf"|{re.escape(own_name)} → {author}" if own_name else ""
    line = rf"^[ \t]*(?:{author}(?: forwards {anyone})?(?: → {anyone})?{own}):[ \t]*"
    return re.compile(rf"(?P<line>{line})|{author}(?!\d)", re.MULTILINE)


@lru_cache
def _own_words(authors: frozenset[str], own_name: str) -> re.Pattern[str]:
    name = rf"{re.escape(own_name)}(?: → {_either(map(_bare, authors))})?"
    return re.compile(rf"\A\s*(?:{name}[:：]|(?P<mark>[*_]{{1,3}}){name}(?:[:：](?P=mark)|(?P=mark)[:：]))\s*")


@lru_cache
def _begun(authors: frozenset[str], own_name: str) -> re.Pattern[str]:
    begins = _either(own_name[:end] for end in range(1, len(own_name)))
    own = rf"|^[ \t]*(?:{begins}|{re.escape(own_name)}(?: →?| → [^\n:]*)?)\Z" if own_name else ""
    return re.compile(rf"{_either(map(_bare, authors))}#[^\n]*\Z{own}", re.MULTILINE)


def _either(names: Iterable[str]) -> str:
    """An expression that matches one of the names, the longest first; nothing, if there are no names."""
    known = sorted({re.escape(name) for name in names if name}, key=len, reverse=True)
    return rf"(?:{'|'.join(known) or '(?!)'})"
