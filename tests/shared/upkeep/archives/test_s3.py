"""An archive in S3, through moto's server; the role's credentials through its STS and Google's identity token."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from local.processes import ROOT
from shared.base.errors import ArchiveUnavailable
from shared.upkeep.archives.s3 import AUDIENCE, SESSION_NAME, S3Archive
from tests.shared.aws import ADMIN, REGION, ArchiveAbroad, aws, metadata

ROLE = "arn:aws:iam::123456789012:role/lull-archive"
FILE = "conversations/2026/conv-a.jsonl"
_numbers = itertools.count(1)

#: run where nothing but the metadata server says who this is
PUT = """
import asyncio, json, sys
from shared.upkeep.archives.s3 import S3Archive
from shared.base.errors import ArchiveUnavailable

async def main() -> None:
    archive = S3Archive(sys.argv[1], region="eu-west-1", role=sys.argv[2])
    try:
        await archive.put("a.jsonl", b"1")
        await archive.put("b.jsonl", b"2")
        used = archive.client._request_signer._credentials
        print(json.dumps([used.method, bool(used.token), await archive.names()]))
    except ArchiveUnavailable as problem:
        print(json.dumps(str(problem)))

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def amazon() -> Iterator[str]:
    with aws() as url:
        yield url


@pytest.fixture
def bucket(amazon: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make an empty bucket, and set credentials in the environment."""
    for name, value in {"AWS_ENDPOINT_URL": amazon, **ADMIN}.items():
        monkeypatch.setenv(name, value)
    name = f"lull-copy-{os.getpid()}-{next(_numbers)}"
    S3Archive(name, region=REGION).client.create_bucket(
        Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION}
    )
    return name


@pytest.fixture
def abroad(amazon: str) -> ArchiveAbroad:
    """Make the bucket of infra/aws with its roles."""
    return ArchiveAbroad(amazon)


def alone(bucket: str, role: str, env: dict[str, str]) -> object:
    """Run PUT in a process without credentials; return its output."""
    given = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "PYTHONPATH": str(ROOT), **env}
    done = subprocess.run(
        [sys.executable, "-c", PUT, bucket, role], env=given, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


async def test_a_file_is_given_as_it_was_stored_last(bucket: str) -> None:
    archive = S3Archive(bucket, "/copies/", region=REGION)
    await archive.put("conversations/2026/b.jsonl", "Grüße\n".encode())
    await archive.put("conversations/2026/b.jsonl", "Grüße 2\n".encode())
    await archive.put("conversations/2025/a.jsonl", b"\n")
    assert await archive.names() == ["conversations/2025/a.jsonl", "conversations/2026/b.jsonl"]
    assert (await archive.get("conversations/2026/b.jsonl")).decode() == "Grüße 2\n"
    assert archive.url == f"s3://{bucket}/copies"
    assert await S3Archive(bucket, region=REGION).names() == [f"copies/{name}" for name in await archive.names()]


async def test_a_bucket_or_a_file_that_is_not_there_is_said(bucket: str) -> None:
    with pytest.raises(ArchiveUnavailable, match=r"did not give a file \(NoSuchKey\)"):
        await S3Archive(bucket, region=REGION).get("x.jsonl")
    with pytest.raises(ArchiveUnavailable, match=r"^s3://no-such-bucket-here did not store a file \(NoSuchBucket\)$"):
        await S3Archive("no-such-bucket-here", region=REGION).put("x.jsonl", b"what Ann said")


async def test_a_file_goes_with_every_version_of_it(bucket: str) -> None:
    archive = S3Archive(bucket, region=REGION)
    archive.client.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    for name in (FILE, FILE, f"{FILE}.txt"):
        await archive.put(name, b"1")
    archive.client.delete_object(Bucket=bucket, Key=FILE)
    await archive.put(FILE, b"2")
    assert await archive.erase(FILE) == 3
    assert await archive.erase(FILE) == 0
    left = archive.client.list_object_versions(Bucket=bucket)
    assert ([one["Key"] for one in left["Versions"]], left.get("DeleteMarkers", [])) == ([f"{FILE}.txt"], [])


async def test_the_role_that_archives_can_neither_read_nor_find_nor_delete(abroad: ArchiveAbroad) -> None:
    archive = abroad.archive("archive")
    with abroad.held_to_rights():
        await archive.put(FILE, b"1")
        await archive.put(FILE, b"2")
        with pytest.raises(ArchiveUnavailable, match=r"did not store a file \(AccessDenied\)"):
            await archive.put("elsewhere/a.jsonl", b"1")
        with pytest.raises(ArchiveUnavailable, match=r"did not give a file \(AccessDenied\)"):
            await archive.get(FILE)
        with pytest.raises(ArchiveUnavailable, match=r"did not list its files \(AccessDenied\)"):
            await archive.names()
        with pytest.raises(ArchiveUnavailable, match=r"did not delete a file \(AccessDenied\)"):
            await archive.erase(FILE)
    assert abroad.versions() == [(FILE, "1"), (FILE, "2")]


async def test_the_role_that_erases_can_find_delete_and_store_and_reads_nothing(abroad: ArchiveAbroad) -> None:
    archive = abroad.archive("erase")
    with abroad.held_to_rights():
        await archive.put(FILE, b"1")
        await archive.put(FILE, b"2")
        with pytest.raises(ArchiveUnavailable, match=r"did not give a file \(AccessDenied\)"):
            await archive.get(FILE)
        with pytest.raises(ArchiveUnavailable, match=r"did not list its files \(AccessDenied\)"):
            await archive.names()
        assert await archive.erase(FILE) == 2
        await archive.put(FILE, b"3")
    assert abroad.versions() == [(FILE, "3")]


async def test_no_answer_is_said(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    with pytest.raises(ArchiveUnavailable, match=r"did not list its files \(EndpointConnectionError\)"):
        await S3Archive(bucket, region=REGION).names()


def test_a_function_writes_with_a_roles_credentials_for_googles_word(bucket: str, amazon: str) -> None:
    with metadata() as (place, asked):
        env = {"AWS_ENDPOINT_URL": amazon, "GCE_METADATA_HOST": place, "GCE_METADATA_IP": place}
        said = alone(bucket, ROLE, env)
    assert said == ["assume-role-with-web-identity", True, ["a.jsonl", "b.jsonl"]]
    assert asked == [AUDIENCE]  # once for both files
    used = httpx.get(f"{amazon}/moto-api/data.json").json()["sts"]["AssumedRole"]
    assert [role["session_name"] for role in used if role["role_arn"] == ROLE] == [SESSION_NAME]


def test_without_a_word_from_google_nothing_is_written(bucket: str, amazon: str) -> None:
    env = {
        "AWS_ENDPOINT_URL": amazon,
        "NO_GCE_CHECK": "true",
        "GCE_METADATA_IP": "127.0.0.1:1",
        "GCE_METADATA_DETECT_RETRIES": "1",
    }
    said = alone(bucket, ROLE, env)
    assert said == f"s3://{bucket} did not store a file (DefaultCredentialsError)"
