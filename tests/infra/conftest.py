"""One stand-in for all tests of a worker; one applied deployment, and one plan of each scenario, for all workers."""

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
    """Terraform is installed."""
    if shutil.which("terraform"):
        return
    if os.environ.get("CI") == "true":
        pytest.fail("terraform is not installed, and CI must run these tests")
    pytest.skip(
        "terraform is not installed (https://developer.hashicorp.com/terraform/install), so this runs in CI only"
    )


@pytest.fixture(scope="session")
def standin(terraform: None) -> Iterator[str]:
    """A running stand-in, as TF_REATTACH_PROVIDERS tells of it."""
    with run_standin() as reattach:
        yield reattach


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of a run have."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def bundles(run_folder: Path) -> Path:
    """A folder with what stands for the zip of each function."""
    return make_once(run_folder / "bundles", write_bundles)


@pytest.fixture(scope="session")
def applied(standin: str, bundles: Path, run_folder: Path) -> Workspace:
    """A deployment. It is shared: tests read it, or work on a copy."""
    folder = make_once(run_folder / "deployment", lambda folder: deploy(folder, standin, bundles))
    return Workspace(folder, standin, {"project": PROJECT, "bundles": str(bundles)})


@pytest.fixture(scope="session")
def plan_scenario(applied: Workspace) -> Callable[[str], Plan]:
    """The plan of a scenario, which is made once."""

    @cache
    def plan(scenario: str) -> Plan:
        told = make_once(applied.folder / f"{scenario}.json", lambda file: store_plan(applied, file))
        return plan_of(applied.folder / scenario, told.read_text())

    return plan


def store_plan(applied: Workspace, file: Path) -> None:
    """Plan the scenario that a file is called by, and write the plan as JSON into the file."""
    applied.write_plan(file.stem, **scenarios()[file.stem])
    file.write_text(applied.must("show", "-json", file.stem))


def make_once(place: Path, make: Callable[[Path], object]) -> Path:
    """Have whoever comes first make a file or a folder; the others, in whichever worker, wait until it is there."""
    made = place.with_suffix(".made")
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make(place)
            made.touch()
    return place


@pytest.fixture(scope="session")
def made(plan_scenario: Callable[[str], Plan]) -> list[Resource]:
    """What the shared deployment consists of: a plan of it changes nothing."""
    return plan_scenario("usual").resources


@pytest.fixture(scope="session")
def planning(applied: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A copy of the deployment for plans with other variables; its files stay as they are."""
    return applied.copied(tmp_path_factory.mktemp("planning") / "copy")


@pytest.fixture(scope="session")
def everything(plan_scenario: Callable[[str], Plan]) -> Plan:
    """A plan with all that can be wanted, but Vertex AI and another cloud."""
    return plan_scenario("everything")


@pytest.fixture(scope="session")
def over_vertex(plan_scenario: Callable[[str], Plan]) -> Plan:
    """A plan without any key: Gemini over Vertex AI, and an archive in another cloud; and with other numbers."""
    return plan_scenario("vertex")


@pytest.fixture(scope="session")
def other_models(plan_scenario: Callable[[str], Plan]) -> Plan:
    """A plan in which no model is Gemini's."""
    return plan_scenario("providers")


@pytest.fixture
def copy(applied: Workspace, tmp_path: Path) -> Workspace:
    """A deployment with a configuration of its own, to plan changes in; applying them is not for it."""
    return applied.copied(tmp_path / "copy")


@pytest.fixture(scope="session")
def states() -> Iterator[States]:
    """Where deployments that are made and changed keep their states."""
    with served_states() as running:
        yield running


@pytest.fixture
def fresh(standin: str, states: States, bundles: Path, tmp_path: Path) -> Workspace:
    """A configuration that nothing was made of yet, in a project of its own, whose state is kept by that name."""
    return begun(tmp_path / "infra", standin, states, bundles)


@pytest.fixture(scope="session")
def moved(standin: str, states: States, bundles: Path, tmp_path_factory: pytest.TempPathFactory) -> Moved:
    """A deployment that was moved. Whoever wants another may take it away, and bring it back."""
    return move(begun(tmp_path_factory.mktemp("moved") / "infra", standin, states, bundles))


def begun(folder: Path, reattach: str, states: States, bundles: Path) -> Workspace:
    """A configuration of which nothing was made yet."""
    project = f"p-{os.urandom(6).hex()}"
    states.keep(copy_of_infra(folder), project)
    workspace = Workspace(folder, reattach, {"project": project, "bundles": str(bundles)})
    workspace.must("init", "-input=false")
    return workspace
