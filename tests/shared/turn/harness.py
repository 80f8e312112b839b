"""A chat whose ticks run by hand, over the real Firestore, Cloud Tasks, Bot API and Gemini of the local cloud."""

import itertools
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from google.cloud.firestore_v1.base_query import FieldFilter

from local.cloud import LocalCloud
from shared.access.notices import LimitNotices
from shared.access.store.invitations import FirestoreInvitations
from shared.access.store.requests import FirestoreAccessRequests
from shared.base.errors import LullError
from shared.chat.flood import FloodGate
from shared.chat.jobs.receive import UpdateReceiver, WebhookRequest, receive
from shared.chat.queue import TickQueue
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreFloods, FirestoreOwners
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.conversations import FirestoreCompressions, FirestoreConversations
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.incidents import decode_incident
from shared.chat.store.outbox import FirestoreOutbox
from shared.chat.store.people import FirestoreEntities, FirestorePeople
from shared.commands.dispatch import Dispatcher
from shared.llm.gemini.model import GeminiModel
from shared.llm.metering import MeteredModels
from shared.llm.ports.world import MessagingChannel, PortRegistry
from shared.media.known import KnownMedia
from shared.media.store.descriptions import FirestoreDescriptions
from shared.memory.prompt_memories import MemoryLoader
from shared.memory.store import FirestoreMemories
from shared.privacy.commands.privacy import PrivacyFacts
from shared.privacy.export.service import ExportService
from shared.privacy.store.deletions import FirestoreDeletions
from shared.privacy.store.exports import FirestoreExports
from shared.recall.search import Search
from shared.recall.service import RecallService
from shared.recall.store.memberships import FirestoreMemberships
from shared.recall.store.segments import FirestoreSegments, FirestoreTurns
from shared.recall.visible_chats import VisibleChatsFinder
from shared.reminders.store import FirestoreReminders
from shared.spending.policy import BudgetBackend
from shared.spending.store.accounts import FirestoreAccounts
from shared.spending.store.usage import FirestoreUsages
from shared.tasks.plan import Plan
from shared.telegram.inbound.urgency import AgentNames
from shared.telegram.outbound.bot import TelegramChannel
from shared.tools.reader import HttpReader
from shared.tools.search import WebSearch
from shared.tools.services.fetching import Fetcher
from shared.tools.services.grounded_search import GroundedSearch
from shared.tools.services.lookups import CachedLookups
from shared.tools.toolbox import Toolbox
from shared.turn.jobs.tick import TickServices, tick
from shared.turn.lookup import SceneLookup
from shared.turn.media import MediaServices
from shared.turn.replier import Replier
from shared.turn.runner import PlanRunner
from shared.turn.services import AgentServices, JudgeSettings
from shared.values.agent import Agent, ModelNotes, ReplyPace, RolePrompt
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.incident import Incident
from shared.values.prompt_format import PromptFormat
from shared.values.registration import ClaimCode, claim_code
from shared.values.retry import RetryBudget, RetryBudgets
from shared.values.update import Json
from shared.values.wake import Wake
from shared.webchat.outbound import WebChannel
from shared.webchat.store import FirestoreScreens
from shared.wiring.channels import AgentChannels
from tests.shared.examples import agent
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.watched import (
    Clock,
    Killed,
    SharedAccessLists,
    SharedInvitations,
    Steps,
    WatchedChannel,
    WatchedChats,
    WatchedModel,
    WatchedOwners,
    WatchedQueue,
)
from tests.stories.play import Model

#: the webhook's secret, from which the claim code is computed
SECRET = "the-webhook-secret"
LEASE = timedelta(seconds=60)
RETRY = timedelta(seconds=10)
QUIET = dict.fromkeys(("private", "group", "supergroup"), timedelta(seconds=1))
KINDS = ["message", "edited_message", "message_reaction", "my_chat_member", "callback_query"]
#: the tasks that the agent may plan
KINDS_OF_TASK = ("send", "wait", "react", "schedule", "change-reminder", "keep-zone", "remember", "forget")
_numbers = itertools.count(1)


@dataclass
class HarnessBackend:
    """The parts that all rooms share: the adapters, one bot, and a function that makes queues."""

    chats: FirestoreChats
    inbox: FirestoreInbox
    channel: TelegramChannel
    gemini: GeminiModel
    telegram: httpx.AsyncClient
    token: str
    bot_id: int
    username: str
    #: the next update that Telegram has for the bot
    offset: int = 0

    async def make(self, what: str, **body: Any) -> Json:
        """Make something new in Telegram's world."""
        found: Json = (await self.telegram.post(f"/world/{what}", json=body)).raise_for_status().json()
        return found

    async def forget_updates(self) -> None:
        """Drop pending updates: the bot's arrival in the group, and late updates of other tests."""
        asked = {"offset": self.offset, "allowed_updates": KINDS}
        answer = await self.telegram.post(f"/bot{self.token}/getUpdates", json=asked)
        updates: list[Json] = answer.raise_for_status().json()["result"]
        if updates:
            self.offset = updates[-1]["update_id"] + 1


@asynccontextmanager
async def backend(
    cloud: LocalCloud, model_url: str, project: str, firestore: LocalCloud | None = None
) -> AsyncIterator[HarnessBackend]:
    """Make the backend of one module: its own bot, and adapters over its project.

    `firestore` is a cloud whose Firestore is used instead of this one's.
    """
    number = 900_000_000 + os.getpid() * 100 + next(_numbers)
    token = f"{number}:{'x' * 35}"
    channel = TelegramChannel(token, cloud.telegram_url)
    gemini = GeminiModel("scripted", "no-key", model_url, 30.0, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIRESTORE_EMULATOR_HOST", (firestore or cloud).firestore_host)
        chats, inbox = FirestoreChats(project), FirestoreInbox(project)
    async with httpx.AsyncClient(base_url=cloud.telegram_url, timeout=30) as telegram:
        found = HarnessBackend(chats, inbox, channel, gemini, telegram, token, number, f"house{number}_bot")
        await found.make("bots", token=token, first_name="lull", username=found.username, privacy=False)
        yield found
    await channel.aclose()
    await gemini.api.aclose()
    for client in (chats.client, inbox.client):
        _close(client)


@dataclass
class ChatHarness:
    """One chat of one person with the agent of the house."""

    key: ChatKey
    chat: str
    person: int
    others: list[int]
    backend: HarnessBackend
    steps: Steps
    clock: Clock
    receiver: UpdateReceiver
    tick_services: TickServices
    queue: PausedQueue
    model: Model
    #: the message id of the last message
    message_id: int = 0

    async def writes(self, text: str, **more: Any) -> list[int]:
        """Write as the person, or as `from`, and deliver to the webhook. Returns the ids of the updates."""
        body = {"from": self.person, "text": text, **more}
        answer = await self.backend.telegram.post(f"/world/chats/{self.chat}/messages", json=body)
        self.message_id = answer.raise_for_status().json()["message_id"]
        return await self.arrive()

    async def sends(self, kind: str, content: bytes, **more: Any) -> list[int]:
        """Send a file as the person, or as `from`, and deliver to the webhook. Returns the ids of the updates."""
        fields = {"from": self.person, **more}
        place, files = f"/world/chats/{self.chat}/messages", {kind: (f"{kind}.bin", content)}
        answer = await self.backend.telegram.post(place, data=fields, files=files)
        self.message_id = answer.raise_for_status().json()["messages"][-1]["message_id"]
        return await self.arrive()

    async def presses(self, message: Json, at: int, **more: Any) -> list[int]:
        """Press a button of a message as the person, or as `from`, and deliver to the webhook."""
        buttons = [button for row in message["buttons"] for button in row]
        body = {"from": self.person, "data": buttons[at]["data"], **more}
        place = f"/world/chats/{self.chat}/messages/{message['message_id']}/press"
        (await self.backend.telegram.post(place, json=body)).raise_for_status()
        return await self.arrive()

    async def arrive(self) -> list[int]:
        """Hand all pending updates to the code that the webhook calls."""
        asked = {"offset": self.backend.offset, "allowed_updates": KINDS}
        answer = await self.backend.telegram.post(f"/bot{self.backend.token}/getUpdates", json=asked)
        updates: list[Json] = answer.raise_for_status().json()["result"]
        for update in updates:
            self.backend.offset = update["update_id"] + 1
            await self.take(update)
        return [update["update_id"] for update in updates]

    async def take(self, update: Json) -> None:
        """Hand one raw update to the code that the webhook calls."""
        await receive(self.receiver, WebhookRequest(self.key.agent, json.dumps(update).encode(), self.clock.now))

    async def next_tick(self) -> Wake | None:
        """Run the tick that is due first, when it is due; as Cloud Tasks does, again if it fails."""
        wakes = await self.queue.wakes()
        if not wakes:
            return None
        self.clock.now = max(self.clock.now, wakes[0].at)
        try:
            await tick(self.tick_services, wakes[0])
        except (LullError, Killed):
            self.clock.now += timedelta(seconds=1)
        else:
            await self.queue.end(wakes[0])
        return wakes[0]

    async def rests(self, most: int = 40) -> list[Wake]:
        """Run all ticks until none is left; return their wakes."""
        ran: list[Wake] = []
        while (wake := await self.next_tick()) is not None:
            ran.append(wake)
            assert len(ran) <= most, [w.reason for w in ran]
        return ran

    async def said(self) -> list[str]:
        """List the texts of the agent's messages, oldest first."""
        return [message["text"] for message in await self.messages()]

    async def messages(self) -> list[Json]:
        """List the agent's messages, oldest first."""
        answer = await self.backend.telegram.get(f"/world/chats/{self.chat}/messages", params={"limit": 500})
        found: list[Json] = answer.raise_for_status().json()["messages"]
        return [m for m in found if m["from"] == self.backend.bot_id and not m["service"]]

    async def notices(self) -> list[str]:
        """List the notices after presses of buttons, oldest first."""
        answer = await self.backend.telegram.get("/world/calls", params={"method": "answerCallbackQuery"})
        calls = [c for c in answer.raise_for_status().json()["calls"] if c["bot_id"] == self.backend.bot_id]
        return [c["params"].get("text", "") for c in calls if c["ok"]]

    async def document(self) -> Chat:
        """Read the chat's document."""
        return (await self.backend.chats.see(self.key)).chat

    async def plan(self) -> Plan:
        """Read the standing or last plan."""
        found = await self.backend.chats.plan(self.key)
        assert found is not None
        return found

    async def transcript(self) -> list[Json]:
        """List all entries, in order."""
        pages = self.backend.chats.client.collection(f"conversations/{(await self.document()).conversation}/messages")
        found = await pages.order_by("first_seq").get()
        return [entry for page in found for entry in (page.to_dict() or {})["entries"]]

    async def incidents(self) -> list[Incident]:
        """List the incidents of this chat."""
        ours = self.backend.chats.client.collection("incidents").where(filter=FieldFilter("chat", "==", self.key.id))
        return [decode_incident(snapshot.to_dict()) for snapshot in await ours.get()]

    async def fault(self, **fields: Any) -> None:
        """Let the Bot API fail at calls about this chat."""
        body = {"chat_id": self.key.chat_id, **fields}
        (await self.backend.telegram.post("/world/faults", json=body)).raise_for_status()

    async def will_plan(self, *tasks: Json, **more: Any) -> None:
        """Script the model's next plan for this chat."""
        await self.model.will_plan(*tasks, match=f"chat_id={self.key.chat_id} ", **more)

    def by_day(self, zone: str) -> date:
        """Move the clock to noon of the next day in a zone (IANA) and return that day. At night, words mean
        other days.
        """
        day = self.clock.now.astimezone(ZoneInfo(zone)).date() + timedelta(days=1)
        self.clock.now = datetime.combine(day, time(12), ZoneInfo(zone)).astimezone(UTC)
        return day

    async def asked(self) -> list[str]:
        """List the turns of this chat's prompts, as text."""
        return [str(e["request"]["contents"]) for e in await self.model.asked(f"chat_id={self.key.chat_id} ")]


async def make_harness(backend: HarnessBackend, queue: PausedQueue, model: Model, **how: Any) -> ChatHarness:
    """Make a new room: an unknown person, whose chat has its own queue.

    `pace` and `zone` are the agent's. With `people`, the room is a group with so many more people, of the given `type`;
    `language` is that of all people. Rooms of one `bot` respect each other's flood waits, and have one owner. With
    `spending`, limits apply, and models have prices.
    """
    steps, clock = Steps(), Clock(datetime.now(UTC).replace(microsecond=0))
    speaks = {"language_code": how.get("language")}
    guests = [await backend.make("people", first_name=f"Guest {n}", **speaks) for n in range(1 + how.get("people", 0))]
    person, *others = (guest["id"] for guest in guests)
    chat = await _chat(backend, person, others, how.get("type", "supergroup"))
    judges = bool(how.get("judges"))
    chats, ticks, me = (
        WatchedChats(backend.chats, steps),
        WatchedQueue(queue, steps),
        _agent(backend, how.get("pace", ReplyPace.INSTANT), judges=judges, zone=how.get("zone", "UTC")),
    )
    web = WebChannel(agent="lull", screens=FirestoreScreens(backend.chats.client, clock), clock=clock)
    channel = WatchedChannel(AgentChannels(telegram=backend.channel, web=web), steps)
    gemini = WatchedModel(backend.gemini, steps)
    bot = f"{backend.username}-{how.get('bot', chat['key'])}"
    gate = FloodGate(FirestoreFloods(backend.chats.client), bot, clock)
    task, model_ticks = RetryBudget(tries=3, after=RETRY), RetryBudget(tries=4, after=RETRY)
    access_lists = SharedAccessLists(backend.chats.client, clock, bot)
    exports = FirestoreExports(backend.chats.client)
    ports = PortRegistry(
        {
            MessagingChannel: channel, FirestoreChats: chats,
            ClaimCode: ClaimCode(claim_code(SECRET, "lull", backend.bot_id)),
            FirestoreOwners: WatchedOwners(backend.chats.client, steps, bot),
            FirestorePeople: FirestorePeople(backend.chats.client),
            FirestoreConversations: FirestoreConversations(backend.chats.client),
            HttpReader: HttpReader(""), PrivacyFacts: PrivacyFacts(page="https://lull.example/privacy.html"),
            FirestoreMemories: FirestoreMemories(backend.chats.client),
            FirestoreOutbox: FirestoreOutbox(backend.chats.client),
            FirestoreReminders: FirestoreReminders(backend.chats.client),
            FirestoreAccessLists: access_lists,
            FirestoreInvitations: SharedInvitations(backend.chats.client, access_lists, bot),
            FirestoreAccessRequests: FirestoreAccessRequests(backend.chats.client), TickQueue: ticks,
            FirestoreDeletions: FirestoreDeletions(backend.chats.client, ticks.jobs),
            ExportService: ExportService(exports=exports, queue=ticks.jobs, is_open="takeout_bucket" in how),
            CachedLookups: CachedLookups(backend.chats.client, Fetcher({}), clock),
            RecallService: _recall(backend, channel, clock), FirestoreUsages: FirestoreUsages(backend.chats.client),
            WebSearch: GroundedSearch(_models(gemini), "scripted"),
        }
    )  # fmt: skip
    runner = PlanRunner(
        channel=channel, agent=me, chats=chats, gate=gate, budget=task, clock=clock, active=timedelta(minutes=2),
        ports=ports,
    )  # fmt: skip
    terms = how.get("spending")
    accounts = FirestoreAccounts(
        backend.chats.client, notice_writer=LimitNotices(owners=ports[FirestoreOwners], agents=["lull"])
    )
    names = ("gemini-3.8-flash", "gemini-3.5-flash-lite") if terms else ("scripted", "scripted-lite")
    replier = Replier(
        toolbox=Toolbox(ports=ports),
        models=_models(gemini, *names), offered_models={name: ModelNotes() for name in names}, agent=me,
        format=PromptFormat.META, clock=clock,
        compressions=FirestoreCompressions(backend.chats.client) if how.get("compresses") else None,
        lookup=SceneLookup(
            channel=channel, entities=FirestoreEntities(backend.chats.client), people=ports[FirestorePeople],
            access_lists=ports[FirestoreAccessLists],
        ),
        memory_loader=MemoryLoader(memories=ports[FirestoreMemories]),
    )  # fmt: skip
    services = AgentServices(
        media=_media(backend, how["files"], clock) if "files" in how else None,
        chats=chats, queue=ticks, replier=replier, runner=runner, dispatcher=Dispatcher(ports=ports),
        follow_up=timedelta(minutes=1), clock=clock, owners=ports[FirestoreOwners],
        budget_backend=BudgetBackend(accounts=accounts, terms=terms, access_lists=access_lists, clock=clock)
        if terms else None,
        budgets=RetryBudgets(model=model_ticks, task=task),
        judge_settings=JudgeSettings(model="judge", timeout_s=10) if judges else None,
    )  # fmt: skip
    tick_services = TickServices(
        chats=chats, queue=ticks, agents={"lull": services}, quiet=QUIET,
        longest_wait=timedelta(seconds=10), lease=LEASE, window_entries=50, rest=timedelta(minutes=10), clock=clock,
    )  # fmt: skip
    receiver = UpdateReceiver(
        inbox=backend.inbox, queue=WatchedQueue(queue, Steps()),
        names={"lull": AgentNames(usernames=(backend.username,), called=("lull",))}, quiet=QUIET,
        later=timedelta(minutes=1),
    )  # fmt: skip
    await backend.forget_updates()
    key = ChatKey(agent="lull", chat_id=chat["id"])
    return ChatHarness(key, chat["key"], person, others, backend, steps, clock, receiver, tick_services, queue, model)


def _media(backend: HarnessBackend, files: PausedQueue, clock: Clock) -> MediaServices:
    """Make the services for files; `files` is the queue of files to describe."""
    return MediaServices(
        descriptions=KnownMedia(
            agent="lull", curated={}, kept=FirestoreDescriptions(backend.chats.client, clock), requests=None,
            clock=clock,
        ),
        jobs=files.media_jobs(),
        is_describing=True, is_seeing=True, budget=2, wait=timedelta(seconds=20), looks_s=(0.0,),
    )  # fmt: skip


def watched_model(harness: ChatHarness) -> WatchedModel:
    """Wrap the model of a room, so that a test can replace its steps."""
    models = harness.tick_services.agents["lull"].replier.models
    assert isinstance(models, MeteredModels)
    model = models.by_name["scripted"]
    assert isinstance(model, WatchedModel)
    return model


def _recall(backend: HarnessBackend, channel: WatchedChannel, clock: Callable[[], datetime]) -> RecallService:
    client = backend.chats.client
    visible_chats = VisibleChatsFinder(
        memberships=FirestoreMemberships(client), channel=channel, owners=FirestoreOwners(client), clock=clock
    )
    search = Search(segments=FirestoreSegments(client))
    return RecallService(visible_chats=visible_chats, searcher=search, stored_turns=FirestoreTurns(client))


def _models(gemini: WatchedModel, name: str = "scripted", lite: str = "scripted-lite") -> MeteredModels:
    """Make the model and a smaller one, under names with or without a price."""
    behind = {one: WatchedModel(gemini.behind.named(one), gemini.steps) for one in (name, lite) if one != "scripted"}
    return MeteredModels({"scripted": gemini, "judge": gemini} | behind)


def _agent(backend: HarnessBackend, pace: ReplyPace, *, judges: bool, zone: str) -> Agent:
    found = agent(pace, roles=(RolePrompt(name="chat", text="Answer with a plan.", unlocks=KINDS_OF_TASK),))
    front = evolve(found.front, username=backend.username, judge=judges, timezone=zone)
    return evolve(found, front=front)


async def _chat(backend: HarnessBackend, person: int, others: list[int], kind: str) -> Json:
    if not others:
        return await backend.make("chats", type="private", person_id=person, bot_id=backend.bot_id)
    members = [person, *others]
    return await backend.make("chats", type=kind, title="A room", members=members, bots=[backend.bot_id])


def _close(client: Any) -> None:
    client.close()  # the official client has no types
