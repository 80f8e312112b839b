"""Incidents in the console, what can be done about them, and the scheduled jobs."""

import json
from datetime import timedelta
from typing import Any

import pytest

from infra.schedules import SCHEDULES as FILE
from infra.schedules import read_jobs
from shared.chat.store import layout, paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.plans import encode_plan
from shared.console.logs_link import logs_url
from shared.console.route import BadRequest, NotFound
from shared.console.schedules import SCHEDULES, is_late
from shared.console.views.trouble import (
    drop_incident,
    list_incidents,
    list_jobs,
    replay_incident,
    resend_incident,
    run_job,
    show_incident,
)
from shared.tasks.plan import DeliveryState
from shared.values.evolve import evolve
from shared.values.incident import Incident, IncidentKind
from shared.values.job_result import JobOutcome
from tests.shared.console.harness import ConsoleHarness
from tests.shared.examples import KEY, NOW, begun, message_update, plan_of, send

LOST = f"unknown_delivery-{KEY.id}-p1-1.0"


async def incident(console: ConsoleHarness, name: str, kind: IncidentKind, **fields: Any) -> None:
    usual: dict[str, Any] = {"at": NOW, "why": "odd", "agent": "lull", "chat": KEY.id}
    document = layout.encode_incident(Incident(id=name, kind=kind, **usual | fields))
    await console.client.document(paths.incident_path(name)).set(document)


async def lost(console: ConsoleHarness) -> None:
    """Store an unknown delivery and its plan."""
    await incident(console, LOST, IncidentKind.UNKNOWN_DELIVERY)
    plan = evolve(plan_of(), tasks=(begun(send(text="**One.**"), DeliveryState.UNKNOWN),), trace="a" * 32)
    await console.client.document(paths.plan_path(KEY)).set(encode_plan(plan))


def about(console: ConsoleHarness, name: str, **body: Any) -> Any:
    return console.request(path={"incident": name}, body=body)


async def test_incidents_are_listed_with_what_can_be_done(console: ConsoleHarness) -> None:
    await console.client.document(paths.chat_path(KEY)).set({"title": "Garden", "topic": "Roses"})
    for number, kind in enumerate(IncidentKind):
        await incident(console, f"i{number}", kind, at=NOW - timedelta(hours=number))
    await incident(console, "i-done", IncidentKind.DEAD_LETTER, replayed_at=NOW, at=NOW - timedelta(days=1))
    await incident(console, "i-of-moss", IncidentKind.DEAD_LETTER, agent="moss")
    page = await list_incidents(console.services, console.request())
    assert [(one["kind"], one["actions"], one["chat_title"]) for one in page["items"]] == [
        ("dead_letter", ["replay", "drop"], "Garden · Roses"),
        ("unknown_delivery", ["resend", "drop"], "Garden · Roses"),
        ("dropped_plan", ["drop"], "Garden · Roses"),
        ("refused_wake", ["drop"], "Garden · Roses"),
        ("dead_letter", [], "Garden · Roses"),
    ]
    assert page["next"] == ""


async def test_a_long_list_has_pages(console: ConsoleHarness) -> None:
    for number in range(25):
        agent = "moss" if number % 5 == 4 else "lull"
        at = NOW - timedelta(minutes=number)
        await incident(console, f"i{number:02d}", IncidentKind.DROPPED_PLAN, agent=agent, at=at)
    page = await list_incidents(console.services, console.request())
    rest = await list_incidents(console.services, console.request("moss"))
    assert (len(page["items"]), page["next"]) == (20, "")
    assert len(rest["items"]) == 5
    for number in range(25, 40):
        at = NOW - timedelta(minutes=number)
        await incident(console, f"i{number:02d}", IncidentKind.DROPPED_PLAN, at=at)
    page = await list_incidents(console.services, console.request())
    more = await list_incidents(console.services, console.request(query={"cursor": page["next"]}))
    ids = [one["id"] for one in (*page["items"], *more["items"])]
    assert ids == [f"i{number:02d}" for number in range(40) if number >= 25 or number % 5 != 4]
    with pytest.raises(BadRequest):
        await list_incidents(console.services, console.request(query={"cursor": "yesterday"}))


async def test_an_incident_of_another_owners_agent_is_not_there(console: ConsoleHarness) -> None:
    await incident(console, "i", IncidentKind.DEAD_LETTER, agent="moss")
    for name in ("i", "none", "..", "__x__"):
        for handler in (show_incident, replay_incident, drop_incident, resend_incident):
            with pytest.raises(NotFound):
                await handler(console.services, about(console, name))


async def test_a_dead_letter_is_replayed_once(console: ConsoleHarness) -> None:
    raw = message_update(7, "what nobody could read")
    await incident(console, "i", IncidentKind.DEAD_LETTER, body=json.dumps(raw), update_id=7)
    answer = await replay_incident(console.services, about(console, "i"))
    assert answer["is_done"]
    chats = FirestoreChats(console.services.project)
    (update,) = await chats.unread(KEY, 5)
    assert update.raw == raw
    assert len(await console.queue.wakes()) == 1
    with pytest.raises(BadRequest, match="incident_settled"):
        await replay_incident(console.services, about(console, "i"))
    records = await console.client.collection(paths.CONSOLE_RECORDS).get()
    assert [(one.get("action"), one.get("about")) for one in records] == [("replay_incident", "i")]
    chats.client.close()  # type: ignore[no-untyped-call]


async def test_a_dropped_incident_stays_as_done(console: ConsoleHarness) -> None:
    await incident(console, "i", IncidentKind.DROPPED_PLAN)
    await drop_incident(console.services, about(console, "i"))
    shown = await show_incident(console.services, about(console, "i"))
    assert (shown["dropped_at"], shown["actions"]) == (NOW.isoformat(), [])
    with pytest.raises(BadRequest):
        await drop_incident(console.services, about(console, "i"))


async def test_a_lost_message_is_shown_and_sent_again_only_knowingly(console: ConsoleHarness) -> None:
    await lost(console)
    shown = await show_incident(console.services, about(console, LOST))
    assert shown["text"] == "One."
    assert f"traces%2F{'a' * 32}" in shown["logs"]
    with pytest.raises(BadRequest, match="outdated_page"):
        await resend_incident(console.services, about(console, LOST))
    with pytest.raises(BadRequest):
        await replay_incident(console.services, about(console, LOST, knowing=True))
    await resend_incident(console.services, about(console, LOST, knowing=True))
    inbox = await console.client.collection(paths.inbox_path(KEY)).get()
    (order,) = [layout.decode_raw(one.to_dict() or {})["console_order"] for one in inbox]
    assert (order["command"], order["argument"]) == ("resend", "p1 0 1")
    assert [wake.key for wake in await console.queue.wakes()] == [KEY]
    (record,) = await console.client.collection(paths.CONSOLE_RECORDS).get()
    assert str(KEY.chat_id) not in str(record.to_dict()), "the record names no person"
    with pytest.raises(BadRequest):
        await resend_incident(console.services, about(console, LOST, knowing=True))


async def test_a_lost_message_whose_plan_is_gone_cannot_be_sent(console: ConsoleHarness) -> None:
    await lost(console)
    await console.client.document(paths.plan_path(KEY)).delete()
    assert "text" not in await show_incident(console.services, about(console, LOST))
    with pytest.raises(BadRequest, match="message_not_stored"):
        await resend_incident(console.services, about(console, LOST, knowing=True))


async def test_jobs_are_shown_with_their_last_and_next_runs(console: ConsoleHarness) -> None:
    failed = JobOutcome(at=NOW, is_well=False, why="Firestore did not answer")
    well = JobOutcome(at=NOW - timedelta(hours=5), is_well=True)
    await console.client.document(paths.JOB_RUNS).set({"sweep": well.model_dump(), "note": failed.model_dump()})
    steps = [{"agent": "moss", "step": "x", "is_well": False}, {"agent": "", "step": "y", "is_well": True}]
    await console.client.document(paths.CANARY_REPORT).set({"at": NOW, "report": json.dumps({"steps": steps})})
    await console.client.document(paths.archive_cursor_path("gs://a")).set(
        {"archive": "gs://a", "at": NOW, "path": "p"}
    )
    await console.client.document(paths.archive_cursor_path("gs://a documents")).set(
        {"archive": "gs://a documents", "at": NOW, "path": "p"}
    )
    shown = await list_jobs(console.services, console.request())
    jobs = {one["name"]: one for one in shown["jobs"]}
    assert list(jobs) == ["sweep", "archive", "canary", "register"]
    assert jobs["sweep"]["next"] == [f"2026-03-01T12:{minute:02d}:00+00:00" for minute in range(5, 55, 5)]
    assert (jobs["sweep"]["last"]["is_well"], jobs["sweep"]["is_late"]) == (True, True)
    assert jobs["archive"]["last"] is None
    assert [one["name"] for one in shown["others"]] == ["note"]
    assert shown["canary"]["steps"] == [steps[1]]
    assert shown["archives"] == [{"name": "gs://a", "up_to": NOW.isoformat()}]
    assert shown["waiting"] == {}, "other agents belong to somebody else"


async def test_the_owner_of_all_agents_sees_how_much_waits(console: ConsoleHarness) -> None:
    await console.client.document(paths.conversation_path("conv-1")).set({"agent": "moss", "due_at": NOW})
    await console.client.document(paths.event_path("e")).set({"next_at": NOW})
    shown = await list_jobs(console.services, console.request("lull", "moss"))
    assert shown["waiting"] == {"reminders": 1, "deletions": 0, "exports": 0}
    assert {one["kind"]: one["count"] for one in shown["queues"]} == {"files": 0, "notes": 1}


async def test_a_job_is_run_by_the_queue(console: ConsoleHarness) -> None:
    await run_job(console.services, console.request("lull", "moss", path={"job": "sweep"}))
    for job, error in (("canary", BadRequest), ("other", NotFound)):
        with pytest.raises(error):
            await run_job(console.services, console.request("lull", "moss", path={"job": job}))
    with pytest.raises(BadRequest, match="not_your_deployment"):
        await run_job(console.services, console.request("lull", path={"job": "sweep"}))


def test_the_times_are_those_that_are_deployed() -> None:
    deployed = read_jobs(FILE, ["summarize", "maintain"])
    assert [(one.name, one.schedule, one.time_zone) for one in deployed] == [
        (one.name, one.schedule, one.time_zone) for one in sorted(SCHEDULES, key=lambda job: _order(job.name))
    ]
    assert {one.name for one in SCHEDULES if one.may_run_now} == {
        one.name for one in deployed if one.function == "summarize"
    }


def _order(name: str) -> int:
    return ["sweep", "register", "canary", "archive"].index(name)


def test_a_job_is_late_after_two_missed_runs() -> None:
    canary = next(one for one in SCHEDULES if one.name == "canary")
    result = JobOutcome(at=NOW, is_well=True)
    assert not is_late(canary, None, NOW)
    assert not is_late(canary, result, NOW + timedelta(hours=6))
    assert is_late(canary, result, NOW + timedelta(hours=13))


def test_an_odd_trace_has_no_logs() -> None:
    assert logs_url("p", 'x" OR severity>0') is None
    found = logs_url("my project", "b" * 32, NOW)
    assert found is not None
    assert found.endswith("?project=my%20project")
    assert "startTime=2026-03-01T11:00:00Z" in found
