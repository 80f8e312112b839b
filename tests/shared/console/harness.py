"""The console's application over the emulator, called by HTTP as browsers call it."""

import json
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Self
from urllib.parse import urlencode

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.base.root import ROOT
from shared.chat.store import paths
from shared.console.app import console_app
from shared.console.route import ConsoleRequest
from shared.console.services import ConsoleServices
from shared.console.signin.cookie import CookieBox
from shared.console.signin.door import Door
from shared.console.signin.oidc import TelegramLogin
from shared.console.signin.owners import AgentOwners
from shared.console.web_files import PageFiles
from tests.shared.examples import NOW
from tests.shared.paused_queue import PausedQueue

HOST = "console.example.org"
DOOR = "the-door-of-the-tests"
OWNER, OTHER = 700, 701
#: the bots of the two agents
BOTS = {"lull": 1001, "moss": 1002}
#: what the console's own page sends with a change
OWN_PAGE = {"Origin": f"https://{HOST}", "Sec-Fetch-Site": "same-origin", "X-Lull-Console": "1"}


@dataclass
class Telegram:
    """Signs the data of Mini Apps as Telegram does, with a key of its own."""

    key: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)

    @property
    def public_key(self) -> str:
        return self.key.public_key().public_bytes_raw().hex()

    def init_data(self, person: int, bot: int, at: datetime, **more: str) -> str:
        """Return what Telegram gives to a bot's Mini App that a person opens."""
        user = {"id": person, "first_name": "Ann", "language_code": "de"}
        fields = {"auth_date": str(int(at.timestamp())), "query_id": secrets.token_hex(8), "user": json.dumps(user)}
        fields |= more
        lines = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
        signature = self.key.sign(f"{bot}:WebAppData\n{lines}".encode())
        signed = {"signature": urlsafe_b64encode(signature).decode().rstrip("="), "hash": secrets.token_hex(32)}
        return urlencode(fields | signed)


class ConsoleHarness:
    """The console at its usual address, with a clock that stands still until a test moves it."""

    def __init__(self, client: AsyncClient, project: str, queue: PausedQueue) -> None:
        """`client` is of an unused project, and `queue` is paused."""
        self.now = NOW
        self.telegram = Telegram()
        self.client = client
        self.queue = queue
        self.services = ConsoleServices(
            client=client,
            project=project,
            clock=lambda: self.now,
            jobs=queue.erasing_jobs(),
            agents=frozenset(BOTS),
        )
        self.box = CookieBox("the secret of the tests")
        self.door = Door(
            client=client,
            clock=lambda: self.now,
            files=PageFiles(ROOT / "web"),
            box=self.box,
            owners=AgentOwners(client, BOTS),
            name=DOOR,
            key=self.telegram.public_key,
        )
        self.http = self.browser()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    def browser(self, login: TelegramLogin | None = None) -> httpx.AsyncClient:
        """Return a new browser, with no cookies; with `login`, of a console that has a login for desks."""
        door = replace(self.door, login=login)
        transport = httpx.ASGITransport(app=console_app(door, lambda: self.services))
        return httpx.AsyncClient(transport=transport, base_url=f"https://{HOST}", timeout=60)

    async def claim(self, agent: str = "lull", owner: int = OWNER) -> None:
        """Make a person the owner of an agent, whose bot is known."""
        name = {"username": f"{agent}_bot", "at": NOW, "in_persona": ""}
        document = {"owner": owner, "claimed_at": NOW, "names": {str(BOTS[agent]): name}}
        await self.client.document(paths.bot_path(agent)).set(document, merge=True)

    def request(self, *agents: str, **more: Any) -> ConsoleRequest:
        """Return a request of the owner of these agents (lull, if none is named), for a handler."""
        return ConsoleRequest(owner=OWNER, agents=agents or ("lull",), **more)

    async def enter(self, person: int = OWNER, agent: str = "lull", **body: Any) -> httpx.Response:
        """Sign in from the agent's Mini App."""
        data = self.telegram.init_data(person, BOTS[agent], self.now)
        return await self.send_data(data, **body)

    async def send_data(self, init_data: str, headers: dict[str, str] | None = None, **body: Any) -> httpx.Response:
        """Send the data of a Mini App to the door, as its page does."""
        sent = {"init_data": init_data, **body}
        return await self.http.post(f"/{DOOR}/telegram", json=sent, headers=OWN_PAGE if headers is None else headers)

    async def post(self, path: str, body: Any = None, headers: dict[str, str] | None = None) -> httpx.Response:
        """Change something as the console's own page does."""
        return await self.http.post(path, json=body or {}, headers=OWN_PAGE if headers is None else headers)

    def wait(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)
