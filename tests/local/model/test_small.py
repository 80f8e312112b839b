"""The small model behind its relay: OpenAI's protocol over llama.cpp's own server."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import psutil
import pytest

from local.model.__main__ import NamedFile
from local.model.engine import EngineOptions
from local.model.model_file import ModelFileError
from local.model.recorder import Recorder
from local.model.server import build_app
from local.model.small import ModelSource, SmallBackend
from local.model.state import Progress
from tests.local.model.conftest import CONTEXT, Json, Served, small_gguf
from tests.local.serving import serving

PLAN = {
    "type": "object",
    "properties": {
        "tasks": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {
                    "kind": {"const": "send", "type": "string"},
                    "text": {"type": "string", "minLength": 1, "maxLength": 40},
                    "reply_to": {"type": "integer"},
                },
                "required": ["text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["tasks"],
    "additionalProperties": False,
}
#: only a very long answer fits it
ENDLESS = {"type": "array", "minItems": 1_000, "maxItems": 1_000, "items": {"type": "integer"}}
#: tells the engines of the servers made here from those of other tests
KILLED_CONTEXT = 768


def held(schema: Json) -> Json:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}


def chunks_in(answer: httpx.Response) -> list[Json]:
    lines = answer.text.splitlines()
    assert lines[-2:] == ["data: [DONE]", ""]
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


def test_an_answer_comes_whole_with_its_counts(small: Served) -> None:
    answer = small.ask().json()
    assert answer["choices"][0]["message"]["content"]
    assert answer["choices"][0]["finish_reason"] in ("stop", "length")
    assert answer["usage"]["completion_tokens"]


def test_an_answer_comes_as_a_stream_whose_last_chunks_have_the_end_and_the_counts(small: Served) -> None:
    found = chunks_in(small.ask("Count.", stream=True, response_format=held(ENDLESS), max_tokens=40))
    text = "".join(choice["delta"].get("content") or "" for chunk in found for choice in chunk["choices"])
    assert text.startswith("[")
    assert [c["finish_reason"] for chunk in found for c in chunk["choices"] if c["finish_reason"]] == ["length"]
    assert found[-1]["usage"]["completion_tokens"] == 40
    assert not any("prompt_progress" in chunk for chunk in found)


def test_the_progress_of_reading_is_told_to_those_who_ask(small: Served) -> None:
    found = chunks_in(small.ask("One two. " * 40, stream=True, return_progress=True))
    reports = [chunk["prompt_progress"] for chunk in found if "prompt_progress" in chunk]
    assert reports[-1]["processed"] == reports[-1]["total"]
    assert small.report()["answering"] is None


def test_a_prompt_that_begins_as_an_earlier_one_is_read_from_where_they_differ(small: Served) -> None:
    beginning = "A story about a lake and a boat. " * 20
    assert small.text(beginning)
    told = chunks_in(small.ask(f"{beginning} And then?", stream=True, return_progress=True))
    first = next(chunk["prompt_progress"] for chunk in told if "prompt_progress" in chunk)
    assert first["cache"] > first["total"] / 2


def test_a_plan_is_held_to_a_narrower_schema_in_which_the_tag_is_required(small: Served) -> None:
    plan = json.loads(small.text("Greet Ann with a plan.", max_tokens=300, response_format=held(PLAN)))
    jsonschema.validate(plan, PLAN)
    assert all(task.keys() == {"kind", "text"} for task in plan["tasks"])


def test_an_answer_has_an_end_however_many_tokens_are_asked_for(small: Served) -> None:
    answer = small.ask("Count.", response_format=held(ENDLESS), max_completion_tokens=20, max_tokens=100_000).json()
    assert answer["usage"]["completion_tokens"] == 20


def test_models_are_told(small: Served) -> None:
    assert [model["id"] for model in small.http.get("/v1/models").json()["data"]] == [small_gguf().stem]
    report = small.report()
    assert (report["state"], report["name"]) == ("ready", small_gguf().stem)
    assert "text only" in report["note"]


def test_what_is_expected_is_read_while_nobody_calls(small: Served) -> None:
    instruction = "You are lull, a friendly assistant. " * 40
    assert small.http.post("/reading", json={"prompts": [{"name": "lull", "instruction": instruction}]}).is_success
    seen: list[Any] = []
    while (reading := small.report()["reading"]) or not seen:
        seen += [reading] if reading else []
    assert seen[-1]["names"] == ["lull"]
    assert 0 <= seen[0]["done_tokens"] < seen[0]["total_tokens"]
    turns = [{"role": "system", "content": instruction}, {"role": "user", "content": "hi"}]
    told = chunks_in(small.ask(messages=turns, stream=True, return_progress=True))
    first = next(chunk["prompt_progress"] for chunk in told if "prompt_progress" in chunk)
    assert first["total"] - first["cache"] < 20
    wrong = small.http.post("/reading", json={"prompts": [{"name": "lull"}]})
    assert (wrong.status_code, "instruction" in wrong.json()["error"]) == (400, True)


def test_what_it_cannot_do_is_said(small: Served) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    seen = small.ask(messages=[{"role": "user", "content": [picture, {"type": "text", "text": "What is it?"}]}])
    assert seen.status_code >= 400
    assert "image" in seen.json()["error"]["message"]
    for stream in (False, True):
        long = small.ask("word " * 3 * CONTEXT, stream=stream)
        assert (long.status_code, f"context length of this local model is {CONTEXT}" in long.text) == (400, True)
    assert small.ask(messages="hi").status_code == 400
    assert small.http.post("/v1/completions", json={}).status_code == 404


async def test_callers_take_turns(small: Served) -> None:
    asked = [asyncio.to_thread(small.text, f"{n}?") for n in range(3)]
    assert all(await asyncio.gather(*asked))


def test_a_caller_who_hangs_up_frees_the_model_for_the_next(small: Served) -> None:
    seen = small.exchanges()[-1]["n"] if small.exchanges() else 0
    asked = {"messages": [{"role": "user", "content": "Write."}], "response_format": held(ENDLESS), "stream": True}
    with small.http.stream("POST", "/v1/chat/completions", json=asked) as stream:
        written = stream.iter_bytes()  # without a reference the connection would be closed
        next(written)
        with pytest.raises(httpx.TimeoutException):  # it waited for its turn
            httpx.post(f"{small.url}/v1/chat/completions", json=asked, timeout=1)
        small.recorded(1, after=seen)
    assert small.text()
    assert [e["status"] for e in small.recorded(3, after=seen)] == [499, 499, 200]


@pytest.mark.parametrize("header", ["x-server-timeout", "x-stainless-read-timeout"])
def test_a_time_that_is_up_is_said(small: Served, header: str) -> None:
    answer = small.ask("Write.", headers={header: "1"}, response_format=held(ENDLESS), max_tokens=1_000)
    assert (answer.status_code, "within 1 s" in answer.json()["error"]["message"]) == (504, True)


@contextmanager
def small_server(source: ModelSource, patience_s: float = 0.1) -> Iterator[Served]:
    progress = Progress(1_000)
    progress.reached(400)
    backend = SmallBackend(source, progress, EngineOptions(context=KILLED_CONTEXT, threads=2), patience_s)
    with serving(build_app(backend, Recorder())) as url:
        served = Served(url)
        yield served
        served.http.close()


def test_until_the_model_is_here_it_is_said_how_far_it_is() -> None:
    class Coming(NamedFile):
        async def get(self, _: Progress) -> Path:
            await asyncio.sleep(600)
            raise AssertionError("nobody waited so long")

    with small_server(Coming(Path("tiny.gguf"))) as served:
        report = served.http.get("/model").json()
        assert (report["state"], report["done_bytes"], report["total_bytes"]) == ("downloading", 400, 1_000)
        for stream in (False, True):
            answer = served.ask(stream=stream)
            assert answer.status_code == 503
            assert "is being downloaded: 0 of 0 MB" in answer.json()["error"]["message"]
        assert served.http.get("/healthz").is_success


def test_a_model_that_cannot_be_had_says_why() -> None:
    class Failing(NamedFile):
        async def get(self, _: Progress) -> Path:
            raise ModelFileError("The disk is full. Free space there.")

    with small_server(Failing(Path("tiny.gguf"))) as served:
        assert "There is no local model. The disk is full" in served.ask().json()["error"]["message"]
        report = served.http.get("/model").json()
        assert (report["state"], report["error"]) == ("failed", "The disk is full. Free space there.")


def test_a_file_that_does_not_load_says_why(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF and nothing more")
    with small_server(NamedFile(tmp_path / "broken.gguf"), patience_s=60) as served:
        served.ask()
        assert "broken.gguf does not load" in served.http.get("/model").json()["error"]


def test_an_engine_that_dies_is_started_again() -> None:
    with small_server(NamedFile(small_gguf()), patience_s=60) as served:
        assert served.text()
        before = _engines()
        for engine in before:
            engine.kill()
        psutil.wait_procs(before)
        while served.http.get("/model").json()["state"] == "ready" and not set(_engines()) - set(before):
            time.sleep(0.05)
        assert served.text()


def _engines() -> list[psutil.Process]:
    """The engines of this test alone: those with its size of context."""
    return [child for child in psutil.Process().children() if f"--context {KILLED_CONTEXT}" in _command(child)]


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # another test's, that has ended
        return ""
