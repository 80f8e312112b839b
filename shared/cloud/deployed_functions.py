"""Calls the deployed functions: the webhook in the way that Telegram calls it, the others with the identity token of
the calling function's account.
"""

from collections.abc import Mapping
from dataclasses import replace

import httpx

from shared.base.errors import IdentityUnavailable
from shared.cloud.identity import IdentityTokens
from shared.values.canary import FunctionAnswer, ProbeOrder

#: time-outs in seconds: of the webhook and of a sweep (as in infra/functions.yaml), and of a probe with a cold start
WEBHOOK_S, SWEEP_S, PROBE_S = 30.0, 170.0, 60.0
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
#: the most characters of a function's answer to quote
MOST_CHARACTERS = 200


class DeployedFunctions:
    """Calls the deployed functions. No connections are kept open, since calls are rare.

    Methods raise nothing. If a function does not respond, the returned FunctionAnswer says so.
    """

    def __init__(self, webhook_url: str, summarize_url: str, functions: Mapping[str, str] | None = None) -> None:
        """All addresses are without a path.

        `functions` maps functions to addresses. For `summarize`, `summarize_url` takes precedence if it is not empty.
        """
        self._webhook_url, self._summarize_url = webhook_url.rstrip("/"), summarize_url
        self._functions = {**(functions or {}), **({"summarize": summarize_url} if summarize_url else {})}

    async def webhook(self, agent: str, body: bytes, secret: str) -> FunctionAnswer:
        """Send a body as Telegram does. If `secret` is empty, the header with Telegram's secret token is left out."""
        headers = {"Content-Type": "application/json", **({SECRET_HEADER: secret} if secret else {})}
        answer = await self._post(f"{self._webhook_url}/{agent}", body, headers, WEBHOOK_S)
        return replace(answer, said=answer.said[:MOST_CHARACTERS])

    async def sweep(self) -> FunctionAnswer:
        """Start a sweep (a check for leftover work) by calling `summarize` with an identity token."""
        answer = await self._order(self._summarize_url, b'{"job": "sweep"}', SWEEP_S)
        return replace(answer, said=answer.said[:MOST_CHARACTERS])

    async def probe(self, function: str, order: ProbeOrder) -> FunctionAnswer:
        """Ask `function` to probe its dependencies. The call has an identity token."""
        return await self.ask(function, order.model_dump_json().encode(), PROBE_S)

    async def ask(self, function: str, body: bytes, seconds: float) -> FunctionAnswer:
        """Call `function` with an identity token and a limit of `seconds`. Return the answer without shortening it."""
        url = self._functions.get(function, "")
        if not url:
            return FunctionAnswer(status=None, said="LULL_ROUTES has no address for this function")
        return await self._order(url, body, seconds)

    async def _order(self, url: str, body: bytes, seconds: float) -> FunctionAnswer:
        try:
            headers = {"Content-Type": "application/json", **await IdentityTokens(url).headers()}
        except IdentityUnavailable as failure:
            return FunctionAnswer(status=None, said=str(failure))
        return await self._post(url, body, headers, seconds)

    async def _post(self, url: str, body: bytes, headers: dict[str, str], seconds: float) -> FunctionAnswer:
        try:
            async with httpx.AsyncClient(timeout=seconds) as client:
                answer = await client.post(url, content=body, headers=headers)
        except httpx.HTTPError as cause:
            return FunctionAnswer(status=None, said=type(cause).__name__)
        return FunctionAnswer(status=answer.status_code, said=answer.text)
