"""The console's texts in a language; texts without a translation are in English. Each view has a file in
`web/console/words`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from shared.console.web_files import PageFiles

FALLBACK: Final = "en"
_FOLDER: Final = "console/words"
#: the file with the texts that are shown before somebody has signed in, and before the page has the others
_START: Final = "start"
_RIGHT_TO_LEFT: Final = frozenset({"ar", "fa", "he", "ur"})
#: an IETF language tag
_TAG: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}")
#: a language of the header `Accept-Language`, with its weight
_ACCEPTED: Final = re.compile(r"\s*([A-Za-z0-9-]{2,35})\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?")
#: languages of that header that are looked at
_MOST_ACCEPTED: Final = 20


def words_in(files: PageFiles, language: str) -> Mapping[str, Any]:
    """Return the texts by view and name. `language` is an IETF tag; missing texts are in English."""
    words: dict[str, dict[str, Any]] = {}
    for one in _folders(language):
        for path, content in files.contents.items():
            folder, _, name = path.rpartition("/")
            if folder == f"{_FOLDER}/{one}" and name.endswith(".json"):
                words.setdefault(name.removesuffix(".json"), {}).update(json.loads(content))
    return words


def first_words(files: PageFiles, language: str) -> Mapping[str, str]:
    """Return the values for an HTML page: the texts of `start.json`, and `words`, which has all these texts as JSON."""
    words: dict[str, str] = {}
    for one in _folders(language):
        words |= json.loads(files.contents.get(f"{_FOLDER}/{one}/{_START}.json", b"{}"))
    told = {"language": language, "direction": direction_of(language), "words": json.dumps(words, ensure_ascii=False)}
    return words | told


def start_words(files: PageFiles, language: str) -> Mapping[str, Any]:
    """Return the texts of `start.json` in another language, for a page that has been loaded already."""
    told = first_words(files, language)
    return {name: told[name] for name in ("language", "direction")} | {"words": json.loads(told["words"])}


def direction_of(language: str) -> str:
    """Return a language's direction of writing as a value of HTML's attribute `dir`."""
    return "rtl" if language.partition("-")[0].lower() in _RIGHT_TO_LEFT else "ltr"


def choose_language(files: PageFiles, accept_language: str, own: str = "") -> str:
    """Return the first language with texts: the person's own, else those that the browser accepts, else English."""
    for tag in (own, *_accepted_languages(accept_language)):
        folder = f"{_FOLDER}/{tag.partition('-')[0].lower()}/{_START}.json"
        if _TAG.fullmatch(tag) and folder in files.contents:
            return tag
    return FALLBACK


def _accepted_languages(header: str) -> Iterator[str]:
    """Yield the languages of a header `Accept-Language`, the preferred ones first."""
    found = [one for part in header.split(",")[:_MOST_ACCEPTED] if (one := _ACCEPTED.fullmatch(part)) is not None]
    for one in sorted(found, key=lambda each: -float(each[2] or 1)):
        if one[2] is None or float(one[2]) > 0:
            yield one[1]


def _folders(language: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((FALLBACK, language.partition("-")[0].lower(), language.lower())))
