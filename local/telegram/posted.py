"""Posts an update to a webhook and evaluates the response."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

import httpx

from local.telegram.faults import TelegramFault, TelegramFaultKind
from local.telegram.numerals import whole_number
from local.telegram.people import BotWebhook
from local.telegram.updates import LocalUpdate

# WebhookActor.cpp: a response can call neither these methods nor any method whose name begins with "get".
_NOT_IN_ANSWERS = frozenset({"setwebhook", "deletewebhook", "close", "logout"})
_CLOSED = "Webhook connection closed"


@dataclass(frozen=True, kw_only=True)
class PostOutcome:
    """The result of a delivery. The delivery succeeded if `error` is None. `call` is the method call that the response
    contains.
    """

    status: int | None = None
    error: str | None = None
    retry_after: int = 0
    is_reusable: bool = False
    call: Mapping[str, Any] | None = None


class Poster:
    """Posts updates to one webhook over persistent connections.

    Each connection has an HTTP client of its own, since the connection pool of a client checks all its connections for
    every request.
    """

    def __init__(self, webhook: BotWebhook, silence_seconds: float) -> None:
        self._webhook = webhook
        self._silence_seconds = silence_seconds
        # Certificates are loaded only for HTTPS, since loading them takes longer than a delivery.
        self._trust = httpx.create_ssl_context(verify=not webhook.url.startswith("http://"), trust_env=False)
        self._idle: list[httpx.AsyncClient] = []

    async def post(self, update: LocalUpdate, fault: TelegramFault | None) -> PostOutcome:
        """Deliver an update, or execute the fault that a test requested."""
        if fault is not None and fault.kind is TelegramFaultKind.CUT_BEFORE:
            return PostOutcome(error=_CLOSED)
        if fault is not None and fault.kind.is_status:
            status = HTTPStatus(int(fault.kind))
            retry_after = fault.retry_after if status is HTTPStatus.TOO_MANY_REQUESTS else 0
            return _refusal(status, status.phrase, retry_after)
        if fault is not None and fault.kind is TelegramFaultKind.SLOW:
            await asyncio.sleep(fault.seconds)
        outcome = await self._post(update)
        is_cut = fault is not None and fault.kind is TelegramFaultKind.CUT_AFTER
        return PostOutcome(error=_CLOSED) if is_cut else outcome

    async def close(self) -> None:
        """Close the connections."""
        while self._idle:
            await self._idle.pop().aclose()

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[httpx.AsyncClient]:
        """Lend a client for the block: an idle one, or a new one if there is none."""
        if not self._idle:
            self._idle.append(httpx.AsyncClient(timeout=self._silence_seconds, verify=self._trust, trust_env=False))
        client = self._idle.pop()
        try:
            yield client
        finally:
            self._idle.append(client)

    async def _post(self, update: LocalUpdate) -> PostOutcome:
        headers = {"Content-Type": "application/json"}
        if self._webhook.secret_token:
            headers["X-Telegram-Bot-Api-Secret-Token"] = self._webhook.secret_token
        url = self._webhook.url if "://" in self._webhook.url else f"https://{self._webhook.url}"
        body = json.dumps(update.raw, ensure_ascii=False).encode()
        try:
            async with self._client() as client:
                response = await client.post(url, content=body, headers=headers)
        except httpx.ConnectError:
            return PostOutcome(error="Connection refused")
        except httpx.TimeoutException:
            return PostOutcome(error="Read timeout expired")
        except httpx.HTTPError:
            return PostOutcome(error=_CLOSED)
        return outcome_of(response)


def outcome_of(response: httpx.Response) -> PostOutcome:
    """Return the result for a webhook's answer."""
    is_reusable = response.http_version != "HTTP/1.0" and response.headers.get("connection", "").lower() != "close"
    if response.is_success:
        return PostOutcome(status=response.status_code, is_reusable=is_reusable, call=_call_in(response))
    wait = whole_number(response.headers.get("retry-after")) or 0
    refusal = _refusal(response.status_code, response.reason_phrase, wait)
    return PostOutcome(
        status=refusal.status, error=refusal.error, retry_after=refusal.retry_after, is_reusable=is_reusable
    )


def _refusal(status: int, reason: str, retry_after: int) -> PostOutcome:
    error = f"Wrong response from the webhook: {status} {reason}"
    return PostOutcome(status=status, error=error, retry_after=retry_after, is_reusable=True)


def _call_in(response: httpx.Response) -> Mapping[str, Any] | None:
    """Return the method call that a webhook's response contains as JSON or as a form. None if there is none, or if
    Telegram would not execute it.
    """
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    call: object = None
    if kind == "application/json":
        try:
            call = json.loads(response.content)
        except ValueError:
            return None
    elif kind == "application/x-www-form-urlencoded":
        call = dict(parse_qsl(response.text))
    if not isinstance(call, dict) or not isinstance(call.get("method"), str):
        return None
    method = call["method"].lower()
    return None if not method or method in _NOT_IN_ANSWERS or method.startswith("get") else call
