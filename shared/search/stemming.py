"""Stems of words: one under the language of the text that is searched, several of a question's word."""

import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Final

from shared.search import ukrainian
from shared.search.languages import languages_of_script

#: the stemmer of each language, by its name in the Snowball project (snowballstem.org/algorithms)
ALGORITHMS: Final[Mapping[str, str]] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
#: scripts whose marks a writer may leave out; elsewhere they are vowels, or make another letter
_MARKS_LEFT_OUT: Final = ("LATIN", "GREEK", "HEBREW", "ARABIC")
#: languages that join a short word to the next: l'école, dell'arte
_ELIDING: Final = frozenset({"fr", "it", "ca"})
APOSTROPHES: Final = "'’ʼ`"
#: characters of a term; no word is longer, and an index entry must be short
LONGEST: Final = 48


@lru_cache(maxsize=20_000)
def stem(word: str, language: str) -> str:
    """The stem of a word in lower case under a language, or the likeliest of its script.

    Marks that may be left out are left out. A word of a script without a stemmer stays as it is.
    """
    script = languages_of_script(word[0])
    if not script:
        return folded(word)[:LONGEST]
    spoken = language if language in script else script[0]
    plain = _without_apostrophes(word, spoken)
    if spoken == "uk":
        return ukrainian.stem(plain)[:LONGEST]
    stemmed = _stemmer(spoken)(plain[: 2 * LONGEST])
    if spoken == "ru":
        stemmed = _russian(stemmed, plain)
    return (folded(stemmed) or folded(plain))[:LONGEST]


def _russian(stemmed: str, word: str) -> str:
    """Snowball cuts `Киев` to two letters, and leaves the vowel that goes in `поездок`, `поездка`."""
    return ukrainian.FLEETING.sub("", stemmed if len(stemmed) >= ukrainian.SHORTEST else word)


def variants(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The stems that a word may have in what is searched: of a question's languages, those of the word's script.

    Russian and Ukrainian are written in the same chats, so a Cyrillic word has the stems of both.
    """
    script = languages_of_script(word[0])
    spoken = [one for one in languages if one in script] or list(script[:1])
    if "ru" in script:
        spoken += ["ru", "uk"]
    if "fa" in script:
        spoken += ["ar", "fa"]
    stems = [stem(word, one) for one in spoken] or [stem(word, "")]
    if "uk" in spoken:
        stems += ukrainian.alternatives(stem(word, "uk"))
    return tuple(dict.fromkeys(filter(None, stems)))


def folded(word: str) -> str:
    """A word without the marks that a writer may leave out: `café` is `cafe`, `ё` is `е`; `й` and `ї` stay letters."""
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    kept = (c for n, c in enumerate(parts) if not _is_left_out(parts[n - 1] if n else "", c))
    return unicodedata.normalize("NFC", "".join(kept)).translate(_LETTERS)


#: letters that stand for others where a keyboard lacks them, and what only stretches a word
_LETTERS: Final = str.maketrans({"ı": "i", "ё": "е", "ø": "o", "ł": "l", "đ": "d", "ß": "ss", "\u0640": None})


def _is_left_out(before: str, mark: str) -> bool:
    if unicodedata.category(mark) != "Mn":
        return False
    if mark == "\u0301":  # stress, or an accent: no letter of Russian or Ukrainian is made with it
        return True
    if mark == "\u0308" and before in "еЕ":
        return True
    return unicodedata.name(mark, "").startswith(("HEBREW", "ARABIC")) or _script_name(before) in _MARKS_LEFT_OUT


def _script_name(letter: str) -> str:
    if not letter:
        return ""
    if unicodedata.category(letter) == "Mn":  # a second mark of the same letter
        return "LATIN"
    return unicodedata.name(letter, "").partition(" ")[0]


def _without_apostrophes(word: str, language: str) -> str:
    if not any(mark in word for mark in APOSTROPHES):
        return word
    parts = word.translate(_PLAIN_APOSTROPHES).split("'")
    if language == "en":
        return parts[0] if parts[-1] == "s" else "".join(parts)
    if language == "tr":
        return parts[0] or "".join(parts)
    if language in _ELIDING and len(parts[-1]) > 1:
        return parts[-1]
    return "".join(parts)


_PLAIN_APOSTROPHES: Final = str.maketrans(dict.fromkeys(APOSTROPHES, "'"))


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    import Stemmer  # an extension module of 2 MB, which only what searches or is searched needs

    found: Callable[[str], str] = Stemmer.Stemmer(ALGORITHMS[language]).stemWord
    return found
