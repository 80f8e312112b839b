"""One stand-in and one applied deployment for all tests of a worker."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.bundle import ROOT, functions, write_zip
from tests.infra.given import S3, optional_settings
from tests.infra.moving import Moved, move
from tests.infra.states import States, served_states
from tests.infra.workspace import PROJECT, Plan, Resource, Workspace, copy_of_infra


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
    command = [sys.executable, "-m", "tests.infra.standin"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        reattach = process.stdout.readline().strip()
        assert reattach, "the stand-in did not start: what it said is above"
        yield reattach
        process.stdin.close()
        assert process.wait(timeout=20) == 0


@pytest.fixture(scope="session")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the zip of each function."""
    folder = tmp_path_factory.mktemp("bundles")
    for function in functions():
        write_zip(function, folder / f"{function}.zip")
    return folder


@pytest.fixture(scope="session")
def applied(standin: str, bundles: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A deployment. It is shared: tests read it, or work on a copy."""
    folder = copy_of_infra(tmp_path_factory.mktemp("deployment") / "infra")
    workspace = Workspace(folder, standin, {"project": PROJECT, "bundles": str(bundles)})
    workspace.must("init", "-input=false")
    workspace.apply()
    return workspace


@pytest.fixture(scope="session")
def made(applied: Workspace) -> list[Resource]:
    """What the shared deployment consists of."""
    return applied.state()


@pytest.fixture(scope="session")
def planning(applied: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A copy of the deployment for plans with other variables; its files stay as they are."""
    return applied.copied(tmp_path_factory.mktemp("planning") / "copy")


@pytest.fixture(scope="session")
def everything(planning: Workspace) -> Plan:
    """A plan with all that can be wanted, but Vertex AI and another cloud: every setting set, an archive, a budget."""
    return planning.plan(
        "everything",
        settings=optional_settings(),
        archive=True,
        billing_account="012345-6789AB-CDEF01",
        alert_emails=["a@mail.test", "b@mail.test"],
        instances={"tick": {"max": 30, "min": 1}},
        paused=True,
        environment="other",
    )


@pytest.fixture(scope="session")
def otherwise(planning: Workspace) -> Plan:
    """A plan with other numbers, each of which leads to another place: a plan for each would cost as much as this."""
    backups = {"daily_days": 2, "weekly_days": 3}
    return planning.plan("otherwise", alert_limits={"late_seconds": 5, "refused": 7}, media_days=3, backups=backups)


@pytest.fixture(scope="session")
def over_vertex(planning: Workspace) -> Plan:
    """A plan without any key: Gemini over Vertex AI, and an archive in another cloud."""
    wanted = {"vertex_ai": True, "gemini_api_key": "", "archive_s3": S3}
    return planning.plan("over_vertex", settings=optional_settings(), **wanted)


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
