"""Headers of the prompt where they do not belong: `[meta] message_id=5 name="Ann"`, or a part of it; `[RESPOND]`."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import partial

from shared.prompting.ids import FREE, ID_FIELDS, Id, ids_in

_NAME_FIELDS = "forwarded_from_name|reply_forwarded_from_name|reply_to_name|name|username"
_FIELDS = f"{ID_FIELDS}|{_NAME_FIELDS}|reply_excerpt|reply_to_other_chat|time"
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*\""
_FIELD = rf"(?:(?:{ID_FIELDS})=-?\d{{1,19}}(?!\w|[.,:]\w):?|(?:{_FIELDS})=(?!=)(?:{_QUOTED}|[^\s\",;)\]]+))"
_FIELDS_IN_LINE = rf"{FREE}{_FIELD}(?:[ \t]+{_FIELD})*"
_RUN = rf"{_FIELDS_IN_LINE}[ \t]*"
_OPEN, _CLOSE = "[(\\[（【«“]", "[)\\]）】»”]"
#: what a header goes on with; the fields may be invented
_SAID = rf"(?:{_RUN}|(?=\w{{1,40}}=))"
#: behind words in brackets that are the text of a link, or what a link is called
_NO_LINK = r"(?![(:]|\[(?!/?(?:meta|now|respond)\]))"
_META = rf"\[/?(?:meta|now)\]{_NO_LINK}[ \t]*+"
#: `[meta]`, like the `[now]` of a prompt's end, is one with fields behind it, alone on its line, or before all else;
#: elsewhere it is a word in brackets
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
    """The ids in those parts of a prompt that are headers; what a header quotes is somebody's words."""
    return (one for part in parts if part.startswith("[meta]") for one in _ids(part))


def without_headers(prose: str, ids: Collection[Id]) -> str:
    """The prose without headers and parts of them; these are known by the ids of the prompt.

    Where the prompt has headers, a line that begins as one is taken for one, whatever its numbers.
    """
    return _HEADER.sub(partial(_without_header, ids), prose)


def without_respond(prose: str) -> str:
    """The prose without the word that ends a prompt."""
    return _RESPOND.sub("", prose)


def may_become_header(prose: str, ids: Collection[Id]) -> int:
    """Where an end begins that may go on as a header, or as words in brackets; the prose's length, if none does."""
    begun = [_BEGUN.search(prose)]
    if ids:
        word = _LAST_WORD.search(prose)
        is_field = word is not None and any(field.startswith(word["word"].lower()) for field in _FIELD_NAMES)
        begun += [_BEGUN_FIELD.search(prose), word if is_field else None]
    return min((found.start() for found in begun if found is not None), default=len(prose))


def _ids(header: str) -> Iterator[Id]:
    return ids_in(re.sub(_QUOTED, "", header))


def _without_header(ids: Collection[Id], found: re.Match[str]) -> str:
    named = set(_ids(found[0]))
    begins = found["begin"] is not None and len(re.findall(_FIELD, found[0], re.IGNORECASE)) > 1
    is_header = found["meta"] or (ids and named and begins) or any(one in ids for one in named)
    return "" if is_header else found[0]
