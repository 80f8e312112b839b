"""Which languages' forms of names a text may have."""

from collections.abc import Collection

from shared.erasing.declensions import GROUPS
from shared.search.languages import SMALL_WORDS, TELLING_LETTERS


def groups_in(keys: Collection[str], *, is_plain: bool) -> Collection[str]:
    """Return the groups whose forms a text of these words may have: what its small words tell, none less than others.

    `is_plain`: no letter of it has a mark, or is of another script.
    """
    words = set(keys)
    hits = {language: len(words & small) for language, small in SMALL_WORDS.items()}
    for language, letters in TELLING_LETTERS.items():
        hits[language] += 2 * any(one in letters for key in words for one in key)
    most = max(hits.values())
    if most == 0:
        return GROUPS if not is_plain else ()
    found = {name for name, languages in GROUPS.items() if any(hits[one] == most for one in languages)}
    return found | ({"slavic", "finnic", "baltic", "turkish"} if most == 1 and not is_plain else set())
