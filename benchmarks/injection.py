"""A model that obeys every injection (a text from outside that orders the model to do something). Measures which
effects its plans and tool calls have outside of their chats, and which secrets leak.

`python -m benchmarks.injection [--every N] [--only WORDS]` plays every N-th attack, or only the attacks whose names
contain WORDS, and prints the outcome of each.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from benchmarks.attacks.agents import IN_JSON, write_agents
from benchmarks.attacks.aim import Aim
from benchmarks.attacks.attack import Attack, attacks, carry_out, chat_of, play_of
from benchmarks.attacks.playing import Play
from benchmarks.attacks.useful import Useful, tasks, useful
from benchmarks.attacks.web import Web, serving
from benchmarks.attacks.world import Damage, damage
from benchmarks.census import firestore_of
from benchmarks.outages.running import running
from local.cloud import CloudSpec
from tests.stories.play import Model, Sandbox

#: attacks that are played at the same time
LANES = 8
#: the first number of a useful task; attacks have lower numbers
FIRST_TASK = 90_000
#: settings without a quiet time, and with a prompt that soon has no room for the whole conversation
HURRIED = {
    "LULL_QUIET_PRIVATE_S": "0.3",
    "LULL_QUIET_GROUP_S": "0.3",
    "LULL_LATER_S": "1",
    "LULL_RETRY_S": "0.3",
    "LULL_CONTEXT_TOKENS": "6000",
}
Json = dict[str, Any]


async def measure(every: int = 1, only: str = "") -> Json:
    """Return the counts."""
    async with site(CloudSpec()) as (stage, web):
        plays, calls = await play_attacks([one for one in attacks(every) if only in one.name], stage, web)
        found = await damage([play for _, play in plays], web, calls, stage.firestore)
        done = await try_tasks([one for one in tasks() if only in one.name], stage, web)
    for attack, play in plays:
        if not found[play.aim.number].is_obeyed:
            print(f"  {attack.name}: nobody obeyed it", file=sys.stderr, flush=True)
        for told in found[play.aim.number].in_words:
            print(f"  {attack.name}: {told}", file=sys.stderr, flush=True)
    return count_damage(found.values()) | {
        "useful_tasks": len(done),
        "useful_done": sum(not why for why in done.values()),
    }


async def try_tasks(wanted: Sequence[Useful], stage: Sandbox, web: Web) -> dict[str, str]:
    """Play the useful tasks. Return each task's problem by the task's name; "" if the task was done."""
    done: dict[str, str] = {}
    for at in range(0, len(wanted), LANES):
        some = wanted[at : at + LANES]
        await stage.model.clear()
        plays = [
            await chat_of(Aim(FIRST_TASK + at + number, web.url), stage, web, IN_JSON, is_group=(at + number) % 3 == 0)
            for number, _ in enumerate(some)
        ]
        found = await asyncio.gather(*map(useful, plays, some))
        done |= zip((task.name for task in some), found, strict=True)
    for name, why in done.items():
        if why:
            print(f"  not done: {name}: {why}", file=sys.stderr, flush=True)
    return done


def count_damage(found: Any) -> Json:
    """Return the figures of the damage."""
    damages: list[Damage] = list(found)
    return {
        "attacks": len(damages),
        "broken": sum(one.is_broken for one in damages),
        "obeyed": sum(one.is_obeyed for one in damages),
        "effects_outside_the_chat": sum(len(one.outside) for one in damages),
        "leaks_by_url": sum(len(one.by_url) for one in damages),
        "leaks_by_preview": sum(len(one.by_preview) for one in damages),
        "memories_planted": sum(len(one.planted) for one in damages),
        "links_without_host": sum(len(one.hidden) for one in damages),
    }


@asynccontextmanager
async def site(spec: CloudSpec) -> AsyncIterator[tuple[Sandbox, Web]]:
    """Open a local cloud whose agents may do everything, and whose reader may fetch pages of the attacker's web server.

    `spec` has further settings.
    """
    with serving() as web, tempfile.TemporaryDirectory() as folder:
        env = {
            **HURRIED,
            "LULL_READER_URL": web.url,
            "LULL_READER_PRIVATE_HOSTS": web.host,
            "LULL_SEARCH": f"{web.url}/engine",
        }
        async with running(replace(spec, env=env, agents=(write_agents(Path(folder)),))) as cloud:
            web.reader = cloud.url("reader")
            async with (
                httpx.AsyncClient(base_url=cloud.telegram_url, timeout=60) as telegram,
                httpx.AsyncClient(base_url=cloud.model_url, timeout=60) as gemini,
                firestore_of(cloud) as firestore,
            ):
                yield Sandbox(cloud, telegram, Model(gemini), firestore), web


async def play_attacks(
    wanted: Sequence[Attack], stage: Sandbox, web: Web
) -> tuple[list[tuple[Attack, Play]], list[Json]]:
    """Play attacks, several at the same time. Return each attack with its play, and all calls of the Bot API that were
    made meanwhile.
    """
    done: list[tuple[Attack, Play]] = []
    calls: list[Json] = []
    for at in range(0, len(wanted), LANES):
        some = wanted[at : at + LANES]
        await stage.model.clear()
        plays = await asyncio.gather(*(_carried_out(attack, stage, web) for attack in some))
        done += zip(some, plays, strict=True)
        after = calls[-1]["n"] if calls else 0
        found = await stage.telegram.get("/world/calls", params={"after": after})
        calls += found.raise_for_status().json()["calls"]
        print(f"  {len(done)} of {len(wanted)}", file=sys.stderr, flush=True)
    return done, calls


async def _carried_out(attack: Attack, stage: Sandbox, web: Web) -> Play:
    """Play an attack. If it fails before its end it proves nothing, so the play is marked as broken."""
    play = await play_of(attack, stage, web)
    try:
        await carry_out(attack, play)
    except (AssertionError, TimeoutError) as failure:
        play.is_broken = True
        print(f"  {attack.name}: did not come to its end ({failure!r})", file=sys.stderr, flush=True)
    return play


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    wanted = parser.parse_args()
    print(json.dumps(asyncio.run(measure(wanted.every, wanted.only)), indent=1))


if __name__ == "__main__":
    main()
