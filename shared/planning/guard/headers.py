"""Remove parts of prompts from prose: headers of messages, lull's words in brackets, and names of speakers.

A header is removed if it has the form that it has in a prompt: `[meta]` with fields (`[meta] message_id=5 …`), fields
alone, or `[event:` with a colon. Other words in brackets, as in TOML or in `[Meta] Facebook`, stay. The compact format
has other headers: names at the beginning of a line (`Ann#000001 → Bob:`), or the agent's own name.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache, partial

from shared.planning.guard.ids import FARTHEST, FREE, ID_FIELDS, IdKind, TelegramId, ids_in, is_program

_NAME_FIELDS = "forwarded_from_name|reply_forwarded_from_name|reply_to_name|name|username"
_FIELDS = f"{ID_FIELDS}|{_NAME_FIELDS}|reply_excerpt|reply_to_other_chat|chat_type|time"
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*\""
#: a value ends where the next header begins
_BARE = r"(?:(?!\[/?(?:meta|now|respond)\])[^\s\",;)\]])+"
_FIELD = rf"(?:(?:{ID_FIELDS})=-?\d{{1,19}}(?!\w|[.,:]\w):?|(?:{_FIELDS})=(?!=)(?:{_QUOTED}|{_BARE}))"
_FIELDS_IN_LINE = rf"{FREE}{_FIELD}(?:(?:[ \t]*[,;|])?[ \t]+{_FIELD})*"
_RUN = rf"{_FIELDS_IN_LINE}[ \t]*"
_OPEN, _CLOSE = "[(\\[（【«“]", "[)\\]）】»”]"
#: a lookahead that excludes words in brackets if they are the text or the label of a link
_NO_LINK = r"(?![(:]|\[(?!/?(?:meta|now|respond)\]))"
_STARS, _MARK = r"(?:\*\*|__)?", r"\[[ \t]*/?meta[ \t]*\]"
_META = rf"{_STARS}{_MARK}{_STARS}{_NO_LINK}[ \t]*+"
#: one or several marks in a row, without the text that follows the last one
_MARKS = rf"{_STARS}{_MARK}(?={_STARS}{_NO_LINK})(?:{_STARS}[ \t]*+{_STARS}{_MARK}(?={_STARS}{_NO_LINK}))*+"
#: the beginning of a line of TOML, of a list or of another section; in header fields no blanks surround the sign
_OF_FILE = r"[ \t]*(?:[\w.\"'-]+[ \t]*[=:]|[#;\[*-]|\d+[.)])"
#: `[meta]` is a header if fields follow. Alone on its line, it is a header if an id follows below or if the answer
#: begins with it. `[now]` begins the closing part of a prompt if it is alone on the first or last line, or if the time
#: follows
_HEADER = re.compile(
    rf"(?P<meta>(?:{_META})++(?:{_RUN}|(?=\w{{0,40}}_id=))|^[ \t]*+(?:{_META})++$(?=\n(?:{ID_FIELDS})=)"
    rf"|\A\s*+(?:(?:{_META})++$(?!\n{_OF_FILE})|(?:{_META}){{2,}}+)"
    rf"|^[ \t]*\[now\][ \t]*$(?=\nIt is \d{{4}}-)|(?-i:\A\s*\[now\][ \t]*$(?!\n{_OF_FILE})|^[ \t]*\[now\]\s*\Z))"
    # several marks in a row that are no header are matched together, so that each mark of a long row is read only once
    rf"|(?P<marks>{_MARKS})"
    rf"|(?<![ \t])[ \t]*+{_OPEN}{_FIELDS_IN_LINE}{_CLOSE}|(?P<begin>^[ \t]*+)?{_RUN}",
    re.IGNORECASE | re.MULTILINE,
)
_END_MARK = re.compile(rf"\[/meta\]{_NO_LINK}", re.IGNORECASE)
_INSIDE = r"(?:[^\[\]［］【】\n]|\[[^\[\]\n]*+\])*+"
#: the keys of lull's brackets. A key that is a common word must also have the text that follows it in a prompt; in
#: lower case the brackets are enough
_KEYED = (
    r"(?P<word>(?:event|recalled|reactions)(?=[^\S\n]*[:：])(?!:[\w.-]+\])|recalled(?=[ \t]*[\]］】])"
    r"|quoting(?=[, ](?:[^\n\]]{0,999}?(?:\"|what this replies to)|the part of it that is meant))"
    r"|memory(?=: what you know)|summary(?=: what was said)|cut(?=: [\d.,]+ char)"
    r"|earlier(?=: (?:(?:about )?[\d.,]+ |older message))"
    r"|media(?=: (?:an?|the|some|one|two|three|\d+) )|reminder(?=: it is due)|text from outside(?=, left out)"
    r"|(?-i:memory|summary|earlier|attached|cut)(?=: ))"
)
_BRACKETED = re.compile(
    rf"(?:(?P<line>^[ \t]*(?P<item>(?:[-*+•>][ \t]+|\d+[.)][ \t]+)?))|(?<![ \t])[ \t]*)(?<![\w)])"
    rf"[*_]{{0,3}}\\?(?P<double>\[(?=\[))?[\[［【]\s?/?\s?{_KEYED}{_INSIDE}"
    r"(?P<end>\\?[\]］】](?(double)\]?)[*_]{0,3}(?::(?=\s))?)?+(?!\((?:https?:|tg:|/|#)|\[\d)[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_END_OF_LINE = re.compile(r"[^\S\n]*(?:\n|\Z)")
#: a title of the text, not a bracket of lull's, unless it is alone on its line: `[Recalled] 200 cars`
_TITLED = re.compile(r"\s*[*_]{0,3}\\?[\[［【]\s?(?:Recalled|RECALLED)\s*[\]］】](?!:)")
#: the words of a title: unlike in a sentence, no word of four or more letters is in lower case
_OF_TITLE = re.compile(r"(?=.*\w)(?!.*(?<![\w'’-])(?!(?:with|from)\b)[a-z]{4})", re.DOTALL)
#: a line that is only a word in brackets
_SECTION_ABOVE = re.compile(r"\[[\w .-]+\][ \t]*\n\s*\Z")
_RESPOND = re.compile(rf"\[/?(?:respond|RESPOND)\]{_NO_LINK}|^[ \t]*\[/?(?i:respond)\][ \t]*$", re.MULTILINE)
_LAST = re.compile(r"(?<=\n)[ \t]*\[/?respond\]\s*\Z", re.IGNORECASE)
#: marks that are recognized only by the text after them; a mark alone on its line, by the next line
_BEGUN = re.compile(
    rf"(?:\*\*|__)?\[[ \t]*/?(?:meta|now|respond)[ \t]*\](?:\*\*|__)?{_NO_LINK}(?:[^\n]*|[ \t]*\n[^\n]*)\Z"
    r"|(?m:^[ \t]*(?:[-*+•>]|\d+[.)])[ \t]*)?[*_]{0,3}\\?[\[［【](?:\[[^\[\]\n]*+\]|[^\]\n])*+\Z"
    r"|(?m:^[ \t]*(?:[-*+•>]|\d+[.)])[ \t]*)\Z|[*_]{1,3}\\?\Z|\\\Z|[\]］】][*_]{0,3}:\Z",
    re.IGNORECASE,
)
_BEGUN_FIELD = re.compile(rf"{_OPEN}?{FREE}(?:{_FIELDS})=[^\n]*\Z", re.IGNORECASE)
_LAST_WORD = re.compile(rf"{_OPEN}?(?<![\w-])(?P<word>[a-z_]*)\Z", re.IGNORECASE)
_FIELD_NAMES = tuple(_FIELDS.split("|"))


def header_ids(parts: Iterable[str]) -> Iterator[TelegramId]:
    """Yield the ids in the headers of a prompt's parts. Ids inside quoted text are skipped, since people wrote them."""
    return (one for part in parts if part.startswith("[meta]") for one in _ids(part))


def without_headers(
    prose: str, ids: Collection[TelegramId], *, is_asked: bool = False, talked_about: Collection[str] = ()
) -> str:
    """Return the prose without copied headers. `ids`: the ids in the prompt; `is_asked`: somebody asked for ids.

    A field such as `user_id=7` is removed if its id is in the prompt and nobody asked for ids. If the prompt has ids, a
    line such as `user_id=7 name="Ann"` is always removed, even if the prompt has no such id. The marks `[meta]` and
    `[now]` are removed, too, unless people talk about the mark (`talked_about`) and no id of the prompt follows it.
    """
    return _HEADER.sub(partial(_without_header, ids, is_asked, talked_about), prose)


def without_respond(prose: str, *, is_talked_about: bool = False) -> str:
    """Return the prose without `[RESPOND]`, the mark that ends a prompt.

    Inside a sentence, `[Respond]` may be the name of a button, and stays. If people talk about the mark
    (`is_talked_about`), it is removed only where it is alone on the last line, as in a prompt.
    """
    return _LAST.sub("", prose) if is_talked_about else _RESPOND.sub("", prose)


def without_brackets(prose: str, *, talked_about: Collection[str] = ()) -> str:
    """Return the prose without lull's own brackets: `[event: …]`, `[recalled: …]`, `[media: a photo]`."""
    return _BRACKETED.sub(partial(_without_bracket, talked_about), prose)


def may_become_header(prose: str, ids: Collection[TelegramId]) -> int:
    """If `prose` may end with an unfinished header or bracket, return the index of that part; else `len(prose)`."""
    begun = [_BEGUN.search(prose)]
    if ids:
        word = _LAST_WORD.search(prose)
        is_field = word is not None and any(field.startswith(word["word"].lower()) for field in _FIELD_NAMES)
        begun += [_BEGUN_FIELD.search(prose), word if is_field else None]
    return min((end.start() for end in begun if end is not None), default=len(prose))


def _ids(header: str) -> Iterator[TelegramId]:
    return ids_in(re.sub(_QUOTED, "", header))


def _without_header(ids: Collection[TelegramId], is_asked: bool, marks: Collection[str], fields: re.Match[str]) -> str:
    if fields["marks"] is not None:
        return fields[0] if "meta" in marks else _END_MARK.sub("", fields[0])
    found = fields[0].strip()
    if fields["meta"] is not None:
        word = "now" if "now" in found.lower() else "meta"
        is_own = word in marks and not any(one in ids for one in _ids(found))
        is_section = word == "now" and _SECTION_ABOVE.search(fields.string[: fields.start()][-FARTHEST:]) is not None
        return fields[0] if is_own or is_section else ""
    if is_program(fields.string, fields.start(), fields.end()) or found.split("=")[0].isupper():
        return fields[0]
    named = set(_ids(found))
    is_known = any(one in ids for one in named)
    if fields["begin"] is not None and len(re.findall(_FIELD, found, re.IGNORECASE)) > 1:
        is_spelled = bool(named) and ('="' in found or (not is_asked and "message_id=" in found.lower()))
        return "" if (ids and is_spelled) or (is_known and not is_asked) else fields[0]
    return "" if is_known and not is_asked and not _is_in_sentence(fields, named) else fields[0]


def _without_bracket(marks: Collection[str], mark: re.Match[str]) -> str:
    word, after = mark["word"].lower(), mark.string[mark.end() : mark.end() + 1]
    is_alone = _END_OF_LINE.match(mark.string, mark.end()) is not None
    is_titled = (_TITLED.match(mark[0]) is not None and not is_alone) or _is_title(mark)
    if word in marks or is_titled or (mark["end"] is None and mark["line"] is None):
        return mark[0]
    if mark["line"] is not None:
        return "" if is_alone else mark["item"]
    return "" if is_alone or after in {".", ",", "!", "?"} else " "


def _is_title(mark: re.Match[str]) -> bool:
    """Return whether a mark is a title, as in `[Event: Jazz Night]`. In a prompt, the mark's word is in lower case."""
    title = mark.string[mark.end("word") : mark.end()].lstrip()
    return mark["word"][0].isupper() and title[:1] in {":", "："} and _OF_TITLE.match(title) is not None


def _is_in_sentence(fields: re.Match[str], named: Collection[TelegramId]) -> bool:
    """Return whether a person's or a chat's id is part of a sentence: `call it with chat_id=-100 and a text`."""
    is_alone = len(named) == 1 and {one.kind for one in named} <= {IdKind.USER, IdKind.CHAT}
    return is_alone and fields["begin"] is None and fields[0].lstrip()[0] not in "([（【«“"


#: the length of the number in `Ann#000001`: `#` and six digits
_NUMBER_LENGTH = 7


def without_speakers(prose: str, authors: Collection[str], own_name: str) -> str:
    """Return the prose without the names of speakers at the beginnings of lines, such as `Ann → Bob:`.

    `authors` are written as `Ann#000001`. Elsewhere in a line, such an author loses only the number. The agent's own
    name is removed only at the beginning of the text, as in `lull: yes` and `**lull → Ann:** yes`, since elsewhere it
    may be an entry of a glossary. `own_name` is empty if the prompt does not put names before texts.
    """
    prose = _speaker_pattern(frozenset(authors), own_name).sub(_without_speaker, prose)
    return _own_name_pattern(frozenset(authors), own_name).sub("", prose) if own_name else prose


def may_become_speaker(prose: str, authors: Collection[str], own_name: str) -> int:
    """If `prose` may end with an unfinished speaker's name, return the index of that name; else `len(prose)`."""
    begun = _unfinished_speaker_pattern(frozenset(authors), own_name).search(prose)
    return begun.start() if begun is not None else len(prose)


def may_be_own_name(text: str, own_name: str) -> bool:
    """Return whether the whole text may still become the agent's name, as it is written before a text."""
    begun = text.strip(" \t\n*_")
    whole = re.compile(rf"{re.escape(own_name)}[*_]*(?: →[^\n:：]*)?[:：]?")
    return bool(own_name) and (own_name.startswith(begun) or whole.fullmatch(begun) is not None)


def _without_speaker(speaker: re.Match[str]) -> str:
    return _without_number(speaker[0]) if speaker["line"] is None else ""


def _spoken_names(authors: Iterable[str]) -> Iterator[str]:
    """Yield the names that headers use for people introduced earlier: whole names, and the first words of names."""
    return (one for author in authors for one in (_without_number(author), _without_number(author).partition(" ")[0]))


def _without_number(author: str) -> str:
    """Return the author's name without the number."""
    return author[:-_NUMBER_LENGTH]


@lru_cache
def _speaker_pattern(authors: frozenset[str], own_name: str) -> re.Pattern[str]:
    """Return a pattern for the names before a text at a line's start, and for `Ann#000001` anywhere.

    Names before a text look like `Ann#000001 forwards Bob#000002 → lull:` or `Ann → lull:`. After a person was
    introduced, headers omit the number, and perhaps all but the first name. Two such names with an arrow between them
    are not enough, since a list of debts looks the same.
    """
    author, own = _any_of(authors), _any_of((own_name,))
    called = _any_of({own_name, *authors, *_spoken_names(authors)})
    begin = rf"{author}(?: forwards {called})?(?: → {called})?|{called}(?: forwards {called})? → (?:{author}|{own})"
    line = rf"^[ \t]*(?:{begin}|{called} forwards {author}):[ \t]*"
    return re.compile(rf"(?P<line>{line})|{author}(?!\d)", re.MULTILINE)


@lru_cache
def _own_name_pattern(authors: frozenset[str], own_name: str) -> re.Pattern[str]:
    name = rf"{re.escape(own_name)}(?: → {_any_of(map(_without_number, authors))})?"
    return re.compile(rf"\A\s*(?:{name}[:：]|(?P<mark>[*_]{{1,3}}){name}(?:[:：](?P=mark)|(?P=mark)[:：]))\s*")


@lru_cache
def _unfinished_speaker_pattern(authors: frozenset[str], own_name: str) -> re.Pattern[str]:
    begins = _any_of(own_name[:end] for end in range(1, len(own_name)))
    own = rf"|^[ \t]*(?:{begins}|{re.escape(own_name)}(?: →?| → [^\n:]*)?)\Z" if own_name else ""
    known = rf"|^[ \t]*{_any_of(_spoken_names(authors))} (?:→|forwards )[^\n:]*\Z" if own_name else ""
    return re.compile(rf"{_any_of(map(_without_number, authors))}#[^\n]*\Z{own}{known}", re.MULTILINE)


def _any_of(names: Iterable[str]) -> str:
    """Return an expression that matches any of the names and prefers longer ones; without names it matches nothing."""
    known = sorted({re.escape(name) for name in names if name}, key=len, reverse=True)
    return rf"(?:{'|'.join(known) or '(?!)'})"
