"""The first impression that the small model makes: the time until its first answer after a start, and the quality of
its answers.

For comparison, the same weights answer the same moments with a short prompt instead of lull's (`benchmarks/plain.py`).
The measure runs only by name (`make bench NAME=small`), because it keeps both cores busy for half an hour and needs the
model's file. `python -m benchmarks.small [--only WORDS] [--first N] [--plain URL]` plays only some of the moments. With
`--plain`, the comparison asks the running model at URL.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import httpx

from benchmarks import plain
from benchmarks.moments import ANY_DAY, Moment, faults_of, is_for_later, moments
from benchmarks.town import Json, Town, town
from local.cloud import CloudSpec, LocalCloud
from local.model.chat_models import CODER
from local.model.download import models_folder
from local.parts import Backend
from local.processes import ROOT
from local.warming import warm
from shared.planning.personas.load import load_agents
from shared.reminders.times.said_time import said_time

AGENTS = (ROOT / "agents",)
LOOK_S = 0.1
#: number of words in a new prompt, and of tokens in an answer, to measure how fast the model reads and writes
READ_WORDS, WRITTEN_TOKENS = 300, 64
#: methods of the Bot API by which people see words of an answer
SHOWING = frozenset({"sendMessage", "sendMessageDraft"})


@dataclass(frozen=True)
class Outcome:
    """The faults of an answer, and the seconds until a person saw its first word (None if no word appeared)."""

    faults: Sequence[str]
    first_word_s: float | None


async def measure(only: str = "", first: int | None = None, plain_url: str = "") -> dict[str, object]:
    """Return the seconds to the first answer in a group after a first and after a second start; people write as soon as
    the model is loaded. Also return the results for lull's answers to the moments, and for the answers of the same
    model with a short prompt.
    """
    wanted = [moment for moment in moments() if only in moment.id][:first]
    with tempfile.TemporaryDirectory(prefix="lull-small-") as name:
        folder = Path(name)
        _link_model(folder / "models")
        with _cloud(folder) as cloud:
            async with town(cloud) as place:
                first_answer_s = await _first_answer(place)
        with _cloud(folder) as cloud:
            async with town(cloud) as place:
                after_restart_s = await _first_answer(place)
                speeds = await _speeds(place)
                lull = {
                    **_summary([await _outcome(place, one) for one in wanted]),
                    "hi_tokens": await _hi_tokens(place),
                }
    async with _plain_model(plain_url) as url:  # only after lull's answers, since each of the two takes all cores
        hi = await plain.ask(url, plain.turns_with("hi"))
        beside = {**_summary([await _plain_outcome(url, one) for one in wanted]), "hi_tokens": hi.prompt_tokens}
    return {
        "moments": len(wanted),
        "sensible": lull["sensible"],
        "first_answer_s": round(first_answer_s, 1),
        "after_restart_s": round(after_restart_s, 1),
        **speeds,
        "lull": lull,
        "plain": beside,
    }


def _summary(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return how many answers are sensible, how often each kind of fault occurs, and the median time to the first
    word.
    """
    faults = Counter(fault for outcome in outcomes for fault in outcome.faults)
    seconds = [outcome.first_word_s for outcome in outcomes if outcome.first_word_s is not None]
    return {
        "sensible": sum(not outcome.faults for outcome in outcomes),
        "faults": dict(faults.most_common()),
        "first_word_s": round(median(seconds), 1) if seconds else None,
    }


@asynccontextmanager
async def _plain_model(url: str) -> AsyncIterator[str]:
    """Yield `url`, the address of a running model. If it is empty, start a model and yield the address of that."""
    if url:
        yield url
        return
    async with plain.run_llama_cpp(models_folder() / CODER.file.file_name) as started:
        await plain.ask(started, plain.turns_with("hi"))
        yield started


async def _plain_outcome(url: str, moment: Moment) -> Outcome:
    answer = await plain.ask(url, plain.turns_of(moment))
    return _report("plain", moment, [{"kind": "send", "text": answer.text}] if answer.text else [], answer.first_word_s)


async def _hi_tokens(place: Town) -> int:
    """Return the number of tokens in the prompt for the message `hi` in a private chat."""
    person, before = await place.person("Eve"), len(await place.exchanges())
    await place.write(await place.private(person), person, "hi")
    await _await_plans(place, before)
    usage = (await place.exchanges())[before]["usage"]
    return int(usage.get("promptTokenCount") or usage.get("prompt_tokens") or 0)


def _link_model(folder: Path) -> None:
    """Link the model's file into an empty folder, so that no prompts cached by earlier runs are used."""
    folder.mkdir()
    for name in (CODER.file.file_name, f"{CODER.file.file_name}.verified"):
        (folder / name).symlink_to(models_folder() / name)


@contextmanager
def _cloud(folder: Path) -> Iterator[LocalCloud]:
    named = ("--models", str(folder / "models"))
    spec = CloudSpec(data=folder / "data", backend=Backend.SMALL, agents=AGENTS, arguments={"model": named})
    with LocalCloud(spec).running() as cloud:
        yield cloud


async def _first_answer(place: Town) -> float:
    """Return the seconds to the first answer in a group. The question is written as soon as the model is loaded and
    begins to read its instructions ahead.
    """
    ann, bob = await place.person("Ann"), await place.person("Bob")
    key = await place.group([ann, bob])
    await _await_loaded(place)
    await asyncio.to_thread(warm, place.cloud.model_url, load_agents(AGENTS), AGENTS)
    await place.write(key, ann, "we could go to the lake on Sunday")
    began = time.monotonic()
    await place.write(key, bob, "@lull_bot hello, who are you?")
    await place.answers(key, 1)
    return time.monotonic() - began


async def _await_loaded(place: Town) -> None:
    while (report := (await place.gemini.get("/model")).json())["state"] != "ready":
        if report["state"] == "failed":
            raise SystemExit(report["error"])
        await asyncio.sleep(LOOK_S)


async def _speeds(place: Town) -> dict[str, float]:
    """Return how many tokens the model reads in a second, and how many it writes."""
    words = " ".join(f"{number * 7919 % 9973}" for number in range(READ_WORDS))
    read, read_s = await _ask(place, words, {"max_tokens": 1})
    endless = {"type": "array", "minItems": 500, "maxItems": 500, "items": {"type": "integer"}}
    held = {"type": "json_schema", "json_schema": {"name": "numbers", "schema": endless}}
    counted, took_s = await _ask(place, "Count.", {"max_tokens": WRITTEN_TOKENS, "response_format": held})
    written_s = took_s - counted["prompt_tokens"] * read_s / read["prompt_tokens"]
    return {
        "read_per_s": round(read["prompt_tokens"] / read_s, 1),
        "written_per_s": round(counted["completion_tokens"] / written_s, 1),
    }


async def _ask(place: Town, text: str, config: Mapping[str, object]) -> tuple[Json, float]:
    body = {"messages": [{"role": "user", "content": text}], **config}
    url = f"{place.cloud.model_url}/v1/chat/completions"
    async with httpx.AsyncClient(timeout=None, trust_env=False) as http:
        began = time.monotonic()
        answer = (await http.post(url, json=body)).raise_for_status().json()
    return answer["usage"], time.monotonic() - began


async def _outcome(place: Town, moment: Moment) -> Outcome:
    """Play a moment in lull, and return its outcome."""
    people = {name: await place.person(name) for name in dict.fromkeys(name for name, _ in moment.said)}
    key = await (place.group(list(people.values())) if moment.group else place.private(people[moment.said[0][0]]))
    before = len(await place.exchanges())
    for name, text in moment.said:
        await place.write(key, people[name], text)
    asked_at = time.time()
    tasks = _with_said_time((await _await_plans(place, before))[-1], moment)
    if tasks:
        await place.answers(key, 1)
    seen = [call["at"] for call in await place.calls() if call["method"] in SHOWING and call["at"] >= asked_at]
    return _report("lull", moment, tasks, min(seen) - asked_at if seen else None)


def _with_said_time(tasks: list[Json], moment: Moment) -> list[Json]:
    """If the moment asks for a reminder in words that lull understands as a time, return the plan with that time;
    otherwise the plan unchanged.
    """
    said = said_time(moment.said[-1][1], ANY_DAY, "UTC") if moment.wait_s else None
    if said is None:
        return tasks
    times = {"at": said.at, "after": said.after, "every": said.every}
    return [{**task, **times} if is_for_later(task) else task for task in tasks]


def _report(who: str, moment: Moment, tasks: Sequence[Json], first_word_s: float | None) -> Outcome:
    """Find the faults of an answer, print both, and return the outcome."""
    found = faults_of(moment, tasks)
    print(f"{who}: {moment.id}: {', '.join(found) or 'sensible'}: {_as_text(tasks)}", file=sys.stderr, flush=True)
    return Outcome(found, first_word_s)


async def _await_plans(place: Town, before: int) -> list[list[Json]]:
    """Wait until the model has written a plan. Return all plans of the exchanges after number `before`."""
    while True:
        if plans := _plans((await place.exchanges())[before:]):
            return plans
        await asyncio.sleep(LOOK_S)


def _as_text(tasks: Sequence[Json]) -> str:
    return json.dumps(tasks, ensure_ascii=False)


def _plans(exchanges: Sequence[Json]) -> list[list[Json]]:
    """Return the tasks of each plan that the model wrote in these exchanges."""
    return [_tasks(exchange["response"]) for exchange in exchanges if exchange["status"] == 200]


def _tasks(response: str) -> list[Json]:
    chunks = [json.loads(line.removeprefix("data: ")) for line in response.splitlines() if line.startswith("data: {")]
    text = "".join(choice["delta"].get("content") or "" for chunk in chunks for choice in chunk.get("choices", []))
    try:
        return list(json.loads(text)["tasks"])  # the model writes a reminder as a plan, too
    except (ValueError, KeyError, TypeError):
        return [{"kind": "send", "text": text}] if text.strip() else []


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.small")
    parser.add_argument("--only", default="", help="play moments whose ids contain this")
    parser.add_argument("--first", type=int, help="play at most so many moments")
    parser.add_argument("--plain", default="", help="address of chat completions of the same weights, ending with /v1")
    args = parser.parse_args()
    print(json.dumps(asyncio.run(measure(args.only, args.first, args.plain))))


if __name__ == "__main__":
    main()
