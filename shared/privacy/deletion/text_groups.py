"""The groups of name forms that a text may contain, judged by its language."""

from collections.abc import Collection

from shared.base.language.languages import SMALL_WORDS, TELLING_LETTERS
from shared.privacy.deletion.declensions import GROUPS


def groups_in(keys: Collection[str], spoken: Collection[str] = (), *, is_plain: bool) -> Collection[str]:
    """Return the groups whose forms a text with these words may contain.

    These are the groups of the languages with the most function words in the text. `spoken`: the groups of the language
    that is used around the text. `is_plain`: all its letters are ASCII.
    """
    hits = _hits(keys)
    most = max(hits.values())
    if most == 0:
        return GROUPS if not is_plain else spoken
    found = {name for name, languages in GROUPS.items() if any(hits[one] == most for one in languages)}
    return found | ({"slavic", "finnic", "baltic", "turkish"} if most == 1 and not is_plain else set())


def language_of(keys: Collection[str]) -> str:
    """Return the language with the most function words in a text.

    Empty if there are none, or if several languages have equally many.
    """
    hits = _hits(keys)
    most = max(hits.values())
    found = [language for language, count in hits.items() if count == most > 0]
    return found[0] if len(found) == 1 else ""


def groups_of(language: str) -> Collection[str]:
    """Return the groups whose forms a language has."""
    return {name for name, languages in GROUPS.items() if language in languages}


def _hits(keys: Collection[str]) -> dict[str, int]:
    words = set(keys)
    hits = {language: len(words & small) for language, small in SMALL_WORDS.items()}
    for language, letters in TELLING_LETTERS.items():
        hits[language] += 2 * any(one in letters for key in words for one in key)
    return hits
