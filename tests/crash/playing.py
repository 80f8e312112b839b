"""Playing a story once, with at most one blow, and judging what came of it."""

import asyncio
import itertools
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_query import FieldFilter

from benchmarks.relay.ledger import Blow, Moment, Request, Step
from local.cloud import LocalCloud
from tests.crash.judging import Facts, Verdict, judge
from tests.crash.lanes import Lane
from tests.crash.stories import StoryMaker
from tests.stories.play import Chat, Json, Model, Stage

#: a play takes seconds, on a busy machine many times as long; what still goes on then, goes on for ever
LIMIT_S = 240.0
#: on a machine that stalls for seconds a kept connection is closed by the server just as it is used again
UNKEPT = httpx.Limits(max_keepalive_connections=0)
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Point:
    """Where a story is struck: at which of its requests, before or after the server acted."""

    story: str
    step: Step
    moment: Moment


@dataclass(frozen=True)
class Outcome:
    """What came of a play: `struck` is none if there was no such request. `log` is only kept of a faulty one."""

    story: str
    point: Point | None
    struck: Request | None
    requests: tuple[Request, ...]
    verdict: Verdict
    log: str = ""

    @property
    def steps(self) -> list[Step]:
        """The way as it went undisturbed: to the struck request, or to the end."""
        return [request.step for request in self.requests[: self.struck.number if self.struck else None]]


@dataclass(frozen=True)
class Playhouse:
    """The stage with what shows whether anything goes on."""

    stage: Stage
    tasks: httpx.AsyncClient


@asynccontextmanager
async def playhouse(cloud: LocalCloud) -> AsyncIterator[Playhouse]:
    """The playhouse of a running cloud, whose own calls pass no relay."""
    telegram_url, gemini_url, tasks_url = cloud.telegram_url, cloud.gemini_url, cloud.tasks_control_url
    async with (
        httpx.AsyncClient(base_url=telegram_url, timeout=60, limits=UNKEPT) as telegram,
        httpx.AsyncClient(base_url=gemini_url, timeout=60, limits=UNKEPT) as gemini,
        httpx.AsyncClient(base_url=tasks_url, timeout=60, limits=UNKEPT) as tasks,
    ):
        firestore = _firestore(cloud)
        yield Playhouse(Stage(cloud, telegram, Model(gemini), firestore), tasks)
        firestore.close()  # type: ignore[no-untyped-call]


def _firestore(cloud: LocalCloud) -> AsyncClient:
    """The official client, which knows its emulator from the environment, and from there alone."""
    name, before = "FIRESTORE_EMULATOR_HOST", dict(os.environ)
    os.environ[name] = cloud.firestore_host
    try:
        return AsyncClient(project=cloud.project)
    finally:
        del os.environ[name]
        os.environ |= {kept: value for kept, value in before.items() if kept == name}


async def play(house: Playhouse, lane: Lane, maker: StoryMaker, point: Point | None = None) -> Outcome:
    """One story in a new chat of a new person, struck at a point if one is given; the rest goes by itself."""
    story = maker(f"{maker.__name__}-{next(_numbers):05d}")
    await house.stage.model.will(*story.replies)
    person = await house.stage.person("Ann")
    chat = await house.stage.private(person, lane.agent)
    await lane.refresh()
    logs = _Logs.now(lane)
    doubtful: set[tuple[str, int]] = set()

    async def strike(request: Request) -> None:
        await lane.kill(request.step.maker)
        doubtful.update(_deliveries(await _plan(chat), "attempted"))

    lane.ledger.start_over(Blow(point.step, point.moment, strike) if point else None)
    written = await story.tell(chat, person)
    is_over = await _comes_to_its_end(house, lane)
    struck = await lane.ledger.struck()
    facts = await _facts(chat, written, frozenset(doubtful), is_over=is_over)
    verdict = judge(story, facts)
    requests = tuple(lane.ledger.requests)
    return Outcome(maker.__name__, point, struck, requests, verdict, logs.since() if verdict.faults else "")


async def _comes_to_its_end(house: Playhouse, lane: Lane) -> bool:
    try:
        async with asyncio.timeout(LIMIT_S):
            await lane.quiets(house.stage.telegram, house.tasks)
    except TimeoutError:
        return False
    return True


async def _facts(chat: Chat, written: list[int], doubtful: frozenset[tuple[str, int]], *, is_over: bool) -> Facts:
    document, inbox, plan = await chat.document(), await chat.inbox(), await _plan(chat)
    entries = await chat.transcript() if document.get("conversation") else []
    return Facts(
        written=written,
        stored=[_message_id(update) for update in inbox],
        updates=[update["update_id"] for update in inbox],
        transcript=[update_id for entry in entries for update_id in entry["updates"]],
        said=[str(message["text"]) for message in await chat.said()],
        doubtful=doubtful,
        unknown=frozenset(_deliveries(plan, "unknown")),
        incidents=await _incidents(chat),
        unrest=_unrest(document, inbox, is_over=is_over),
    )


def _unrest(document: Json, inbox: list[Json], *, is_over: bool) -> list[str]:
    unread = sum(not update["read"] for update in inbox)
    signs = {
        f"something still goes on after {LIMIT_S:.0f} s": not is_over,
        "there is no chat": not document,
        "the chat is held": bool(document.get("lease")),
        "a plan stands": bool(document.get("due_at")),
        f"{unread} updates are unread": unread > 0,
    }
    return [sign for sign, is_so in signs.items() if is_so]


async def _plan(chat: Chat) -> Json:
    return (await chat.firestore.document(f"plans/{chat.chat_key.id}").get()).to_dict() or {}


async def _incidents(chat: Chat) -> int:
    """How many deliveries of the chat were kept as unknown."""
    of_chat = chat.firestore.collection("incidents").where(filter=FieldFilter("chat", "==", chat.chat_key.id))
    return sum(found.get("kind") == "unknown_delivery" for found in await of_chat.get())


def _deliveries(plan: Json, state: str) -> list[tuple[str, int]]:
    """The messages of a plan whose delivery is in a state, as (text of the `send`, part)."""
    return [
        (str(planned["task"].get("text", "")), int(delivery["part"]))
        for planned in plan.get("tasks", ())
        for delivery in planned["deliveries"]
        if delivery["state"] == state
    ]


def _message_id(update: Json) -> int:
    return int(json.loads(update["raw"])["message"]["message_id"])


@dataclass(frozen=True)
class _Logs:
    """What the functions of a lane say from a moment on."""

    lane: Lane
    sizes: dict[str, int]

    @classmethod
    def now(cls, lane: Lane) -> "_Logs":
        logs = [lane.cloud.log(part.name) for part in lane.parts.values()]
        return cls(lane, {str(log): log.stat().st_size for log in logs if log.exists()})

    def since(self) -> str:
        return "\n".join(f"{name}: {line}" for name, part in self.lane.parts.items() for line in self._lines(part.name))

    def _lines(self, part: str) -> list[str]:
        log = self.lane.cloud.log(part)
        said = log.read_bytes()[self.sizes.get(str(log), 0) :] if log.exists() else b""
        return said.decode(errors="replace").splitlines()
