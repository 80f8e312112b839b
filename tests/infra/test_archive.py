"""The deployed archive: off by default; when on, its roles may only write or only erase."""

import json
import os
import shutil
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from operations.costs import usual_jobs
from shared.chat.archive_names import deletion_name_of, name_of
from shared.upkeep.archives.s3 import AUDIENCE
from tests.infra.aws_policies import AWS, Role, roles, statements
from tests.infra.given import S3, functions_of, given_to
from tests.infra.policy import ARCHIVE_GRANTS, GRANTS, LOGIN_GRANTS, PROVIDER_GRANTS, grants
from tests.infra.workspace import GARBAGE, Plan, Resource
from tests.shared.aws import ADMIN, aws, client_of

#: the numbers of the accounts that archive and erase
ACCOUNTS = {"archive": "1" * 21, "erase": "2" * 21}


def jobs(resources: list[Resource]) -> set[str]:
    return {r.values["name"] for r in resources if r.type == "google_cloud_scheduler_job"}


def archives(resources: list[Resource]) -> list[Resource]:
    return [r for r in resources if r.type == "google_storage_bucket" and r.values["name"].endswith("-archive")]


def test_there_is_none_unless_it_is_wanted(made: list[Resource]) -> None:
    assert archives(made) == []
    assert jobs(made) == {f"lull-{job.name}" for job in usual_jobs()}  # the price of these jobs is in docs/costs.md
    assert not [grant for grant in grants(made) if "lull_archive" in grant]


def test_one_that_is_wanted_is_written_to_each_night_and_keeps_every_version(everything: Plan) -> None:
    resources = everything.resources
    assert grants(resources) == GRANTS | ARCHIVE_GRANTS | LOGIN_GRANTS | PROVIDER_GRANTS
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
    for function in (
        "summarize",
        "erase",
    ):  # the form from before the erasing function had its own role, which that function refuses
        assert json.loads(given_to(functions_of(resources)[function])["LULL_ARCHIVE_S3"]) == S3


def test_each_role_of_aws_has_its_rights_and_no_other() -> None:
    made = roles("copy")
    assert {name: sorted(action for one in role.rights for action in one["Action"]) for name, role in made.items()} == {
        "archive": ["s3:PutObject"],
        "erase": ["s3:DeleteObjectVersion", "s3:ListBucketVersions", "s3:PutObject"],
    }
    assert {one["Resource"][0] for role in made.values() for one in role.rights} == {
        "arn:aws:s3:::copy",
        "arn:aws:s3:::copy/conversations/*",
    }


def test_what_erases_lists_below_the_folder_that_all_names_are_in() -> None:
    (listing,) = [one for one in roles("copy")["erase"].rights if one["Action"] == ["s3:ListBucketVersions"]]
    ((pattern,),) = [values["s3:prefix"] for test, values in listing["Condition"].items() if test == "StringLike"]
    assert listing["Condition"].keys() == {"StringLike"}
    names = [name_of("conv-x"), name_of("conv-01K00000000000000000000000"), deletion_name_of("e1")]
    assert [name for name in names if not fnmatchcase(name, pattern)] == []
    assert not fnmatchcase("", pattern)


def trusted(role: Role, claims: dict[str, str]) -> bool:
    """Whether AWS would give this role for such a token of Google."""
    tests = [(key, values) for test, keys in role.trust["Condition"].items() for key, values in keys.items()]
    assert role.trust["Condition"].keys() == {"StringEquals"}
    return all(claims[key.rpartition(":")[2]] in values for key, values in tests)


def test_a_role_of_aws_is_taken_by_its_account_alone_with_the_audience_that_the_code_asks_for() -> None:
    for name, role in roles("copy", ACCOUNTS).items():
        for account, number in ACCOUNTS.items():
            claims = {"aud": number, "sub": number, "oaud": AUDIENCE}
            assert trusted(role, claims) == (account == name)
            assert not trusted(role, claims | {"oaud": "another"})


def test_the_part_in_aws_makes_what_is_tested(terraform: None, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(AWS, tmp_path / "aws", ignore=shutil.ignore_patterns(".terraform*")))
    plugins = next((p for p in _mirrors() if (p / "registry.terraform.io/hashicorp/aws").is_dir()), None)
    if plugins is None:
        pytest.skip("Terraform's AWS provider is not installed on this machine, so infra/aws is only looked at")
    given = {"bucket": "lull-copy", "archive_identity": ACCOUNTS["archive"], "erase_identity": ACCOUNTS["erase"]}
    (folder / "given.auto.tfvars.json").write_text(json.dumps(given))
    with aws() as url:
        env = {**os.environ, **ADMIN, "AWS_ENDPOINT_URL": url, "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1"}
        env["GOGC"] = GARBAGE
        for words in (("init", "-backend=false", f"-plugin-dir={plugins}"), ("apply", "-auto-approve", "-input=false")):
            done = subprocess.run(
                ["terraform", *words], cwd=folder, env=env, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr
        told = json.loads(subprocess.check_output(["terraform", "output", "-json"], cwd=folder, env=env))
        assert told["archive_s3"]["value"] == {
            "bucket": "lull-copy", "region": "eu-west-1",
            "role": "arn:aws:iam::123456789012:role/lull-archive",
            "erase_role": "arn:aws:iam::123456789012:role/lull-archive-erase",
        }  # fmt: skip
        wanted = roles("lull-copy", ACCOUNTS)
        assert made_roles(url) == {"lull-archive": wanted["archive"], "lull-archive-erase": wanted["erase"]}


def made_roles(url: str) -> dict[str, Role]:
    """Map names to the roles that AWS has."""
    client, found = client_of(url, "iam"), {}
    for role in client.list_roles()["Roles"]:
        name = role["RoleName"]
        (one,) = client.list_role_policies(RoleName=name)["PolicyNames"]
        rights = statements(client.get_role_policy(RoleName=name, PolicyName=one)["PolicyDocument"])
        (trust,) = statements(role["AssumeRolePolicyDocument"])
        found[name] = Role(trust, rights)
    return found


def _mirrors() -> list[Path]:
    """List the folders of providers for Terraform: those installed by hand, and those that it downloaded."""
    cache = os.environ.get("TF_PLUGIN_CACHE_DIR")
    folders = ["~/.terraform.d/plugins", "~/.terraform.d/plugin-cache", "~/.local/share/terraform/plugins"]
    folders += ["/usr/local/share/terraform/plugins", "/usr/share/terraform/plugins"]
    by_hand = [found.parent for found in Path("/opt").glob("*/registry.terraform.io")]
    return [Path(folder).expanduser() for folder in ([cache] if cache else []) + folders] + by_hand
