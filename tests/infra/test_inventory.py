"""The plan of each scenario is the same as its inventory."""

from collections.abc import Callable

from infra.bundle import ROOT
from tests.infra.inventory.files import unseen_texts_of
from tests.infra.inventory.planned import inventory_of
from tests.infra.inventory.scenarios import scenarios
from tests.infra.inventory.stored import differences, load_inventory, read_file
from tests.infra.workspace import Plan

RENEW = "If that is meant: `make inventory`, and read what it changed."
QUEUE = 'module.queue["ticks"].google_cloud_tasks_queue.this'


def test_what_is_planned_is_in_the_inventory(plan_scenario: Callable[[str], Plan]) -> None:
    found = [
        f"{scenario}: {difference}"
        for scenario in scenarios()
        for difference in differences(load_inventory(scenario), inventory_of(plan_scenario(scenario)))
    ]
    assert not found, "\n".join([*found, RENEW])


def test_what_no_plan_shows_is_in_the_inventory() -> None:
    found = [*differences(read_file("files"), unseen_texts_of(ROOT / "infra"))]
    assert not found, "\n".join([*found, RENEW])


def test_a_difference_is_told_with_its_place() -> None:
    kept = {"resources": {QUEUE: {"retry_config": {"max_attempts": 20, "max_doublings": 8}}}}
    found = {"resources": {QUEUE: {"retry_config": {"max_attempts": 1}, "location": "x"}, "y": {"z": 1}}}
    assert [*differences(kept, found)] == [
        f"{QUEUE}: location: nothing in the inventory, 'x' in the plan",
        f"{QUEUE}: retry_config.max_attempts: 20 in the inventory, 1 in the plan",
        f"{QUEUE}: retry_config.max_doublings: 8 in the inventory, nothing in the plan",
        "resources: y: nothing in the inventory, {'z': 1} in the plan",
    ]
