"""docs/configuration.md lists every setting as the code knows it."""

import pytest

from infra.bundle import ROOT
from shared.settings import Settings, SummarizeSettings, TickSettings, WebhookSettings


def rows(kind: type[Settings], besides: type[Settings] | None = None) -> list[str]:
    """The rows of the table of one function's settings."""
    others = besides.model_fields if besides else {}
    fields = [field for name, field in kind.model_fields.items() if name not in others]
    return [f"| `{f.alias}` | {f.description} | {default_of(f)} | `{(f.examples or [''])[0]}` |" for f in fields]


def default_of(field: object) -> str:
    """How a default is told."""
    default = getattr(field, "default", None)
    if getattr(field, "is_required", lambda: False)():
        return "required"
    return "empty" if default in (None, "") else f"`{default}`"


def table(kind: type[Settings], besides: type[Settings] | None = None) -> str:
    """The table as markdown."""
    head = ["| name | what it is | default | example |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows(kind, besides)])


OF_FUNCTIONS = (WebhookSettings, TickSettings, SummarizeSettings)


@pytest.mark.parametrize(("kind", "besides"), [(Settings, None), *((kind, Settings) for kind in OF_FUNCTIONS)])
def test_every_setting_is_listed_as_it_is(kind: type[Settings], besides: type[Settings] | None) -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    missing = [row for row in rows(kind, besides) if row not in page]
    assert missing == []


def test_nothing_is_listed_that_is_no_setting() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    known = {f.alias for kind in OF_FUNCTIONS for f in kind.model_fields.values()}
    listed = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}
    assert listed - known == set()
