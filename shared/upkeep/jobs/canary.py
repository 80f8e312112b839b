"""Sends the canary: a test update that takes the same path as a person's message. Each step of the path is checked.

The path is: webhook without its secret → webhook → Firestore → queue → tick → sweep. Telegram is also asked for the
address to which it sends updates. Meanwhile each function probes the services that it needs (`probe.py`): models,
Telegram, reading, describing, erasing, buckets.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from shared.base.errors import ChannelError
from shared.base.logs import about, log
from shared.upkeep.jobs.register import Registrar, mend_webhook
from shared.values.canary import (
    DEAR,
    NOT_ASKED,
    CanaryReport,
    CanaryStep,
    CanaryTrace,
    FunctionAnswer,
    ProbeOrder,
    ProbeReport,
    ProbeResult,
    StepResult,
    canary_body,
)
from shared.values.chat_key import ChatKey

if TYPE_CHECKING:
    from shared.cloud.deployed_functions import DeployedFunctions
    from shared.upkeep.store.canaries import FirestoreCanaries


#: time between two checks of the expensive steps, as long as they succeed
THOROUGH_AFTER: Final = timedelta(days=7)


@dataclass(frozen=True, kw_only=True)
class Canary:
    """The dependencies of a canary: connections and settings.

    `patience_s` is how long a tick may take, including a cold start and a retry of its task. `registrar` checks and
    corrects each bot's webhook; if it is None, webhooks are not checked.
    """

    doors: DeployedFunctions
    kept: FirestoreCanaries
    agents: Collection[str]
    secret: str = field(repr=False)
    clock: Callable[[], datetime]
    registrar: Registrar | None = None
    webhook_url: str = ""
    patience_s: float = 60.0
    look_every_s: float = 0.5


async def send_canary(canary: Canary) -> CanaryReport:
    """Send a canary to every agent; store and return the report. Raises StoreUnavailable or StoreRefused."""
    at = canary.clock()
    thorough_at = await canary.kept.thorough_at()
    is_thorough = thorough_at is None or at - thorough_at >= THOROUGH_AFTER
    parts, *ways = await asyncio.gather(
        probe_parts(canary.doors, str(int(at.timestamp() * 1000)), is_thorough=is_thorough),
        *(_AgentCanary(canary, agent, at).go() for agent in sorted(canary.agents)),
    )
    # the next canary checks an expensive step again that failed, or was skipped because of a spending limit
    if is_thorough and all(s.is_well and NOT_ASKED not in s.said for s in parts if s.step in DEAR | {CanaryStep.TICK}):
        thorough_at = at
    steps = tuple(seen for way in (*ways, parts) for seen in way)
    report = CanaryReport(at=at, steps=steps, thorough_at=thorough_at)
    await canary.kept.keep(report)
    _tell(report)
    return report


def _tell(report: CanaryReport) -> None:
    lost: dict[tuple[CanaryStep, str], list[str]] = {}
    for seen in report.steps:
        if not seen.is_well:
            lost.setdefault((seen.step, seen.said), []).append(seen.agent)
    for (step, said), agents in lost.items():  # a failure that all agents share is one log line
        with about(agent=", ".join(filter(None, agents))):
            log(f"the canary failed: {step}: {said}", logging.ERROR, step=step.value)
    if report.is_well:
        log("the canary passed", ms=max(seen.ms for seen in report.steps))


class _AgentCanary:
    """The canary of one agent."""

    def __init__(self, canary: Canary, agent: str, at: datetime) -> None:
        self._canary, self._agent = canary, agent
        # made from the time, so that a repeated run sends a new update
        self._update_id = int(at.timestamp() * 1000)
        self._key = ChatKey(agent=agent, chat_id=0)
        self._began = time.monotonic()
        self._seen: list[StepResult] = []

    async def go(self) -> list[StepResult]:
        """Run every step. After a failure, the steps that depend on it are skipped, but the sweep is still checked."""
        doors, body = self._canary.doors, canary_body(self._update_id)
        self._note(CanaryStep.DOOR, of_answer(CanaryStep.DOOR, await doors.webhook(self._agent, body, "")))
        before = await self._trace()
        delivered = await doors.webhook(self._agent, body, self._canary.secret)
        if self._note(CanaryStep.WEBHOOK, of_answer(CanaryStep.WEBHOOK, delivered)):
            await self._follow(before)
        self._note(CanaryStep.SWEEP, of_answer(CanaryStep.SWEEP, await doors.sweep()))
        if self._canary.registrar is not None:
            self._note(CanaryStep.ADDRESS, await self._address(self._canary.registrar))
        return self._seen

    async def _address(self, registrar: Registrar) -> tuple[bool, str]:
        """Check that Telegram sends the bot's updates here, and correct the webhook if it does not."""
        try:
            return await mend_webhook(registrar, self._agent, f"{self._canary.webhook_url.rstrip('/')}/{self._agent}")
        except ChannelError as error:
            return False, f"Telegram did not report where updates go: {error}"

    async def _follow(self, before: CanaryTrace) -> None:
        if self._note(CanaryStep.STORE, of_store(await self._trace())):
            self._note(CanaryStep.TICK, of_tick(await self._read(), before, self._canary.patience_s))

    async def _read(self) -> CanaryTrace:
        """Wait until a tick has read the canary, but at most `patience_s`; return the canary's trace."""
        until = time.monotonic() + self._canary.patience_s
        while True:
            trace = await self._trace()
            if trace.is_read or time.monotonic() >= until:
                return trace
            await asyncio.sleep(self._canary.look_every_s)

    async def _trace(self) -> CanaryTrace:
        return await self._canary.kept.trace(self._key, self._update_id)

    def _note(self, step: CanaryStep, found: tuple[bool, str]) -> bool:
        is_well, said = found
        ms = int((time.monotonic() - self._began) * 1000)
        self._seen.append(StepResult(agent=self._agent, step=step, is_well=is_well, said=said, ms=ms))
        return is_well


#: The functions that probe, in groups that run one after the other: a file must be stored before it is read, and read
#: before it is deleted. Each function has the step that counts as failed if the function does not report.
STAGES: Final[Sequence[dict[str, CanaryStep]]] = (
    {"describe_media": CanaryStep.DESCRIBING, "summarize": CanaryStep.SWEEP},
    {"tick": CanaryStep.TICK},
    {"erase": CanaryStep.ERASING},
)


async def probe_parts(doors: DeployedFunctions, run: str, *, is_thorough: bool = False) -> Sequence[StepResult]:
    """Let every function probe the services that it needs; return the results in the order of the steps.

    `is_thorough`: whether the expensive models are called, too.
    """
    began, seen = time.monotonic(), list[tuple[ProbeResult, int]]()
    for stage in STAGES:
        order = ProbeOrder(
            job="probe", run=run, has_takeout=_is_well(CanaryStep.EXPORTS, seen), is_thorough=is_thorough
        )
        answers = await asyncio.gather(*(doors.probe(function, order) for function in stage))
        ms = int((time.monotonic() - began) * 1000)
        for step, answer in zip(stage.values(), answers, strict=True):
            seen += [(one, ms) for one in _results_of(step, answer)]
    return list(_merge_results(seen))


def _is_well(step: CanaryStep, seen: Sequence[tuple[ProbeResult, int]]) -> bool:
    found = [one.is_well for one, _ in seen if one.step is step]
    return bool(found) and all(found)


def _results_of(step: CanaryStep, answer: FunctionAnswer) -> Sequence[ProbeResult]:
    """Return the results that a function reported or, if it did not report, one failure of `step`."""
    if answer.status == 200:
        try:
            return ProbeReport.model_validate_json(answer.said).probed
        except ValidationError:
            answer = FunctionAnswer(status=400)
    return [ProbeResult(step=step, is_well=False, said=of_no_probe(answer))]


def _merge_results(seen: Sequence[tuple[ProbeResult, int]]) -> Iterator[StepResult]:
    """Yield one result for each step and agent. Its text joins all failures or, if there are none, all successes."""
    order = list(CanaryStep)
    ordered = sorted(seen, key=lambda one: (order.index(one[0].step), one[0].agent))
    for (step, agent), group in groupby(ordered, key=lambda one: (one[0].step, one[0].agent)):
        found = list(group)
        wrong = [one.said for one, _ in found if not one.is_well]
        said = "; ".join(wrong or [one.said for one, _ in found])
        yield StepResult(agent=agent, step=step, is_well=not wrong, said=said, ms=max(ms for _, ms in found))


#: the meaning of an HTTP status at any step
EVERYWHERE = {
    None: "there is no answer ({said}): the function is not deployed at the configured address, or does not start",
    403: "access is refused (403): the role roles/run.invoker is missing, or an organisation's policy forbids it; "
    "`make deploy` grants it",
    429: "there is no free instance (429): max_instances is too low, or instances do not start; see the function's log",
    500: "it fails (500): the function's log names Firestore, Cloud Tasks or a setting",
    503: "it does not start (503): a setting or a secret is missing, or an import fails; see the function's log",
    504: "it takes too long (504): Firestore or Cloud Tasks is slow; see the function's log",
}
#: the meaning of an HTTP status at one step
AT_STEP = {
    (
        CanaryStep.DOOR,
        200,
    ): "it accepts updates without the secret (200): another program answers there, or LULL_WEBHOOK_SECRET is empty",
    (
        CanaryStep.WEBHOOK,
        401,
    ): "it refuses its own secret (401): an instance still has an older value; `make deploy` sends "
    "the same secret to every function and to Telegram",
    (
        CanaryStep.WEBHOOK,
        404,
    ): "it does not know the agent (404): LULL_AGENTS and the bundled personas differ; run `make deploy`",
    (CanaryStep.WEBHOOK, 413): "it refuses the body as too long (413): a proxy has made the body longer",
    (CanaryStep.SWEEP, 400): "it does not know the job `sweep` (400): an older version is deployed; run `make deploy`",
}
#: the HTTP status that is expected at each step
WANTED = {CanaryStep.DOOR: 401, CanaryStep.WEBHOOK: 200, CanaryStep.SWEEP: 200}
WELL = {
    CanaryStep.DOOR: "refused with 401",
    CanaryStep.WEBHOOK: "took the canary",
    CanaryStep.SWEEP: "ran",
}


def of_answer(step: CanaryStep, answer: FunctionAnswer) -> tuple[bool, str]:
    """Return whether a function's answer is the expected one at this step, and a sentence that explains it."""
    if answer.status == WANTED[step]:
        return True, WELL[step]
    known = AT_STEP.get((step, answer.status or 0)) or EVERYWHERE.get(answer.status)
    other = f"it answers {answer.status}: another program runs at that address"
    return False, (known or other).format(said=answer.said)


def of_no_probe(answer: FunctionAnswer) -> str:
    """Return the reason why a function did not report results of probes, derived from the answer's HTTP status."""
    known = EVERYWHERE.get(answer.status)
    if answer.status == 400:
        known = "it does not know its probes (400): an older version is deployed; run `make deploy`"
    other = f"it answers {answer.status}: another program runs at its address"
    return (known or other).format(said=answer.said)


def of_store(trace: CanaryTrace) -> tuple[bool, str]:
    """Return whether the canary is in the database, and a sentence that explains it."""
    if trace.received_at is not None:
        return True, "the canary is stored"
    return False, "the webhook accepted it, but it is not stored: the functions do not use the same project or database"


def of_tick(trace: CanaryTrace, before: CanaryTrace, waited_s: float) -> tuple[bool, str]:
    """Return whether a tick read the canary, and a sentence about it. `before` is the earlier trace, for comparison."""
    if trace.is_read:
        return True, "a tick read the canary"
    if trace.generation > before.generation:
        return False, (
            f"a tick took the chat and did not finish within {waited_s:.0f} s: it fails or hangs; look for "
            "`a tick failed` in its log"
        )
    return False, (
        f"no tick came within {waited_s:.0f} s: the queue is paused, its account may not call the tick, or "
        "the tick does not start; see the queue's tasks and the tick's log"
    )
