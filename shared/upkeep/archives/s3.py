"""An archive in an S3 bucket. lull reaches the bucket with credentials that last an hour, and stores no key.

Google confirms the identity of the function with an identity token. AWS exchanges the token for the permissions of one
role for an hour (docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html). Without a role, the
official client uses the local machine's credentials, from the places where every AWS tool looks for them.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar

from botocore.config import Config  # type: ignore[import-untyped]
from botocore.credentials import (  # type: ignore[import-untyped]
    AssumeRoleWithWebIdentityCredentialFetcher,
    CredentialProvider,
    CredentialResolver,
    DeferredRefreshableCredentials,
)
from botocore.exceptions import BotoCoreError, ClientError  # type: ignore[import-untyped]
from botocore.session import Session  # type: ignore[import-untyped]
from google.auth.exceptions import GoogleAuthError
from google.auth.transport.requests import Request
from google.oauth2.id_token import fetch_id_token

from shared.base.errors import ArchiveUnavailable

CONTENT_TYPE = "application/x-ndjson"
#: audience of the identity token; the role's trust policy requires it (infra/aws)
AUDIENCE = "lull-archive"
#: the name of the session in the log of AWS
SESSION_NAME = "lull-archive"

ResultT = TypeVar("ResultT")


class S3Archive:
    """An S3 bucket. The client is made at the first call. Calls run in a thread, and may raise ArchiveUnavailable."""

    def __init__(self, bucket: str, prefix: str = "", *, region: str = "", role: str = "") -> None:
        """If `region` or `role` is empty, the official client decides. It also reads AWS_ENDPOINT_URL."""
        self.bucket = bucket
        self.prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._region, self._role = region, role

    @property
    def url(self) -> str:
        """`s3://bucket` and the prefix."""
        return f"s3://{self.bucket}/{self.prefix}".rstrip("/")

    @cached_property
    def client(self) -> Any:
        session = Session()
        if self._region:
            session.set_config_variable("region", self._region)
        if self._role:
            session.register_component("credential_provider", CredentialResolver([_Role(session, self._role)]))
        return session.create_client(
            "s3", config=Config(connect_timeout=10, read_timeout=30, retries={"mode": "standard", "max_attempts": 4})
        )

    async def put(self, name: str, content: bytes) -> None:
        """Store a file. The bucket keeps a previous file of that name as an older version."""
        await self._do("store a file", lambda: self._put(name, content))

    def _put(self, name: str, content: bytes) -> None:
        self.client.put_object(Bucket=self.bucket, Key=self.prefix + name, Body=content, ContentType=CONTENT_TYPE)

    async def get(self, name: str) -> bytes:
        """Return the content of a file."""
        return await self._do("give a file", lambda: self._get(name))

    def _get(self, name: str) -> bytes:
        with self.client.get_object(Bucket=self.bucket, Key=self.prefix + name)["Body"] as body:
            content: bytes = body.read()
        return content

    async def erase(self, name: str) -> int:
        """Delete every version and delete marker of a file; return the number of versions."""
        return await self._do("delete a file", lambda: self._erase(name))

    def _erase(self, name: str) -> int:
        key, count = self.prefix + name, 0
        for page in self.client.get_paginator("list_object_versions").paginate(Bucket=self.bucket, Prefix=key):
            for kind in ("Versions", "DeleteMarkers"):
                for one in page.get(kind, ()):
                    if one["Key"] == key:
                        self.client.delete_object(Bucket=self.bucket, Key=key, VersionId=one["VersionId"])
                        count += kind == "Versions"
        return count

    async def names(self) -> Sequence[str]:
        """Return the names of all files, sorted."""
        return await self._do("list its files", self._names)

    def _names(self) -> list[str]:
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=self.prefix)
        return sorted(found["Key"].removeprefix(self.prefix) for page in pages for found in page.get("Contents", ()))

    async def _do(self, what: str, call: Callable[[], ResultT]) -> ResultT:
        with self._translate_errors(what):
            return await asyncio.to_thread(call)

    @contextmanager
    def _translate_errors(self, what: str) -> Iterator[None]:
        try:
            yield
        except ClientError as cause:
            code = cause.response.get("Error", {}).get("Code", "unknown")
            raise ArchiveUnavailable(f"{self.url} did not {what} ({code})") from cause
        except (BotoCoreError, GoogleAuthError) as cause:
            raise ArchiveUnavailable(f"{self.url} did not {what} ({type(cause).__name__})") from cause


class _Role(CredentialProvider):  # type: ignore[misc]
    """A provider of the role's credentials, which are fetched on first use and renewed before they expire."""

    METHOD = "assume-role-with-web-identity"

    def __init__(self, session: Session, role: str) -> None:
        super().__init__(session)
        self._fetcher = AssumeRoleWithWebIdentityCredentialFetcher(
            session.create_client, _identity_token, role, extra_args={"RoleSessionName": SESSION_NAME}
        )

    def load(self) -> Any:
        return DeferredRefreshableCredentials(self._fetcher.fetch_credentials, self.METHOD)


def _identity_token() -> str:
    """Return Google's identity token for this function."""
    return str(fetch_id_token(Request(), AUDIENCE))  # type: ignore[no-untyped-call]
