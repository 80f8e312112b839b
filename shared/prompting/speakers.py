"""Speakers: how the compact format names who says something, where a text for people begins its lines so too."""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

#: `#` and six digits
_NUMBER_LENGTH = 7


def without_speakers(prose: str, authors: Collection[str], own_name: str) -> str:
    """The prose without what names speakers; an author elsewhere in it loses the number.

    `authors` are written as `Ann#000001`. The agent's own name, if the prompt has it before words at all, goes before
    all else, as in `lull: yes` and `**lull → Ann:** yes`; elsewhere it may be an entry of a glossary.
    """
    prose = _speaker(frozenset(authors), own_name).sub(_without_speaker, prose)
    return _own_words(frozenset(authors), own_name).sub("", prose) if own_name else prose


def may_become_speaker(prose: str, authors: Collection[str], own_name: str) -> int:
    """Where an end begins that may go on as the name of a speaker; the length of the prose, if none does."""
    begun = _begun(frozenset(authors), own_name).search(prose)
    return begun.start() if begun is not None else len(prose)


def may_be_own_name(text: str, own_name: str) -> bool:
    """Whether all of a text may go on as the agent's own name before its words."""
    begun = text.strip(" \t\n*_")
    whole = re.compile(rf"{re.escape(own_name)}[*_]*(?: →[^\n:：]*)?[:：]?")
    return bool(own_name) and (own_name.startswith(begun) or whole.fullmatch(begun) is not None)


def _without_speaker(found: re.Match[str]) -> str:
    return _bare(found[0]) if found["line"] is None else ""


def _bare(author: str) -> str:
    """The name of an author without the number behind it."""
    return author[:-_NUMBER_LENGTH]


@lru_cache
def _speaker(authors: frozenset[str], own_name: str) -> re.Pattern[str]:
    """`Ann#000001 forwards Bob#000002 → lull:` or `lull → Ann#000001:` where a line begins; `Ann#000001` anywhere."""
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
    """An expression for one of the names, as much of it as there is; for nothing, if there are none."""
    known = sorted({re.escape(name) for name in names if name}, key=len, reverse=True)
    return rf"(?:{'|'.join(known) or '(?!)'})"
