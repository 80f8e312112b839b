"""The console: the time and the reads of its list and of an opened conversation, its reads while nobody does anything,
and the size of its page.

The application runs in this process, over Firestore's emulator behind a meter. It is called by HTTP as browsers call
it, with a cookie, so the reads of each request include the check of who is signed in.
"""

import asyncio
import gzip
import os
import re
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
from google.cloud.firestore_v1.async_client import AsyncClient
from starlette.responses import Response, StreamingResponse
from ulid import ULID

from benchmarks.firestore_meter import FirestoreMeter, run_meter
from local.cloud import CloudSpec, LocalCloud
from shared.base.root import ROOT
from shared.chat.store import paths
from shared.chat.store.conversations import ConversationState
from shared.chat.store.layout import encode_chat
from shared.chat.store.transcripts import encode_page
from shared.chat.store.writes import CommitContext, WriteBatch
from shared.console.app import console_app
from shared.console.request import ConsoleRequest
from shared.console.services import ConsoleServices
from shared.console.signin.cookie import CookieBox, SignedIn
from shared.console.signin.door import Door
from shared.console.signin.init_data import KEYS
from shared.console.signin.origin import origin_of
from shared.console.signin.owners import AgentOwners
from shared.console.views.live import LONGEST, follow
from shared.console.web_files import PageFiles
from shared.values.chat import Chat, CurrentConversation
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.message import Author, Message
from shared.values.trust import AdmittedPerson
from shared.values.wake import Job
from shared.wiring import now

AGENT, OWNER = "lull", 700
CONVERSATIONS = 1_000
#: turns of the conversation that is opened, each with a page for the question and one for the answer
TURNS = 100
TIMES = 20
#: how long nobody does anything while a tab is open
IDLE_S = 30.0
HOST = "console.example.org"
WEB = ROOT / "web"
AT_ONCE = 100
#: the limits that the console promises
LIST_MS, LIST_READS, OPEN_READS, IDLE_READS, BUNDLE_KIB = 200, 60, 40, 1, 200
_IMPORT = re.compile(r'(?:from|import)\s+"(\.[^"]+)"')
_SHEET = re.compile(r'href="/web/([^"]+\.css)"')


async def measure() -> dict[str, object]:
    """Return the figures, and under `unmet` those that are over their limit."""
    with LocalCloud(CloudSpec(parts=("firestore",))).running() as cloud:
        async with run_meter(cloud.firestore_host) as (meter, address):
            os.environ["FIRESTORE_EMULATOR_HOST"] = address  # the official client's own setting
            async with _stage(cloud.project) as stage:
                await _fill(stage.services.client)
                list_ms, list_reads = await _times(stage, meter, "/api/conversations")
                open_ms, open_reads = await _times(stage, meter, f"/api/conversations/{stage.conversation}")
                idle = await _idle_reads(stage, meter)
    figures: dict[str, object] = {
        "list_ms": list_ms,
        "open_ms": open_ms,
        "list_reads": list_reads,
        "open_reads": open_reads,
        "live_reads_per_minute_idle": round(idle, 2),
        "bundle_kib": round(bundle_bytes() / 1024, 1),
    }
    limits = (list_ms <= LIST_MS, list_reads <= LIST_READS, open_reads <= OPEN_READS, idle <= IDLE_READS)
    names = ("list_ms", "list_reads", "open_reads", "live_reads_per_minute_idle")
    unmet = [name for name, is_met in zip(names, limits, strict=True) if not is_met]
    unmet += ["bundle_kib"] if bundle_bytes() > BUNDLE_KIB * 1024 else []
    return figures | ({"unmet": unmet} if unmet else {})


@dataclass(frozen=True)
class _Stage:
    """The console, and a browser in which the owner is signed in."""

    services: ConsoleServices
    browser: httpx.AsyncClient
    conversation: str


class _NoJobs:
    """A queue for requests that only read."""

    async def enqueue(self, job: Job) -> None:
        """Refuse every job."""
        raise AssertionError("reading enqueues nothing")


@asynccontextmanager
async def _stage(project: str) -> AsyncIterator[_Stage]:
    client = AsyncClient(project=project)
    services = ConsoleServices(client=client, project=project, clock=now, jobs=_NoJobs(), agents=frozenset({AGENT}))
    box = CookieBox("the secret of the benchmark")
    door = Door(
        client=client,
        clock=now,
        files=PageFiles(WEB),
        box=box,
        owners=AgentOwners(client, [AGENT]),
        name="the-door-of-the-benchmark",
        key=KEYS["test"],
    )
    transport = httpx.ASGITransport(app=console_app(door, lambda: services))
    async with httpx.AsyncClient(transport=transport, base_url=f"https://{HOST}", timeout=60) as browser:
        signed, at = Response(), datetime.now(UTC).replace(microsecond=0)
        session = SignedIn(person=OWNER, since=at, until=at + timedelta(hours=1), language="en")
        box.write(signed, session, origin_of({"host": HOST, "x-forwarded-proto": "https"}))
        browser.headers["Cookie"] = signed.headers["set-cookie"].partition(";")[0]
        yield _Stage(services, browser, _id(0))
    client.close()  # type: ignore[no-untyped-call]


def _id(number: int) -> str:
    began = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=number)
    return f"conv-{ULID.from_bytes(int(began.timestamp() * 1000).to_bytes(6) + number.to_bytes(10))}"


async def _fill(client: AsyncClient) -> None:
    """Store an owner, people who are let in, and their conversations; the first one is the longest and the newest."""
    people = {
        str(1_000 + n): AdmittedPerson(id=1_000 + n, name=f"Person {n}", since=now(), by=OWNER).model_dump()
        for n in range(CONVERSATIONS)
    }
    await client.document(paths.bot_path(AGENT)).set({"owner": OWNER, "people": people})
    batch = WriteBatch(client)
    for number in range(CONVERSATIONS):
        if number and not number % AT_ONCE:
            await batch.commit()
            batch = WriteBatch(client)
        _add_conversation(batch, client, number)
    await batch.commit()


def _add_conversation(batch: WriteBatch, client: AsyncClient, number: int) -> None:
    key = ChatKey(agent=AGENT, chat_id=1_000 + number)
    person, agent = (
        Author(id=key.chat_id, name=f"Person {number}"),
        Author(id=1, name="lull", is_bot=True, is_agent=True),
    )
    turns, at = (TURNS if not number else 1), now() - timedelta(minutes=number)
    entries = [
        Message(
            seq=seq,
            message_id=seq,
            turn=(seq + 1) // 2,
            at=at + timedelta(seconds=seq),
            author=person if seq % 2 else agent,
            text=f"These are the words of message {seq}. " * 5,
        )
        for seq in range(1, 2 * turns + 1)
    ]
    talk = CurrentConversation(seq=len(entries), turn=turns)
    chat = Chat(key=key, kind=ChatKind.PRIVATE, conversation=_id(number), talk=talk)
    state = ConversationState(chat=chat, newest_at=entries[-1].at, entries=tuple(entries[-50:]), added=tuple(entries))
    for write in state.writes(CommitContext(chat=chat, at=at)):
        batch.add(write)
    batch.set(client.document(paths.chat_path(key)), encode_chat(chat))
    for one in entries if not number else ():
        batch.set(client.document(paths.page_path(_id(number), one.seq)), encode_page((one,)))


async def _times(stage: _Stage, meter: FirestoreMeter, path: str) -> tuple[float, float]:
    """Return the median milliseconds and the reads of a request, from a warm application."""
    (await stage.browser.get(path)).raise_for_status()
    taken, before = list[float](), meter.counts["reads"]
    for _ in range(TIMES):
        began = time.perf_counter()
        answer = await stage.browser.get(path)
        taken.append((time.perf_counter() - began) * 1000)
        assert answer.raise_for_status().json()["items"], path
    return round(statistics.median(taken), 1), (meter.counts["reads"] - before) / TIMES


async def _idle_reads(stage: _Stage, meter: FirestoreMeter) -> float:
    """Return the reads of one minute in which a tab is open and nothing happens.

    The tab opens another stream every few minutes. The reads of that count in proportion.
    """
    query = {"after": now().isoformat(), "conversation": stage.conversation}
    before = meter.counts["reads"]
    answer = await follow(stage.services, ConsoleRequest(owner=OWNER, agents=(AGENT,), query=query))
    assert isinstance(answer, StreamingResponse)
    reader = asyncio.create_task(_read(answer))
    await asyncio.sleep(5)
    opened = meter.counts["reads"] - before + 1  # the check of who is signed in reads a document for each agent
    await asyncio.sleep(IDLE_S)
    idle = meter.counts["reads"] - before - (opened - 1)
    reader.cancel()
    return idle * 60 / IDLE_S + opened / (LONGEST.total_seconds() / 60)


async def _read(answer: StreamingResponse) -> None:
    async for _ in answer.body_iterator:
        pass


def bundle_bytes() -> int:
    """Return the compressed bytes of the page, its style sheets, and the modules that are loaded with it."""
    page = WEB / "console" / "index.html"
    files = {page, *(WEB / name for name in _SHEET.findall(page.read_text()))}
    left = [WEB / "console" / "main.js"]
    while left:
        file = left.pop()
        if file not in files:
            files.add(file)
            left += [(file.parent / name).resolve() for name in _IMPORT.findall(file.read_text())]
    words = WEB / "console" / "words" / "en"
    return sum(len(gzip.compress(Path(one).read_bytes())) for one in (*files, *words.glob("*.json")))
