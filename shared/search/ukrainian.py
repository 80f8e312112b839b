"""A light stemmer for Ukrainian, for which Snowball has none: endings are cut, and vowels that alternate made one.

`Львів`, `Львова` and `у Львові` have one stem, so have `поїздка` and `поїздок`, `ніч` and `ночі`.
"""

import re
from typing import Final

#: a stem keeps so many letters at least
SHORTEST: Final = 3
_REFLEXIVE: Final = ("ся", "сь")
_NOUNS: Final = "а я у ю і ї е є о и ою ею єю ові еві єві ом ем єм ам ям ами ями ах ях ів їв ей ість ості істю"
_ADJECTIVES: Final = "ий ій ого ього ому ьому им ім их іх ими іми яя ая еє ее юю ую"
_VERBS: Final = (
    "ти ть ати ити іти яти увати ювати ував ював увала ала яла ила іла али яли или іли ало яло ило іло ав яв ив"
    " ів ую юю єш еш иш їш ємо емо имо їмо єте ете ите їте ють уть ать ять ає яє ує їть ить ймо йте й"
)
_ENDINGS: Final = tuple(sorted(f"{_NOUNS} {_ADJECTIVES} {_VERBS}".split(), key=len, reverse=True))
#: what is left of a possessive or of a town's name: Львов-а, Ковалев-а
_SECOND: Final = ("ов", "ев", "єв", "ів", "їв")
#: vowels that stand for one another in a closed and an open syllable
_ALTERNATING: Final = re.compile("[іїоеє](?=[^аеєиіїоуюя]*$)")
#: поїздок, будинок, хлопець: the vowel goes where an ending follows
FLEETING: Final = re.compile("(?<=..[^аеєиіїоуюяыэё])[оеє](?=[кц]$)")
#: consonants before -і: дорога, на дорозі
_SOFTENED: Final = {"г": "з", "к": "ц", "х": "с"}


def stem(word: str) -> str:
    """The stem of a word in lower case without apostrophes."""
    for ending in _REFLEXIVE:
        word = _without(word, ending)
    cut = next((short for ending in _ENDINGS if (short := _without(word, ending)) != word), word)
    cut = next((short for ending in _SECOND if (short := _without(cut, ending)) != cut), cut)
    cut = cut.rstrip("ьй") or cut
    return _ALTERNATING.sub("о", FLEETING.sub("", cut))


def alternatives(stemmed: str) -> tuple[str, ...]:
    """The stems that other forms of the same word may have: `дорог` and `дороз`."""
    last = stemmed[-1:]
    other = _SOFTENED.get(last) or next((hard for hard, soft in _SOFTENED.items() if soft == last), "")
    return (stemmed[:-1] + other,) if other and len(stemmed) >= SHORTEST else ()


def _without(word: str, ending: str) -> str:
    return word[: -len(ending)] if word.endswith(ending) and len(word) - len(ending) >= SHORTEST else word
