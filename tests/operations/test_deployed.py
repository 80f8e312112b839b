"""Finding a deployment's ticks in its Terraform state."""

from pathlib import Path

import pytest

from operations.deployed import tick_settings
from operations.place import NoPlace
from tests.infra.conftest import applied, bundles, run_folder, standin, terraform  # noqa: F401  fixtures
from tests.infra.workspace import PROJECT, Workspace
from tests.operations.deployment.conftest import Site


def test_a_deployment_tells_where_its_ticks_run(applied: Workspace) -> None:  # noqa: F811
    env = {
        "PATH": Site.path(),
        "TF_REATTACH_PROVIDERS": applied.reattach,
        "TF_CLI_CONFIG_FILE": "/dev/null",
        "LULL_INFRA": str(applied.folder),
        "GOOGLE_CLOUD_PROJECT": PROJECT,
    }
    found = tick_settings(env)
    assert found.keys() == {"LULL_QUEUE", "LULL_TICK_URL", "LULL_INVOKER"}
    assert found["LULL_QUEUE"].startswith(f"projects/{PROJECT}/locations/europe-west1/queues/lull-ticks-")
    assert found["LULL_TICK_URL"] == f"https://europe-west1-{PROJECT}.cloudfunctions.net/lull-tick"
    assert found["LULL_INVOKER"] == f"lull-ticks@{PROJECT}.iam.gserviceaccount.com"
    assert tick_settings(env | {"LULL_INVOKER": "me"}).keys() == {"LULL_QUEUE", "LULL_TICK_URL"}
    with pytest.raises(NoPlace, match="somebody-else was not deployed from this checkout"):
        tick_settings(env | {"GOOGLE_CLOUD_PROJECT": "somebody-else"})


def test_what_the_shell_says_is_not_looked_for(tmp_path: Path) -> None:
    told = {"LULL_QUEUE": "q", "LULL_TICK_URL": "https://tick.example"}
    assert tick_settings({"LULL_INFRA": str(tmp_path / "none"), **told}) == {}


def test_where_no_terraform_is_it_is_said_what_to_set(tmp_path: Path) -> None:
    env = {"PATH": str(tmp_path), "LULL_INFRA": str(tmp_path), "GOOGLE_CLOUD_PROJECT": "acme-lull"}
    with pytest.raises(
        NoPlace, match="or set LULL_QUEUE, LULL_TICK_URL, LULL_INVOKER to the values of the webhook function"
    ):
        tick_settings(env)
