"""The checks before a command: their order, and that they create nothing."""

import os

import pytest

from tests.operations.deployment.conftest import Site

BACKEND = 'terraform {\n  backend "gcs" {\n    bucket = "no-such-bucket-of-lull"\n  }\n}\n'


@pytest.mark.parametrize("command", ["deploy", "register", "destroy"])
async def test_without_a_login_nothing_is_begun_where_the_state_is_in_a_bucket(site: Site, command: str) -> None:
    (site.folder / "infra" / "backend.tf").write_text(BACKEND)
    nobody = {"GOOGLE_APPLICATION_CREDENTIALS": "", "NO_GCE_CHECK": "true", "CLOUDSDK_CONFIG": os.devnull}
    code, said = await site.run(command, **nobody)
    assert (code, "You are not logged in to Google Cloud" in said) == (1, True), said
    site.apis.is_login_good = False
    code, said = await site.run(command)
    assert (code, said.rstrip().endswith("run `gcloud auth application-default login`.")) == (1, True), said
    assert "Initializing" not in said


@pytest.mark.parametrize("command", ["register", "destroy"])
async def test_where_nothing_is_deployed_no_secret_is_made(site: Site, command: str) -> None:
    site.safe.unlink()
    code, said = await site.run(command)
    assert (code, "Nothing is deployed" in said) == (1, True), said
    assert not site.safe.exists()
