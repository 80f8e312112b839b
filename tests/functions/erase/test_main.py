"""The erasing function through functions-framework: requests and answers."""

from collections.abc import Iterator

import httpx
import pytest

from tests.stories.play import Sandbox


@pytest.fixture
def url(sandbox: Sandbox) -> Iterator[str]:
    yield sandbox.cloud.add("erase", name="erase-here")
    sandbox.cloud.stop("erase-here")


async def test_it_takes_a_deletion_and_nothing_else(url: str) -> None:
    async with httpx.AsyncClient(timeout=60) as client:
        assert (await client.get(f"{url}/healthz")).text == "ok"
        for body in (
            "",
            "{}",
            '{"job": "erase"}',
            '{"job": "sweep", "erasure": "e"}',
            '{"job": "erase", "erasure": 1}',
        ):
            answer = await client.post(url, content=body)
            assert (answer.status_code, "invalid body" in answer.text) == (400, True)
        gone = await client.post(url, json={"job": "erase", "erasure": "none"})
        assert (gone.status_code, gone.json()) == (200, {})
        stopped = await client.post(url, json={"job": "rebuild"})
        assert (stopped.status_code, stopped.json()) == (200, {}), "no rebuild runs"
