"""The deployed functions, as others reach them: the webhook as Telegram does, the sweep by its account."""

from collections.abc import Mapping
from dataclasses import replace

import httpx

from shared.base.errors import IdentityUnavailable
from shared.cloud.identity import IdentityTokens
from shared.values.canary import FunctionAnswer, ProbeOrder

#: a webhook's time-out, and a sweep's (infra/functions.yaml); a probe's own, and a cold start
WEBHOOK_S, SWEEP_S, PROBE_S = 30.0, 170.0, 60.0
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
#: of what a function says, as much as may stand in a sentence
MOST_CHARACTERS = 200


class DeployedFunctions:
    """The webhook's and the scheduled function's addresses. They are asked a few times a day: no connection is kept.

    No answer is an answer too: nothing is raised.
    """

    def __init__(self, webhook_url: str, summarize_url: str, functions: Mapping[str, str] | None = None) -> None:
        """All without a path; `functions` are those that probe, by their names, besides the one that sweeps."""
        self._webhook_url, self._summarize_url = webhook_url.rstrip("/"), summarize_url
        self._functions = {**(functions or {}), "summarize": summarize_url}

    async def webhook(self, agent: str, body: bytes, secret: str) -> FunctionAnswer:
        """Deliver a body as Telegram does; with an empty secret, without the header."""
        headers = {"Content-Type": "application/json", **({SECRET_HEADER: secret} if secret else {})}
        answer = await self._post(f"{self._webhook_url}/{agent}", body, headers, WEBHOOK_S)
        return replace(answer, said=answer.said[:MOST_CHARACTERS])

    async def sweep(self) -> FunctionAnswer:
        """Have the sweep run, in this function's own name."""
        answer = await self._order(self._summarize_url, b'{"job": "sweep"}', SWEEP_S)
        return replace(answer, said=answer.said[:MOST_CHARACTERS])

    async def probe(self, function: str, order: ProbeOrder) -> FunctionAnswer:
        """Have a function probe what it needs, in this function's own name."""
        url = self._functions.get(function, "")
        if not url:
            return FunctionAnswer(status=None, said="LULL_ROUTES has no address of it")
        return await self._order(url, order.model_dump_json().encode(), PROBE_S)

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
