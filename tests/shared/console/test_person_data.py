"""A person's data: where it is, and its export and deletion by the owner."""

from dataclasses import replace
from typing import Any

import pytest

from shared.chat.store import paths
from shared.console.route import BadRequest, NotFound
from shared.console.views.person_data import (
    export_person_data,
    find_logs,
    forget_person,
    list_running,
    show_person_data,
)
from shared.privacy.deletion.rules import DELETION_RULES
from shared.privacy.jobs.erase import STEPS
from shared.values.chat_key import ChatKey
from shared.values.deletion import ROUND_STEPS, Deletion
from tests.shared.console.harness import OWNER, ConsoleHarness
from tests.shared.examples import GROUP_KEY, NOW

PERSON = 555
CLICK = "click-0001"


async def known(console: ConsoleHarness, agent: str = "lull") -> None:
    """Store a private chat of the person, and their membership in a group."""
    key = ChatKey(agent=agent, chat_id=PERSON)
    await console.client.document(paths.chat_path(key)).set({"key": {"chat_id": PERSON}, "title": ""})
    group = ChatKey(agent=agent, chat_id=GROUP_KEY.chat_id)
    await console.client.document(paths.chat_path(group)).set({"title": "Garden"})
    seen = {"agent": agent, "person": PERSON, "chat_id": group.chat_id, "places": []}
    await console.client.document(paths.membership_path(group, PERSON)).set(seen)


def asked(console: ConsoleHarness, *agents: str, person: str = str(PERSON), **body: Any) -> Any:
    return console.request(*agents, path={"person": person}, body=body)


async def test_the_places_are_those_of_the_page_on_privacy(console: ConsoleHarness) -> None:
    await known(console)
    shown = await show_person_data(console.services, asked(console))
    assert [one["agent"] for one in shown["private"]] == ["lull"]
    assert [(one["title"], one["agent"]) for one in shown["groups"]] == [("Garden", "lull")]
    assert [one["collection"] for one in shown["places"]] == [one.collection for one in DELETION_RULES]
    assert (shown["export"], shown["deletions"], shown["may_export"], shown["may_forget"]) == (None, [], False, False)
    both = await show_person_data(console.services, asked(console, "lull", "moss"))
    assert both["may_forget"]


async def test_a_stranger_is_not_there(console: ConsoleHarness) -> None:
    await known(console, "moss")
    for person in (str(PERSON), "5", "0", "-5", "x", "9" * 40):
        for handler in (show_person_data, export_person_data, forget_person):
            with pytest.raises(NotFound):
                await handler(console.services, asked(console, person=person))


async def test_an_export_goes_to_the_persons_own_chat(console: ConsoleHarness) -> None:
    await known(console)
    with pytest.raises(BadRequest, match="export_has_no_bucket"):
        await export_person_data(console.services, asked(console))
    services = replace(console.services, has_exports=True)
    begun = await export_person_data(services, asked(console))
    assert (begun["person"], begun["agent"], begun["state"]) == (PERSON, "lull", "gathering")
    (task,) = await console.queue.tasks()
    assert b'"take_out"' in task.http_request.body
    running = await list_running(services, console.request())
    assert [one["person"] for one in running["exports"]] == [PERSON]
    assert (await list_running(services, console.request("moss")))["exports"] == []


async def test_a_deletion_needs_the_typed_number_and_all_agents(console: ConsoleHarness) -> None:
    await known(console)
    with pytest.raises(BadRequest, match="forget_of_others"):
        await forget_person(console.services, asked(console, confirm=str(PERSON), id=CLICK))
    for body in ({"id": CLICK}, {"confirm": "yes", "id": CLICK}, {"confirm": str(PERSON)}):
        with pytest.raises(BadRequest):
            await forget_person(console.services, asked(console, "lull", "moss", **body))
    assert await console.queue.tasks() == []


async def test_a_deletion_begins_once_and_shows_its_progress(console: ConsoleHarness) -> None:
    await known(console)
    request = asked(console, "lull", "moss", confirm=f" {PERSON} ", id=CLICK)
    begun = await forget_person(console.services, request)
    again = await forget_person(console.services, request)
    assert (begun["person"], begun["is_done"], begun["id"]) == (PERSON, False, again["id"])
    other = asked(console, "lull", "moss", confirm=str(PERSON), id="another-click")
    with pytest.raises(BadRequest, match="forgotten_lately"):
        await forget_person(console.services, other)
    (task,) = await console.queue.tasks()
    assert begun["id"].encode() in task.http_request.body
    document = console.client.document(paths.deletion_path(begun["id"]))
    stored = Deletion.model_validate((await document.get()).to_dict())
    assert (stored.chat, stored.is_told) == (ChatKey(agent="lull", chat_id=OWNER).id, True)
    await document.update({"done": list(STEPS)[:4], "round": 2})
    (running,) = (await list_running(console.services, console.request()))["deletions"]
    assert running["share"] == pytest.approx((ROUND_STEPS + 4) / (2 * ROUND_STEPS))
    await document.update({"due_at": None})
    shown = await show_person_data(console.services, asked(console, "lull", "moss"))
    assert [(one["is_done"], one["share"]) for one in shown["deletions"]] == [(True, 1.0)]
    records = await console.client.collection(paths.CONSOLE_RECORDS).get()
    acts = {(one.get("action"), one.get("about")) for one in records}
    assert acts == {("person_data", ""), ("forget_person", "")}, "no record names them"


async def test_logs_are_found_by_their_trace(console: ConsoleHarness) -> None:
    trace = "0af7651916cd43dd8448eb211c80319c"
    found = await find_logs(console.services, console.request(query={"trace": trace, "at": NOW.isoformat()}))
    assert found["url"].startswith("https://console.cloud.google.com/logs/query;query=")
    local = replace(console.services, is_local=True)
    assert (await find_logs(local, console.request(query={"trace": trace})))["url"] == ""
    with pytest.raises(BadRequest):
        await find_logs(console.services, console.request(query={"trace": "x"}))


def test_the_progress_counts_all_steps() -> None:
    assert len(STEPS) == ROUND_STEPS
