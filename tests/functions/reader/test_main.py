"""The reader through functions-framework."""

import httpx
import pytest

from shared.reader.targets import INSIDE
from tests.stories.play import Stage


async def asked(stage: Stage, body: str) -> httpx.Response:
    async with httpx.AsyncClient(timeout=60) as client:
        return await client.post(stage.cloud.url("reader"), content=body)


async def test_it_is_well(stage: Stage) -> None:
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.get(f"{stage.cloud.url('reader')}/healthz")
    assert (answer.status_code, answer.text) == (200, "ok")


async def test_what_it_may_not_read_is_a_sentence(stage: Stage) -> None:
    answer = await asked(stage, '{"url": "http://169.254.169.254/computeMetadata/v1/"}')
    assert answer.status_code == 200
    assert (answer.json()["problem"], answer.json()["text"]) == (INSIDE, "")


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"url": 5}', '{"url": "https://a.example", "headers": {"a": "b"}}'])
async def test_what_is_no_order_is_refused(stage: Stage, body: str) -> None:
    answer = await asked(stage, body)
    assert answer.status_code == 400
    assert "https://…" in answer.text
