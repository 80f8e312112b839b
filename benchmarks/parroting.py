"""Detects answers that mostly repeat the question. Small models often give such answers."""

import re
import unicodedata
from typing import Final

#: an answer repeats the question if at least this share of the answer's words is also in the question
LEAST_SHARE: Final = 0.85
#: an answer with fewer words (or fewer characters, in a script without spaces) never counts as a repetition, since it
#: may have these words by chance
LEAST_WORDS, LEAST_CHARACTERS = 3, 6
#: the most words of a message that counts as a greeting. A greeting may be answered in the same words; a longer message
#: that begins with a greeting counts as a question
MOST_OF_GREETING: Final = 6
_GREETINGS: Final = (
    "hi hello hey hallo hei servus moin hola ola salut bonjour coucou ciao salve ahoj czesc hej merhaba selam "
    "halo hai salom assalom привіт вітаю привет здравствуйте здравствуй добрий доброго добрый доброе good "
    "guten gute buenos buenas bom boa buongiorno buonasera مرحبا السلام سلام नमस्ते こんにちは こんばんは おはよう "
    "你好 您好 안녕 안녕하세요"
)
#: pronouns and forms of "be", which are ignored because a repetition changes them: `my cat` becomes `your cat`
_PRONOUNS: Final = (
    "i you me my your mine yours am are is was were we our us ich du mich dich mir dir mein meine meinen dein "
    "deine deinen bin bist ist sind wir yo tu te me mi mis tus soy eres es estoy estas nosotros je moi toi mon "
    "ton ma ta suis est io mio tuo mia tua sono sei eu meu teu sou я ти ты мене меня тебе тебя мені мне мій "
    "мой твій твой моя твоя моє твоє мої твої ми мы"
)
#: the characters of scripts without spaces, and of Korean
_JOINED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def is_parroting(answer: str, question: str) -> bool:
    """Return whether an answer mostly repeats a question. Accents and capitals are ignored, and greetings never count
    as repeated.
    """
    if _is_greeting(question):
        return False
    said, known = _units(answer), set(_units(question))
    least = LEAST_CHARACTERS if any(map(_JOINED.fullmatch, said)) else LEAST_WORDS
    return len(said) >= least and sum(one in known for one in said) >= LEAST_SHARE * len(said)


def _is_greeting(question: str) -> bool:
    words = _words(question)
    is_short = len(words) <= MOST_OF_GREETING and len(_JOINED.findall(question)) <= 2 * MOST_OF_GREETING
    return bool(words) and words[0] in _words(_GREETINGS) and is_short


def _units(text: str) -> list[str]:
    """Return the words of a text without pronouns and greetings. A word in a script without spaces is split into its
    characters.
    """
    left_out = set(_words(f"{_GREETINGS} {_PRONOUNS}"))
    words = [word for word in _words(text) if word not in left_out]
    return [unit for word in words for unit in (word if _JOINED.search(word) else [word])]


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", re.sub(r"@\w+", "", text).casefold())
    letters = "".join(one for one in plain if not unicodedata.combining(one))
    return re.findall(r"\w+", unicodedata.normalize("NFC", letters))
