"""Settings that are written as JSON: read whole, or refused without a word of what was written."""

import json
from typing import Any

import pytest

from shared.models.wake import Queue, QueueAddress, Routes
from shared.settings_in_json import (
    image_model_in,
    media_model_in,
    place_in,
    routes_in,
    s3_bucket_in,
    speech_model_in,
    tokens_in,
)

GOOD = {"bucket": "lull-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}


@pytest.mark.parametrize(
    "more", [{}, {"region": "us-gov-east-1"}, {"role": "arn:aws-us-gov:iam::123456789012:role/a/b"}]
)
def test_a_bucket_has_a_region_and_a_role(more: dict[str, str]) -> None:
    assert s3_bucket_in(json.dumps(GOOD | more)).bucket == "lull-copy"


@pytest.mark.parametrize(
    "wrong",
    [
        {"bucket": "Lull"},
        {"region": "europe-west1"},
        {"role": "lull-archive"},
        {"key": "a key is not needed"},
        {"bucket": 5},
    ],
)
def test_what_is_no_bucket_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        s3_bucket_in(json.dumps(GOOD | wrong))


def test_routes_lead_to_queues_and_functions() -> None:
    queues = {"background": {"name": "q", "invoker": "me"}, "ticks": {"name": "t"}}
    found = routes_in(json.dumps({"queues": queues, "functions": {"summarize": "https://s"}}))
    there = {Queue.BACKGROUND: QueueAddress(name="q", invoker="me"), Queue.TICKS: QueueAddress(name="t")}
    assert found == Routes(queues=there, functions={"summarize": "https://s"})
    assert routes_in("{}") == Routes()


@pytest.mark.parametrize(
    "wrong",
    [
        "S3CRET",
        '["S3CRET"]',
        '{"S3CRET": {}}',
        '{"queues": {"S3CRET": {"name": "q"}}}',
        '{"queues": {"ticks": "S3CRET"}}',
        '{"queues": {"ticks": {"invoker": "S3CRET"}}}',
        '{"queues": {"ticks": {"name": "q", "S3CRET": "x"}}}',
        '{"queues": {"background": {}}}',
        '{"queue": {}}',
        '{"queues": ["S3CRET"]}',
        '{"functions": "S3CRET"}',
        '{"functions": {"tick": {"S3CRET": 1}}}',
    ],
)
def test_what_is_no_route_is_refused_and_not_repeated(wrong: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        routes_in(wrong)
    assert "S3CRET" not in str(caught.value)


def test_tokens_do_not_show() -> None:
    found = tokens_in('{"lull": "123:token"}')
    assert found["lull"].get_secret_value() == "123:token"
    assert "token" not in repr(found)


def test_a_model_is_named_that_makes_what_it_is_for() -> None:
    assert [speech_model_in(name) for name in ("no", " gemini-3.8-flash-tts ")] == ["no", "gemini-3.8-flash-tts"]
    assert image_model_in("gemini-nano-banana-2.1") == "gemini-nano-banana-2.1"
    for read, wrong in ((speech_model_in, "gemini-3.8-flash"), (image_model_in, "gemini-3.8-flash-tts")):
        with pytest.raises(ValueError, match=r"^write `no`, or a model that makes .+, such as gemini-") as caught:
            read(wrong)
        assert wrong not in str(caught.value).replace("gemini-3.8-flash-lite-tts", "")


def test_a_model_describes_files_that_is_shown_some_and_answers_with_text() -> None:
    for name in ("no", "gemini-3.5-flash-lite", "gemini-3.5-transcribe", "models/gemini-3.8-flash"):
        assert media_model_in(f" {name} ") == name
    for wrong in ("gemini-3.8-flash-tts", "gemini-embedding-2", "gemini-3.5-flash-live", "some-model", ""):
        with pytest.raises(ValueError, match=r"^write `no`, or a model that is shown files and answers"):
            media_model_in(wrong)


def test_a_place_that_is_asked_is_an_address() -> None:
    assert (place_in("https://api.telegram.org/"), place_in("http://10.0.0.7:8081")) == (
        "https://api.telegram.org",
        "http://10.0.0.7:8081",
    )


@pytest.mark.parametrize(
    "wrong", [" ", "api.telegram.org", "http://x:1\n", "'http://x:1'", "http:/x", "ftp://x", "http://me:S3CRET@x"]
)
def test_what_is_no_address_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="write an address such as") as refused:
        place_in(wrong)
    assert "S3CRET" not in str(refused.value)
