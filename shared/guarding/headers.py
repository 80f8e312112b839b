"""Headers of the prompt in prose, where they do not belong: `[meta] message_id=5 …`, and fields of them alone."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import partial

from shared.guarding.ids import FREE, ID_FIELDS, Id, IdKind, ids_in, is_program

_NAME_FIELDS = "forwarded_from_name|reply_forwarded_from_name|reply_to_name|name|username"
_FIELDS = f"{ID_FIELDS}|{_NAME_FIELDS}|reply_excerpt|reply_to_other_chat|chat_type|time"
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*\""
#: a value ends where the next header begins
_BARE = r"(?:(?!\[/?(?:meta|now|respond)\])[^\s\",;)\]])+"
_FIELD = rf"(?:(?:{ID_FIELDS})=-?\d{{1,19}}(?!\w|[.,:]\w):?|(?:{_FIELDS})=(?!=)(?:{_QUOTED}|{_BARE}))"
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
_RESPOND = re.compile(rf"\[/?(?:respond|RESPOND)\]{_NO_LINK}|^[ \t]*\[/?(?i:respond)\][ \t]*$", re.MULTILINE)
_LAST = re.compile(r"(?<=\n)[ \t]*\[/?respond\]\s*\Z", re.IGNORECASE)
_BEGUN = re.compile(rf"\[/?(?:meta|now|respond)\]{_NO_LINK}[^\n]*\Z|\[[^\]\n]*\Z", re.IGNORECASE)
_BEGUN_FIELD = re.compile(rf"{_OPEN}?{FREE}(?:{_FIELDS})=[^\n]*\Z", re.IGNORECASE)
_LAST_WORD = re.compile(rf"{_OPEN}?(?<![\w-])(?P<word>[a-z_]*)\Z", re.IGNORECASE)
_FIELD_NAMES = tuple(_FIELDS.split("|"))


def header_ids(parts: Iterable[str]) -> Iterator[Id]:
    """The ids in the headers among a prompt's parts. What a header quotes does not count: it is somebody's words."""
    return (one for part in parts if part.startswith("[meta]") for one in _ids(part))


def without_headers(
    prose: str, ids: Collection[Id], *, is_asked: bool = False, talked_about: Collection[str] = ()
) -> str:
    """The prose without headers and parts of headers, which are recognised by the ids of the prompt.

    If the prompt has ids, a line that begins with several fields as headers spell them is one, whatever its numbers. If
    somebody asked for ids, a field alone is no part of a header; nor is a mark that they talked about (`meta`, `now`).
    """
    return _HEADER.sub(partial(_without_header, ids, is_asked, talked_about), prose)


def without_respond(prose: str, *, is_talked_about: bool = False) -> str:
    """The prose without `[RESPOND]`, which ends a prompt. A button called `[Respond]` stays in a sentence.

    Who is told about the mark reads it in sentences, but not alone on the last line: there it ends a prompt.
    """
    return _LAST.sub("", prose) if is_talked_about else _RESPOND.sub("", prose)


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


def _without_header(ids: Collection[Id], is_asked: bool, marks: Collection[str], fields: re.Match[str]) -> str:
    found = fields[0].strip()
    if fields["meta"] is not None:
        return fields[0] if found.strip("[/]").lower() in marks else ""
    if is_program(fields.string, fields.start(), fields.end()) or found.split("=")[0].isupper():
        return fields[0]
    named = set(_ids(found))
    is_known = any(one in ids for one in named)
    if fields["begin"] is not None and len(re.findall(_FIELD, found, re.IGNORECASE)) > 1:
        is_spelled = bool(named) and ('="' in found or (not is_asked and "message_id=" in found.lower()))
        return "" if (ids and is_spelled) or (is_known and not is_asked) else fields[0]
    return "" if is_known and not is_asked and not _is_said(fields, named) else fields[0]


def _is_said(fields: re.Match[str], named: Collection[Id]) -> bool:
    """Whether one person's or chat's id stands within a sentence: `call it with chat_id=-100 and a text`."""
    is_alone = len(named) == 1 and {one.kind for one in named} <= {IdKind.USER, IdKind.CHAT}
    return is_alone and fields["begin"] is None and fields[0].lstrip()[0] not in "([（【«“"
