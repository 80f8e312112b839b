"""Ids in prose: `message_id: 5`, `(chat id -100)`, `Replying to message 5:`. Numbers that are no ids stay."""

import re
from collections.abc import Collection
from functools import partial

#: how headers call them
ID_FIELDS = (
    "chat_id|thread_id|message_id|user_id|reply_to_message_id|reply_to_user_id"
    "|forwarded_from_user_id|reply_forwarded_from_user_id"
)
_MARKUP = r"[*_\"'“”]{1,3}"
_NAME = rf"(?<![\w-])(?:{ID_FIELDS}|(?:chat|thread|topic|message|user)[ \t]id)(?![^\W_])"
_NUMBER = re.compile(r"-?\d{1,19}")
_NUMBERED = rf"{_NAME}[ \t:=#№*_\"'“”]{{0,8}}-?\d{{1,19}}(?!\w|[.,:]\d)"
_ONE = rf"(?:{_MARKUP}{_NUMBERED}(?:{_MARKUP})?|{_NUMBERED})"
_RUN = rf"{_ONE}(?:(?:[ \t]*[,;|/&])?[ \t]*{_ONE})*"
_NAMED = re.compile(
    rf"(?P<lead>(?<![ \t])[ \t]*+|(?<=[ \t]))(?P<run>[(\[][ \t]*{_RUN}[ \t]*[)\]]|{_RUN})"
    r"(?P<tail>[ \t]*(?:[:,;.!?–—-](?!\w))?[ \t]*)",
    re.IGNORECASE,
)
#: in the languages of lull's own words
_ANSWERING = (
    *("replying", "responding", "answering", "in reply", "in response", "in answer", "reply", "response", "answer"),
    *("re", "antwort", "als antwort", "відповідь", "у відповідь", "відповідаю"),
)
_SMALL_WORDS = "to|the|auf|die|deine|на|message|msg|nachricht|повідомлення|id|number|nr|no|№"
_BEGIN = r"^[ \t>*_]*+[(\[]?[ \t]*+"
_ANSWER = re.compile(
    rf"{_BEGIN}(?:{'|'.join(_ANSWERING)})(?:[ \t:]+(?:{_SMALL_WORDS})\b\.?)+[ \t:#]*(?P<id>-?\d{{1,19}})(?!\w|[.,:]\d)"
    r"[ \t]*(?:[)\]][ \t]*[:,–—-]?|[:,–—]|-(?=\s)|\.?[ \t]*$)[*_]*[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_BEGUN = re.compile(
    rf"(?:[(\[{{][ \t]*)?(?:{_MARKUP})?{_NAME}(?:[^\w\n]|[\d_]|{_NAME})*+\Z"
    r"|(?<![\w-])(?:chat|thread|topic|message|user)[ \t]+i?\Z"
    r"|(?<!\S)[*_\"'“({]+[ \t]*\Z"
    rf"|{_BEGIN}(?:{'|'.join(_ANSWERING)})(?:[ \t:#.]|\b(?:{_SMALL_WORDS})\b)*-?\w*[)\]:,.–—* \t-]*\Z",
    re.IGNORECASE | re.MULTILINE,
)
_LAST_LINE = re.compile(rf"{_BEGIN}(?P<word>[\w \t]*)\Z", re.MULTILINE)


def without_ids(prose: str, ids: Collection[int]) -> str:
    """The prose without those ids, what they are called, and what only stood for them."""
    prose = _ANSWER.sub(lambda found: "" if int(found["id"]) in ids else found[0], prose)
    return _NAMED.sub(partial(_without_named, prose, ids), prose)


def may_become_id(prose: str) -> int:
    """Where an end begins that may go on as an id; the length of the prose, if none does."""
    begun = _BEGUN.search(prose)
    line = _LAST_LINE.search(prose)
    word = line["word"].lower() if line is not None else ""
    is_answering = line is not None and word != "" and any(one.startswith(word) for one in _ANSWERING)
    starts = [found.start() for found, is_one in ((begun, True), (line, is_answering)) if found is not None and is_one]
    return min(starts, default=len(prose))


def _without_named(prose: str, ids: Collection[int], found: re.Match[str]) -> str:
    """What stays of a run of ids: at a line's begin nothing, elsewhere what keeps the sentence one."""
    if not any(int(number) in ids for number in _NUMBER.findall(found["run"])):
        return found[0]
    before = prose[: found.start()]
    if not before or before[-1] in "\n([{":
        return ""
    mark, is_last = found["tail"].strip(), prose[found.end() : found.end() + 1] in {"", "\n"}
    if is_last:
        return mark if mark in {".", "!", "?"} else ""
    return f"{mark} " if mark or found["lead"] or found["tail"] else ""
