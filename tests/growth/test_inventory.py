"""The output of `make inventory` for a new function and a new job: Terraform makes both from it alone."""

import json
import os
import shutil
from collections.abc import Mapping
from typing import Any

import pytest

from tests.growth.scratch import INVENTORY, Changes, Scratch

#: the resources of a deployment, as the copy's inventory has them
RESOURCES = """
import json
from tests.infra.inventory.stored import load_inventory

print(json.dumps(load_inventory("usual")["resources"]))
"""
#: the settings of the new function, read from the environment that it is given
SETTINGS = """
from tests.infra.given import OF_THE_FRAMEWORK, settings_of
from tests.infra.inventory.stored import load_inventory

function = load_inventory("usual")["resources"]['module.function["greet"].google_cloudfunctions2_function.this']
given = function["service_config"]["environment_variables"]
found = settings_of("greet").from_environment({k: v for k, v in given.items() if k not in OF_THE_FRAMEWORK})
print(found.project, *sorted(found.agent_names))
"""
GREET = "serviceAccount:lull-greet@acme-lull.iam.gserviceaccount.com"
CLOCK = "serviceAccount:lull-clock-greet@acme-lull.iam.gserviceaccount.com"


@pytest.fixture(scope="module")
def written(grown: Scratch, changes: Changes) -> list[str]:
    """List the files that `make inventory` changes in the copy with both additions."""
    if shutil.which("terraform") is None and os.environ.get("CI") != "true":
        pytest.skip("terraform is not installed, so this runs in CI only")
    assert changes
    before = grown.contents()
    grown.runs(*INVENTORY)
    return grown.changed(before)


@pytest.fixture(scope="module")
def resources(grown: Scratch, written: list[str]) -> Mapping[str, Mapping[str, Any]]:
    """Map the address of each resource to its values."""
    assert written
    found: Mapping[str, Mapping[str, Any]] = json.loads(grown.runs("-c", RESOURCES))
    return found


def test_it_writes_the_inventory_of_each_scenario_and_nothing_else(written: list[str]) -> None:
    names = ("everything", "going", "usual", "vertex")
    assert written == [f"tests/infra/inventory/{name}.yaml" for name in names]


def test_a_function_has_the_rights_of_its_declaration(resources: Mapping[str, Mapping[str, Any]]) -> None:
    given = {(one["member"], one["role"], one.get("name")) for one in resources.values() if "member" in one}
    assert {right for right in given if right[0] in {GREET, CLOCK}} == {
        (GREET, "projects/acme-lull/roles/lull_inbox_SUFFIX", None),
        (CLOCK, "roles/run.invoker", "lull-greet"),
    }


def test_a_function_is_given_what_it_reads(grown: Scratch, written: list[str]) -> None:
    assert written
    assert grown.runs("-c", SETTINGS) == "acme-lull lull\n"


def test_a_job_is_called_by_its_schedule_and_waits_for_its_function(resources: Mapping[str, Mapping[str, Any]]) -> None:
    job = resources['module.schedule.google_cloud_scheduler_job.this["lull-count"]']
    function = resources['module.function["summarize"].google_cloudfunctions2_function.this']
    assert (job["schedule"], job["time_zone"]) == ("0 5 * * *", "Etc/UTC")
    assert job["http_target"]["uri"].endswith("/lull-summarize")
    assert int(job["attempt_deadline"].removesuffix("s")) > function["service_config"]["timeout_seconds"]
