"""Own words: whether somebody's message itself says what is to be remembered of it.

A text from outside may have a model remember anything. What the person who is answered has just said is theirs,
whatever else the model was shown.
"""

import re
from typing import Final

from shared.memory.likeness import words_of
from shared.models.described import said_in
from shared.models.message import Message
from shared.search.terms import asked_terms, name_terms, terms_of

#: a fact calls its person so, whatever they are called
_THE_PERSON: Final = frozenset({"user", "person"})
#: a fact that says the opposite of a message has all its words, and one of these
_NEGATIONS: Final = frozenset(
    {
        "not", "no", "never", "without", "nicht", "kein", "keine", "keinen", "nie", "ohne", "pas", "ne", "jamais",
        "sans", "nunca", "jamás", "sin", "não", "nem", "sem", "non", "mai", "senza", "не", "ні", "ни", "нет", "немає",
        "без", "ніколи", "никогда", "bez", "nigdy", "değil", "yok", "hiç", "bukan", "tidak", "emas", "yo‘q", "नहीं",
        "لا", "ليس", "لم", "نه",
    }
)  # fmt: skip
#: "I don't" becomes "Ann doesn't"
_CONTRACTION: Final = re.compile(r"(?:(?<=can)|n)['’]t\b")


def is_in_own_words(fact: str, message: Message) -> bool:
    """Whether each telling word of a fact stands in a message of the person's own, spoken ones too, or is their name.

    False for what they forward, and for a message that holds text from outside itself.
    """
    if message.holds_outside or message.is_of_others_words:
        return False
    said, claimed = (_CONTRACTION.sub(" not", text) for text in (f"{message.text}\n{said_in(message)}", fact))
    person = name_terms(message.author.name) | _THE_PERSON
    asked = [one for one in asked_terms(claimed) if not one.is_small and person.isdisjoint(one.variants)]
    negations = _NEGATIONS.intersection(words_of(claimed)).difference(words_of(said))
    told = _terms(said)
    return bool(asked) and not negations and not any(told.isdisjoint(one.variants) for one in asked)


def _terms(text: str) -> frozenset[str]:
    """The terms of a text, in each language that it may be in."""
    asked = (variant for one in asked_terms(text) for variant in one.variants)
    return frozenset((*terms_of(text), *asked))
