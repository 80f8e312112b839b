"""The World API for a test, and the local Telegram as a process that a test can stop and restart."""

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from local.ports import reserve_port

ROOT = Path(__file__).parents[3]
#: settings of other parts that a developer's shell may have
BESIDE = (
    "FIRESTORE_EMULATOR_HOST",
    "GOOGLE_CLOUD_PROJECT",
    "LULL_LOCAL_GEMINI_URL",
    "LULL_LOCAL_SCHEDULER_URL",
    "LULL_BOT_IDS",
)


class Telegram:
    """A client of the World API of the server at `url`."""

    def __init__(self, url: str) -> None:
        self.url = url
        # a starting process binds its port a moment before it listens
        self.client = httpx.AsyncClient(base_url=url, timeout=20, transport=httpx.AsyncHTTPTransport(retries=6))

    async def post(self, path: str, **body: Any) -> dict[str, Any]:
        """Call the World API and give the result."""
        answer = await self.client.post(path, json=body)
        answer.raise_for_status()
        return dict(answer.json())

    async def messages(self, key: str) -> list[dict[str, Any]]:
        """List the messages of a chat, oldest first."""
        return list((await self.client.get(f"/world/chats/{key}/messages")).json()["messages"])

    async def world(self) -> dict[str, Any]:
        """Give all people and chats."""
        return dict((await self.client.get("/world")).json())

    async def group(self) -> dict[str, Any]:
        """Give the first group."""
        return next(dict(chat) for chat in (await self.world())["chats"] if chat["type"] != "private")


class TelegramProcess:
    """`python -m local.telegram` with a folder; it can be stopped and started again at the same address."""

    def __init__(self, data: Path, env: Mapping[str, str] | None = None) -> None:
        self.url = ""
        self._data = data
        self._port = reserve_port()
        self._env = {name: value for name, value in os.environ.items() if name not in BESIDE} | dict(env or {})
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the process and wait until it answers."""
        port = str(self._port.number)
        command = ("-m", "local.telegram", "--port", port, "--data", str(self._data), "--clock-scale", "0.2")
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-u", *command, cwd=ROOT, env=self._env, stdout=asyncio.subprocess.PIPE
        )
        assert self._process.stdout is not None
        self.url = (await self._process.stdout.readline()).decode().partition(" ")[2].strip()
        telegram = Telegram(self.url)
        await telegram.client.get("/healthz")
        await telegram.client.aclose()

    async def stop(self) -> None:
        """End the process as Ctrl-C does."""
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            await self._process.communicate()

    async def close(self) -> None:
        """End the process and release its port."""
        await self.stop()
        self._port.release()
