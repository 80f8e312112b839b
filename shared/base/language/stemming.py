"""Stems of words. A word of a searched text has one stem, that of the text's language. A word of a question has a stem
for each language that the searched texts may have.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Final

from shared.base.language.languages import languages_of_script

#: the stemmer of each language, by its name in the Snowball project (snowballstem.org/algorithms)
ALGORITHMS: Final[Mapping[str, str]] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
#: scripts whose marks are optional; in other scripts marks are vowels, or make another letter
_MARKS_LEFT_OUT: Final = ("LATIN", "GREEK", "HEBREW", "ARABIC")
#: languages that join a short word to the next: l'école, dell'arte
_ELIDING: Final = frozenset({"fr", "it", "ca"})
APOSTROPHES: Final = "'’ʼ`"
#: characters of the longest term: no word is longer, and an index entry must be short
LONGEST: Final = 48


@lru_cache(maxsize=20_000)
def stem(word: str, language: str) -> str:
    """Return the stem of a word in lower case, without optional diacritics.

    The word is stemmed as a word of `language`. If `language` uses another script, the likeliest language of the word's
    script is assumed. A word in a script without a stemmer is not stemmed.
    """
    script = languages_of_script(word[0])
    if not script:
        return fold_marks(word)[:LONGEST]
    spoken = language if language in script else script[0]
    plain = _without_apostrophes(word, spoken)
    if spoken == "uk":
        return ukrainian_stem(plain)[:LONGEST]
    stemmed = _stemmer(spoken)(plain[: 2 * LONGEST])
    if spoken == "ru":
        stemmed = _russian(stemmed, plain)
    return (fold_marks(stemmed) or fold_marks(plain))[:LONGEST]


def _russian(stemmed: str, word: str) -> str:
    """Correct faults of Snowball: it cuts `Киев` to two letters, and gives `поездок` and `поездка` different stems."""
    return FLEETING.sub("", stemmed if len(stemmed) >= SHORTEST else word)


def variants(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the stems that a word may have in searched text: one for each of the languages that use its script.

    Russian and Ukrainian occur in the same chats, so a Cyrillic word has the stems of both.
    """
    script = languages_of_script(word[0])
    spoken = [one for one in languages if one in script] or list(script[:1])
    if "ru" in script:
        spoken += ["ru", "uk"]
    if "fa" in script:
        spoken += ["ar", "fa"]
    stems = [stem(word, one) for one in spoken] or [stem(word, "")]
    if "uk" in spoken:
        stems += alternatives(stem(word, "uk"))
    return tuple(dict.fromkeys(filter(None, stems)))


def fold_marks(word: str) -> str:
    """Return a word without optional diacritics: `café` becomes `cafe`, and `ё` becomes `е`; `й` and `ї` are kept."""
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    kept = (c for n, c in enumerate(parts) if not _is_left_out(parts[n - 1] if n else "", c))
    return unicodedata.normalize("NFC", "".join(kept)).translate(_LETTERS)


#: letters that people replace if their keyboard lacks them, and a mark that only stretches a word
_LETTERS: Final = str.maketrans({"ı": "i", "ё": "е", "ø": "o", "ł": "l", "đ": "d", "ß": "ss", "\u0640": None})


def _is_left_out(before: str, mark: str) -> bool:
    if unicodedata.category(mark) != "Mn":
        return False
    if mark == "\u0301":  # a stress mark: no Russian or Ukrainian letter has it
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
    import Stemmer  # an extension module of 2 MB, which only search needs

    found: Callable[[str], str] = Stemmer.Stemmer(ALGORITHMS[language]).stemWord
    return found


#: the least letters of a stem
SHORTEST: Final = 3
_REFLEXIVE: Final = ("ся", "сь")
_NOUNS: Final = "а я у ю і ї е є о и ою ею єю ові еві єві ом ем єм ам ям ами ями ах ях ів їв ей ість ості істю"
_ADJECTIVES: Final = "ий ій ого ього ому ьому им ім их іх ими іми яя ая еє ее юю ую"
_VERBS: Final = (
    "ти ть ати ити іти яти увати ювати ував ював увала ала яла ила іла али яли или іли ало яло ило іло ав яв ив"
    " ів ую юю єш еш иш їш ємо емо имо їмо єте ете ите їте ють уть ать ять ає яє ує їть ить ймо йте й"
)
_ENDINGS: Final = tuple(sorted(f"{_NOUNS} {_ADJECTIVES} {_VERBS}".split(), key=len, reverse=True))
#: an ending that remains of a possessive or a town's name: Львов-а, Ковалев-а
_SECOND: Final = ("ов", "ев", "єв", "ів", "їв")
#: the last vowel of a stem: these vowels replace one another in closed and open syllables
_ALTERNATING: Final = re.compile("[іїоеє](?=[^аеєиіїоуюя]*$)")
#: поїздок, будинок, хлопець: the last vowel disappears before an ending
FLEETING: Final = re.compile("(?<=..[^аеєиіїоуюяыэё])[оеє](?=[кц]$)")
#: consonants before -і: дорога, на дорозі
_SOFTENED: Final = {"г": "з", "к": "ц", "х": "с"}


def ukrainian_stem(word: str) -> str:
    """Return the stem of a word in lower case without apostrophes."""
    for ending in _REFLEXIVE:
        word = _without(word, ending)
    cut = next((short for ending in _ENDINGS if (short := _without(word, ending)) != word), word)
    cut = next((short for ending in _SECOND if (short := _without(cut, ending)) != cut), cut)
    cut = cut.rstrip("ьй") or cut
    return _ALTERNATING.sub("о", FLEETING.sub("", cut))


def alternatives(stemmed: str) -> tuple[str, ...]:
    """Return the other stem of the same Ukrainian word, if there is one: `дороз` for `дорог`, and the reverse."""
    last = stemmed[-1:]
    other = _SOFTENED.get(last) or next((hard for hard, soft in _SOFTENED.items() if soft == last), "")
    return (stemmed[:-1] + other,) if other and len(stemmed) >= SHORTEST else ()


def _without(word: str, ending: str) -> str:
    return word[: -len(ending)] if word.endswith(ending) and len(word) - len(ending) >= SHORTEST else word
