"""The console's texts: each language has the same ones, with the same placeholders, and every text is used."""

import json
import re
from typing import Any

import pytest

from tests.local.page.telegram_server import ROOT
from tests.web.console_page import WEB

WORDS = WEB / "console" / "words"
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
    assert [
        one for one in LANGUAGES for view in ("common", "parts") if not (WORDS / one / f"{view}.json").exists()
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_view_in_a_language_has_all_its_texts(language: str) -> None:
    plurals = set(
        json.loads((ROOT / "shared" / "base" / "wording" / f"{language}.json").read_text())["plural"]["names"]
    )
    texts = english()
    for file in sorted((WORDS / language).glob("*.json")):
        found = json.loads(file.read_text())
        assert sorted(found) == sorted(texts[file.stem]), file.name
        for name, text in found.items():
            assert placeholders(text) == placeholders(texts[file.stem][name]), f"{file.name}: {name}"
            if isinstance(text, dict):
                assert set(text) == plurals, f"{file.name}: {name}"


def test_every_text_that_a_module_names_exists() -> None:
    texts = english()
    known = {f"{view}.{name}" for view in texts for name in texts[view]}
    files = [*WEB.glob("parts/*.js"), *WEB.glob("console/**/*.js")]
    named = {(id_, file.name) for file in files for id_ in re.findall(r'"([a-z_]+\.[a-z0-9_]+)"', file.read_text())}
    assert {(id_, name) for id_, name in named if id_.partition(".")[0] in texts and id_ not in known} == set()
