"""The queue of a measure has the deployed settings."""

import re
from pathlib import Path

from benchmarks.outages import queue
from benchmarks.town import town
from infra.functions import declared_functions
from local.cloud import LocalCloud
from local.processes import ROOT
from tests.forking import forked


def numbers(file: Path, block: str, names: str) -> dict[str, int]:
    """Return the numbers of a line `names = { a = 1, b = 2 }` inside the named block of a Terraform file."""
    found = re.search(rf"\b{block} = \{{.*?\b{names}\s*= \{{(.*?)\}}", file.read_text(), re.DOTALL)
    assert found
    return {name: int(number) for name, number in re.findall(r"(\w+) = (\d+)\b", found[1])}


def test_its_numbers_are_those_of_terraform() -> None:
    assert numbers(ROOT / "infra" / "queues.tf", "ticks", "retries") == {
        "attempts": queue.ATTEMPTS,
        "for_at_least_s": queue.FOR_AT_LEAST_S,
        "first_after_s": queue.FIRST_AFTER_S,
        "longest_after_s": queue.LONGEST_AFTER_S,
        "doublings": queue.DOUBLINGS,
    }
    assert declared_functions()["tick"].limits.concurrency == queue.AT_ONCE


async def test_the_cloud_gets_it() -> None:
    with LocalCloud(forked(parts=("telegram", "model", "cloud_tasks"))).running() as cloud:
        async with town(cloud) as place:
            await queue.make_as_deployed(place, instances=3)
            kept = (await place.tasks.get(f"/v2/{cloud.queue}")).raise_for_status().json()
    assert kept["rateLimits"]["maxConcurrentDispatches"] == 3 * queue.AT_ONCE
    assert kept["retryConfig"]["maxAttempts"] == queue.ATTEMPTS
    assert kept["retryConfig"]["maxBackoff"] == "300s"
    assert kept["retryConfig"]["minBackoff"] == "1s"
