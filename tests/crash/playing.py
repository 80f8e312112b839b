"""Plays a story once, with at most one blow, and judges the outcome."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import httpx
from google.cloud.firestore_v1.base_query import FieldFilter

from benchmarks.outages.outage import ASKED_TO_DESCRIBE
from benchmarks.relay.ledger import Blow, Moment, Request, Step
from local.cloud import LocalCloud
from shared.tasks.registry import kinds
from tests.crash.files import DESCRIBING, MOST_ROUNDS, faults_of_files, look_after, unrecorded
from tests.crash.judging import Facts, KeptFaults, Verdict, judge
from tests.crash.lanes import Lane
from tests.crash.noting import faults_of_notes, nothing_rests
from tests.crash.queues import UNKEPT
from tests.crash.stories import Story, StoryMaker
from tests.crash.taking_out import faults_of_export, look_after_export
from tests.stories.play import Chat, Json, Model, Sandbox

#: seconds after which a play counts as endless; it takes some seconds, and more on a busy machine
LIMIT_S = 240.0
#: the model's description of every file
DESCRIPTION: Json = {
    "match": ASKED_TO_DESCRIBE,
    "times": None,
    "text": json.dumps({"shows": "Two colours.", "says": "Is anybody there?"}),
}
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Point:
    """The point at which a story is struck: a request, before or after the server acted."""

    story: str
    step: Step
    moment: Moment


@dataclass(frozen=True)
class Outcome:
    """The outcome of a play. `struck` is None if the request was not made. `log` is stored only for a faulty play.

    `makers` are the functions whose requests are points of the story.
    """

    story: str
    point: Point | None
    struck: Request | None
    requests: tuple[Request, ...]
    verdict: Verdict
    log: str = ""
    makers: frozenset[str] = frozenset({"webhook", "tick"})

    @property
    def is_explained(self) -> bool:
        """Whether the kill explains an unknown delivery.

        It does if the process died at a call, at the commit before the call (after it was written), while it read the
        file for the call, or at the commit after the call, before the result was written.
        """
        if not self.verdict.unknown or self.struck is None or self.point is None:
            return True
        way = [r.step.what for r in self.requests[: self.struck.number] if r.step.maker == self.struck.step.maker]
        is_commit = way[-1].startswith("Firestore Commit")
        is_recording = len(way) > 1 and way[-2].startswith("Telegram")
        return way[-1].startswith(("Telegram", "Storage")) or (
            is_commit and (self.point.moment is Moment.AFTER or is_recording)
        )

    @property
    def steps(self) -> list[Step]:
        """Return the undisturbed requests: up to the struck one, or all."""
        way = self.requests[: self.struck.number if self.struck else None]
        return [request.step for request in way if request.step.maker in self.makers]


@dataclass(frozen=True)
class Playhouse:
    """The local Telegram and the scripted model."""

    telegram: httpx.AsyncClient
    model: Model

    def sandbox(self, lane: Lane) -> Sandbox:
        """Return the sandbox of a lane: its bot and its database."""
        return Sandbox(lane, self.telegram, self.model, lane.kept.firestore)


@asynccontextmanager
async def playhouse(cloud: LocalCloud) -> AsyncIterator[Playhouse]:
    """Yield the playhouse of a running cloud, whose own calls bypass the relays."""
    async with (
        httpx.AsyncClient(base_url=cloud.telegram_url, timeout=60, limits=UNKEPT) as telegram,
        httpx.AsyncClient(base_url=cloud.model_url, timeout=60, limits=UNKEPT) as gemini,
    ):
        model = Model(gemini)
        await model.clear()
        await model.will(DESCRIPTION)
        yield Playhouse(telegram, model)
        await model.clear()


@dataclass
class _Blows:
    """The state at the moment of the blow: deliveries in doubt, half-archived conversations, and files without a
    record.
    """

    lane: Lane
    chat: Chat
    doubtful: set[tuple[str, int]] = field(default_factory=set)
    halves: list[str] = field(default_factory=list)

    async def strike(self, request: Request) -> None:
        """Kill the function that made a request."""
        await self.lane.kill(request.step.maker)
        if request.step.maker == "tick":  # otherwise the tick that attempted a delivery is alive, and records it
            self.doubtful.update(_deliveries(await _plan(self.chat), "attempted"))
        if request.step.maker == "summarize":
            self.halves += await self.lane.kept.unlike(self.chat.chat_key.id)
        if request.step.maker == DESCRIBING:
            self.halves += await unrecorded(self.lane)


async def play(backend: Playhouse, lane: Lane, maker: StoryMaker, point: Point | None = None) -> Outcome:
    """Play a story in a new chat of a new person, struck at a point if one is given; nobody intervenes afterwards.

    The function that will be struck is restarted first; without a point, all that may be struck are.
    """
    story, sandbox = maker(f"{maker.__name__}-{next(_numbers):05d}"), backend.sandbox(lane)
    await backend.model.will(*story.replies)
    person = await sandbox.person("Ann")
    chat = await sandbox.private(person, lane.agent)
    await lane.refresh([point.step.maker] if point else story.struck)
    await lane.kept.archived_until_now()
    await nothing_rests(lane)
    logs, blows = _Logs.now(lane), _Blows(lane, chat)
    lane.ledger.start_over(Blow(point.step, point.moment, blows.strike) if point else None)
    written = await story.tell(chat, person, lane.queues)
    is_over = await _comes_to_its_end(backend, lane, story, chat)
    struck, requests = await lane.ledger.struck(), tuple(lane.ledger.requests)
    facts = await _facts(blows, story, written, is_over=is_over)
    files = await faults_of_files(lane, chat, requests, was_struck=struck is not None)
    notes = KeptFaults()
    if story.noted is not None:
        notes = await faults_of_notes(lane, chat, story.noted, requests, was_struck=struck is not None)
    export = await faults_of_export(lane, chat) if story.takes_out else KeptFaults()
    verdict = judge(story, replace(facts, files=files, notes=notes, export=export))
    log = logs.since() if verdict.faults else ""
    return Outcome(maker.__name__, point, struck, requests, verdict, log, story.struck)


async def _comes_to_its_end(backend: Playhouse, lane: Lane, story: Story, chat: Chat) -> bool:
    try:
        async with asyncio.timeout(LIMIT_S):
            if story.job:
                await lane.fire(story.job)
            await lane.quiets(backend.telegram)
            for _ in range(MOST_ROUNDS):
                if not (await look_after(lane, chat) or await look_after_export(lane, chat)):
                    break
                await lane.quiets(backend.telegram)
    except TimeoutError:
        return False
    return True


async def _facts(blows: _Blows, story: Story, written: list[int], *, is_over: bool) -> Facts:
    chat, kept = blows.chat, blows.lane.kept
    document, inbox, plan = await chat.document(), await chat.inbox(), await _plan(chat)
    current = str(document.get("conversation", ""))
    entries = await chat.transcript() if current else []
    left = await kept.left_updates(chat.chat_key.id, current)
    untold = await _untold(chat, current, int(document.get("seq", 0)))
    unarchived = await kept.archive_gaps(chat.chat_key.id) if story.job == "archive" else []
    return Facts(
        written=written,
        stored=[message_id for update in inbox for message_id in _message_ids(update)],
        updates=[update["update_id"] for update in inbox],
        transcript=[*left, *(update_id for entry in entries for update_id in entry["updates"])],
        said=[] if story.takes_out else [str(message["text"]) for message in await chat.said()],
        doubtful=frozenset(blows.doubtful),
        unknown=frozenset(_deliveries(plan, "unknown")),
        incidents=await _incidents(chat),
        unarchived=[*untold, *blows.halves, *unarchived],
        unrest=_unrest(document, inbox, is_over=is_over),
    )


async def _untold(chat: Chat, conversation: str, entries: int) -> list[str]:
    """Return the changes that the archive would never find, since it queries the conversations' own documents."""
    told = (await chat.firestore.document(f"conversations/{conversation or '-'}").get()).to_dict() or {}
    count = int(told.get("entries", 0))
    return [f"{conversation} has {entries} entries and tells of {count}"] if count != entries else []


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
    """Return how many unknown deliveries of the chat are stored as incidents."""
    of_chat = chat.firestore.collection("incidents").where(filter=FieldFilter("chat", "==", chat.chat_key.id))
    return sum(found.get("kind") == "unknown_delivery" for found in await of_chat.get())


def _deliveries(plan: Json, state: str) -> list[tuple[str, int]]:
    """Return the messages of a plan whose delivery is in a state, as (text of the `send`, part).

    Deliveries whose loss does not matter, such as an edit that shows progress, are left out.
    """
    return [
        (str(planned["task"].get("text", "")), int(delivery["part"]))
        for planned in plan.get("tasks", ())
        if kinds()[planned["task"]["kind"]].traits.on_failure.is_incident
        for delivery in planned["deliveries"]
        if delivery["state"] == state
    ]


def _message_ids(update: Json) -> list[int]:
    """Return the message ids of a person's update; none for lull's own updates."""
    raw = json.loads(update["raw"])
    return [int(raw["message"]["message_id"])] if "message" in raw else []


@dataclass(frozen=True)
class _Logs:
    """The logs of a lane's functions from a moment on."""

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
