"""Costs and limits: what the page shows, and how an owner lowers limits."""

import json
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest

from shared.base.root import ROOT
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.paths import budget_path, chat_path
from shared.console.costs import CostForecast, forecast_of, months_until, today_of
from shared.console.route import BadRequest, ConsoleRequest, NotFound
from shared.console.services import ConsoleServices
from shared.console.views.costs import change_limits, read_all_limits, read_costs
from shared.spending.leasing import add_lease, roll_to_days
from shared.spending.policy import SpendingPolicy
from shared.spending.statement import statement_of
from shared.spending.store.accounts import encode_account
from shared.spending.store.usage import FirestoreUsages
from shared.values.account import BACKGROUND, DEPLOYMENT, Account, SpendingSums
from shared.values.budget import BudgetLease, CallTotals, ChatBudget, UsageRecord
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.money import AgentLimits, Amount, OwnerLimits, SpendingLimits
from shared.values.trust import AdmittedGroup, AdmittedPerson
from shared.values.usage import Purpose
from tests.shared.console.harness import OWNER, ConsoleHarness
from tests.shared.examples import NOW
from tests.shared.spending.values import cents, wanted

DAY, MONTH = NOW.date().isoformat(), NOW.date().isoformat()[:7]
ANN, GROUP = 501, -1_000_000_000_501


def policy(**more: Any) -> SpendingPolicy:
    given: dict[str, Any] = {
        "is_on": True,
        "deployment": SpendingLimits(day_usd=1.0, month_usd=5.0),
        "agents": {"lull": AgentLimits(), "moss": AgentLimits()},
        "owners": 0.2,
        "background": 0.3,
    }
    return SpendingPolicy(**(given | more))


def services_of(console: ConsoleHarness, **more: Any) -> ConsoleServices:
    limits = policy(**more)
    return replace(console.services, spending=lambda: limits)


def usage(name: str, person: int, chat: str, cost: float, **more: Any) -> UsageRecord:
    spent = CallTotals(calls=1, nano_usd=cents(cost).nano_usd)
    given: dict[str, Any] = {
        "agent": "lull",
        "day": DAY,
        "month": MONTH,
        "at": NOW,
        "by": {"plan": spent},
        "models": {"gemini-3.6-flash": spent},
    }
    return UsageRecord(id=name, person=person, chat=chat, used=cents(cost, 1), **(given | more))


async def keep(console: ConsoleHarness, *records: UsageRecord) -> None:
    for one in records:
        await FirestoreUsages(console.client).keep(one)


async def test_a_month_is_summed_by_day_person_chat_purpose_and_model(console: ConsoleHarness) -> None:
    lists = FirestoreAccessLists(console.client, lambda: NOW)
    await lists.let_in("lull", AdmittedPerson(id=ANN, name="Ann", since=NOW, by=OWNER))
    await lists.let_group_in("lull", AdmittedGroup(chat_id=GROUP, title="Trip", since=NOW, by=OWNER))
    private, group = ChatKey(agent="lull", chat_id=ANN).id, ChatKey(agent="lull", chat_id=GROUP, topic_id=3).id
    note = CallTotals(calls=1, nano_usd=cents(2).nano_usd)
    await keep(
        console,
        usage("a", ANN, private, 3),
        usage("b", ANN, group, 4),
        usage("c", 0, "", 2, by={"summarize": note}, models={}),
        usage("d", ANN, private, 9, agent="moss"),
        usage("e", ANN, private, 9, month="2026-02", day="2026-02-28"),
    )
    found = await read_costs(services_of(console), console.request("lull"))
    assert (found["month"], found["months"][:2], found["is_partial"]) == (MONTH, [MONTH, "2026-02"], False)
    assert found["total"] == {"usd": 0.09, "answers": 3, "calls": 3}
    assert found["days"][-1] == {"day": DAY, "usd": 0.09, "answers": 3}
    assert [(one["name"], one["usd"]) for one in found["people"]] == [("Ann", 0.07), ("", 0.02)]
    assert [(one["name"], one["usd"]) for one in found["chats"]] == [("Trip", 0.04), ("Ann", 0.03), ("", 0.02)]
    assert [(one["id"], one["usd"]) for one in found["purposes"]] == [("plan", 0.07), ("summarize", 0.02)]
    assert [(one["id"], one["usd"]) for one in found["models"]] == [("gemini-3.6-flash", 0.07), ("unknown", 0.02)]
    assert found["background_usd"] == 0.02
    assert (found["owner_usd"], {one["is_yours"] for one in found["people"]}) == (0.0, {False})
    await keep(console, usage("f", OWNER, ChatKey(agent="lull", chat_id=OWNER).id, 5))
    with_own = await read_costs(services_of(console), console.request("lull"))
    assert [with_own[kind][1]["is_yours"] for kind in ("people", "chats")] == [True, False]
    assert (with_own["owner_usd"], with_own["chats"][0]["is_yours"]) == (0.05, True)
    both = await read_costs(services_of(console), console.request("lull", "moss"))
    assert [(one["id"], one["usd"]) for one in both["agents"]] == [("lull", 0.14), ("moss", 0.09)]
    before = await read_costs(services_of(console), console.request("lull", query={"month": "2026-02"}))
    assert (before["total"]["usd"], before["forecast"], before["today"]) == (0.09, None, None)
    assert (before["day"], len(before["days"])) == ("2026-02-28", 28)


async def test_leases_that_are_still_open_are_counted(console: ConsoleHarness) -> None:
    spent = CallTotals(calls=1, nano_usd=cents(1).nano_usd)
    for agent in ("lull", "moss"):
        key = ChatKey(agent=agent, chat_id=ANN)
        lease = BudgetLease(id=agent, person=ANN, day=DAY, until=NOW, used=cents(1, 1), by={"plan": spent})
        chat = Chat(key=key, budget=ChatBudget(open=(lease,), month=MONTH))
        await console.client.document(chat_path(key)).set(chat.model_dump())
    assert (await read_costs(services_of(console), console.request("lull")))["total"]["usd"] == 0.01


async def test_costs_of_other_agents_and_of_unknown_months_are_not_shown(console: ConsoleHarness) -> None:
    with pytest.raises(NotFound):
        await read_costs(services_of(console), console.request("lull", query={"agent": "moss"}))
    for month in ("2020-01", "2026-99", "x"):
        with pytest.raises(BadRequest):
            await read_costs(services_of(console), console.request("lull", query={"month": month}))


def test_a_forecast_is_the_amount_so_far_and_the_average_for_each_day_left() -> None:
    on_days = [usage(str(day), ANN, "", day, day=f"2026-11-{day:02d}") for day in (1, 9, 10)]
    told = statement_of(on_days, date(2026, 11, 10))
    found = forecast_of(told)
    assert found == CostForecast(
        so_far=cents(20, 3), average=Amount(nano_usd=cents(19).nano_usd // 7), days=7, days_left=20
    )
    first = forecast_of(statement_of(on_days[:1], date(2026, 11, 1)))
    assert (first.average.nano_usd, first.days, first.days_left) == (cents(1).nano_usd, 1, 29)
    assert first.nano_usd == cents(30).nano_usd
    assert forecast_of(statement_of([], date(2026, 12, 31))).days_left == 0


def test_months_go_back_as_far_as_usage_is_kept() -> None:
    found = months_until(date(2026, 1, 31))
    assert (found[0], found[1], found[-1], len(found)) == ("2026-01", "2025-12", "2025-01", 13)


def test_the_day_is_that_of_the_agents_zone() -> None:
    late = datetime.fromisoformat("2026-11-25T23:30:00+00:00")
    limits = policy(zones={"lull": "Europe/Kyiv"})
    assert today_of(limits, ["lull"], late) == date(2026, 11, 26)
    assert today_of(limits, ["lull", "moss"], late) == date(2026, 11, 25)


async def test_limits_are_shown_with_what_is_spent_and_lent(console: ConsoleHarness) -> None:
    asked = wanted(days={DEPLOYMENT: DAY, "lull": DAY, BACKGROUND: DAY})
    sums = {scope: SpendingSums(day=DAY, spent_day=cents(30, 3), spent_month=cents(80, 8)) for scope in ("*", "lull")}
    account = add_lease(roll_to_days(Account(sums=sums), ("*", "lull"), asked.terms.days), ("*",), asked, cents(5, 1))
    path = budget_path(0)
    await console.client.document(path).set(encode_account(path, account, None))
    found = await read_all_limits(services_of(console), console.request("lull", "moss"))
    day, month, *_ = found["deployment"]
    assert (day["name"], day["limit"], day["spent"], day["lent"]) == ("day_usd", 1.0, 0.3, 0.05)
    assert (month["name"], month["limit"], month["spent"], month["lent"]) == ("month_usd", 5.0, 0.8, 0.05)
    assert found["soft_share"] == {"setting": 0.8, "own": None}
    lull = found["agents"][0]
    assert (lull["id"], lull["parts"]["agent"][0]["spent"], lull["parts"]["known"][0]["limit"]) == ("lull", 0.3, 0.5)
    assert "spent" not in lull["parts"]["known"][0]


def changing(console: ConsoleHarness, *agents: str, **body: Any) -> ConsoleRequest:
    return console.request(*agents, body=body)


async def limits_of(console: ConsoleHarness, agent: str) -> OwnerLimits:
    return (await FirestoreAccessLists(console.client, lambda: NOW).access_list(agent)).limits


async def test_the_owner_of_all_agents_lowers_the_deployments_limits(console: ConsoleHarness) -> None:
    services, both = services_of(console), ("lull", "moss")
    found = await change_limits(services, changing(console, *both, part="deployment", limits={"day_usd": 0.4}))
    assert [(row["own"], row["limit"]) for row in found["deployment"][:2]] == [(0.4, 0.4), (None, 5.0)]
    assert {(await limits_of(console, one)).deployment.day_usd for one in both} == {0.4}
    await change_limits(services, changing(console, *both, soft_share=0.5))
    assert (await limits_of(console, "moss")).soft_share == 0.5
    await change_limits(services, changing(console, *both, part="deployment", limits={}))
    await change_limits(services, changing(console, *both, soft_share=None))
    assert await limits_of(console, "lull") == OwnerLimits()


async def test_an_owner_lowers_the_limits_of_their_agent(console: ConsoleHarness) -> None:
    services = services_of(console)
    given = {"day_usd": 0.1, "day_messages": 9}
    await change_limits(services, changing(console, "lull", part="known", agent="lull", limits=given))
    await change_limits(services, changing(console, "lull", part="agent", agent="lull", limits={"month_usd": 2}))
    assert await limits_of(console, "lull") == OwnerLimits(
        known=SpendingLimits(day_usd=0.1, day_messages=9), agent=SpendingLimits(month_usd=2)
    )
    records = [one.to_dict() async for one in console.client.collection("console_records").stream()]
    assert {one["about"] for one in records if one is not None} == {"lull known", "lull agent"}


@pytest.mark.parametrize(
    ("agents", "body"),
    [
        (("lull",), {"part": "deployment", "limits": {"day_usd": 0.4}}),
        (("lull",), {"soft_share": 0.5}),
        (("lull", "moss"), {"part": "deployment", "limits": {"day_usd": 1.5}}),
        (("lull", "moss"), {"soft_share": 0.9}),
        (("lull", "moss"), {"soft_share": "much"}),
        (("lull",), {"part": "known", "agent": "lull", "limits": {"day_usd": 0.6}}),
        (("lull",), {"part": "known", "agent": "lull", "limits": {"day_usd": -1}}),
        (("lull",), {"part": "known", "agent": "lull", "limits": {"day_usd": True}}),
        (("lull",), {"part": "known", "agent": "lull", "limits": {"day_messages": 1.5}}),
        (("lull",), {"part": "known", "agent": "lull", "limits": {"year_usd": 1}}),
        (("lull",), {"part": "everything", "agent": "lull", "limits": {}}),
        (("lull",), {"part": "known", "agent": "lull"}),
    ],
)
async def test_what_would_raise_a_limit_or_is_no_limit_is_refused(
    console: ConsoleHarness, agents: tuple[str, ...], body: dict[str, Any]
) -> None:
    with pytest.raises(BadRequest):
        await change_limits(services_of(console), console.request(*agents, body=body))
    assert await limits_of(console, "lull") == OwnerLimits()


async def test_limits_of_another_agent_are_out_of_reach(console: ConsoleHarness) -> None:
    with pytest.raises(NotFound):
        await change_limits(services_of(console), changing(console, "lull", part="known", agent="moss", limits={}))


async def test_where_the_deployment_has_many_accounts_answers_are_limited_by_settings_alone(
    console: ConsoleHarness,
) -> None:
    large = services_of(console, deployment=SpendingLimits(day_usd=100.0))
    shown = await read_all_limits(large, console.request("lull", "moss"))
    assert [row["can_change"] for row in shown["deployment"]] == [True, True, False, False]
    with pytest.raises(BadRequest):
        await change_limits(large, changing(console, "lull", "moss", part="deployment", limits={"day_messages": 5}))


def test_each_purpose_of_a_call_has_a_name_on_the_page() -> None:
    words = json.loads((ROOT / "web/console/words/en/costs.json").read_text())
    assert {f"purpose_{purpose.value}" for purpose in Purpose} <= words.keys()
