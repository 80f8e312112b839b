"""An archive in an S3 bucket of another cloud, reached with credentials that live an hour: no key is stored anywhere.

Google says who this function is (an identity token), AWS takes that for an hour's rights of one role
(docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html). Without a role, the credentials of
whoever runs a command are used, as every tool of AWS finds them.
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
#: whom the identity token is for; the role's trust asks for it (infra/aws)
AUDIENCE = "lull-archive"
#: what AWS's own log calls whoever took the role
SESSION_NAME = "lull-archive"

Answer = TypeVar("Answer")


class S3Archive:
    """A bucket of S3. The client is made with the first call, and blocks a thread."""

    def __init__(self, bucket: str, prefix: str = "", *, region: str = "", role: str = "") -> None:
        """What is empty is left to the official client, as is another address for AWS (AWS_ENDPOINT_URL)."""
        self.bucket = bucket
        self.prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._region, self._role = region, role

    @property
    def url(self) -> str:
        """`s3://bucket` and the prefix."""
        return f"s3://{self.bucket}/{self.prefix}".rstrip("/")

    @cached_property
    def client(self) -> Any:
        """The official client."""
        session = Session()
        if self._region:
            session.set_config_variable("region", self._region)
        if self._role:
            session.register_component("credential_provider", CredentialResolver([_Role(session, self._role)]))
        return session.create_client(
            "s3", config=Config(connect_timeout=10, read_timeout=30, retries={"mode": "standard", "max_attempts": 4})
        )

    async def put(self, name: str, content: bytes) -> None:
        """Store a file, in the place of one of that name, which the bucket keeps as an older version."""
        await self._do("store a file", lambda: self._put(name, content))

    def _put(self, name: str, content: bytes) -> None:
        self.client.put_object(Bucket=self.bucket, Key=self.prefix + name, Body=content, ContentType=CONTENT_TYPE)

    async def get(self, name: str) -> bytes:
        """What a file holds."""
        return await self._do("give a file", lambda: self._get(name))

    def _get(self, name: str) -> bytes:
        with self.client.get_object(Bucket=self.bucket, Key=self.prefix + name)["Body"] as body:
            content: bytes = body.read()
        return content

    async def erase(self, name: str) -> int:
        """Delete every version of a file, and every mark that it was deleted; how many versions there were."""
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
        """The names of all files, in order."""
        return await self._do("list its files", self._names)

    def _names(self) -> list[str]:
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=self.prefix)
        return sorted(found["Key"].removeprefix(self.prefix) for page in pages for found in page.get("Contents", ()))

    async def _do(self, what: str, call: Callable[[], Answer]) -> Answer:
        with self._translated(what):
            return await asyncio.to_thread(call)

    @contextmanager
    def _translated(self, what: str) -> Iterator[None]:
        try:
            yield
        except ClientError as cause:
            code = cause.response.get("Error", {}).get("Code", "unknown")
            raise ArchiveUnavailable(f"{self.url} did not {what} ({code})") from cause
        except (BotoCoreError, GoogleAuthError) as cause:
            raise ArchiveUnavailable(f"{self.url} did not {what} ({type(cause).__name__})") from cause


class _Role(CredentialProvider):  # type: ignore[misc]
    """A role's credentials, taken when they are first needed and again before they end."""

    METHOD = "assume-role-with-web-identity"

    def __init__(self, session: Session, role: str) -> None:
        super().__init__(session)
        self._fetcher = AssumeRoleWithWebIdentityCredentialFetcher(
            session.create_client, _identity_token, role, extra_args={"RoleSessionName": SESSION_NAME}
        )

    def load(self) -> Any:
        return DeferredRefreshableCredentials(self._fetcher.fetch_credentials, self.METHOD)


def _identity_token() -> str:
    """What Google says of who this is."""
    return str(fetch_id_token(Request(), AUDIENCE))  # type: ignore[no-untyped-call]
