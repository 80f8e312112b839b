"""Every argument of infra is what it is pinned to, in the pins' files beside the reason why."""

import pytest

from infra.bundle import ROOT
from tests.infra.pinning.facts import facts_of
from tests.infra.pinning.scenarios import SCENARIOS
from tests.infra.pinning.table import differences, pinned, pinned_texts, text_differences
from tests.infra.pinning.texts import arguments_of
from tests.infra.workspace import Workspace


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_plan_is_what_is_pinned(planning: Workspace, scenario: str) -> None:
    found = facts_of(planning.plan(scenario, **SCENARIOS[scenario]).resources)
    assert differences(scenario, found) == {}


def test_the_files_say_what_is_pinned_where_no_plan_shows_it() -> None:
    files = arguments_of(ROOT / "infra")
    assert [found for file, said in files.items() for found in text_differences(file, said)] == []
    assert {file for file, _ in pinned_texts()} <= files.keys()


def test_every_pin_has_a_reason() -> None:
    pins = [pin for scenario in SCENARIOS for pin in pinned(scenario).values()] + [*pinned_texts().values()]
    assert [pin for pin in pins if not pin.why.endswith(".")] == []


def test_a_plan_that_differs_is_told_with_the_reason() -> None:
    right = {place: pin.value for place, pin in pinned("usual").items()}
    place = ('module.queue["ticks"].google_cloud_tasks_queue.this', "retry_config.max_attempts")
    (other,) = differences("usual", right | {place: 1}).values()
    assert "retry_config.max_attempts is 1, not 20: A tick is tried again soon" in other
    (missing,) = differences("usual", {at: value for at, value in right.items() if at != place}).values()
    assert "retry_config.max_attempts is missing: A tick is tried again soon" in missing
    (new,) = differences("usual", right | {("module.x.google_y.z", "open"): True}).values()
    assert new == "module.x.google_y.z: open is True, which no pin knows"
