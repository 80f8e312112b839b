"""The console's texts: those of each language fit the English ones, and every text that is used exists."""

import json
import re
from typing import Any

import pytest

from shared.privacy.places import stored_places
from shared.wiring.console_views import deployment_of
from shared.wiring.settings.console import ConsoleSettings
from tests.local.page.telegram_server import ROOT
from tests.web.console_page import WEB

WORDS = WEB / "console" / "words"
#: the views that every language has; a text that a language lacks is shown in English
WHOLE = (
    "common",
    "conversation",
    "conversations",
    "files",
    "filters",
    "message",
    "parts",
    "search",
    "settings",
    "start",
    "status",
    "talk",
    "told",
    "transcript",
)
#: texts whose number stands beside the words, so that these are the same for every number
BESIDE = {
    "common.and_more",
    "memories.room",
    "people.tab_blocked",
    "people.tab_groups",
    "people.tab_people",
    "records.hint",
    "runs.next",
    "told.file_too_large",
    "told.the_file_is_larger_than_n_mb_telegram_gives_bots_no_such_file_so_nobody_here_can_open_it",
    "transcript.cached",
    "transcript.thoughts",
    "turns.tokens",
    "why.cached",
    "why.chars",
    "why.marked",
    "why.tokens",
    "work.starts",
    "work.tries",
    "work.unread",
}
LANGUAGES = sorted(folder.name for folder in WORDS.iterdir() if folder.is_dir() and folder.name != "en")


def english() -> dict[str, dict[str, Any]]:
    """Return the English texts by view and name. Those of the parts are in a module."""
    module = (WEB / "parts" / "english.js").read_text()
    parts = json.loads(module[module.index("{", module.index("export")) : module.rindex("}") + 1])
    views = {file.stem: json.loads(file.read_text()) for file in sorted((WORDS / "en").glob("*.json"))}
    # the function sends the English texts of what collections hold, and of what settings mean
    stored = {one.collection.replace("/", "_"): one.holds for one in stored_places()}
    defaults = ConsoleSettings.from_environment(ConsoleSettings.needed_examples())
    settings = {one.name.lower(): one.purpose for one in deployment_of(defaults, {}).settings}
    return views | {
        "stored": stored,
        "settings": settings,
        "parts": {name.removeprefix("parts."): text for name, text in parts.items()},
    }


def test_a_counted_text_is_a_plural() -> None:
    """A text with {count} names a number of things, except for those that put the number beside the words."""
    counted = {
        f"{view}.{name}"
        for view, texts in english().items()
        for name, text in texts.items()
        if isinstance(text, str) and "{count}" in text
    }
    assert counted == BESIDE


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
            meant = texts[file.stem][name]
            assert placeholders(text) == placeholders(meant), f"{file.name}: {name}"
            assert isinstance(text, dict) == isinstance(meant, dict), f"{file.name}: {name}"
            if isinstance(text, dict):
                assert set(text) == plurals, f"{file.name}: {name}"
                assert all(placeholders(one) <= placeholders(meant) for one in text.values()), f"{file.name}: {name}"


def test_every_text_that_a_module_names_exists() -> None:
    texts = english()
    known = {f"{view}.{name}" for view in texts for name in texts[view]}
    files = [*WEB.glob("parts/*.js"), *WEB.glob("console/**/*.js")]
    named = {(id_, file.name) for file in files for id_ in re.findall(r'"([a-z_]+\.[a-z0-9_]+)"', file.read_text())}
    assert {(id_, name) for id_, name in named if id_.partition(".")[0] in texts and id_ not in known} == set()
