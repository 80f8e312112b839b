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
from shared.adapters.archive.s3 import AUDIENCE, SESSION_NAME, S3Archive
from shared.errors import ArchiveUnavailable
from tests.shared.adapters.aws import aws, metadata

ROLE = "arn:aws:iam::123456789012:role/lull-archive"
REGION = "eu-west-1"
_numbers = itertools.count(1)

#: run where nothing but the metadata server says who this is
PUT = """
import asyncio, json, sys
from shared.adapters.archive.s3 import S3Archive
from shared.errors import ArchiveUnavailable

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
    """An empty bucket, and a shell in which somebody's own credentials are set."""
    for name, value in {
        "AWS_ENDPOINT_URL": amazon, "AWS_ACCESS_KEY_ID": "somebody", "AWS_SECRET_ACCESS_KEY": "somebody's",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    name = f"lull-copy-{os.getpid()}-{next(_numbers)}"
    S3Archive(name, region=REGION).client.create_bucket(
        Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION}
    )
    return name


def alone(bucket: str, role: str, env: dict[str, str]) -> object:
    """What PUT said in a process that has no credentials of its own."""
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
    assert [(role["role_arn"], role["session_name"]) for role in used] == [(ROLE, SESSION_NAME)]


def test_without_a_word_from_google_nothing_is_written(bucket: str, amazon: str) -> None:
    env = {
        "AWS_ENDPOINT_URL": amazon,
        "NO_GCE_CHECK": "true",
        "GCE_METADATA_IP": "127.0.0.1:1",
        "GCE_METADATA_DETECT_RETRIES": "1",
    }
    said = alone(bucket, ROLE, env)
    assert said == f"s3://{bucket} did not store a file (DefaultCredentialsError)"
