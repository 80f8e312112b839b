"""Detects the language of a text without a model: by letters that only some languages have, and by function words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

#: function words that occur in nearly every sentence of a language, and not in related languages
_TABLE: Final = """
en: a so but me if am been just no yes had get got our out up
    the and of to is are was were in it that what when where who how did do does i you my your we he she
    they have has had with for on at this be not from or about as by an which why would will can could his
    her their
de: der die das und ist sind war in nicht ich du er sie wir ihr ein eine einen einem mit für auf dem den des
    zu zum zur was wann wo wer wie hat haben habe auch noch aber wenn dass von vom im am bei nach über es
    mir mich
es: el la los las de que y en un una es son fue por con para no se lo su mi me te qué cuándo dónde quién
    cómo del al pero más muy ya está estoy hay cuando como
fr: le la les de des du et est un une que qui dans en pour pas je tu il elle nous vous ils ce cette sur avec
    au aux quand où quoi comment mais mon ma ton ta son sa ne se était sont
it: il lo la i gli le di che e è un una in per non con del della dei mi ti si sono ho hai ha quando dove chi
    come cosa ma più anche nel alla al da questo
pt: o a os as de que e em um uma é são foi por com para não se do da dos das no na eu você ele ela nós
    quando onde quem como mas mais muito já está meu minha ao
nl: de het een en van ik je dat die in is zijn was niet met voor op aan wat wanneer waar wie hoe maar ook er
    we naar heeft hebben mijn
sv: och att det som en ett är var på jag du inte för med till av har den när där vem hur men vi han hon om
da: og at det som en et er var på jeg du ikke for med til af har den når hvor hvem hvordan men vi han hun
    hvad
no: og at det som en et er var på jeg du ikke for med til av har den når hvor hvem hvordan men vi han hun
    hva
fi: ja on ei se että hän minä sinä oli kun mutta mitä missä milloin kuka miten myös ole niin tämä olen
hu: a az és hogy nem is egy van volt én te ez de mit mikor hol ki hogyan meg csak már vagy
pl: i w nie na się to jest że z do co kiedy gdzie kto jak ale był była są o za od po czy ja ty mój
cs: a v ne na se to je že z do co kdy kde kdo jak ale byl byla jsou o za od po já ty můj jsem
ro: și în nu la de că este un o cu pe ce când unde cine cum dar a fost sunt mai eu tu din pentru am
tr: ve bir bu da de için ile ne zaman nerede kim nasıl ama çok değil ben sen biz var yok mi mı olarak daha
    gibi
id: yang dan di ke dari ini itu tidak saya kamu dengan untuk apa kapan mana siapa bagaimana ada akan sudah
    pada
uk: і й та не на що це як де коли хто але був була є до від за про ми ви він вона у з його її мені який чи
ru: и не на что это как где когда кто но был была есть до от за про мы вы он она в с его её мне который ли я
    ты
fa: و در به از که این را با است برای آن یک تو من ما چه کی کجا چرا هست بود شد
ar: في من على إلى أن هذا هذه ما متى أين كيف هل لا كان كانت التي الذي عن مع هو هي أنا
"""
SMALL_WORDS: Final[Mapping[str, frozenset[str]]] = {
    line[:2]: frozenset(line[3:].split()) for line in _TABLE.replace("\n    ", " ").strip().splitlines()
}
#: letters that only one language of a script has; each such letter counts as two words
TELLING_LETTERS: Final[Mapping[str, str]] = {
    "uk": "іїєґ", "ru": "ыэъё", "fa": "پچژگ", "tr": "ğı", "de": "ß", "pt": "ãõ", "pl": "ąęśźż", "cs": "řůě", "ro": "ăț",
}  # fmt: skip
#: in texts of at most this many words, a single function word is enough
SHORT: Final = 6


@dataclass(frozen=True)
class Script:
    """A script: the code points of its letters, and the languages that use it and have a stemmer."""

    ranges: tuple[tuple[int, int], ...]
    languages: tuple[str, ...]


_LATIN: Final = Script(
    ((0x41, 0x24F), (0x1E00, 0x1EFF)),
    ("en", "de", "es", "fr", "it", "pt", "nl", "sv", "da", "no", "fi", "hu", "pl", "cs", "ro", "tr", "id", "et", "lt",
     "ca", "eu", "ga", "eo"),
)  # fmt: skip
SCRIPTS: Final = (
    _LATIN,
    Script(((0x400, 0x52F),), ("ru", "uk", "sr")),
    Script(((0x600, 0x6FF), (0x750, 0x77F)), ("ar", "fa")),
    Script(((0x900, 0x97F),), ("hi", "ne")),
    Script(((0x370, 0x3FF), (0x1F00, 0x1FFF)), ("el",)),
    Script(((0x530, 0x58F),), ("hy",)),
    Script(((0x590, 0x5FF),), ("yi",)),
    Script(((0xB80, 0xBFF),), ("ta",)),
)


def languages_of_script(letter: str) -> tuple[str, ...]:
    """Return the languages that use the letter's script and have a stemmer; () if there are none."""
    point = ord(letter)
    for script in SCRIPTS:
        if any(first <= point <= last for first, last in script.ranges):
            return script.languages
    return ()


def detect_language(words: Sequence[str], expected: str = "") -> str:
    """Return the language (ISO 639-1) of words in lower case; "" if the language is unclear.

    If `expected` and another language fit equally well, `expected` is returned.
    """
    hits: Counter[str] = Counter()
    for word in words:
        hits.update(_languages_with().get(word, ()))
        if not word.isascii():
            hits.update(
                {language: 2 for language, letters in TELLING_LETTERS.items() if not set(letters).isdisjoint(word)}
            )
    best = max(hits, key=lambda one: (hits[one], one == expected, one == "en"), default="")
    return best if best and hits[best] >= (1 if len(words) <= SHORT else 2) else ""


@cache
def _languages_with() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for language, words in SMALL_WORDS.items():
        for word in words:
            found[word] = (*found.get(word, ()), language)
    return found
