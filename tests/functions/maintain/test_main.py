"""The function `maintain` through functions-framework: its permitted callers, and its jobs."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from google.cloud.firestore_v1 import DELETE_FIELD

from local.cloud_tasks.oidc import bearer
from local.parts import CLOCK
from shared.chat.store import paths
from shared.cloud.cloud_tasks import CloudTasks
from shared.values.canary import CANARY, CanaryStep
from shared.values.chat_key import ChatKey
from shared.values.wake import Job, Queue, QueueAddress, Routes
from tests.functions.left_over import nothing_is_left
from tests.stories.play import Json, Sandbox, until

QUEUE_ACCOUNT = "ticks@lull-local.iam.gserviceaccount.com"
EVIL = "https://evil.example"
ORDERS: tuple[Json, ...] = ({"job": "register"}, {"job": "register", "webhook_url": EVIL}, {"job": "canary"})


async def post(sandbox: Sandbox, body: str | bytes, headers: Mapping[str, str]) -> httpx.Response:
    async with httpx.AsyncClient(timeout=120) as client:
        return await client.post(sandbox.cloud.maintain_url, content=body, headers=headers)


def clocks(sandbox: Sandbox) -> dict[str, str]:
    return {"Authorization": bearer(CLOCK, sandbox.cloud.maintain_url, 0)}


@pytest.fixture(autouse=True)
async def healthy(sandbox: Sandbox) -> None:
    """Make sure that the canary's sweep wakes no chat."""
    await nothing_is_left(sandbox)


async def fired(sandbox: Sandbox, job: str) -> httpx.Response:
    """Fire a job as Cloud Scheduler does, and give the function's answer."""
    async with httpx.AsyncClient(timeout=120) as client:
        answer = await client.post(f"{sandbox.cloud.scheduler_url}/jobs/{job}:run", json={})
    (attempt,) = answer.raise_for_status().json()["attempts"]
    return httpx.Response(attempt["status"], text=attempt["said"])


async def webhook_of(sandbox: Sandbox) -> str:
    found = await sandbox.telegram.get(f"/bot{sandbox.cloud.tokens['lull']}/getWebhookInfo")
    return str(found.json()["result"]["url"])


async def test_it_is_well(sandbox: Sandbox) -> None:
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.get(f"{sandbox.cloud.maintain_url}/healthz")
    assert (answer.status_code, answer.text) == (200, "ok")


async def test_the_daily_registration_brings_a_lost_webhook_back(sandbox: Sandbox) -> None:
    before = await webhook_of(sandbox)
    await sandbox.telegram.post(f"/bot{sandbox.cloud.tokens['lull']}/deleteWebhook")
    answer = await fired(sandbox, "register")
    assert (answer.status_code, answer.json()["webhooks"] >= 1) == (200, True)
    assert await webhook_of(sandbox) == before == f"{sandbox.cloud.webhook_url}/lull"


@pytest.mark.parametrize("body", ["", "register", "[]", "{}", '{"job": "registre"}', json.dumps(ORDERS[1])])
async def test_an_order_that_says_more_than_a_job_is_refused(sandbox: Sandbox, body: str) -> None:
    answer = await post(sandbox, body, clocks(sandbox))
    assert answer.status_code == 400
    assert answer.text.endswith('expected one of: {"job": "register"}, {"job": "canary"}\n')


@pytest.mark.parametrize("order", ORDERS)
async def test_nobody_else_has_bots_registered(sandbox: Sandbox, order: Json) -> None:
    before, body, url = await webhook_of(sandbox), json.dumps(order), sandbox.cloud.maintain_url
    of_clock, of_queue = bearer(CLOCK, url, 0), bearer(QUEUE_ACCOUNT, url, 0)
    for headers in (
        {},
        {"Authorization": of_queue},
        # Cloud Run lets it in by the queue's token; a forged one is beside it
        {"X-Serverless-Authorization": of_queue, "Authorization": of_clock},
        {"X-CloudScheduler": "true", "X-CloudScheduler-JobName": "register", "User-Agent": "Google-Cloud-Scheduler"},
    ):
        assert (await post(sandbox, body, headers)).status_code == 403
    assert await webhook_of(sandbox) == before


@pytest.mark.parametrize("function", ["tick", "maintain"])
async def test_whoever_may_enqueue_ticks_cannot_send_a_bot_elsewhere(sandbox: Sandbox, function: str) -> None:
    # the most that an attacker in the webhook can do: send any body to any address as the queue's account
    before, orders = await webhook_of(sandbox), f"{function}-{datetime.now(UTC).timestamp():.0f}"
    routes = Routes(
        queues={Queue.TICKS: QueueAddress(name=sandbox.cloud.queue, invoker=QUEUE_ACCOUNT)},
        functions={function: sandbox.cloud.url(function)},
    )
    queue = CloudTasks(routes, sandbox.cloud.tasks_address)
    order = Job(function=function, body=json.dumps(ORDERS[1]), at=datetime.now(UTC), name=orders)
    await queue.enqueue(order)
    async with httpx.AsyncClient(base_url=sandbox.cloud.tasks_control_url, timeout=30) as control:

        async def refused() -> Json | None:
            tasks = (await control.get("/tasks", params={"queue": sandbox.cloud.queue})).json()["tasks"]
            return next((t for t in tasks if t["name"].endswith(orders) and "40" in json.dumps(t)), None)

        task = await until(refused, "the task was delivered and refused")
        (await control.delete(f"/v2/{task['name']}")).raise_for_status()
    assert await webhook_of(sandbox) == before


async def test_a_canary_goes_the_whole_way(sandbox: Sandbox) -> None:
    answer = await fired(sandbox, "canary")
    report = (await sandbox.firestore.document(paths.CANARY_REPORT).get()).to_dict() or {}
    told = json.loads(report["report"])
    assert answer.status_code == 200
    assert told["is_well"] is True
    by_agent: dict[str, list[str]] = {}
    for seen in told["steps"]:
        assert seen["is_well"], seen
        by_agent.setdefault(seen["agent"], []).append(seen["step"])
    steps = list(CanaryStep)
    own = [*steps[: steps.index(CanaryStep.MODEL)], CanaryStep.TELEGRAM]
    # no model draws here, and the model of the judge also plans
    others = {*own, CanaryStep.JUDGING, CanaryStep.DRAWING}
    assert by_agent.pop("") == [step for step in steps if step not in others]
    assert by_agent == dict.fromkeys(sandbox.cloud.tokens, own)
    assert "the canary passed" in sandbox.cloud.log("maintain").read_text()


async def test_a_canary_tells_each_agent_where_the_console_is(sandbox: Sandbox) -> None:
    document = sandbox.firestore.document(paths.bot_path("lull"))
    await document.set({"console_url": DELETE_FIELD}, merge=True)
    assert (await fired(sandbox, "canary")).status_code == 200
    kept = (await document.get()).to_dict() or {}
    assert kept["console_url"].startswith("http")


async def test_a_canary_is_nobodys_message_and_asks_no_model(sandbox: Sandbox) -> None:
    assert (await fired(sandbox, "canary")).status_code == 200
    assert await sandbox.model.asked(f"chat_id={key('lull').chat_id} ") == []
    chat = (await sandbox.firestore.document(paths.chat_path(key("lull"))).get()).to_dict() or {}
    assert chat["kind"] == "none"
    assert chat["due_at"] is None
    # updates without a chat are stored there too; the canary may read those of another test
    told = await kinds_told(sandbox, chat["conversation"])
    assert len(told) == chat["seq"]
    assert CANARY not in told


async def kinds_told(sandbox: Sandbox, conversation: str) -> list[str]:
    """List the kinds of the events in a conversation; without a name there is no conversation yet."""
    if not conversation:
        return []
    pages = sandbox.firestore.collection(paths.pages_path(conversation)).stream()
    return [entry.get("kind", "") async for page in pages for entry in (page.to_dict() or {})["entries"]]


async def test_all_that_a_canary_leaves_expires(sandbox: Sandbox) -> None:
    assert (await fired(sandbox, "canary")).status_code == 200
    updates = await sandbox.firestore.collection(f"{paths.chat_path(key('lull'))}/inbox").get()
    soon = datetime.now(UTC) + timedelta(days=8)
    assert updates
    assert all((found.to_dict() or {})["expires_at"] < soon for found in updates)
    assert [path.id async for path in sandbox.firestore.collection("canaries").list_documents()] == ["last"]


def key(agent: str) -> ChatKey:
    return ChatKey(agent=agent, chat_id=0)
