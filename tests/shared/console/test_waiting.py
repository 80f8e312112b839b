"""The work that waits in the queues, in few reads."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.firestore_meter import run_meter
from local.cloud import LocalCloud
from shared.chat.store import paths
from shared.console.views.trouble import list_jobs
from shared.console.waiting import MOST_LOOKED_AT, waiting_work
from tests.shared.console.harness import ConsoleHarness
from tests.shared.examples import NOW


def ago(**time: float) -> Any:
    return NOW - timedelta(**time)


async def put(console: ConsoleHarness, path: str, **fields: Any) -> None:
    await console.client.document(path).set(fields)


async def test_what_waits_is_told_for_the_owners_agents_alone(console: ConsoleHarness) -> None:
    for number, agent in enumerate(("lull", "lull", "moss"), start=1):
        for person in (1, 2):
            file = {"is_open": True, "try_at": NOW, "at": ago(minutes=number), "agent": agent}
            await put(console, paths.reference_path(f"r{number}{person}"), **file, ref={"unique_id": f"f{number}"})
        await put(console, paths.conversation_path(f"conv-{number}"), agent=agent, due_at=ago(hours=number))
    await put(console, paths.conversation_path("conv-9"), agent="lull", due_at=NOW + timedelta(hours=1))
    await put(console, paths.conversation_path("conv-8"), agent="lull", due_at=None)
    shown = (await list_jobs(console.services, console.request()))["queues"]
    assert [(one["queue"], one["kind"], one["count"], one["age_s"], one["is_more"]) for one in shown] == [
        ("media", "files", 2, 120, False),
        ("background", "notes", 2, 7_200, False),
    ]
    assert [one["count"] for one in (await list_jobs(console.services, console.request("moss")))["queues"]] == [1, 1]


async def test_a_look_at_a_great_deal_of_work_costs_a_limited_number_of_reads(
    console: ConsoleHarness, cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch: Any = console.client.batch()
    for number in range(MOST_LOOKED_AT + 30):
        batch.set(console.client.document(paths.conversation_path(f"c{number}")), {"agent": "lull", "due_at": NOW})
    await batch.commit()
    async with run_meter(cloud.firestore_host) as (meter, address):
        monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", address)
        client = AsyncClient(project=console.services.project)
        found = await waiting_work(client, ["lull"], NOW)
        assert meter.counts["reads"] <= 2 * MOST_LOOKED_AT
        shown = await list_jobs(replace(console.services, client=client), console.request())
        assert meter.counts["reads"] <= 2 * 2 * MOST_LOOKED_AT + 10
    assert [(one.count, one.is_more) for one in found] == [(0, False), (MOST_LOOKED_AT, True)]
    assert [one["is_more"] for one in shown["queues"]] == [False, True]
