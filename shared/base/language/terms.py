"""Search terms of a text: stems of words and, for scripts without spaces, pairs of adjacent letters.

Terms can be extracted from any string, in time linear in its length.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from shared.base.language.languages import SMALL_WORDS, detect_language
from shared.base.language.stemming import APOSTROPHES, LONGEST, stem, variants

#: letters of scripts without spaces: Thai, Lao, Burmese, Hangul, Khmer, kana and Han
UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
#: the letters of these scripts that can be a word alone
_HAN: Final = re.compile("[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_EMOJI: Final = "\u2190-\u21ff\u2300-\u23ff\u2460-\u27bf\u2900-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_INVISIBLE: Final = dict.fromkeys(
    (0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060, 0xFEFF, 0xFE0E, 0xFE0F)
)
_GROUPED: Final = re.compile(r"(?<=\d)[,.'’ \u00a0\u202f](?=\d{3}(?!\d))")
_HOST: Final = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}\Z")
#: Unicode's ranges of marks
_MARKS: Final = (
    range(0x300, 0x1E00),
    range(0x20D0, 0x2100),
    range(0xA660, 0xAC00),
    range(0xFE20, 0xFE30),
    range(0x10A00, 0x11D00),
)
#: terms are extracted from at most this many characters of a text; normalisation may turn one character into eighteen
LONGEST_TEXT: Final = 100_000
#: the languages to assume for a question if neither the question nor its chat shows a language
LIKELY: Final = ("de", "es", "fr", "it", "pt", "tr")
#: the most terms of a question: each term costs a query
MOST_ASKED: Final = 16


@dataclass(frozen=True)
class QueryTerm:
    """A word of a question. The searched text matches if it has any of the word's variants."""

    variants: tuple[str, ...]
    #: whether the word is one of a language's function words, which carry no meaning
    is_small: bool = False


def terms_of(text: str, language: str = "") -> tuple[str, ...]:
    """Return the terms under which a text is found, in order.

    `language` (an IETF tag) is the language of the chat. If the text's words show another language, that language is
    used.
    """
    pieces = tuple(_pieces(text))
    spoken = detect_language(_words(pieces), _primary(language)) or _primary(language) or "en"
    return tuple(term for piece in pieces for term in _index_terms(piece, spoken) if term)


def telling_terms(text: str, language: str = "") -> frozenset[str]:
    """Return the terms of a text without the function words of its language."""
    pieces = tuple(_pieces(text))
    spoken = detect_language(_words(pieces), _primary(language)) or _primary(language) or "en"
    small = SMALL_WORDS.get(spoken, ())
    return frozenset(term for piece in pieces if piece not in small for term in _index_terms(piece, spoken) if term)


def query_terms(text: str, language: str = "") -> tuple[QueryTerm, ...]:
    """Return the terms of a question in order, without repetitions; for a long question, only the first meaningful
    ones.
    """
    pieces = tuple(_pieces(text[:4000]))
    languages = _asked_languages(pieces, language)
    found = dict.fromkeys(one for piece in pieces for one in _query_term(piece, languages))
    telling = [one for one in found if not one.is_small]
    if len(found) <= MOST_ASKED:
        return tuple(found)
    return tuple(telling[:MOST_ASKED])


def spans_of(text: str, language: str = "") -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yield each word's start and end, and the search terms that find the word."""
    languages = _asked_languages(tuple(_pieces(text)), language)
    for found in _runs().finditer(text):
        if is_unspaced(found.group()):
            yield from _pairs_of(found.group(), found.start())
            continue
        piece = unicodedata.normalize("NFKC", found.group()).lower()
        yield found.start(), found.end(), frozenset(v for one in _query_term(piece, languages) for v in one.variants)


def _asked_languages(pieces: tuple[str, ...], language: str) -> tuple[str, ...]:
    told = detect_language(_words(pieces), _primary(language))
    guessed = () if told or language else LIKELY
    return tuple(dict.fromkeys(filter(None, (told, _primary(language), "en", *guessed))))


def words_in(text: str) -> int:
    """Return the number of words in a text.

    In scripts without spaces about two letters count as a word; a very long word counts as several.
    """
    return sum(-(-len(run) // _word_length(run)) for run in _runs().findall(text))


def _word_length(run: str) -> int:
    """Return the number of letters that count as one word in a run of letters."""
    return 2 if is_unspaced(run) else LONGEST


def author_term(author: int) -> str:
    """Return the search term for the author of a message. No text produces the same term."""
    return f"@{author}"


@lru_cache(maxsize=1000)
def name_terms(name: str) -> frozenset[str]:
    """Return the search terms of a person's name. They are stemmed like English words."""
    return frozenset(term for piece in _pieces(name) for term in _index_terms(piece, "en") if term)


def _pieces(text: str) -> Iterator[str]:
    """Yield words, runs of letters of scripts without spaces, hosts and emoji, in lower case."""
    plain = _SURROGATES.sub(" ", text[:LONGEST_TEXT])
    if not plain.isascii():
        plain = unicodedata.normalize("NFKC", plain).translate(_INVISIBLE)[:LONGEST_TEXT]
    plain = _GROUPED.sub("", plain)
    return (found.lower() for found in _runs().findall(plain) if found)


@cache
def _runs() -> re.Pattern[str]:
    """Return the pattern of one piece of text: an emoji, a run of letters of a script without spaces, a host, or a
    word, which may contain apostrophes.
    """
    word = rf"{letter()}+(?:[{APOSTROPHES}]{letter()}+)*"
    host = r"(?<![\w.@-])[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,24}(?![\w.])"
    return re.compile(rf"[{_EMOJI}]|[{UNSPACED}]+|{host}|{word}")


@cache
def letter() -> str:
    """Return the pattern of one letter, digit or combining mark of a script with spaces."""
    return rf"(?:(?![{UNSPACED}])[\w{marks()}])"


@cache
def marks() -> str:
    """Return all combining marks as ranges for a character class of a pattern."""
    return _ranges(point for block in _MARKS for point in block if unicodedata.category(chr(point))[0] == "M")


def _ranges(points: Iterator[int]) -> str:
    found: list[list[int]] = []
    for point in points:
        if found and found[-1][1] == point - 1:
            found[-1][1] = point
        else:
            found.append([point, point])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in found)


def _index_terms(piece: str, language: str) -> Iterator[str]:
    if is_unspaced(piece):
        yield from _ngrams(piece)
        yield from (one for one in _HAN.findall(piece) if len(piece) > 1)
    elif _HOST.fullmatch(piece):
        yield from _host(piece)
        yield from (stem(part, language) for part in re.split(r"[.-]", piece) if part)
    else:
        yield from (_number(part) or stem(part, language) for part in _parts(piece))


def _query_term(piece: str, languages: tuple[str, ...]) -> Iterator[QueryTerm]:
    if is_unspaced(piece):
        yield from (QueryTerm((one,)) for one in _ngrams(piece))
    elif _HOST.fullmatch(piece):
        yield from (QueryTerm((one,)) for one in _host(piece))
    else:
        for part in _parts(piece):
            number = _number(part)
            small = any(part in SMALL_WORDS.get(one, ()) for one in languages)
            found = (number,) if number else variants(part, languages)
            if found:
                yield QueryTerm(found, is_small=small)


def _host(piece: str) -> Iterator[str]:
    yield piece.removeprefix("www.")[:LONGEST]


def _parts(piece: str) -> Iterator[str]:
    """Yield a piece, or a name with underscores and then its parts. Apostrophes or marks alone are skipped."""
    parts = [part.strip(APOSTROPHES) for part in piece.split("_")]
    if len(parts) > 1 and any(parts):
        yield "_".join(filter(None, parts))
    yield from (part for part in parts if part and not unicodedata.category(part[0]).startswith("M"))


def _number(part: str) -> str:
    """Return a number of any script in the digits 0–9, without leading zeros; "" if the text is not a number."""
    if not part.isdecimal():
        return ""
    return ("".join(str(unicodedata.decimal(digit)) for digit in part).lstrip("0") or "0")[:LONGEST]


def _ngrams(run: str) -> Iterator[str]:
    """Yield the pairs of adjacent letters, with their marks. If there is only one letter, yield that."""
    letters = _letters(run)
    if len(letters) == 1:
        yield letters[0][:LONGEST]
    yield from ((one + other)[:LONGEST] for one, other in pairwise(letters))


def _letters(run: str) -> list[str]:
    letters: list[str] = []
    for one in run:
        if letters and unicodedata.category(one) in {"Mn", "Mc"}:
            letters[-1] += one
        else:
            letters.append(one)
    return letters


def _pairs_of(run: str, start: int) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yield the start and end of each letter pair in a run, and the search terms that find the pair.

    These are the pair, and its first letter alone.
    """
    letters = _letters(run)
    for place, one in enumerate(letters):
        pair = one + letters[place + 1] if place + 1 < len(letters) else one
        yield start, start + len(pair), frozenset(unicodedata.normalize("NFKC", term) for term in (one, pair))
        start += len(one)


def is_unspaced(piece: str) -> bool:
    return bool(_unspaced_pattern().match(piece))


@cache
def _unspaced_pattern() -> re.Pattern[str]:
    return re.compile(f"[{UNSPACED}]")


def _words(pieces: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(piece for piece in pieces[:400] if not is_unspaced(piece))


def _primary(tag: str) -> str:
    return tag.replace("_", "-").partition("-")[0].lower()


def parts_of(text: str, most_words: int) -> tuple[str, ...]:
    """Split a text into parts of at most `most_words` words. Each part begins with a word."""
    parts, begin, words = [], 0, 0
    for start, length in _units(text, most_words):
        if words + length > most_words:
            parts.append(text[begin:start].strip())
            begin, words = start, 0
        words += length
    return (*parts, text[begin:].strip())


def _units(text: str, most_words: int) -> Iterator[tuple[int, int]]:
    """Yield the start of each word and the number of words that it counts as. A long run without spaces counts as
    several words.
    """
    for found in _runs().finditer(text):
        length = _word_length(found.group())
        for start in range(found.start(), found.end(), length * most_words):
            yield start, -(-(min(found.end(), start + length * most_words) - start) // length)
