"""The console's texts: those of a language over the English ones. Each view has a file of `web/console/words`."""

import json
from collections.abc import Mapping
from typing import Any, Final

from shared.console.web_files import PageFiles

_FOLDER: Final = "console/words"
FALLBACK: Final = "en"


def words_in(files: PageFiles, language: str) -> Mapping[str, Any]:
    """Return the texts by view and name. `language` is an IETF tag; texts that it lacks are in English."""
    known = [FALLBACK, *dict.fromkeys((language.partition("-")[0].lower(), language.lower()))]
    words: dict[str, dict[str, Any]] = {}
    for one in dict.fromkeys(known):
        for path, content in files.contents.items():
            folder, _, name = path.rpartition("/")
            if folder == f"{_FOLDER}/{one}" and name.endswith(".json"):
                words.setdefault(name.removesuffix(".json"), {}).update(json.loads(content))
    return words
