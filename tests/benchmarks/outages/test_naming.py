"""The naming model names all waiting messages, but scripted replies come first."""

import base64
import json
from typing import Any

import httpx

from benchmarks.outages.names import names_in, new_name
from benchmarks.outages.naming import DESCRIBING, NamingBackend, notes_of
from local.model.recorder import Recorder
from local.model.server import build_app
from shared.media.description_prompt import SCHEMA
from shared.recall.notes_prompt import notes_prompt
from tests.shared.recall.talks import lines, shown, talk

PATH = "/v1beta/models/gemini-3.8-flash:generateContent"


def connect(backend: NamingBackend) -> httpx.AsyncClient:
    app = build_app(backend, Recorder(), backend.routes())
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://gemini")


async def asked(client: httpx.AsyncClient, *turns: tuple[str, list[str]]) -> Any:
    contents = [{"role": role, "parts": [{"text": text} for text in texts]} for role, texts in turns]
    answer = (await client.post(PATH, json={"contents": contents})).raise_for_status().json()
    return json.loads(answer["candidates"][0]["content"]["parts"][0]["text"])


async def test_everything_since_the_agent_spoke_is_named_once() -> None:
    last = [
        "[meta] message_id=4",
        "L2",
        "[meta] message_id=5",
        "L3 and L2",
        "Still planned: send 'About L1'\n[RESPOND]",
    ]
    async with connect(NamingBackend()) as client:
        plan = await asked(client, ("user", ["L9"]), ("model", ["About L9"]), ("user", last))
    assert plan == {"tasks": [{"kind": "send", "text": "About L2 L3 L1"}]}


async def test_with_a_pause_a_plan_goes_on_later() -> None:
    async with connect(NamingBackend(pause_s=3)) as client:
        plan = await asked(client, ("user", ["L1"]))
        assert await asked(client, ("user", ["hello"])) == {"tasks": []}
    assert [task["kind"] for task in plan["tasks"]] == ["send", "wait", "send"]
    assert plan["tasks"][1]["seconds"] == 3
    assert names_in(plan["tasks"][2]["text"]) == ["L1"]


async def test_nobody_waiting_is_silence() -> None:
    async with connect(NamingBackend()) as client:
        assert await asked(client, ("user", ["hello"])) == {"tasks": []}


async def test_a_script_goes_first() -> None:
    async with connect(NamingBackend()) as client:
        await client.post("/script", json={"replies": [{"status": 429, "match": ".", "times": None}]})
        refused = await client.post(PATH, json={"contents": [{"role": "user", "parts": [{"text": "L1"}]}]})
        assert refused.status_code == 429
        await client.delete("/script")
        assert (await asked(client, ("user", ["L1"])))["tasks"]


async def described(client: httpx.AsyncClient, content: bytes, words: str = "Describe it.") -> Any:
    shown = {"inlineData": {"mimeType": "image/jpeg", "data": base64.b64encode(content).decode()}}
    parts = [*([shown] if content else []), {"text": words}]
    body = {
        "contents": [{"role": "user", "parts": parts}],
        "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA},
    }
    path = f"/v1beta/models/{DESCRIBING}:generateContent"
    answer = (await client.post(path, json=body)).raise_for_status().json()
    return json.loads(answer["candidates"][0]["content"]["parts"][0]["text"])


async def test_a_file_is_named_by_its_bytes_and_each_naming_is_counted() -> None:
    async with connect(NamingBackend()) as client:
        one, again, other = [await described(client, content) for content in (b"one", b"one", b"other")]
        text = await described(client, b"", "a text")
        counted = (await client.get("/described")).json()
    assert one == again
    assert one.keys() == {"shows", "written", "says"}
    assert len({said["shows"] for said in (one, other, text)}) == 3
    assert counted == {one["shows"]: 2, other["shows"]: 1, text["shows"]: 1}


def test_what_people_wrote_is_observed_once_and_no_answer_is() -> None:
    written = notes_prompt(talk(*lines("L1", "@lull_bot L2", "About L1 L2", "and L3, said somebody")))
    body = {
        "contents": [{"role": "user", "parts": [{"text": shown(written)}]}],
        "generationConfig": {"responseJsonSchema": dict(written.schema)},
    }
    given = notes_of(body)
    (seen,) = given["observations"]
    assert (names_in(seen["text"]), seen["entries"]) == (["L1", "L2"], [1, 2])
    assert given["abbreviation"] == seen["text"]
    assert given.keys() == set(written.schema["properties"])
    nothing = {**body, "contents": []}
    assert (notes_of(nothing)["abbreviation"], notes_of(nothing)["observations"]) == ("They spoke of", [])


def test_names_are_new_and_found_again() -> None:
    first, second = new_name(), new_name()
    assert first != second
    assert names_in(f"@lull_bot {second}, {first} {second} XL5 L6x") == [second, first]
