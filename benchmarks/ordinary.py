"""Ordinary talks, with a model that does what people ask. Measures how often a task waits for a button press although
nobody attacks, and whether facts are remembered and found.

`python -m benchmarks.ordinary [--talks N] [--seed N] [--only WORDS] [--numbers N,N]` plays N talks, or only the talks
whose names contain WORDS, or the talks with the given numbers, and prints the problems. The aims: no task waits for a
press, and no fact is lost.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import httpx

from benchmarks.attacks.agents import write_agent
from benchmarks.census import firestore_of
from benchmarks.outages.running import running
from benchmarks.talks.playing import Outcome, Site, play_talk
from benchmarks.talks.talk import Talk, talks
from local.cloud import CloudSpec
from shared.wiring.settings.model_functions import LITE
from tests.stories.play import Model, Sandbox

#: number of agents. Each agent has one talk at a time, since each talk gives the agent another owner
LANES: Final = 8
TALKS: Final = 200
#: number of talks in one local cloud, after which another cloud is opened. A query of the Firestore emulator reads
#: every document ever written. So after some 180 talks, most checks would be slower than the work that they wait for
OF_ONE_SITE: Final = 40
HURRIED: Final = {
    "LULL_QUIET_PRIVATE_S": "0.3",
    "LULL_QUIET_GROUP_S": "0.3",
    "LULL_LATER_S": "1",
    "LULL_RETRY_S": "0.3",
    "LULL_OPEN": "no",
    "LULL_MEDIA_MODEL": LITE,
    "LULL_EARLY_TITLES": "no",
    "LULL_JUDGE_MODEL": "no",
}
Json = dict[str, Any]


async def measure(most: int = TALKS, seed: int = 1, only: str = "", numbers: frozenset[int] = frozenset()) -> Json:
    """Return the counts. Without `numbers`, all talks are played."""
    wanted = [one for one in talks(most, seed) if only in one.name and (not numbers or one.number in numbers)]
    found = list[Outcome]()
    for begin in range(0, len(wanted), OF_ONE_SITE):
        async with site(CloudSpec()) as place:
            found += await hold_talks(wanted[begin : begin + OF_ONE_SITE], place)
    return count_outcomes(found)


def count_outcomes(found: Sequence[Outcome]) -> Json:
    """Return the figures of the outcomes."""
    figures: Json = {
        "talks": len(found),
        "taps": sum(len(one.taps) for one in found),
        "remembered": sum(one.is_remembered for one in found),
        "used_later": sum(one.is_used_later for one in found),
        "recalled": sum(one.is_recalled for one in found),
        "deeds": sum(one.talk.deed is not None for one in found),
        "done": sum(one.is_done for one in found),
        "abusers": sum(one.talk.has_abuser for one in found),
        "blocked": sum(one.is_blocked for one in found),
        "broken": sum(bool(one.broken) for one in found),
    }
    return {**figures, "unmet": any(True for one in found for _ in one.missing)}


@asynccontextmanager
async def site(spec: CloudSpec, lanes: int = LANES) -> AsyncIterator[Site]:
    """Open a local cloud in which files are described, with `lanes` agents that answer only people whom their owner
    admits. `spec` has further settings.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name in _agents(lanes):
            write_agent(Path(folder) / name)
        async with (
            running(replace(spec, env=HURRIED, agents=(Path(folder),))) as cloud,
            httpx.AsyncClient(base_url=cloud.telegram_url, timeout=60) as telegram,
            httpx.AsyncClient(base_url=cloud.model_url, timeout=60) as gemini,
            firestore_of(cloud) as firestore,
        ):
            place = Site(Sandbox(cloud, telegram, Model(gemini), firestore))
            await place.begin()
            yield place


async def hold_talks(wanted: Iterable[Talk], place: Site) -> list[Outcome]:
    """Play talks, several at the same time, and return their outcomes. The problems of a talk are printed as soon as it
    ends.
    """
    left, done = list(wanted)[::-1], list[Outcome]()
    most = len(left)
    lanes = list(place.stage.cloud.agents)

    async def lane(agent: str) -> None:
        while left:
            outcome = await play_talk(left.pop(), place, agent)
            done.append(outcome)
            told = [f"{outcome.talk.name}: {missing}" for missing in outcome.missing]
            print("\n  ".join((f"  {len(done)} of {most}", *told)), file=sys.stderr, flush=True)

    await asyncio.gather(*map(lane, lanes))
    return sorted(done, key=lambda one: one.talk.number)


def _agents(lanes: int) -> list[str]:
    return [f"hearth{number}" for number in range(lanes)]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--talks", type=int, default=TALKS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--numbers", default="", help="with commas between them")
    wanted = parser.parse_args()
    numbers = frozenset(int(number) for number in wanted.numbers.split(",") if number)
    print(json.dumps(asyncio.run(measure(wanted.talks, wanted.seed, wanted.only, numbers)), indent=1))


if __name__ == "__main__":
    main()
