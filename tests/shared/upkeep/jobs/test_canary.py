"""A canary through the local cloud, with every part of its path working, and with each one broken."""

from dataclasses import replace

import httpx
import pytest

from shared.cloud.deployed_functions import DeployedFunctions
from shared.upkeep.jobs.canary import Canary, send_canary
from shared.upkeep.store.canaries import FirestoreCanaries
from shared.values.canary import CanaryReport, CanaryStep, StepResult
from shared.wiring import now
from tests.stories.play import Sandbox

NOBODY = "http://127.0.0.1:1"
#: of one agent
WHOLE = [CanaryStep.DOOR, CanaryStep.WEBHOOK, CanaryStep.STORE, CanaryStep.TICK, CanaryStep.SWEEP]


def doors(sandbox: Sandbox, webhook: str = "", summarize: str = "") -> DeployedFunctions:
    functions = {name: sandbox.cloud.url(name) for name in ("tick", "describe_media", "erase")}
    return DeployedFunctions(webhook or sandbox.cloud.webhook_url, summarize or sandbox.cloud.summarize_url, functions)


def way(report: CanaryReport) -> list[StepResult]:
    """Return the results of lull's canary, without the probes."""
    return [seen for seen in report.steps if seen.agent == "lull" and seen.step in WHOLE]


def canary(sandbox: Sandbox) -> Canary:
    return Canary(
        doors=doors(sandbox),
        kept=FirestoreCanaries(sandbox.cloud.project),
        agents=["lull"],
        secret=sandbox.cloud.webhook_secret,
        clock=now,
    )


def failures(report: CanaryReport) -> dict[CanaryStep, str]:
    return {seen.step: seen.said for seen in report.steps if not seen.is_well}


async def test_it_sees_every_step(sandbox: Sandbox) -> None:
    report = await send_canary(canary(sandbox))
    assert [seen.step for seen in way(report)] == WHOLE
    assert report.is_well, failures(report)
    assert [seen.ms for seen in way(report)] == sorted(seen.ms for seen in way(report))


async def test_a_webhook_with_another_secret_is_told(sandbox: Sandbox) -> None:
    report = await send_canary(replace(canary(sandbox), secret="another"))
    assert "refuses its own secret (401)" in failures(report)[CanaryStep.WEBHOOK]
    assert [seen.step for seen in way(report)] == [CanaryStep.DOOR, CanaryStep.WEBHOOK, CanaryStep.SWEEP]


async def test_an_agent_that_the_webhook_does_not_know_is_told(sandbox: Sandbox) -> None:
    report = await send_canary(replace(canary(sandbox), agents=["nobody", "lull"]))
    assert [(s.agent, s.step) for s in report.steps if not s.is_well] == [("nobody", CanaryStep.WEBHOOK)]


async def test_a_webhook_that_is_away_is_told_and_the_sweep_is_run_all_the_same(sandbox: Sandbox) -> None:
    report = await send_canary(replace(canary(sandbox), doors=doors(sandbox, webhook=NOBODY)))
    assert list(failures(report)) == [CanaryStep.DOOR, CanaryStep.WEBHOOK]
    assert all("ConnectError" in said for said in failures(report).values())


async def test_another_database_than_the_webhooks_is_told(sandbox: Sandbox) -> None:
    report = await send_canary(replace(canary(sandbox), kept=FirestoreCanaries("another-project")))
    assert "do not use the same project" in failures(report)[CanaryStep.STORE]


async def test_a_paused_queue_is_told(sandbox: Sandbox) -> None:
    async with httpx.AsyncClient(base_url=sandbox.cloud.tasks_control_url, timeout=30) as control:
        (await control.post(f"/v2/{sandbox.cloud.queue}:pause")).raise_for_status()
        try:
            report = await send_canary(replace(canary(sandbox), patience_s=1.0))
        finally:
            (await control.post(f"/v2/{sandbox.cloud.queue}:resume")).raise_for_status()
    assert "no tick came within 1 s: the queue is paused" in failures(report)[CanaryStep.TICK]


async def test_no_secret_is_in_what_is_shown(sandbox: Sandbox) -> None:
    assert sandbox.cloud.webhook_secret not in repr(canary(sandbox))


async def test_what_all_agents_meet_is_one_line_of_the_log(sandbox: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    lost = replace(canary(sandbox), doors=doors(sandbox, summarize=NOBODY), agents=["lull", "moss"])
    with caplog.at_level("ERROR", logger="lull"):
        await send_canary(lost)
    told = [record.getMessage() for record in caplog.records if record.name == "lull"]
    assert [one.split(": ")[:2] for one in told] == [["the canary failed", "sweep"]]
