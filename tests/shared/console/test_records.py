"""The owner's records: what they did and looked at, and each sign-in."""

from datetime import timedelta

import pytest

from shared.console.records import ConsoleRecord, FirestoreConsoleRecords
from shared.console.route import BadRequest
from shared.console.views.records import PAGE, list_records
from tests.shared.console.harness import OTHER, OWNER, ConsoleHarness
from tests.shared.examples import NOW


async def keep(console: ConsoleHarness, name: str, minutes: int = 0, person: int = OWNER, about: str = "") -> None:
    record = ConsoleRecord(
        id=name, at=NOW - timedelta(minutes=minutes), person=person, agents=("lull",), action="delete", about=about
    )
    assert await FirestoreConsoleRecords(console.client).keep(record)


async def test_records_are_the_owners_own_the_newest_first(console: ConsoleHarness) -> None:
    await keep(console, "older", minutes=5, about="conv-1/7")
    await keep(console, "newer", about="m1")
    await keep(console, "others", person=OTHER)
    page = await list_records(console.services, console.request())
    assert [(one["id"], one["conversation"], one["seq"]) for one in page["items"]] == [
        ("newer", "", None),
        ("older", "conv-1", 7),
    ]
    assert page["next"] == ""


async def test_a_long_list_has_pages_without_gaps(console: ConsoleHarness) -> None:
    for number in range(PAGE + 3):
        await keep(console, f"r{number:03d}", minutes=number // 2)  # some have the same time
    first = await list_records(console.services, console.request())
    rest = await list_records(console.services, console.request(query={"cursor": first["next"]}))
    assert len(first["items"]) == PAGE
    assert len({one["id"] for one in (*first["items"], *rest["items"])}) == PAGE + 3
    for cursor in ("yesterday", "2026-03-01T12:00:00 r1", f"{NOW.isoformat()} a/b"):
        with pytest.raises(BadRequest):
            await list_records(console.services, console.request(query={"cursor": cursor}))


async def test_a_sign_in_and_a_look_leave_records(console: ConsoleHarness) -> None:
    await console.claim()
    await console.enter()
    request = console.request()
    for _ in range(3):
        await console.services.record_look(request, "open", "conv-1")
    await console.services.record_look(request, "open", "conv-2")
    console.wait(days=1)
    await console.services.record_look(request, "open", "conv-1")
    page = await list_records(console.services, request)
    told = [(one["action"], one["about"]) for one in page["items"]]
    assert sorted(told) == [("open", "conv-1"), ("open", "conv-1"), ("open", "conv-2"), ("sign-in", "")]
