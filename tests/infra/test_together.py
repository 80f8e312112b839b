"""Mutations that are made in the same plans are edited beside each other, and told apart."""

import pytest

from infra.bundle import ROOT
from tests.infra.pinning.judging import refusal
from tests.infra.pinning.merging import edit_of, groups, merged
from tests.infra.pinning.mutations import Mutation
from tests.infra.pinning.together import PLANS, SETS, suspected, told_apart
from tests.infra.workspace import TerraformFailed

FILE = "queues.tf"
TEXT = (ROOT / "infra" / FILE).read_text()


def made(old: str, new: str) -> Mutation:
    assert TEXT.count(old) == 1
    return Mutation(FILE, old, new, TEXT.replace(old, new))


MORE, SHORTER = made("attempts = 20", "attempts = 40"), made("for_at_least_s = 3600", "for_at_least_s = 1800")
MOST = made("attempts = 20", "attempts = 60")
BELOW = made("paused         = var.paused", "")
PLACES = [("module.queue.x", "max_attempts"), ("module.queue.x", "max_retry_duration")]


def test_all_of_a_group_is_made_at_once() -> None:
    both = merged([SHORTER, BELOW, MORE])
    assert both.texts == {
        FILE: TEXT.replace("attempts = 20", "attempts = 40")
        .replace("for_at_least_s = 3600", "for_at_least_s = 1800")
        .replace("paused         = var.paused", "")
    }
    line = TEXT[: TEXT.index("attempts = 20")].count("\n") + 1
    assert both.lines[MORE] == both.lines[SHORTER] == range(line, line + 1)


def test_two_edits_of_one_place_are_in_two_groups() -> None:
    assert [*groups([MORE, MOST, SHORTER], 70)] == [[MORE, SHORTER], [MOST]]
    assert [*groups([MORE, SHORTER, BELOW], 2)] == [[MORE, SHORTER], [BELOW]]
    assert edit_of(MORE)[1] == "4"


def test_no_two_mutations_together_look_like_a_third() -> None:
    assert {len(plans) for plans in SETS} == {PLANS // 2}
    assert not [one for one in SETS for other in SETS if one < other]


def test_what_differs_in_one_mutations_plans_is_because_of_it() -> None:
    chosen = {MORE: SETS[0], SHORTER: SETS[1]}
    assert told_apart(chosen, {PLACES[0]: SETS[0], PLACES[1]: SETS[1]}) == {MORE: PLACES[0], SHORTER: PLACES[1]}
    assert told_apart(chosen, {PLACES[0]: SETS[0] | SETS[1], PLACES[1]: SETS[0] & SETS[1]}) == {}


def test_who_is_refused_is_looked_for_in_the_line_then_in_the_file() -> None:
    lines = merged([MORE, BELOW]).lines
    said = "Error: Invalid value\n\n  on {} line {}, in locals:\n"
    assert suspected(said.format(FILE, lines[MORE][0]), lines) == [MORE]
    assert {*suspected(said.format(FILE, 1), lines)} == {MORE, BELOW}
    assert suspected(said.format("main.tf", 1), lines) == []


def test_a_provider_that_is_gone_finds_nothing() -> None:
    assert refusal(TerraformFailed("\nError: Unsupported attribute\n\n  on x")) == (
        "Terraform refuses it: Unsupported attribute"
    )
    with pytest.raises(TerraformFailed):
        refusal(TerraformFailed("\nError: Failed to load plugin schemas\n\nError while loading"))
    with pytest.raises(TerraformFailed):
        refusal(TerraformFailed("killed"))
