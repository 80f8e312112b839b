"""Fetches the updates of a real bot and posts them to the webhook function, since Telegram cannot reach this machine.

`python -m local.poller --agent lull --webhook URL`, with TELEGRAM_BOT_TOKEN and LULL_WEBHOOK_SECRET in the environment.
The poller behaves towards the webhook as Telegram does. It sends the secret header. It sends the updates of one chat
one after the other, and each of them only after the webhook has answered the previous one with 2xx. It retries with
growing pauses, and executes a Bot API method that a response's body contains. Updates are confirmed to Telegram only
once the webhook has accepted all updates of the same batch. So a crash may repeat updates but loses none.
"""

import argparse
import asyncio
import logging
import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from local.parts import TELEGRAM_API
from shared.telegram.inbound.envelope import ALLOWED_UPDATES, read_envelope

log = logging.getLogger("poller")

#: exit code for a configuration error, from `sysexits.h`. It tells the supervisor that a restart would not help
EX_CONFIG = 78
LONG_POLL_S = 50
#: seconds before a retry: the first pause, and the longest
PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
CONFLICT_PAUSE_S = 10.0

Json = dict[str, Any]


class TokenRefused(Exception):
    """Telegram does not know the bot token."""


@dataclass(frozen=True, kw_only=True)
class Route:
    """A bot, and the webhook function that gets the bot's updates. `pause_s` is the first pause after a failure."""

    agent: str
    token: str = field(repr=False)
    webhook_url: str
    secret: str = field(repr=False)
    api_url: str = TELEGRAM_API
    pause_s: float = PAUSE_S
    long_poll_s: int = LONG_POLL_S


class Poller:
    """Fetches and delivers updates until cancelled."""

    def __init__(self, route: Route, client: httpx.AsyncClient) -> None:
        """Use `client` for requests to Telegram and to the webhook."""
        self._route, self._client = route, client
        self._offset = 0
        self._trouble = ""

    async def run(self) -> None:
        """Poll for ever. Raises TokenRefused."""
        failures = 0
        while True:
            try:
                updates = await self._fetch()
            except _PollFailed as failed:
                self._say(failed.why)
                await asyncio.sleep(failed.retry_after or self._pause(failures))
                failures += 1
                continue
            failures = 0
            self._say("")
            await self.deliver(updates)

    async def deliver(self, updates: Sequence[Json]) -> None:
        """Deliver all updates to the webhook: different chats concurrently, the updates of one chat in order. Once this
        returns, the updates may be confirmed to Telegram.
        """
        by_chat: dict[int, list[Json]] = defaultdict(list)
        for update in updates:
            envelope = read_envelope(self._route.agent, update)
            by_chat[envelope.key.chat_id if envelope else 0].append(update)
        async with asyncio.TaskGroup() as chats:
            for of_chat in by_chat.values():
                chats.create_task(self._deliver_in_order(of_chat))
        if updates:
            self._offset = max(update["update_id"] for update in updates) + 1

    async def _fetch(self) -> list[Json]:
        asked = {"offset": self._offset, "timeout": self._route.long_poll_s, "allowed_updates": ALLOWED_UPDATES}
        try:
            answer = await self._client.post(
                self._method("getUpdates"), json=asked, timeout=self._route.long_poll_s + 15
            )
            said = answer.json()
        except (httpx.TransportError, ValueError) as cause:
            # the cause's text is left out because it may contain the URL, which includes the token
            raise _PollFailed(f"Telegram cannot be reached ({type(cause).__name__}); trying again") from None
        if answer.is_success:
            return list(said["result"])
        raise self._refusal(answer.status_code, said)

    def _refusal(self, status: int, said: Json) -> Exception:
        if status in (401, 404):
            return TokenRefused(
                f"Telegram does not know the bot token of {self._route.agent}; copy it again from @BotFather"
            )
        if status == 409:
            why = (
                f"Telegram refuses: {said.get('description', 'conflict')}. End the other program, or remove the webhook"
            )
            return _PollFailed(f"{why}; trying again", CONFLICT_PAUSE_S * self._route.pause_s)
        wait_s = said.get("parameters", {}).get("retry_after", 0)
        return _PollFailed(f"Telegram answers {status} ({said.get('description', '')}); trying again", wait_s)

    async def _deliver_in_order(self, updates: Sequence[Json]) -> None:
        for update in updates:
            tries = 0
            while not await self._post(update):
                await asyncio.sleep(self._pause(tries))
                tries += 1

    async def _post(self, update: Json) -> bool:
        url = f"{self._route.webhook_url}/{self._route.agent}"
        headers = {"X-Telegram-Bot-Api-Secret-Token": self._route.secret}
        try:
            answer = await self._client.post(url, json=update, headers=headers, timeout=60)
        except httpx.TransportError as cause:
            self._say(f"the webhook did not accept update {update['update_id']} ({type(cause).__name__}); trying again")
            return False
        if not answer.is_success:
            self._say(f"the webhook answered update {update['update_id']} with {answer.status_code}; trying again")
            return False
        await self._carry_out(answer)
        return True

    async def _carry_out(self, answer: httpx.Response) -> None:
        """Call the Bot API method in the response's body. As with Telegram, the result is ignored."""
        try:
            call = answer.json()
        except ValueError:
            return
        if not isinstance(call, dict) or not isinstance(call.get("method"), str):
            return
        method = call.pop("method")
        try:
            await self._client.post(self._method(method), json=call, timeout=30)
        except httpx.TransportError as cause:
            log.warning("%s could not be sent to Telegram (%s)", method, type(cause).__name__)

    def _method(self, name: str) -> str:
        return f"{self._route.api_url}/bot{self._route.token}/{name}"

    def _pause(self, failures: int) -> float:
        return min(self._route.pause_s * 2.0 ** min(failures, 10), LONGEST_PAUSE_S)

    def _say(self, trouble: str) -> None:
        """Log a problem once, when it begins. If `trouble` is "", log that the problem has ended."""
        if trouble == self._trouble:
            return
        if trouble:
            log.warning("%s", trouble)
        else:
            log.info("updates are arriving again")
        self._trouble = trouble


class _PollFailed(Exception):
    def __init__(self, why: str, retry_after: float = 0) -> None:
        super().__init__(why)
        self.why, self.retry_after = why, retry_after


def route_from(argv: Sequence[str], env: Mapping[str, str]) -> Route:
    """Return the bot and the webhook function that the command line and the environment name.

    Exits with a message if an argument or a secret is missing.
    """
    parser = argparse.ArgumentParser(prog="python -m local.poller", description="Posts a bot's updates to a webhook.")
    parser.add_argument("--agent", required=True)
    parser.add_argument("--webhook", required=True, metavar="URL")
    asked = parser.parse_args(argv)
    missing = [name for name in ("TELEGRAM_BOT_TOKEN", "LULL_WEBHOOK_SECRET") if not env.get(name)]
    if missing:
        parser.error(f"set {' and '.join(missing)} in the environment; other users can read a command line")
    return Route(
        agent=asked.agent,
        token=env["TELEGRAM_BOT_TOKEN"],
        webhook_url=asked.webhook,
        secret=env["LULL_WEBHOOK_SECRET"],
        api_url=env.get("TELEGRAM_API_URL", TELEGRAM_API),
    )


async def poll(route: Route) -> None:
    """Poll until cancelled. Raises TokenRefused."""
    log.info("fetching the updates of %s from Telegram", route.agent)
    async with httpx.AsyncClient() as client:
        await Poller(route, client).run()


def main(argv: Sequence[str]) -> int:
    """Run the command line. Return 78 if the token is wrong."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # at lower levels httpx logs URLs, which contain the token
    try:
        asyncio.run(poll(route_from(argv, os.environ)))
    except TokenRefused as refused:
        print(refused, file=sys.stderr)
        return EX_CONFIG
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
