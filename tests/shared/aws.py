"""AWS and Google's metadata server on this machine: moto's server, and a server of identity tokens."""

import base64
import itertools
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from botocore.session import Session  # type: ignore[import-untyped]
from moto.server import ThreadedMotoServer

from shared.upkeep.archives.s3 import S3Archive
from tests.infra.aws_policies import policy, roles

REGION = "eu-west-1"
#: credentials of an administrator
ADMIN = {"AWS_ACCESS_KEY_ID": "somebody", "AWS_SECRET_ACCESS_KEY": "somebody's"}
_numbers = itertools.count(1)


@contextmanager
def aws() -> Iterator[str]:
    """Run an empty server of moto; yield its address."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def client_of(url: str, service: str) -> Any:
    """Make an official client of a service there, with an administrator's credentials."""
    return Session().create_client(
        service,
        REGION,
        endpoint_url=url,
        aws_access_key_id=ADMIN["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=ADMIN["AWS_SECRET_ACCESS_KEY"],
    )


class ArchiveAbroad:
    """The bucket of infra/aws with its roles, on moto's server."""

    def __init__(self, url: str) -> None:
        """Make an empty bucket and its roles."""
        self.url, self.bucket = url, f"lull-abroad-{os.getpid()}-{next(_numbers)}"
        self._s3 = client_of(url, "s3")
        self._s3.create_bucket(Bucket=self.bucket, CreateBucketConfiguration={"LocationConstraint": REGION})
        self._s3.put_bucket_versioning(Bucket=self.bucket, VersioningConfiguration={"Status": "Enabled"})
        iam = client_of(url, "iam")
        self._arns = dict[str, str]()
        for name, role in roles(self.bucket).items():
            called = f"{self.bucket}-{name}"
            made = iam.create_role(RoleName=called, AssumeRolePolicyDocument=policy(role.trust))
            iam.put_role_policy(RoleName=called, PolicyName=name, PolicyDocument=policy(*role.rights))
            self._arns[name] = made["Role"]["Arn"]

    def archive(self, role: str) -> S3Archive:
        """Make the archive with the rights of a role: `archive` or `erase`."""
        taken = client_of(self.url, "sts").assume_role_with_web_identity(
            RoleArn=self._arns[role], RoleSessionName=role, WebIdentityToken=identity_token()
        )["Credentials"]
        with pytest.MonkeyPatch.context() as shell:
            shell.setenv("AWS_ENDPOINT_URL", self.url)
            shell.setenv("AWS_ACCESS_KEY_ID", taken["AccessKeyId"])
            shell.setenv("AWS_SECRET_ACCESS_KEY", taken["SecretAccessKey"])
            shell.setenv("AWS_SESSION_TOKEN", taken["SessionToken"])
            archive = S3Archive(self.bucket, region=REGION)
            assert archive.client  # the client is made now, with these credentials
        return archive

    @contextmanager
    def held_to_rights(self) -> Iterator[None]:
        """Enforce the policies of roles while the block runs.

        Moto checks actions and resources of a policy, but neither conditions nor the accounts that a role trusts.
        """
        self._ask_for_rights_after("0")
        try:
            yield
        finally:
            self._ask_for_rights_after("inf")

    def _ask_for_rights_after(self, requests: str) -> None:
        httpx.post(f"{self.url}/moto-api/reset-auth", content=requests).raise_for_status()

    def versions(self) -> list[tuple[str, str]]:
        """List the name and content of every version of every file."""
        found = []
        for page in self._s3.get_paginator("list_object_versions").paginate(Bucket=self.bucket):
            for one in page.get("Versions", ()):
                asked = {"Bucket": self.bucket, "Key": one["Key"], "VersionId": one["VersionId"]}
                found.append((one["Key"], self._s3.get_object(**asked)["Body"].read().decode()))
        return sorted(found)


def identity_token() -> str:
    """Make a token like Google's with a false signature."""
    parts: tuple[dict[str, object], ...] = ({"alg": "RS256"}, {"aud": "any", "exp": 4_000_000_000}, {})
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)


class Metadata(BaseHTTPRequestHandler):
    """The identity tokens of Google's metadata server; it records the audience of each."""

    asked: list[str]

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        if place.path.endswith("/identity"):
            self.asked += parse_qs(place.query)["audience"]
            self._answer("text/plain", identity_token())
        else:
            self._answer("application/json", json.dumps({"email": "lull@my-lull.iam.gserviceaccount.com"}))

    def _answer(self, kind: str, body: str) -> None:
        self.send_response(200 if self.headers.get("Metadata-Flavor") == "Google" else 403)
        self.send_header("Metadata-Flavor", "Google")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Write no log."""


@contextmanager
def metadata() -> Iterator[tuple[str, list[str]]]:
    """Run the server; give its host and port, and the list of audiences."""
    asked: list[str] = []
    handler = type("Asked", (Metadata,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()
