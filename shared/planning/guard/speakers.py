"""Names of speakers before their words, as compact lines have them: `Ann#000001 → Bob:`, and the agent's own."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

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


def _called(authors: Iterable[str]) -> Iterator[str]:
    """Whole names and their first words, by which headers name who is known."""
    return (one for author in authors for one in (_bare(author), _bare(author).partition(" ")[0]))


def _bare(author: str) -> str:
    """The author's name without the number."""
    return author[:-_NUMBER_LENGTH]


@lru_cache
def _speaker(authors: frozenset[str], own_name: str) -> re.Pattern[str]:
    """`Ann#000001 forwards Bob#000002 → lull:` or `Ann → lull:` at a line's begin; `Ann#000001` anywhere.

    Headers name who is known without the number, and perhaps by the first name alone. Between two such people an arrow
    may stand in a list of who owes whom.
    """
    author, own = _either(authors), _either((own_name,))
    called = _either({own_name, *authors, *_called(authors)})
    begin = rf"{author}(?: forwards {called})?(?: → {called})?|{called}(?: forwards {called})? → (?:{author}|{own})"
    line = rf"^[ \t]*(?:{begin}|{called} forwards {author}):[ \t]*"
    return re.compile(rf"(?P<line>{line})|{author}(?!\d)", re.MULTILINE)


@lru_cache
def _own_words(authors: frozenset[str], own_name: str) -> re.Pattern[str]:
    name = rf"{re.escape(own_name)}(?: → {_either(map(_bare, authors))})?"
    return re.compile(rf"\A\s*(?:{name}[:：]|(?P<mark>[*_]{{1,3}}){name}(?:[:：](?P=mark)|(?P=mark)[:：]))\s*")


@lru_cache
def _begun(authors: frozenset[str], own_name: str) -> re.Pattern[str]:
    begins = _either(own_name[:end] for end in range(1, len(own_name)))
    own = rf"|^[ \t]*(?:{begins}|{re.escape(own_name)}(?: →?| → [^\n:]*)?)\Z" if own_name else ""
    known = rf"|^[ \t]*{_either(_called(authors))} (?:→|forwards )[^\n:]*\Z" if own_name else ""
    return re.compile(rf"{_either(map(_bare, authors))}#[^\n]*\Z{own}{known}", re.MULTILINE)


def _either(names: Iterable[str]) -> str:
    """An expression that matches one of the names, the longest first; nothing, if there are no names."""
    known = sorted({re.escape(name) for name in names if name}, key=len, reverse=True)
    return rf"(?:{'|'.join(known) or '(?!)'})"
