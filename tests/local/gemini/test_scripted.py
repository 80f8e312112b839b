import asyncio

import httpx2
import pytest
from google.genai import errors, types

from local.gemini.samples import tone
from local.gemini.scripted import BACKGROUND, last_words
from tests.local.gemini.conftest import ConnectTo, Served

MODEL = "gemini-3.8-flash"


async def test_a_text_arrives_with_its_usage(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"text": "hello", "usage": {"promptTokenCount": 7, "totalTokenCount": 9}})
    answer = await connect(scripted).aio.models.generate_content(model=MODEL, contents="hi")
    assert (answer.text, answer.model_version) == ("hello", MODEL)
    assert answer.usage_metadata
    assert answer.usage_metadata.prompt_token_count == 7
    assert answer.candidates
    assert answer.candidates[0].finish_reason is types.FinishReason.STOP


async def test_an_answer_that_is_no_stream_is_held_whole(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"text": "one", "hold": "whole"})
    client = connect(scripted).aio
    asked = asyncio.create_task(client.models.generate_content(model=MODEL, contents="hi"))
    await asyncio.sleep(0.2)
    assert not asked.done()
    httpx2.delete(f"{scripted.url}/script/holds/whole").raise_for_status()
    assert (await asked).text == "one"


def test_a_plan_arrives_as_json_text(scripted: Served, connect: ConnectTo) -> None:
    tasks = [{"kind": "send", "text": "Grüße"}]
    scripted.script({"tasks": {"tasks": tasks}}, {"tasks": tasks})
    client = connect(scripted)
    config = types.GenerateContentConfig(response_mime_type="application/json", response_json_schema={"type": "object"})
    for _ in range(2):
        answer = client.models.generate_content(model=MODEL, contents="hi", config=config)
        assert answer.parsed == {"tasks": tasks}


async def test_a_stream_comes_in_the_chunks_that_were_asked_for(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"text": "one two three", "chunks": 3}, {"text": "four", "finish_reason": "MAX_TOKENS"})
    client = connect(scripted)
    chunks = list(client.models.generate_content_stream(model=MODEL, contents="hi"))
    assert [chunk.text for chunk in chunks] == ["one t", "wo th", "ree"]
    assert [bool(chunk.usage_metadata) for chunk in chunks] == [False, False, True]
    last = [chunk async for chunk in await client.aio.models.generate_content_stream(model=MODEL, contents="hi")]
    assert last[0].candidates
    assert last[0].candidates[0].finish_reason is types.FinishReason.MAX_TOKENS


async def test_a_stream_may_pause_between_its_chunks(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"text": "one two", "chunk_chars": 4, "pause_s": 600})
    stream = await connect(scripted, timeout=2_000).aio.models.generate_content_stream(model=MODEL, contents="hi")
    assert (await anext(stream)).text == "one "
    with pytest.raises(httpx2.TimeoutException):
        await anext(stream)
    scripted.script({"text": "one two", "chunk_chars": 4, "pause_s": 0.01})
    again = await connect(scripted).aio.models.generate_content_stream(model=MODEL, contents="hi")
    assert [chunk.text async for chunk in again] == ["one ", "two"]


async def test_the_end_of_a_stream_may_be_held(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"text": "one two", "chunk_chars": 4, "hold": "a-b"})
    stream = await connect(scripted).aio.models.generate_content_stream(model=MODEL, contents="hi")
    assert (await anext(stream)).text == "one "
    rest = asyncio.ensure_future(anext(stream))
    assert (await asyncio.wait({rest}, timeout=0.2))[0] == set()
    httpx2.delete(f"{scripted.url}/script/holds/a-b").raise_for_status()
    assert (await rest).text == "two"


def test_function_calls_thoughts_and_empty_answers(scripted: Served, connect: ConnectTo) -> None:
    call = {"name": "weather", "args": {"place": "Kyiv"}}
    scripted.script({"function_calls": [call]}, {"thoughts": "hm"}, {}, {"candidates": []})
    client = connect(scripted)

    def ask() -> types.GenerateContentResponse:
        return client.models.generate_content(model=MODEL, contents="hi")

    calls = ask().function_calls
    assert calls
    assert (calls[0].name, calls[0].args) == (call["name"], call["args"])
    parts = ask().parts
    assert parts
    assert (parts[0].text, parts[0].thought) == ("hm", True)
    assert not ask().parts
    assert not ask().candidates


@pytest.mark.parametrize(
    ("status", "name"), [(429, "RESOURCE_EXHAUSTED"), (400, "INVALID_ARGUMENT"), (503, "UNAVAILABLE"), (418, "UNKNOWN")]
)
async def test_errors_have_the_form_that_the_client_reads(
    scripted: Served, connect: ConnectTo, status: int, name: str
) -> None:
    scripted.script({"status": status, "error": "Not now."}, {"status": status, "error": "Not now."})
    client = connect(scripted)
    with pytest.raises(errors.APIError) as raised:
        await client.aio.models.generate_content(model=MODEL, contents="hi")
    assert (raised.value.code, raised.value.status, raised.value.message) == (status, name, "Not now.")
    with pytest.raises(errors.APIError):
        list(client.models.generate_content_stream(model=MODEL, contents="hi"))


async def test_the_client_tries_again_when_it_is_told_to(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"status": 503, "times": 2}, {"text": "there you are"})
    retry = types.HttpRetryOptions(attempts=3, initial_delay=0.01, max_delay=0.02)
    answer = await connect(scripted, retry_options=retry).aio.models.generate_content(model=MODEL, contents="hi")
    assert answer.text == "there you are"
    assert [e["status"] for e in scripted.exchanges()] == [503, 503, 200]


async def test_a_caller_whose_time_is_up_is_recorded_as_gone(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"text": "too late", "delay_s": 600})
    with pytest.raises(httpx2.TimeoutException):
        await connect(scripted, timeout=300).aio.models.generate_content(model=MODEL, contents="hi")
    assert [(e["status"], e["response"]) for e in scripted.recorded(1)] == [(499, "")]


async def test_a_cut_connection_is_an_error_of_the_transport(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"text": "never whole", "cut": True, "times": 2})
    client = connect(scripted)
    with pytest.raises(httpx2.TransportError):
        await client.aio.models.generate_content(model=MODEL, contents="hi")
    with pytest.raises(httpx2.TransportError):
        [chunk async for chunk in await client.aio.models.generate_content_stream(model=MODEL, contents="hi")]


def test_replies_that_match_come_first_and_only_to_what_they_match(scripted: Served, connect: ConnectTo) -> None:
    scripted.script(
        {"text": "next"}, {"text": "of tea", "match": "tea", "times": 2}, {"text": "of numbers", "match": r"\d{3}"}
    )
    client = connect(scripted)
    said = [client.models.generate_content(model=MODEL, contents=ask).text for ask in ("tea", "7", "tea", "number 123")]
    assert said == ["of tea", "next", "of tea", "of numbers"]
    assert scripted.http.get("/script").json() == {"replies": [], "default": None}


def test_the_model_of_the_background_takes_what_it_matches_alone(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"text": "next"}, {"text": "of tea", "match": "tea"})
    client = connect(scripted)
    assert client.models.generate_content(model=BACKGROUND, contents="tea").text == "of tea"
    with pytest.raises(errors.ServerError, match="No scripted reply fits"):
        client.models.generate_content(model=BACKGROUND, contents="tea")
    assert client.models.generate_content(model=MODEL, contents="tea").text == "next"


def test_what_nobody_scripted_is_an_error_or_an_echo(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"text": "for tea", "match": "tea"})
    client = connect(scripted)
    with pytest.raises(errors.ServerError, match="No scripted reply fits"):
        client.models.generate_content(model=MODEL, contents="coffee")
    scripted.script(default="echo")
    answer = client.models.generate_content(model=MODEL, contents="Ann#000001: coffee: black\n[RESPOND]")
    assert answer.text == '{"tasks": [{"kind": "send", "text": "You said: coffee: black"}]}'
    aloud = client.models.generate_content(model=MODEL, contents="hi", config={"response_modalities": ["AUDIO"]})
    assert aloud.parts is not None
    assert [part.inline_data and part.inline_data.data for part in aloud.parts] == [tone()]
    scripted.http.delete("/script")
    assert scripted.http.get("/script").json() == {"replies": [], "default": None}


def test_a_reply_can_be_given_for_ever(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"text": "always", "times": None})
    client = connect(scripted)
    assert {client.models.generate_content(model=MODEL, contents="hi").text for _ in range(3)} == {"always"}


def test_a_body_can_be_anything(scripted: Served) -> None:
    scripted.script({"body": "<html>Bad gateway</html>", "status": 502}, {"body": '{"candidates": [{'})
    answers = [scripted.http.post(f"/v1/models/{MODEL}:generateContent", json={}) for _ in range(2)]
    assert [(a.status_code, a.text) for a in answers] == [
        (502, "<html>Bad gateway</html>"),
        (200, '{"candidates": [{'),
    ]


@pytest.mark.parametrize("wrong", [{"replies": [{"txt": "?"}]}, {"replies": [{"match": "("}]}, {"default": "shout"}])
def test_a_wrong_script_is_refused_whole(scripted: Served, wrong: dict[str, object]) -> None:
    assert scripted.http.post("/script", json=wrong).status_code == 400
    assert scripted.http.get("/script").json() == {"replies": [], "default": None}


def test_tokens_and_models_need_no_script(scripted: Served, connect: ConnectTo) -> None:
    client = connect(scripted)
    assert client.models.count_tokens(model=MODEL, contents="x" * 40).total_tokens == 10
    assert client.models.get(model=MODEL).name == f"models/{MODEL}"
    assert [model.name for model in client.models.list()] == ["models/scripted"]
    with pytest.raises(errors.ClientError, match="the embedding model is hashed-words"):
        client.models.embed_content(model=MODEL, contents="x")


def test_last_words_are_those_of_the_person() -> None:
    moment = {"text": "It is noon.\n[RESPOND]"}
    compact = {"role": "user", "parts": [{"text": "Bob#000002 → Ann#000001: and you?"}, moment]}
    meta = {"role": "user", "parts": [{"text": "[meta] chat_id=1"}, {"text": "and you?"}, moment]}
    assert last_words({"contents": [meta, compact]}) == "and you?"
    assert last_words({"contents": [compact, meta]}) == "and you?"
    assert last_words({}) == ""
