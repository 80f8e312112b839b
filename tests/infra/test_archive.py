"""The archive as it is deployed: off unless it is wanted, and then with the rights to write and no others."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from infra.bundle import ROOT
from operations.costs import usual_jobs
from shared.adapters.archive.s3 import AUDIENCE
from tests.infra.given import S3, functions_of, given_to
from tests.infra.policy import ARCHIVE_GRANTS, GRANTS, grants
from tests.infra.workspace import Plan, Resource

AWS = ROOT / "infra" / "aws"


def jobs(resources: list[Resource]) -> set[str]:
    return {r.values["name"] for r in resources if r.type == "google_cloud_scheduler_job"}


def archives(resources: list[Resource]) -> list[Resource]:
    return [r for r in resources if r.type == "google_storage_bucket" and r.values["name"].endswith("-archive")]


def test_there_is_none_unless_it_is_wanted(made: list[Resource]) -> None:
    assert archives(made) == []
    assert jobs(made) == {f"lull-{job.name}" for job in usual_jobs()}  # what docs/deploy.md tells the price of
    assert not [grant for grant in grants(made) if "lull_archive" in grant]


def test_one_that_is_wanted_is_written_to_each_night_and_keeps_every_version(everything: Plan) -> None:
    resources = everything.resources
    assert grants(resources) == GRANTS | ARCHIVE_GRANTS
    (bucket,) = archives(resources)
    assert bucket.values["versioning"][0]["enabled"] is True
    assert not bucket.values["force_destroy"]
    assert "lull-archive" in jobs(resources)
    assert given_to(functions_of(resources)["summarize"])["LULL_ARCHIVE_BUCKET"] == bucket.values["name"]


def test_another_clouds_bucket_needs_no_right_of_googles(over_vertex: Plan) -> None:
    resources = over_vertex.resources
    assert not [grant for grant in grants(resources) if "archive" in grant or "storage.googleapis" in grant]
    assert archives(resources) == []
    assert "lull-archive" in jobs(resources)
    assert json.loads(given_to(functions_of(resources)["summarize"])["LULL_ARCHIVE_S3"]) == S3


def test_the_role_of_aws_trusts_the_audience_that_the_code_asks_for() -> None:
    text = (AWS / "main.tf").read_text()
    assert f'values   = ["{AUDIENCE}"]' in text
    assert text.count('actions   = ["s3:PutObject"]') == text.count("s3:") == 1


def test_the_part_in_aws_is_valid(terraform: None, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(AWS, tmp_path / "aws", ignore=shutil.ignore_patterns(".terraform*")))
    env = {**os.environ, "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1"}
    plugins = next((p for p in _mirrors() if (p / "registry.terraform.io/hashicorp/aws").is_dir()), None)
    if plugins is None:
        pytest.skip("Terraform's AWS provider is not installed on this machine, so infra/aws is only looked at")
    for words in (("init", "-backend=false", f"-plugin-dir={plugins}"), ("validate",)):
        done = subprocess.run(["terraform", *words], cwd=folder, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def _mirrors() -> list[Path]:
    """Where Terraform looks for providers that were installed by hand, and where it keeps those it fetched."""
    cache = os.environ.get("TF_PLUGIN_CACHE_DIR")
    folders = ["~/.terraform.d/plugins", "~/.terraform.d/plugin-cache", "~/.local/share/terraform/plugins"]
    folders += ["/usr/local/share/terraform/plugins", "/usr/share/terraform/plugins"]
    by_hand = [found.parent for found in Path("/opt").glob("*/registry.terraform.io")]
    return [Path(folder).expanduser() for folder in ([cache] if cache else []) + folders] + by_hand
