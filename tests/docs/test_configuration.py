"""docs/configuration.md lists every setting as the code knows it."""

import pytest

from infra.bundle import ROOT
from shared.declaring import Secret, Setting, declared_settings
from shared.erase_settings import EraseSettings
from shared.maintain_settings import MaintainSettings
from shared.models.capabilities import TABLE, WORDS_ONLY, Made, Taken
from shared.reader_settings import ReaderSettings
from shared.settings import ModelSettings, Settings, WebhookSettings
from shared.summarize_settings import SummarizeSettings
from shared.tick_settings import TickSettings


def rows(kind: type[Settings], besides: type[Settings] | None = None) -> list[str]:
    """The rows of the table of one function's settings."""
    others = declared_settings(besides) if besides else {}
    own = [found for name, found in declared_settings(kind).items() if name not in others]
    return [f"| `{s.name}` | {s.purpose} | {default_of(s)} | `{s.example}` |" for s in own]


def default_of(found: Setting) -> str:
    """How a default is told."""
    if found.is_required:
        return "required"
    return "empty" if found.default in (None, "", Secret(""), frozenset()) else f"`{found.default}`"


def table(kind: type[Settings], besides: type[Settings] | None = None) -> str:
    """The table as markdown."""
    head = ["| name | what it is | default | example |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows(kind, besides)])


OF_FUNCTIONS = (
    WebhookSettings, TickSettings, ModelSettings, SummarizeSettings, EraseSettings, MaintainSettings,
    ReaderSettings,
)  # fmt: skip


@pytest.mark.parametrize(("kind", "besides"), [(Settings, None), *((kind, Settings) for kind in OF_FUNCTIONS)])
def test_every_setting_is_listed_as_it_is(kind: type[Settings], besides: type[Settings] | None) -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    missing = [row for row in rows(kind, besides) if row not in page]
    assert missing == []


def test_nothing_is_listed_that_is_no_setting() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    known = {s.name for kind in OF_FUNCTIONS for s in declared_settings(kind).values()}
    listed = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}
    assert listed - known == set()


def test_what_models_take_and_make_is_listed_as_it_is() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    named = [*((f"like `{pattern}`", found) for pattern, found in TABLE), ("any other", WORDS_ONLY)]
    listed = [
        f"| {name} | {', '.join(one for one in Taken if one in found.takes) or 'nothing'}"
        f" | {', '.join(one for one in Made if one in found.makes) or 'nothing'} |"
        for name, found in named
    ]
    assert "\n".join(listed) in page
