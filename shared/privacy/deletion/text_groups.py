"""The groups of name forms (`declensions.py`) that a text may contain, judged by the text's language."""

from collections.abc import Collection

from shared.base.language.languages import SMALL_WORDS, TELLING_LETTERS
from shared.privacy.deletion.declensions import GROUPS


def groups_in(keys: Collection[str], spoken: Collection[str] = (), *, is_plain: bool) -> Collection[str]:
    """Return the groups whose forms a text with these words may contain.

    They are the groups of those languages that have the most function words in the text. `spoken`: the groups of the
    language in which the conversation is held. `is_plain`: all letters of the text are ASCII.
    """
    hits = _hits(keys)
    most = max(hits.values())
    if most == 0:
        return GROUPS if not is_plain else spoken
    found = {name for name, languages in GROUPS.items() if any(hits[one] == most for one in languages)}
    return found | ({"slavic", "finnic", "baltic", "turkish"} if most == 1 and not is_plain else set())


def language_of(keys: Collection[str]) -> str:
    """Return the language that has the most function words in a text.

    If there are no function words, or if several languages have equally many, return "".
    """
    hits = _hits(keys)
    most = max(hits.values())
    found = [language for language, count in hits.items() if count == most > 0]
    return found[0] if len(found) == 1 else ""


def groups_of(language: str) -> Collection[str]:
    """Return the groups whose forms this language has."""
    return {name for name, languages in GROUPS.items() if language in languages}


def _hits(keys: Collection[str]) -> dict[str, int]:
    words = set(keys)
    hits = {language: len(words & small) for language, small in SMALL_WORDS.items()}
    for language, letters in TELLING_LETTERS.items():
        hits[language] += 2 * any(one in letters for key in words for one in key)
    return hits
