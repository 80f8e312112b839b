"""The stand-in itself: it ends with the process that started it, and refuses what the real cloud refuses."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from infra.bundle import ROOT
from tests.infra.standin.checking import complaints
from tests.infra.standin.cloud import Cloud, Refused
from tests.infra.standin.planning import Planner
from tests.infra.standin.provider import Provider
from tests.infra.standin.schema import catalogue
from tests.infra.standin.values import UNKNOWN, has_unknown, pack, unpack

PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-m", "tests.infra.standin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
sys.stdin.read()
"""


def is_running(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # the second if it ends between opening and reading
        return False
    return status != "Z"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
def test_it_ends_when_its_parent_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_running(child)
        os.kill(parent.pid, signal.SIGKILL)
    while is_running(child):  # until the time-out of the test
        time.sleep(0.05)


def test_it_runs_a_command_and_hands_its_result_on() -> None:
    show = "import os, sys; print(os.environ['TF_REATTACH_PROVIDERS']); sys.exit(3)"
    command = [sys.executable, "-m", "tests.infra.standin", sys.executable, "-c", show]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert json.loads(done.stdout)["registry.terraform.io/hashicorp/google"]["ProtocolVersion"] == 6


def test_values_pass_the_wire() -> None:
    value = {"text": "ü", "number": 1.5, "list": [True, None], "later": UNKNOWN}
    assert unpack(pack(value)) == value
    assert has_unknown(value)
    assert not has_unknown({**value, "later": []})


def test_the_cloud_keeps_what_is_protected_and_names_that_were_used() -> None:
    cloud = Cloud(catalogue())
    queue = {"id": "projects/p/locations/l/queues/q", "project": "p"}
    cloud.create("google_cloud_tasks_queue", "p", queue)
    with pytest.raises(Refused, match="already exists"):
        cloud.create("google_cloud_tasks_queue", "p", queue)
    cloud.delete("google_cloud_tasks_queue", "p", queue)
    with pytest.raises(Refused, match="was deleted lately"):
        cloud.create("google_cloud_tasks_queue", "p", queue)

    database = {"id": "projects/p/databases/d", "name": "d", "delete_protection_state": "DELETE_PROTECTION_ENABLED"}
    cloud.create("google_firestore_database", "p", database)
    with pytest.raises(Refused, match="is protected"):
        cloud.delete("google_firestore_database", "p", database)
    cloud.delete("google_firestore_database", "p", {**database, "deletion_policy": "ABANDON"})
    assert cloud.get("google_firestore_database", "p", "projects/p/databases/d") == database


def test_the_cloud_refuses_what_would_hang_in_the_air() -> None:
    cloud = Cloud(catalogue())
    right = {"id": "x", "name": "lull-tick", "role": "roles/run.invoker", "member": "allUsers"}
    with pytest.raises(Refused, match="there is no cloudfunctions2_function lull-tick"):
        cloud.create("google_cloud_run_v2_service_iam_member", "p", right)


def test_a_configuration_is_checked_against_the_schema_and_the_documentation() -> None:
    kind = "google_secret_manager_secret_version"
    wrong = {"secret": "s", "name": "mine", "secret_data_wo": "x", "secret_data": "y"}
    told = [complaint.text for complaint in complaints(catalogue(), kind, catalogue().resources[kind], wrong)]
    assert len(told) == 3
    assert 'Can\'t configure a value for "name"' in told[0]
    assert "only one; given: secret_data, secret_data_wo" in told[1]
    assert told[2] == "secret_data_wo needs secret_data_wo_version"


@pytest.mark.parametrize(
    ("kind", "name", "given", "said"),
    [
        ("google_firestore_database", "type", "FIRESTORE", "type must be one of FIRESTORE_NATIVE"),
        ("google_cloud_run_v2_service_iam_member", "role", "run.invoker", 'role "run.invoker" does not match'),
        ("google_cloud_run_v2_service_iam_member", "role", "roles/cloudfunctions.invoker", "is not supported"),
    ],
)
def test_a_value_that_google_does_not_know_is_refused(kind: str, name: str, given: str, said: str) -> None:
    told = [complaint.text for complaint in complaints(catalogue(), kind, catalogue().resources[kind], {name: given})]
    assert [text for text in told if said in text], told


def test_what_is_written_only_is_in_no_plan() -> None:
    kind = "google_secret_manager_secret_version"
    planner = Planner(catalogue(), kind, {"project": "p"})
    wanted = dict.fromkeys(catalogue().resources[kind].attributes) | {
        "secret": "s",
        "secret_data_wo": "x",
        "secret_data_wo_version": "1",
    }
    planned = planner.plan(None, wanted)
    assert (planned["secret_data_wo"], planned["project"], planned["version"]) == (None, "p", UNKNOWN)
    assert planner.replacing(planned, {**planned, "secret_data_wo_version": "2"}) == ["secret_data_wo_version"]


def test_several_terraforms_may_ask_at_once() -> None:
    provider, kind = Provider(), "google_cloudfunctions2_function"
    empty = dict.fromkeys(provider.catalogue.provider.attributes)
    for peer, project in (("here", "p"), ("there", "q")):
        config = pack({**empty, "project": project, "default_labels": {"of": project}})
        provider.answer("ConfigureProvider", SimpleNamespace(config=config), peer)
    wanted = dict.fromkeys(catalogue().resources[kind].attributes) | {"name": "f"}
    asked = SimpleNamespace(type_name=kind, prior_state=pack(None), proposed_new_state=pack(wanted))
    for peer, project in (("here", "p"), ("there", "q"), ("here", "p")):
        planned = unpack(provider.answer("PlanResourceChange", asked, peer).planned_state)
        assert (planned["project"], planned["effective_labels"]) == (project, {"of": project})
