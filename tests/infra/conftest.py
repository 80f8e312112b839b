"""Each worker has one stand-in of providers; all workers share one applied deployment and a plan per scenario."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.infra.inventory.scenarios import scenarios
from tests.infra.moving import Moved, move
from tests.infra.states import States, served_states
from tests.infra.workspace import (
    PROJECT,
    Plan,
    Resource,
    Workspace,
    copy_of_infra,
    deploy,
    plan_of,
    run_standin,
    write_bundles,
)


@pytest.fixture(scope="session")
def terraform() -> None:
    """Skip tests without an installed Terraform; in CI, fail them."""
    if shutil.which("terraform"):
        return
    if os.environ.get("CI") == "true":
        pytest.fail("terraform is not installed, and CI must run these tests")
    pytest.skip(
        "terraform is not installed (https://developer.hashicorp.com/terraform/install), so this runs in CI only"
    )


@pytest.fixture(scope="session")
def standin(terraform: None) -> Iterator[str]:
    """Run a stand-in and give its value for TF_REATTACH_PROVIDERS."""
    with run_standin() as reattach:
        yield reattach


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder that all workers of a run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def bundles(run_folder: Path) -> Path:
    """Make a folder with a small file in place of each function's zip."""
    return make_once(run_folder / "bundles", write_bundles)


@pytest.fixture(scope="session")
def applied(standin: str, bundles: Path, run_folder: Path) -> Workspace:
    """Apply the deployment that all tests share: they read it, or work on a copy."""
    folder = make_once(run_folder / "deployment", lambda folder: deploy(folder, standin, bundles))
    return Workspace(folder, standin, {"project": PROJECT, "bundles": str(bundles)})


@pytest.fixture(scope="session")
def plan_scenario(applied: Workspace) -> Callable[[str], Plan]:
    """Give a function that plans a scenario, each only once."""

    @cache
    def plan(scenario: str) -> Plan:
        told = make_once(applied.folder / f"{scenario}.json", lambda file: store_plan(applied, file))
        return plan_of(applied.folder / scenario, told.read_text())

    return plan


def store_plan(applied: Workspace, file: Path) -> None:
    """Plan the scenario that the file is named after, and write the plan into it as JSON."""
    applied.write_plan(file.stem, **scenarios()[file.stem])
    file.write_text(applied.must("show", "-json", file.stem))


def make_once(place: Path, make: Callable[[Path], object]) -> Path:
    """Let the first caller make a file or folder; callers in all workers wait until it exists."""
    made = place.with_suffix(".made")
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make(place)
            made.touch()
    return place


@pytest.fixture(scope="session")
def made(plan_scenario: Callable[[str], Plan]) -> list[Resource]:
    """List the resources of the shared deployment, from a plan that changes nothing."""
    return plan_scenario("usual").resources


@pytest.fixture(scope="session")
def planning(applied: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Copy the deployment for plans with other variables; its files stay unchanged."""
    return applied.copied(tmp_path_factory.mktemp("planning") / "copy")


@pytest.fixture(scope="session")
def everything(plan_scenario: Callable[[str], Plan]) -> Plan:
    """Plan a deployment with every option but Vertex AI and another cloud."""
    return plan_scenario("everything")


@pytest.fixture(scope="session")
def over_vertex(plan_scenario: Callable[[str], Plan]) -> Plan:
    """Plan a deployment without any key: Gemini over Vertex AI, an archive in another cloud, and other numbers."""
    return plan_scenario("vertex")


@pytest.fixture(scope="session")
def other_models(plan_scenario: Callable[[str], Plan]) -> Plan:
    """A plan in which no model is Gemini's."""
    return plan_scenario("providers")


@pytest.fixture
def copy(applied: Workspace, tmp_path: Path) -> Workspace:
    """Copy the deployment with its configuration, to plan changes that are never applied."""
    return applied.copied(tmp_path / "copy")


@pytest.fixture(scope="session")
def states() -> Iterator[States]:
    """Keep the states of deployments that tests make and change."""
    with served_states() as running:
        yield running


@pytest.fixture
def fresh(standin: str, states: States, bundles: Path, tmp_path: Path) -> Workspace:
    """Make a configuration that was never applied, in its own project; its state is stored under the project's name."""
    return begun(tmp_path / "infra", standin, states, bundles)


@pytest.fixture(scope="session")
def moved(standin: str, states: States, bundles: Path, tmp_path_factory: pytest.TempPathFactory) -> Moved:
    """Give a deployment that was moved. A test may move it away once more, and must move it back."""
    return move(begun(tmp_path_factory.mktemp("moved") / "infra", standin, states, bundles))


def begun(folder: Path, reattach: str, states: States, bundles: Path) -> Workspace:
    """Make a configuration that was never applied."""
    project = f"p-{os.urandom(6).hex()}"
    states.keep(copy_of_infra(folder), project)
    workspace = Workspace(folder, reattach, {"project": project, "bundles": str(bundles)})
    workspace.must("init", "-input=false")
    return workspace
