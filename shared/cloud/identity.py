"""Identity tokens of this function's service account. The function sends them when it calls other functions."""

import asyncio
from datetime import UTC, datetime, timedelta

from google.auth.compute_engine import IDTokenCredentials
from google.auth.exceptions import GoogleAuthError
from google.auth.transport.requests import Request

from shared.base.errors import IdentityUnavailable

#: a token is replaced if it expires within this time
SPARE = timedelta(minutes=2)


class IdentityTokens:
    """Fetches the tokens for calling one function. A token is used again until shortly before it expires."""

    def __init__(self, audience: str) -> None:
        """`audience` is the address of the called function.

        If the address is not https, no token is sent, since others could read the token on the way.
        """
        self._audience = audience
        self._credentials: IDTokenCredentials | None = None

    async def headers(self) -> dict[str, str]:
        """Return the authorization header; {} if the function's address is not https. Raises IdentityUnavailable."""
        if not self._audience.startswith("https:"):
            return {}
        try:
            return {"Authorization": f"Bearer {await asyncio.to_thread(self._token)}"}
        except GoogleAuthError as cause:
            raise IdentityUnavailable(f"no identity token: {type(cause).__name__}") from cause

    def _token(self) -> str:
        request = Request()
        if self._credentials is None:
            self._credentials = IDTokenCredentials(request, self._audience, use_metadata_identity_endpoint=True)  # type: ignore[no-untyped-call]
        ends = self._credentials.expiry
        if not self._credentials.token or ends is None or ends.replace(tzinfo=UTC) - datetime.now(UTC) < SPARE:
            self._credentials.refresh(request)  # type: ignore[no-untyped-call]
        return str(self._credentials.token)
