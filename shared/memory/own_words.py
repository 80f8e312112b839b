"""Own words: whether somebody's message itself says what is to be remembered of it.

A text from outside may have a model remember anything. What the person who is answered has just said is theirs,
whatever else the model was shown.
"""

import re
from typing import Final

from shared.memory.likeness import words_of
from shared.models.described import holds_text, said_in
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
        "لا", "ليس", "لم", "نه", "不", "没", "沒", "안", "못",
    }
)  # fmt: skip
#: "I don't" becomes "Ann doesn't", and "I can't" "Ann cannot"
_CONTRACTION: Final = re.compile(r"(?:(?<=can)|n)['’]t\b|(?<=\bcan)not\b")
#: what a "not" is said of goes no further
_CLAUSE_END: Final = re.compile(r"[.!?;:,\n。！？；：，、]|\b(?:but|aber|mais|pero|però|mas|але|но)\b")


def is_in_own_words(fact: str, message: Message) -> bool:
    """Whether each telling word of a fact stands in a message of the person's own, spoken ones too, or is their name.

    False for what they forward, and for words from outside; what they write below a picture of such words is theirs.
    """
    is_of_files = holds_text(message) and not message.is_worded_elsewhere
    if message.is_of_others_words or (message.holds_outside and not is_of_files):
        return False
    said, claimed = (_CONTRACTION.sub(" not", text) for text in (f"{message.text}\n{said_in(message)}", fact))
    person = name_terms(message.author.name) | _THE_PERSON
    asked = [one for one in asked_terms(claimed) if not one.is_small and person.isdisjoint(one.variants)]
    negations = _NEGATIONS.intersection(words_of(claimed)).difference(words_of(said))
    told = _terms(said)
    is_said = bool(asked) and not negations and not any(told.isdisjoint(one.variants) for one in asked)
    return is_said and not _is_turned_round(claimed, said, frozenset(v for one in asked for v in one.variants))


def _is_turned_round(claimed: str, said: str, telling: frozenset[str]) -> bool:
    """Whether a fact has no "not", and what has its telling words was said with one."""
    if not _NEGATIONS.isdisjoint(words_of(claimed)):
        return False
    clauses = (one for one in _CLAUSE_END.split(said) if not _NEGATIONS.isdisjoint(words_of(one)))
    return any(not telling.isdisjoint(_terms(one)) for one in clauses)


def _terms(text: str) -> frozenset[str]:
    """The terms of a text, in each language that it may be in."""
    asked = (variant for one in asked_terms(text) for variant in one.variants)
    return frozenset((*terms_of(text), *asked))
