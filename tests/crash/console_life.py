"""One life of the console: a process that answers one request of the owner, read from its input, and prints the answer.

The console's calls go through relays, at any of which the process may be killed.
"""

import asyncio
import json
import sys
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.tasks_v2 import CloudTasksAsyncClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport
from starlette.responses import Response

from shared.console.knowledge import KnowledgeSettings
from shared.console.signin.cookie import SignedIn
from shared.console.signin.origin import origin_of
from shared.wiring.settings.model_functions import LITE
from tests.shared.console.harness import HOST, OWN_PAGE, OWNER, ConsoleHarness, Telegram
from tests.shared.paused_queue import PausedQueue

KNOWS = KnowledgeSettings(
    models=(LITE, "gemini-other"), notes_model=LITE, embedding_model="gemini-embedding-2", media_model=LITE
)

#: the console's own secret, the same in all lives
SECRET = "the secret of the console in this test"
#: signs the data of Mini Apps for all lives
TELEGRAM = Telegram(Ed25519PrivateKey.from_private_bytes(b"the key of telegram in this test"))


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request, the time at which it is made, and the addresses of the relays."""

    project: str
    at: str
    path: str
    body: dict[str, Any]
    #: the host and port of Firestore, which the client also reads from its environment
    firestore: str
    #: the host and port of Cloud Tasks, and the name of the queue
    tasks: str
    queue: str
    #: whether the request is made by a browser that is signed in
    is_signed_in: bool = True
    method: str = "POST"


async def answer(asked: Asked) -> tuple[int, str]:
    """Answer a request as a new instance of the function does: without connections and caches."""
    async with grpc.aio.insecure_channel(asked.tasks) as channel:
        tasks = CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel))
        client = AsyncClient(project=asked.project)
        console = ConsoleHarness(client, asked.project, PausedQueue(asked.queue, asked.tasks, tasks))
        console.now = datetime.fromisoformat(asked.at)
        console.services = replace(console.services, knowledge=KNOWS, has_exports=True, secret=SECRET)
        console.door = replace(console.door, key=TELEGRAM.public_key)
        headers = {**OWN_PAGE, **({"Cookie": cookie(console)} if asked.is_signed_in else {})}
        async with console, console.browser() as browser:
            sent = asked.body if asked.method == "POST" else None
            answered = await browser.request(asked.method, asked.path, json=sent, headers=headers)
        client.close()  # type: ignore[no-untyped-call]
        return answered.status_code, answered.text


def cookie(console: ConsoleHarness) -> str:
    """Return the cookie of the signed-in owner."""
    now, signed = console.now, Response()
    session = SignedIn(person=OWNER, since=now - timedelta(minutes=1), until=now + timedelta(minutes=50), language="en")
    console.box.write(signed, session, origin_of({"host": HOST, "x-forwarded-proto": "https"}))
    return signed.headers["set-cookie"].partition(";")[0]


if __name__ == "__main__":
    print(json.dumps(asyncio.run(answer(Asked(**json.load(sys.stdin))))))
