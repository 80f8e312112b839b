"""People: lists, one person's page, invitations, and buttons that become orders of the owner."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from ulid import ULID

from shared.access.store.invitations import FirestoreInvitations
from shared.chat.store import paths
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.people import FirestorePeople
from shared.console.route import BadRequest, ConsoleRequest, NotFound
from shared.console.services import ConsoleServices
from shared.console.views.people import (
    act_on_group,
    act_on_person,
    decide_request,
    invite,
    mute_chat,
    read_list,
    read_people,
    read_person,
    revoke_invitation,
    set_silence,
)
from shared.spending.policy import SpendingPolicy
from shared.spending.store.usage import FirestoreUsages
from shared.values.access_action import FOREVER
from shared.values.access_request import AccessRequest, RequestState, request_id
from shared.values.budget import BudgetLease, CallTotals, ChatBudget
from shared.values.chat import Chat, ChatAccess
from shared.values.chat_key import ChatKey
from shared.values.invitation import Redemption, invitation_id
from shared.values.money import AgentLimits, SpendingLimits
from shared.values.trust import AdmittedGroup, AdmittedPerson, AgentSilence, BlockedPerson
from tests.shared.console.harness import OWNER, ConsoleHarness
from tests.shared.console.test_costs import policy, usage
from tests.shared.examples import NOW
from tests.shared.spending.values import cents

ANN, BEN, EVE, GROUP = 601, 602, 603, -1_000_000_000_601
CLICK = "a-click-of-the-page"


def lists_of(console: ConsoleHarness) -> FirestoreAccessLists:
    return FirestoreAccessLists(console.client, lambda: NOW)


def services_of(console: ConsoleHarness) -> ConsoleServices:
    limits: SpendingPolicy = policy(agents={"lull": AgentLimits(known=SpendingLimits(day_usd=0.5))})
    return replace(console.services, spending=lambda: limits)


def at(console: ConsoleHarness, *agents: str, query: Any = None, body: Any = None, **path: str) -> ConsoleRequest:
    """Return a request to an address of the agent lull."""
    more = {"id": CLICK, **body} if body is not None else {}
    return console.request(*agents, path={"agent": "lull", **path}, query=query or {}, body=more)


async def keep_request(
    console: ConsoleHarness, chat_id: int = EVE, agent: str = "lull", **fields: Any
) -> AccessRequest:
    key = ChatKey(agent=agent, chat_id=chat_id)
    given = {
        "name": "Eve",
        "username": "eve",
        "words": "May I ask?",
        "person": EVE if chat_id < 0 else chat_id,
        "at": NOW,
        **fields,
    }
    request = AccessRequest(id=request_id(key), agent=agent, chat=key.id, **given)
    await console.client.document(paths.request_path(request.id)).set(request.model_dump())
    return request


async def orders_in(console: ConsoleHarness, chat_id: int = OWNER) -> list[tuple[str, str, bool]]:
    """Return the orders in a chat's inbox: command, argument, and whether it is a press."""
    key, found = ChatKey(agent="lull", chat_id=chat_id), []
    async for one in console.client.collection(paths.inbox_path(key)).stream():
        order = json.loads((one.to_dict() or {})["raw"])["console_order"]
        assert order["from"]["id"] == OWNER
        found.append((order["command"], order.get("argument", ""), order.get("is_press", False)))
    return found


async def test_an_agents_people_are_counted_and_those_who_wait_are_shown(console: ConsoleHarness) -> None:
    lists = lists_of(console)
    await lists.let_in("lull", AdmittedPerson(id=ANN, name="Ann", since=NOW, by=OWNER))
    await lists.let_group_in("lull", AdmittedGroup(chat_id=GROUP, title="Trip", since=NOW, by=OWNER))
    await lists.block("lull", BlockedPerson(id=BEN, name="Ben", since=NOW, by=OWNER))
    await lists.set_silenced("lull", AgentSilence(since=NOW, by=OWNER))
    waiting = await keep_request(console)
    await keep_request(console, GROUP, title="Secret club", words="what members say")
    await keep_request(console, BEN, state=RequestState.BLOCKED)
    found = await read_people(services_of(console), console.request("lull", "moss"))
    assert (found["agent"], [one["id"] for one in found["agents"]]) == ("lull", ["lull", "moss"])
    assert found["counts"] == {"people": 1, "groups": 1, "blocked": 1}
    assert found["silenced_since"] == NOW.isoformat()
    of_person, of_group = sorted(found["requests"], key=lambda one: bool(one["is_group"]))
    assert (of_person["id"], of_person["words"], of_person["username"]) == (waiting.id, "May I ask?", "eve")
    assert (of_group["title"], of_group["words"]) == ("Secret club", "")


async def test_muted_chats_are_shown_with_their_end(console: ConsoleHarness) -> None:
    await keep_request(console)
    for key, until, title in (
        (ChatKey(agent="lull", chat_id=EVE), FOREVER, ""),
        (ChatKey(agent="lull", chat_id=GROUP), NOW + timedelta(hours=1), "Trip"),
        (ChatKey(agent="lull", chat_id=ANN), NOW - timedelta(hours=1), ""),
        (ChatKey(agent="moss", chat_id=EVE), FOREVER, ""),
    ):
        chat = Chat(key=key, title=title, access=ChatAccess(muted_until=until))
        await console.client.document(paths.chat_path(key)).set(chat.model_dump())
    found = (await read_people(services_of(console), console.request()))["muted"]
    assert [(one["name"], one["until"]) for one in found] == [
        ("Trip", (NOW + timedelta(hours=1)).isoformat()),
        ("Eve", None),
    ]


async def test_lists_are_paged_and_searched(console: ConsoleHarness) -> None:
    entries = {
        str(ANN + number): AdmittedPerson(
            id=ANN + number, name=f"Person {number}", since=NOW + timedelta(seconds=number), by=OWNER
        ).model_dump()
        for number in range(60)
    }
    await console.client.document(paths.bot_path("lull")).set({"owner": OWNER, "people": entries})
    services = services_of(console)
    first = await read_list(services, at(console, kind="people"))
    assert (len(first["items"]), first["items"][0]["name"], first["count"]) == (50, "Person 59", 60)
    second = await read_list(services, at(console, kind="people", body={"cursor": first["next"]}))
    assert (len(second["items"]), second["next"]) == (10, "")
    assert not {one["id"] for one in first["items"]} & {one["id"] for one in second["items"]}
    for words in ("person 7", str(ANN + 7)):
        searched = await read_list(services, at(console, kind="people", body={"q": words}))
        assert [one["name"] for one in searched["items"]] == ["Person 7"]
    with pytest.raises(NotFound):
        await read_list(services, at(console, kind="owners"))


async def test_a_persons_page_shows_what_is_known(console: ConsoleHarness) -> None:
    lists, key = lists_of(console), ChatKey(agent="lull", chat_id=ANN)
    entry = AdmittedPerson(id=ANN, name="Ann", since=NOW, by=OWNER)
    await lists.let_in("lull", entry)
    await lists.let_group_in("lull", AdmittedGroup(chat_id=GROUP, title="Trip", since=NOW, by=OWNER))
    await lists.set_limits("lull", "known", SpendingLimits(day_usd=0.2))
    await FirestorePeople(console.client).keep_pronouns(ANN, "she/her", NOW)
    spent = {"plan": CallTotals(calls=1, nano_usd=cents(1).nano_usd)}
    lease = BudgetLease(id="l", person=ANN, day=NOW.date().isoformat(), until=NOW, used=cents(1, 1), by=spent)
    chat = Chat(key=key, access=ChatAccess(muted_until=FOREVER), budget=ChatBudget(open=(lease,)))
    await console.client.document(paths.chat_path(key)).set(chat.model_dump())
    conversation = f"conv-{ULID.from_datetime(NOW - timedelta(days=2))}"
    told = {"chat": key.id, "agent": "lull", "updated_at": NOW, "turns": 3}
    await console.client.document(paths.conversation_path(conversation)).set(told)
    group = ChatKey(agent="lull", chat_id=GROUP)
    member = {"agent": "lull", "chat_id": GROUP, "person": ANN, "places": [], "seen_at": NOW + timedelta(hours=2)}
    await console.client.document(paths.membership_path(group, ANN)).set(member)
    await FirestoreUsages(console.client).keep(usage("a", ANN, key.id, 3))
    found = await read_person(services_of(console), at(console, person=str(ANN)))
    assert (found["name"], found["pronouns"], found["tier"], found["is_listed"]) == ("Ann", "she/her", "known", True)
    assert found["groups"] == [{"id": str(GROUP), "name": "Trip"}]
    assert found["first_seen"] == (NOW - timedelta(days=2)).isoformat()
    assert found["last_seen"] == (NOW + timedelta(hours=2)).isoformat()
    assert (found["is_muted"], found["month"]) == (True, {"usd": 0.04, "answers": 2, "calls": 2})
    assert found["limits"] == {"day_usd": 0.2}


async def test_of_a_person_who_is_unknown_nothing_is_shown_but_the_id(console: ConsoleHarness) -> None:
    found = await read_person(services_of(console), at(console, person=str(EVE)))
    assert (found["id"], found["name"], found["tier"], found["chat"]) == (str(EVE), "", "stranger", "")
    assert (found["first_seen"], found["last_seen"], found["groups"], found["request"]) == (None, None, [], None)
    for wrong in ("x", "", "../lull", "9" * 20, "１２"):
        with pytest.raises(NotFound):
            await read_person(services_of(console), at(console, person=wrong))


@pytest.mark.parametrize(
    ("action", "argument"),
    [("let_in", f"i{EVE}"), ("remove", f"s{EVE}"), ("block", f"b{EVE}"), ("unblock", f"u{EVE}")],
)
async def test_a_button_about_a_person_is_an_order_to_press_the_commands_button(
    console: ConsoleHarness, action: str, argument: str
) -> None:
    await act_on_person(services_of(console), at(console, person=str(EVE), body={"action": action}))
    assert await orders_in(console) == [("people", argument, True)]
    assert [one async for one in console.client.collection("console_records").stream()]


async def test_a_button_that_is_pressed_twice_is_one_order(console: ConsoleHarness) -> None:
    for _ in range(2):
        await act_on_group(services_of(console), at(console, group=str(GROUP), body={"action": "remove"}))
    assert await orders_in(console) == [("people", f"tn{-GROUP}", True)]


async def test_decisions_and_silences_are_orders_too(console: ConsoleHarness) -> None:
    services, request = services_of(console), await keep_request(console)
    await decide_request(services, at(console, request=request.id, body={"action": "once"}))
    assert await orders_in(console) == [("requests", f"o{request.id}", True)]
    await set_silence(services, at(console, body={"on": True, "id": "another-click"}))
    await set_silence(services, at(console, body={"on": False, "id": "one-more-click"}))
    assert ("shutdown", "e", True) in await orders_in(console)
    assert ("wake", "", True) in await orders_in(console)
    chat = ChatKey(agent="lull", chat_id=GROUP)
    await mute_chat(services, at(console, chat=chat.id, body={"on": True}))
    assert await orders_in(console, GROUP) == [("mute", "", False)]


async def test_what_is_of_another_agent_or_of_no_kind_is_refused(console: ConsoleHarness) -> None:
    services, key = services_of(console), ChatKey(agent="moss", chat_id=EVE)
    foreign = AccessRequest(id="r1", agent="moss", chat=key.id, person=EVE, at=NOW)
    await console.client.document(paths.request_path("r1")).set(foreign.model_dump())
    let_in = {"action": "let_in"}
    for handler, request in (
        (decide_request, at(console, request="r1", body=let_in)),
        (decide_request, at(console, request="unknown", body=let_in)),
        (mute_chat, at(console, chat=key.id, body={"on": True})),
        (mute_chat, at(console, chat="x", body={"on": True})),
        (read_people, console.request("lull", query={"agent": "moss"})),
        (act_on_person, console.request("moss", path={"agent": "lull", "person": "5"}, body=let_in)),
        (revoke_invitation, at(console, invitation="a.b", body={})),
    ):
        with pytest.raises(NotFound):
            await handler(services, request)
    for handler, request in (
        (act_on_person, at(console, person=str(EVE), body={"action": "promote"})),
        (act_on_person, at(console, person=str(OWNER), body={"action": "block"})),
        (act_on_person, at(console, person=str(EVE), body={"action": "block", "id": "short"})),
        (set_silence, at(console, body={"on": "yes"})),
        (invite, at(console, body={"people": 0, "days": 7})),
        (invite, at(console, body={"people": 1, "days": 4_000})),
        (invite, at(console, body={"people": True, "days": 7})),
    ):
        with pytest.raises(BadRequest):
            await handler(services, request)


async def test_an_invitation_lets_people_in_until_it_is_revoked(console: ConsoleHarness) -> None:
    await console.claim("lull")
    services, lists = services_of(console), lists_of(console)
    made = await invite(services, at(console, body={"people": 2, "days": 1}))
    assert made["link"].startswith("https://t.me/lull_bot?start=invite_")
    code = made["link"].partition("invite_")[2]
    entry = AdmittedPerson(id=EVE, name="Eve", since=NOW, by=OWNER)
    redeemed = await FirestoreInvitations(console.client, lists).redeem("lull", invitation_id("lull", code), entry)
    assert redeemed is Redemption.LET_IN
    (shown,) = (await read_people(services, console.request()))["invitations"]
    assert (shown["id"], shown["most"], shown["used"]) == (made["id"], 2, 1)
    assert code not in str(shown)
    await revoke_invitation(services, at(console, invitation=made["id"], body={}))
    assert (await read_people(services, console.request()))["invitations"] == []
    assert EVE in (await lists.access_list("lull")).people


async def test_everything_is_answered_as_json_to_the_owner_alone(console: ConsoleHarness) -> None:
    await console.claim("lull")
    await keep_request(console)
    addresses = ("/api/people", f"/api/people/lull/person/{EVE}", "/api/external/rules")
    more = ("/api/external/lull/people", "/api/costs", "/api/costs/limits")
    for address in (*addresses, *more):
        assert (await console.http.get(address)).status_code == 404
    await console.enter()
    for address in (*addresses, *more):
        assert (await console.http.get(address)).json()
    assert (await console.post("/api/people/lull/list/people")).json()["items"] == []
    body = {"id": CLICK, "action": "let_in"}
    assert (await console.post(f"/api/people/lull/person/{EVE}", body)).status_code == 200
    assert (await console.post(f"/api/people/lull/person/{EVE}", body, headers={})).status_code == 404
    assert (await console.post(f"/api/people/moss/person/{EVE}", body)).status_code == 404
    assert (await console.post("/api/people/lull/person/x", body)).status_code == 404
    assert (await console.post(f"/api/people/lull/person/{EVE}", {"id": CLICK})).status_code == 400


async def test_nothing_is_told_of_a_person_whom_only_another_agent_has_met(console: ConsoleHarness) -> None:
    await FirestorePeople(console.client).keep_pronouns(BEN, "she/her", NOW)
    found = await read_person(services_of(console), at(console, person=str(BEN)))
    assert (found["pronouns"], found["zone"], found["name"]) == ("", "", "")
