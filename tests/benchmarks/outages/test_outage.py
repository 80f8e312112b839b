"""Each outage makes something fail while it lasts, and nothing after it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace

import httpx
import pytest
import pytest_asyncio

from benchmarks.outages.naming import DESCRIBING, WITHOUT_MODEL, naming_model
from benchmarks.outages.outage import ASKED_TO_DESCRIBE, OUTAGES, Site
from benchmarks.outages.rim import rim
from benchmarks.outages.running import running
from benchmarks.town import town
from local.gemini import hashed
from local.parts import ARCHIVE_BUCKET
from shared.media.description_prompt import describing_prompt
from shared.values.media import MediaKind, MediaRef
from shared.values.prepared import NO_FACTS
from tests.forking import forked

#: errors that a caller gets instead of an answer
BROKEN = 0
GENERATE = "/v1beta/models/gemini-3.8-flash:generateContent"
DESCRIBE = f"/v1beta/models/{DESCRIBING}:generateContent"
FILE = {"contents": [{"role": "user", "parts": [{"text": f"{ASKED_TO_DESCRIBE} for somebody"}]}]}
PROMPT = {"contents": [{"role": "user", "parts": [{"text": "L1"}]}]}


@dataclass(frozen=True)
class Caller:
    """A client that calls through the rim, as lull's functions do."""

    site: Site

    async def telegram(self) -> int:
        token = self.site.place.cloud.tokens["lull"]
        return await self.status("GET", f"{self.site.rim.telegram.url}/bot{token}/getMe")

    async def gemini(self) -> int:
        return await self.status("POST", f"{self.site.rim.gemini.url}{GENERATE}", json=PROMPT)

    async def embedding(self) -> int:
        url = f"{self.site.rim.gemini.url}/v1/models/{hashed.NAME}:batchEmbedContents"
        return await self.status("POST", url, json={"requests": [{"content": {"parts": [{"text": "L1"}]}}]})

    async def describing(self) -> int:
        return await self.status("POST", f"{self.site.rim.gemini.url}{DESCRIBE}", json=FILE)

    async def storage(self) -> int:
        return await self.status("GET", f"{self.site.rim.storage.url}/storage/v1/b/{ARCHIVE_BUCKET}")

    async def webhook(self) -> int:
        return await self.status("GET", f"{self.site.place.cloud.webhook_url}/healthz")

    async def status(self, method: str, url: str, json: object = None) -> int:
        """Return the status of an answer, or BROKEN."""
        async with httpx.AsyncClient(timeout=30, trust_env=False) as client:
            try:
                return (await client.request(method, url, json=json)).status_code
            except httpx.TransportError:
                return BROKEN


@pytest_asyncio.fixture(scope="module")
async def caller() -> AsyncIterator[Caller]:
    """Yield a client of a cloud with the parts that these outages need. It has no Firestore, since no function here
    uses it.
    """
    parts = (*(part for part in WITHOUT_MODEL if part not in {"firestore", "tick"}), "storage")
    async with rim() as relays, running(forked(env=relays.env, parts=parts)) as cloud:
        relays.lead_to(cloud)
        cloud.add_part(naming_model(cloud))
        async with town(cloud) as place:
            await place.gemini.delete("/script")
            yield Caller(Site(place, relays))


@pytest.mark.parametrize(
    ("outage", "call", "status"),
    [
        ("telegram-down", Caller.telegram, BROKEN),
        ("telegram-failing", Caller.telegram, 500),
        ("telegram-flood", Caller.telegram, 429),
        ("gemini-down", Caller.gemini, BROKEN),
        ("gemini-over-quota", Caller.gemini, 429),
        ("gemini-no-vectors", Caller.embedding, 503),
        ("files-gemini-failing", Caller.describing, 503),
        ("files-storage-down", Caller.storage, BROKEN),
        ("storage-down", Caller.storage, BROKEN),
    ],
)
async def test_it_fails_while_it_lasts_and_works_afterwards(
    caller: Caller, outage: str, call: Callable[[Caller], Awaitable[int]], status: int
) -> None:
    assert await call(caller) == 200
    async with OUTAGES[outage](caller.site, 60):
        assert await call(caller) == status
    assert await call(caller) == 200


async def test_what_is_in_the_way_of_descriptions_or_vectors_is_in_the_way_of_no_plan(caller: Caller) -> None:
    async with OUTAGES["files-gemini-failing"](caller.site, 60):
        assert await caller.gemini() == 200
    async with OUTAGES["gemini-no-vectors"](caller.site, 60):
        assert await caller.gemini() == 200


def test_a_description_is_asked_for_in_the_words_by_which_it_is_known() -> None:
    prompt = describing_prompt(MediaRef(kind=MediaKind.PHOTO, file_id="f"), (), NO_FACTS)
    assert ASKED_TO_DESCRIBE in prompt.system


async def test_a_silent_server_never_answers_and_is_there_again(caller: Caller) -> None:
    async with OUTAGES["gemini-silent"](caller.site, 60):
        asking = asyncio.ensure_future(caller.gemini())
        # long enough for the request to arrive on a busy machine
        assert not (await asyncio.wait({asking}, timeout=2.0))[0]
    assert await asking == BROKEN
    assert await caller.gemini() == 200


async def test_a_slow_server_answers_all_the_same(caller: Caller) -> None:
    slow = replace(caller.site, rim=replace(caller.site.rim, firestore=caller.site.rim.gemini))
    async with OUTAGES["firestore-slow"](slow, 60):
        assert await caller.gemini() == 200
    async with OUTAGES["storage-slow"](caller.site, 60):
        assert await caller.storage() == 200


async def test_a_flood_says_how_long_is_left(caller: Caller) -> None:
    async with OUTAGES["telegram-flood"](caller.site, 7000):
        await caller.telegram()
    refused = [c for c in await caller.site.place.calls() if c["status"] == 429][-1]
    assert 6000 < int(refused["description"].removeprefix("Too Many Requests: retry after ")) <= 7000


async def test_a_killed_function_is_another_one_afterwards(caller: Caller) -> None:
    cloud = caller.site.place.cloud
    before = cloud.pid("webhook")
    async with OUTAGES["webhook-killed"](caller.site, 60):
        assert cloud.pid("webhook") != before
    assert await caller.webhook() == 200


def test_the_rim_is_before_all_that_a_function_calls(caller: Caller) -> None:
    cloud, relays = caller.site.place.cloud, caller.site.rim
    assert dict(relays.env).items() <= dict(cloud.parts["webhook"].env).items()
    assert relays.firestore.leads_to == cloud.firestore_host
    assert relays.tasks.leads_to == cloud.tasks_address
    assert f"http://{relays.telegram.leads_to}" == cloud.telegram_url
    assert f"http://{relays.gemini.leads_to}" == cloud.model_url
    assert f"http://{relays.storage.leads_to}" == cloud.storage_url
