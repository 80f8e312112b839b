"""The status line: what is not well, in at most ten reads."""

import json
from datetime import timedelta
from typing import Any

import pytest

from shared.chat.store import layout, paths
from shared.console.status import ProblemKind, StatusReader, budget_problems, canary_problems, job_problems
from shared.console.views.status import forget_status, read_status
from shared.values.chat_key import ChatKey
from shared.values.incident import Incident, IncidentKind
from shared.values.job_result import JobOutcome
from tests.shared.console.harness import ConsoleHarness
from tests.shared.examples import NOW

KEY = ChatKey(agent="lull", chat_id=5)
OTHERS = ChatKey(agent="moss", chat_id=5)
LONG_AGO = NOW - timedelta(minutes=10)
LATELY = NOW - timedelta(minutes=1)


async def problems(console: ConsoleHarness, **query: str) -> list[tuple[str, str]]:
    """Return the kinds of the problems, and what each is about."""
    forget_status(console.services)
    status = await read_status(console.services, console.request(query=query))
    assert status["is_well"] is not bool(status["problems"])
    return [(one["kind"], one["about"]) for one in status["problems"]]


async def put(console: ConsoleHarness, path: str, **fields: Any) -> None:
    await console.client.document(path).set(fields)


async def incident(console: ConsoleHarness, name: str, agent: str = "lull", **fields: Any) -> None:
    usual: dict[str, Any] = {"kind": IncidentKind.DEAD_LETTER, "at": NOW, "why": "odd", "agent": agent}
    document = layout.encode_incident(Incident(id=name, **usual | fields))
    await console.client.document(paths.incident_path(name)).set(document)


async def test_an_empty_deployment_is_well(console: ConsoleHarness) -> None:
    assert await problems(console) == []


async def test_what_waits_too_long_is_a_problem(console: ConsoleHarness) -> None:
    for key, at in (
        (KEY, LONG_AGO),
        (OTHERS, LONG_AGO - timedelta(hours=1)),
        (ChatKey(agent="lull", chat_id=6), LATELY),
    ):
        await put(console, paths.update_path(key, 1), read=False, received_at=at)
        await put(console, paths.chat_path(key), due_at=at)
    file = {"is_open": True, "try_at": NOW - timedelta(hours=1), "agent": "lull", "chat": KEY.id}
    await put(console, paths.reference_path("r"), **file)
    assert await problems(console) == [("unread", KEY.id), ("overdue", KEY.id), ("files", KEY.id)]


async def test_of_incidents_the_new_ones_are_told(console: ConsoleHarness) -> None:
    await incident(console, "i-old", at=NOW - timedelta(days=1))
    await incident(console, "i-of-moss", "moss")
    assert await problems(console) == [("incident", "i-old")]
    assert await problems(console, since=(NOW - timedelta(hours=1)).isoformat()) == []
    await incident(console, "i-new")
    assert await problems(console, since=(NOW - timedelta(hours=1)).isoformat()) == [("incident", "i-new")]
    await incident(console, "i-new", dropped_at=NOW)
    await incident(console, "i-old", replayed_at=NOW)
    assert await problems(console) == []


async def test_lost_reminders_and_notices_are_told(console: ConsoleHarness) -> None:
    lost = {"agent": "lull", "failed_at": LATELY, "last": {"why": "the person has blocked the bot"}}
    await put(console, paths.event_path("e1"), id="e1", **lost)
    await put(console, paths.event_path("e2"), id="e2", agent="lull", failed_at=None)
    await put(console, paths.event_path("e3"), id="e3", agent="lull", failed_at=NOW - timedelta(days=2))
    assert await problems(console) == [("reminder", "e1")]
    await put(console, paths.event_path("e4"), id="e4", is_notice=True, **{**lost, "failed_at": NOW})
    assert await problems(console) == [("notice", "e4")]


async def test_an_instance_reads_the_status_again_after_a_while(console: ConsoleHarness) -> None:
    assert await problems(console) == []
    await incident(console, "i")
    assert (await read_status(console.services, console.request()))["is_well"]
    console.wait(seconds=31)
    assert not (await read_status(console.services, console.request()))["is_well"]


async def test_a_look_costs_at_most_ten_reads(console: ConsoleHarness) -> None:
    for number in range(12):
        key = ChatKey(agent="lull", chat_id=100 + number)
        await put(console, paths.update_path(key, 1), read=False, received_at=LONG_AGO)
        await put(console, paths.chat_path(key), due_at=LONG_AGO)
        await incident(console, f"i{number}")
        file = {"is_open": True, "try_at": NOW - timedelta(hours=1), "agent": "lull", "chat": key.id}
        await put(console, paths.reference_path(f"r{number}"), **file)
        await put(console, paths.event_path(f"e{number}"), agent="lull", failed_at=LATELY, id="e")
    reader = StatusReader(client=console.client, agents=frozenset({"lull", "moss"}), is_all=True)
    report = await reader.read(NOW)
    # one document for each query with a limit of one, three incidents, and three documents
    assert (len(report.problems), len(report.incidents)) == (4, 3)


def test_a_canary_tells_its_failed_steps_and_that_it_is_late() -> None:
    steps = [
        {"agent": "", "step": "sweep", "is_well": True, "said": "fine"},
        {"agent": "lull", "step": "webhook at Telegram", "is_well": False, "said": "it went elsewhere"},
        {"agent": "moss", "step": "Telegram", "is_well": False, "said": "no answer"},
        {"agent": "", "step": "model", "is_well": False, "said": "no answer"},
    ]
    stored = {"at": NOW - timedelta(hours=14), "report": json.dumps({"steps": steps})}
    found = [(one.kind, one.about) for one in canary_problems(stored, ["lull"], NOW)]
    assert found == [
        (ProblemKind.CANARY_LATE, ""),
        (ProblemKind.WEBHOOK, "webhook at Telegram"),
        (ProblemKind.CANARY, "model"),
    ]
    assert list(canary_problems({}, ["lull"], NOW)) == []
    assert [one.kind for one in canary_problems({"at": NOW, "report": "?"}, ["lull"], NOW)] == []


def test_a_failed_job_is_told_until_it_succeeds_or_is_old() -> None:
    failed, old = (
        JobOutcome(at=NOW, is_well=False, why="why"),
        JobOutcome(at=LONG_AGO - timedelta(hours=2), is_well=False),
    )
    results = {"archive": old, "note": old, "title": failed, "sweep": JobOutcome(at=NOW, is_well=True)}
    assert [one.about for one in job_problems(results, NOW)] == ["archive", "title"]


@pytest.mark.parametrize(
    ("sums", "kinds"),
    [
        ({"*": {"day": "2026-03-01", "told_day": 100}}, [("budget_day", "")]),
        ({"*": {"day": "2026-03-01", "told_day": 80}}, []),
        ({"*": {"day": "2026-02-28", "told_day": 100, "told_month": 100}}, []),
        ({"lull": {"day": "2026-03-01", "told_day": 100, "told_month": 100}}, [("budget_month", "lull")]),
        ({"moss": {"day": "2026-03-01", "told_day": 100}}, []),
    ],
)
def test_limits_that_are_used_up_are_told(sums: dict[str, Any], kinds: list[tuple[str, str]]) -> None:
    found = budget_problems({"sums": sums}, ["lull"], NOW)
    assert [(one.kind.value, one.agent) for one in found] == kinds
