"""The client with which ticks call the reader, the function that opens web pages."""

import secrets

import httpx
from pydantic import ValidationError

from shared.base.errors import IdentityUnavailable
from shared.base.logs import current_trace, log
from shared.cloud.identity import IdentityTokens
from shared.values.page import PageResult

#: the maximum seconds of a call: the reader may first have to start, fetches for up to 10, and parses for up to 8
WHOLE_S = 24.0
MOST_BYTES = 1_048_576

NO_READER = "Pages cannot be read here: this deployment has no reader."
DOWN = "The part of lull that reads pages does not answer now. Say so; it may work later."


class HttpReader:
    """The client of the reader function at one address."""

    def __init__(self, url: str) -> None:
        """`url` is the address of the function; empty if there is no reader."""
        self._url, self._identity = url, IdentityTokens(url)

    async def read(self, url: str, *, is_automatic: bool) -> PageResult:
        """Read one web address. If the reader fails, or if there is no reader, the result has a `problem`.

        `is_automatic`: whether the model chose the address, not a person.
        """
        if not self._url:
            return PageResult(asked=url, problem=NO_READER)
        try:
            return await self._request(url, is_automatic)
        except (httpx.HTTPError, IdentityUnavailable, ValidationError) as failure:
            log(f"the reader failed: {type(failure).__name__}")
            return PageResult(asked=url, problem=DOWN)

    async def _request(self, url: str, is_automatic: bool) -> PageResult:
        headers = {**await self._identity.headers(), **traceparent()}
        order = {"url": url, "is_automatic": is_automatic}
        async with httpx.AsyncClient(
            timeout=WHOLE_S, follow_redirects=False
        ) as client:  # few plans read a page, so no connection is kept open
            answer = await client.post(self._url, json=order, headers=headers)
        answer.raise_for_status()
        return PageResult.model_validate_json(answer.content[:MOST_BYTES])


def traceparent() -> dict[str, str]:
    """Return the header that links the reader's log lines to those of this tick; empty if there is no trace."""
    trace = current_trace()
    return {"traceparent": f"00-{trace}-{secrets.token_hex(8)}-01"} if trace else {}
