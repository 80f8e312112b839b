"""The reader through functions-framework."""

import httpx
import pytest

from shared.reader.targets import INSIDE
from tests.stories.play import Sandbox


async def asked(sandbox: Sandbox, body: str) -> httpx.Response:
    async with httpx.AsyncClient(timeout=60) as client:
        return await client.post(sandbox.cloud.url("reader"), content=body)


async def test_it_is_well(sandbox: Sandbox) -> None:
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.get(f"{sandbox.cloud.url('reader')}/healthz")
    assert (answer.status_code, answer.text) == (200, "ok")


async def test_what_it_may_not_read_is_a_sentence(sandbox: Sandbox) -> None:
    answer = await asked(sandbox, '{"url": "http://169.254.169.254/computeMetadata/v1/"}')
    assert answer.status_code == 200
    assert (answer.json()["problem"], answer.json()["text"]) == (INSIDE, "")


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"url": 5}', '{"url": "https://a.example", "headers": {"a": "b"}}'])
async def test_what_is_no_order_is_refused(sandbox: Sandbox, body: str) -> None:
    answer = await asked(sandbox, body)
    assert answer.status_code == 400
    assert "https://…" in answer.text
