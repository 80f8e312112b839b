"""The small model's first impression: the time to an answer after the first and a later start, and its quality.

Run it by name (`make bench NAME=small`): it takes a quarter of an hour of both cores, and needs the model's file.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from benchmarks.moments import Moment, faults_of, moments
from benchmarks.town import Json, Town, town
from local.cloud import CloudSpec, LocalCloud
from local.gemini.download import models_folder
from local.gemini.model_file import QWEN
from local.parts import SMALL_MODEL, Backend
from local.processes import ROOT
from local.warming import warm
from shared.planning.personas.load import load_agents

AGENTS = (ROOT / "agents",)
LOOK_S = 0.1
#: words of a new prompt, and tokens of an answer, to measure the two speeds
READ_WORDS, WRITTEN_TOKENS = 300, 64


async def measure() -> dict[str, object]:
    """Return the seconds from the first message in a group, written as soon as the model is loaded, to its answer; and
    more.
    """
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
                faults = {moment.id: await _faults(place, moment) for moment in moments()}
    return {
        "moments": len(faults),
        "sensible": sum(not found for found in faults.values()),
        "first_answer_s": round(first_answer_s, 1),
        "after_restart_s": round(after_restart_s, 1),
        **speeds,
    }


def _link_model(folder: Path) -> None:
    """Link the model's file into a folder without cached prompts."""
    folder.mkdir()
    for name in (QWEN.file_name, f"{QWEN.file_name}.verified"):
        (folder / name).symlink_to(models_folder() / name)


@contextmanager
def _cloud(folder: Path) -> Iterator[LocalCloud]:
    named = ("--models", str(folder / "models"))
    spec = CloudSpec(data=folder / "data", backend=Backend.SMALL, agents=AGENTS, arguments={"gemini": named})
    with LocalCloud(spec).running() as cloud:
        yield cloud


async def _first_answer(place: Town) -> float:
    """Return the seconds to the first answer in a group, asked as soon as the model is loaded and reads ahead."""
    ann, bob = await place.person("Ann"), await place.person("Bob")
    key = await place.group([ann, bob])
    await _await_loaded(place)
    await asyncio.to_thread(warm, place.cloud.gemini_url, load_agents(AGENTS), AGENTS)
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
    """Return the tokens that the model reads and writes in a second."""
    words = " ".join(f"{number * 7919 % 9973}" for number in range(READ_WORDS))
    read, read_s = await _ask(place, words, {"maxOutputTokens": 1})
    endless = {"type": "array", "minItems": 500, "maxItems": 500, "items": {"type": "integer"}}
    config = {"maxOutputTokens": WRITTEN_TOKENS, "responseJsonSchema": endless}
    counted, took_s = await _ask(place, "Count.", config)
    written_s = took_s - counted["promptTokenCount"] * read_s / read["promptTokenCount"]
    return {
        "read_per_s": round(read["promptTokenCount"] / read_s, 1),
        "written_per_s": round(counted["candidatesTokenCount"] / written_s, 1),
    }


async def _ask(place: Town, text: str, config: Mapping[str, object]) -> tuple[Json, float]:
    body = {"contents": [{"parts": [{"text": text}]}], "generationConfig": config}
    url = f"{place.cloud.gemini_url}/v1beta/models/{SMALL_MODEL}:generateContent"
    async with httpx.AsyncClient(timeout=None, trust_env=False) as http:
        began = time.monotonic()
        answer = (await http.post(url, json=body)).raise_for_status().json()
    return answer["usageMetadata"], time.monotonic() - began


async def _faults(place: Town, moment: Moment) -> list[str]:
    """Return the faults of the answer to a moment; empty if the answer is sensible."""
    people = {name: await place.person(name) for name in dict.fromkeys(name for name, _ in moment.said)}
    key = await (place.group(list(people.values())) if moment.group else place.private(people[moment.said[0][0]]))
    before = len(await place.exchanges())
    for name, text in moment.said:
        await place.write(key, people[name], text)
    plans = await _await_plans(place, before)
    found = faults_of(moment, plans[-1])
    print(f"{moment.id}: {', '.join(found) or 'sensible'}: {_as_text(plans[-1])}", file=sys.stderr, flush=True)
    return found


async def _await_plans(place: Town, before: int) -> list[list[Json]]:
    """Wait for a plan of the model, and return the plans since `before`."""
    while True:
        if plans := _plans((await place.exchanges())[before:]):
            return plans
        await asyncio.sleep(LOOK_S)


def _as_text(tasks: Sequence[Json]) -> str:
    return json.dumps(tasks, ensure_ascii=False)


def _plans(exchanges: Sequence[Json]) -> list[list[Json]]:
    """Return the tasks of the plans that the model wrote."""
    return [_tasks(exchange["response"]) for exchange in exchanges if exchange["status"] == 200]


def _tasks(response: str) -> list[Json]:
    bodies = [json.loads(line.removeprefix("data: ")) for line in response.splitlines() if line.strip()]
    text = "".join(part.get("text", "") for body in bodies for part in _parts(body))
    try:
        return list(json.loads(text)["tasks"])  # a reminder is requested as a plan
    except (ValueError, KeyError, TypeError):
        return [{"kind": "send", "text": text}] if text.strip() else []


def _parts(body: Json) -> list[dict[str, Any]]:
    return [part for candidate in body.get("candidates", []) for part in candidate["content"].get("parts", [])]
