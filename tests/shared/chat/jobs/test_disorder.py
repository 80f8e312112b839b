"""A state machine over one chat, on the real servers. Updates and tasks come in any order.

Each update is delivered one to five times at the same time. Tasks run early, late, again, out of order, and several at
the same time. Leases expire while ticks run. Ticks are killed between two steps. Telegram and Gemini fail. People write
again, edit, and ask the agent to stop. At the end nothing is lost, nothing was handled or sent twice, and the chat is
at rest.
"""

import asyncio
import json
import os
from collections import Counter
from contextlib import AsyncExitStack, suppress
from typing import Any

import httpx
from google.api_core.exceptions import NotFound
from google.cloud.tasks_v2 import CloudTasksAsyncClient
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from local.cloud import LocalCloud
from shared.base.errors import LullError
from shared.chat.jobs.receive import WebhookRequest, receive
from shared.cloud.cloud_tasks import _client
from shared.turn.jobs.tick import tick
from shared.values.incident import IncidentKind
from tests.shared.conftest import new_project
from tests.shared.examples import SECOND
from tests.shared.own_words import NO_MODEL, NO_PLAN, NOT_SENT, NOTHING_TO_STOP, STOPPED
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.harness import KINDS, ChatHarness, backend, make_harness
from tests.shared.turn.scenes import assert_at_rest
from tests.shared.turn.watched import Killed
from tests.stories.play import Model

OWN_WORDS = {STOPPED, NOTHING_TO_STOP, NOT_SENT, NO_MODEL, NO_PLAN}
PLANS = (
    ({"kind": "send", "text": "One."},),
    ({"kind": "send", "text": "One."}, {"kind": "send", "text": "Two."}),
    ({"kind": "send", "text": "One."}, {"kind": "wait", "seconds": 40}, {"kind": "send", "text": "Two."}),
    ({"kind": "send", "text": "long " * 900},),
)
TIMES = st.integers(1, 5)


class Disorder(RuleBasedStateMachine):
    """One chat, to which all these things may happen."""

    cloud: LocalCloud
    model_url: str

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.update_ids: list[int] = []
        self.here: ChatHarness = self.runner.run(self._open())

    async def _open(self) -> ChatHarness:
        harness = await self.stack.enter_async_context(backend(self.cloud, self.model_url, new_project()))
        http = await self.stack.enter_async_context(httpx.AsyncClient(base_url=self.model_url, timeout=30))
        client: CloudTasksAsyncClient = _client(self.cloud.tasks_address)
        self.stack.push_async_callback(client.transport.close)
        queue = await PausedQueue.make(client, self.cloud.queue.partition("/queues/")[0], self.cloud.tasks_address)
        return await make_harness(harness, queue, Model(http))

    @initialize(plan=st.sampled_from(PLANS))
    def scripted(self, plan: Any) -> None:
        """Script this plan as the answer to every request."""
        self.runner.run(self.here.will_plan(*plan, times=None))

    @rule(text=st.sampled_from(["hi", "and then?", "/stop"]), times=TIMES)
    def write(self, text: str, times: int) -> None:
        """Write a message that Telegram delivers `times` times at once."""
        self.runner.run(self._write({"text": text}, times))

    @rule(times=TIMES)
    def edit(self, times: int) -> None:
        """Edit the last message."""
        if self.here.message_id:
            self.runner.run(self._write({"text": "hello", "edit_of": self.here.message_id}, times))

    async def _write(self, body: dict[str, Any], times: int) -> None:
        telegram = self.here.backend.telegram
        answer = await telegram.post(f"/world/chats/{self.here.chat}/messages", json={"from": self.here.person, **body})
        self.here.message_id = answer.raise_for_status().json()["message_id"]
        asked = {"offset": self.here.backend.offset, "allowed_updates": KINDS}
        got = await telegram.post(f"/bot{self.here.backend.token}/getUpdates", json=asked)
        for update in got.raise_for_status().json()["result"]:
            self.here.backend.offset = update["update_id"] + 1
            self.update_ids.append(update["update_id"])
            arrival = WebhookRequest(self.here.key.agent, json.dumps(update).encode(), self.here.clock.now)
            await asyncio.gather(*(receive(self.here.receiver, arrival) for _ in range(times)))

    @rule(which=st.integers(0, 5), times=TIMES)
    def run(self, which: int, times: int) -> None:
        """Run one of the tasks, due or not, `times` times at once."""
        self.runner.run(self._run(which, times))

    @rule(which=st.integers(0, 5), at=st.integers(0, 14))
    def run_and_kill(self, which: int, at: int) -> None:
        """Run one of the tasks, and kill its process at step `at`."""
        self.here.steps.at, self.here.steps.happens = len(self.here.steps.taken) + at, _die
        self.runner.run(self._run(which, 1))
        self.here.steps.happens = None

    @rule(which=st.integers(0, 5), at=st.integers(0, 14))
    def run_and_stall(self, which: int, at: int) -> None:
        """Run one of the tasks, and stop it at step `at` for longer than its lease, while another task runs."""
        self.here.steps.at, self.here.steps.happens = len(self.here.steps.taken) + at, self._stall
        self.runner.run(self._run(which, 1))
        self.here.steps.happens = None

    async def _stall(self) -> None:
        self.here.clock.now += 61 * SECOND
        await self._run(0, 1)

    async def _run(self, which: int, times: int) -> None:
        wakes = await self.here.queue.wakes()
        if not wakes:
            return
        wake = wakes[which % len(wakes)]
        ended = await asyncio.gather(*(self._tick(wake) for _ in range(times)))
        if all(ended):
            with suppress(NotFound):  # the same task may have run again meanwhile
                await self.here.queue.end(wake)

    async def _tick(self, wake: Any) -> bool:
        try:
            await tick(self.here.tick_services, wake)
        except (LullError, Killed):
            return False
        return True

    @rule(seconds=st.sampled_from([1, 5, 30, 70]))
    def pass_time(self, seconds: int) -> None:
        """Let time pass."""
        self.here.clock.now += seconds * SECOND

    @rule(kind=st.sampled_from(["429", "500", "cut_before", "cut_after"]))
    def telegram_fails(self, kind: str) -> None:
        """Let Telegram fail when the next message is sent."""
        self.runner.run(self.here.fault(kind=kind, method="sendMessage", times=1))

    @rule()
    def gemini_fails(self) -> None:
        """Let the model be unreachable once."""
        match = f"chat_id={self.here.key.chat_id} "
        self.runner.run(self.here.model.will({"status": 500, "match": match}))

    def teardown(self) -> None:
        """Let everything come to rest, and check it."""
        try:
            self.runner.run(self._looked_at())
        finally:
            self.runner.run(self.stack.aclose())
            self.runner.close()

    async def _looked_at(self) -> None:
        if not self.update_ids:
            return
        await self.here.rests(most=200)
        await assert_at_rest(self.here, self.update_ids)
        unknown = sum(i.kind is IncidentKind.UNKNOWN_DELIVERY for i in await self.here.incidents())
        recorded = [e for e in await self.here.transcript() if e["type"] == "message" and e["author"]["is_agent"]]
        said = await self.here.said()
        assert len(recorded) <= len(said) <= len(recorded) + unknown, "everything that was sent is known"
        each = Counter((e["plan"], e["text"]) for e in recorded if e["text"] not in OWN_WORDS)
        assert max(each.values(), default=1) == 1, "no plan sent anything twice"


async def _die() -> None:
    raise Killed


def test_in_whatever_order(cloud: LocalCloud, model_url: str) -> None:
    examples = int(os.environ.get("LULL_EXAMPLES", "5"))
    machine = type("DisorderHere", (Disorder,), {"cloud": cloud, "model_url": model_url})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=14,
            deadline=None,
            # looking for a shorter way to a failure would take too long
            phases=[Phase.generate],
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
