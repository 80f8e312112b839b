"""The console's texts: those of each language fit the English ones, and every text that is used exists."""

import json
import re
from typing import Any

import pytest

from tests.local.page.telegram_server import ROOT
from tests.web.console_page import WEB

WORDS = WEB / "console" / "words"
#: the views that every language has; a text that a language lacks is shown in English
WHOLE = (
    "common",
    "conversation",
    "conversations",
    "files",
    "message",
    "parts",
    "search",
    "status",
    "talk",
    "transcript",
)
LANGUAGES = sorted(folder.name for folder in WORDS.iterdir() if folder.is_dir() and folder.name != "en")


def english() -> dict[str, dict[str, Any]]:
    """Return the English texts by view and name. Those of the parts are in a module."""
    module = (WEB / "parts" / "english.js").read_text()
    parts = json.loads(module[module.index("{", module.index("export")) : module.rindex("}") + 1])
    views = {file.stem: json.loads(file.read_text()) for file in sorted((WORDS / "en").glob("*.json"))}
    return views | {"parts": {name.removeprefix("parts."): text for name, text in parts.items()}}


def placeholders(text: Any) -> set[str]:
    """Return the names in braces; for a plural those of its last text."""
    return set(re.findall(r"\{(\w+)\}", list(text.values())[-1] if isinstance(text, dict) else text))


def test_the_page_speaks_the_languages_of_the_bot() -> None:
    known = sorted(file.stem for file in (ROOT / "shared" / "base" / "wording").glob("??.json"))
    assert sorted([*LANGUAGES, "en"]) == known


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_texts_of_the_page_itself(language: str) -> None:
    texts = english()
    for view in WHOLE:
        assert sorted(json.loads((WORDS / language / f"{view}.json").read_text())) == sorted(texts[view]), view


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_in_a_language_fits_the_english_one(language: str) -> None:
    plurals = set(
        json.loads((ROOT / "shared" / "base" / "wording" / f"{language}.json").read_text())["plural"]["names"]
    )
    texts = english()
    for file in sorted((WORDS / language).glob("*.json")):
        for name, text in json.loads(file.read_text()).items():
            assert name in texts[file.stem], f"{file.name}: {name} is not an English text"
            assert placeholders(text) == placeholders(texts[file.stem][name]), f"{file.name}: {name}"
            if isinstance(text, dict):
                assert set(text) == plurals, f"{file.name}: {name}"


def test_every_text_that_a_module_names_exists() -> None:
    texts = english()
    known = {f"{view}.{name}" for view in texts for name in texts[view]}
    files = [*WEB.glob("parts/*.js"), *WEB.glob("console/**/*.js")]
    named = {(id_, file.name) for file in files for id_ in re.findall(r'"([a-z_]+\.[a-z0-9_]+)"', file.read_text())}
    assert {(id_, name) for id_, name in named if id_.partition(".")[0] in texts and id_ not in known} == set()
