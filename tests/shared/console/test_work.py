"""The present work of the agents: chats that ticks hold, unread updates, and tasks that wait."""

from datetime import timedelta
from typing import Any

from ulid import ULID

from shared.chat.store import paths
from shared.chat.store.plans import encode_plan
from shared.console.views.work import read_work
from shared.tasks.plan import DeliveryState
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from tests.shared.console.harness import ConsoleHarness
from tests.shared.examples import GROUP_KEY, KEY, NOW, begun, plan_of, send

OTHERS = ChatKey(agent="moss", chat_id=9)


async def put(console: ConsoleHarness, path: str, **fields: Any) -> None:
    await console.client.document(path).set(fields)


async def work(console: ConsoleHarness) -> list[dict[str, Any]]:
    return [dict(one) for one in (await read_work(console.services, console.request()))["items"]]


async def test_nothing_runs_in_an_empty_deployment(console: ConsoleHarness) -> None:
    await put(console, paths.chat_path(KEY), due_at=None, title="At rest")
    assert await work(console) == []


async def test_a_chat_that_a_tick_holds_tells_who_holds_it(console: ConsoleHarness) -> None:
    began = NOW - timedelta(seconds=10)
    holder, until = str(ULID.from_datetime(began)), NOW + timedelta(seconds=50)
    lease = {"owner": holder, "until": until}
    await put(console, paths.chat_path(GROUP_KEY), title="Garden", conversation="conv-1", lease=lease, starts=2)
    await put(console, paths.update_path(GROUP_KEY, 1), read=False, received_at=began)
    await put(console, paths.update_path(GROUP_KEY, 2), read=True, received_at=began)
    await put(console, paths.update_path(OTHERS, 1), read=False, received_at=began)
    (found,) = await work(console)
    assert (found["holder"], found["held_since"], found["held_until"]) == (
        holder,
        began.isoformat(),
        until.isoformat(),
    )
    assert (found["chat_title"], found["conversation"], found["unread"], found["starts"]) == ("Garden", "conv-1", 1, 2)


async def test_a_lease_that_ended_is_nobodys(console: ConsoleHarness) -> None:
    lease = {"owner": str(ULID()), "until": NOW - timedelta(seconds=1)}
    await put(console, paths.chat_path(KEY), lease=lease)
    await put(console, paths.update_path(KEY, 1), read=False, received_at=NOW - timedelta(minutes=1))
    (found,) = await work(console)
    assert (found["holder"], found["held_since"], found["held_until"], found["unread"]) == ("", None, None, 1)


async def test_a_task_that_waits_tells_its_failed_attempts_and_its_next_try(console: ConsoleHarness) -> None:
    soon = NOW + timedelta(minutes=1)
    refused = begun(send(text="Later."), DeliveryState.REFUSED)
    refused = evolve(refused, deliveries=(evolve(refused.deliveries[0], why="Too Many Requests"),))
    plan = evolve(plan_of(), tasks=(evolve(refused, tries=2, not_before=soon),), trace="a" * 32)
    await put(console, paths.chat_path(KEY), due_at=soon, conversation="conv-1")
    await console.client.document(paths.plan_path(KEY)).set(encode_plan(plan))
    (found,) = await work(console)
    (task,) = found["tasks"]
    assert (task["kind"], task["text"], task["tries"], task["why"]) == ("send", "Later.", 2, "Too Many Requests")
    assert task["not_before"] == soon.isoformat()
    assert "trace" in found["logs"]
