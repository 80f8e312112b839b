"""Numbers in the documents are the defaults of the code."""

import pytest

from infra.bundle import ROOT
from shared.values.money import AgentLimits
from shared.wiring.settings.model_functions import SummarizeSettings, TickSettings

SETTINGS = {**SummarizeSettings.variables(), **TickSettings.variables()}
WORDS = {"0.2": "a fifth", "0.3": "three tenths", "0.8": "four fifths", "600": "ten minutes"}
#: a page, a part of a sentence with a gap, and the setting whose default fills the gap
TOLD = (
    ("README.md", "limited: ${} a day and", "LULL_DAY_USD"),
    ("README.md", "${} a month if you set nothing", "LULL_MONTH_USD"),
    ("docs/costs.md", "most ${} a month on models", "LULL_MONTH_USD"),
    ("docs/costs.md", "| all agents together | ${} a day", "LULL_DAY_USD"),
    ("docs/costs.md", "a day, ${} a month |", "LULL_MONTH_USD"),
    ("docs/costs.md", "**Past {}** of a limit (`LULL_SOFT_SHARE`)", "LULL_SOFT_SHARE"),
    ("docs/costs.md", "keeps {} of the deployment's", "LULL_OWNER_SHARE"),
    ("docs/costs.md", "at most {} of the deployment's limits", "LULL_BACKGROUND_SHARE"),
    ("docs/memory.md", "the newest {} entries", "LULL_CONTEXT_MESSAGES"),
    ("docs/memory.md", "until deleted; {} of each", "LULL_PERSON_MEMORIES"),
    ("docs/memory.md", "after {} without a message (`LULL_REST_S`)", "LULL_REST_S"),
    ("docs/memory.md", "every {} and every", "LULL_SUMMARY_7DAY_EVERY_DAYS"),
    ("docs/memory.md", "and every {} days |", "LULL_SUMMARY_30DAY_EVERY_DAYS"),
    ("docs/operations.md", "unread for over {} s", "LULL_SWEEP_GRACE_S"),
    ("docs/decisions/0006-short-leases.md", "A lease lasts {} seconds", "LULL_LEASE_S"),
    ("docs/decisions/0013-stable-prompt-prefix.md", "A prompt has {} tokens", "LULL_CONTEXT_TOKENS"),
)


def words_of(page: str) -> str:
    """Return a page as one line."""
    return " ".join((ROOT / page).read_text().split())


@pytest.mark.parametrize(("page", "sentence", "name"), TOLD)
def test_a_default_is_told_as_it_is(page: str, sentence: str, name: str) -> None:
    default = f"{SETTINGS[name].default:g}"
    number = WORDS.get(default) or f"{float(default):,.0f}"
    assert sentence.format(number) in words_of(page)


def test_what_people_may_spend_is_told_as_it_is() -> None:
    limits, page = AgentLimits(), words_of("docs/costs.md")
    for who, one in (("a person whom the owner let in", limits.known), ("any other person", limits.stranger)):
        assert one.day_usd is not None
        assert f"| {who} | {one.day_usd * 100:.0f} cents and {one.day_messages} messages a day |" in page


def test_the_languages_are_counted() -> None:
    catalogues = list((ROOT / "shared" / "base" / "wording").glob("*.json"))
    told = ("docs/languages.md", "There are nineteen languages"), ("CHANGELOG.md", "in nineteen languages")
    assert [page for page, words in told if words not in words_of(page)] == []
    assert len(catalogues) == 19
