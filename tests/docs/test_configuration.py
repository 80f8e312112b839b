"""docs/configuration.md lists every setting as the code knows it."""

import pytest
from pydantic.fields import FieldInfo

from infra.bundle import ROOT
from shared.values.capabilities import TABLE, WORDS_ONLY, InputKind, OutputKind
from shared.wiring.settings import EraseSettings, MaintainSettings, ReaderSettings, Settings, WebhookSettings
from shared.wiring.settings.console import ConsoleSettings
from shared.wiring.settings.environment import example_of
from shared.wiring.settings.model_functions import ModelSettings, SummarizeSettings, TickSettings


def rows(kind: type[Settings], besides: type[Settings] | None = None) -> list[str]:
    """Return the rows of the table of one function's settings."""
    others = besides.variables() if besides else {}
    own = {name: field for name, field in kind.variables().items() if name not in others}
    return [f"| `{name}` | {one.description} | {default_of(one)} | `{example_of(one)}` |" for name, one in own.items()]


def default_of(field: FieldInfo) -> str:
    """Return a default as the page writes it."""
    if field.is_required():
        return "required"
    return "empty" if field.default in (None, "", frozenset()) else f"`{field.default}`"


def table(kind: type[Settings], besides: type[Settings] | None = None) -> str:
    """Return the table as markdown."""
    head = ["| name | what it is | default | example |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows(kind, besides)])


OF_FUNCTIONS = (
    WebhookSettings, TickSettings, ModelSettings, SummarizeSettings, EraseSettings, MaintainSettings, ConsoleSettings,
    ReaderSettings,
)  # fmt: skip


@pytest.mark.parametrize(("kind", "besides"), [(Settings, None), *((kind, Settings) for kind in OF_FUNCTIONS)])
def test_every_setting_is_listed_as_it_is(kind: type[Settings], besides: type[Settings] | None) -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    missing = [row for row in rows(kind, besides) if row not in page]
    assert missing == []


def test_the_eight_settings_on_top_have_their_defaults() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    section = page.partition("## The most useful settings\n")[2].partition("\n## ")[0]
    told = {row[0]: row[2] for row in (line.strip("| ").split(" | ") for line in section.splitlines()[3:]) if row[2:]}
    known = {f"`{name}`": default_of(field) for name, field in TickSettings.variables().items()}
    assert told == {name: known[name] for name in told}
    assert len(told) == 8


def test_nothing_is_listed_that_is_no_setting() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    known = {name for kind in OF_FUNCTIONS for name in kind.variables()}
    listed = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}
    assert listed - known == set()


def test_what_models_take_and_make_is_listed_as_it_is() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    named = [*((f"like `{pattern}`", found) for pattern, found in TABLE), ("any other", WORDS_ONLY)]
    listed = [
        f"| {name} | {', '.join(one for one in InputKind if one in found.takes) or 'nothing'}"
        f" | {', '.join(one for one in OutputKind if one in found.makes) or 'nothing'} |"
        for name, found in named
    ]
    assert "\n".join(listed) in page
