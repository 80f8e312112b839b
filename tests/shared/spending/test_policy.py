"""The limits of a call by person and agent, and the days by which these limits count."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from shared.spending.policy import LEASE_TIME, SpendingPolicy
from shared.spending.store.accounts import scopes_of
from shared.values.account import CHAT, DEPLOYMENT, PERSON, PLACE, LimitPeriod, agent_of, agent_scope, day_label
from shared.values.money import AgentLimits, OwnerLimits, SpendingLimits
from shared.values.trust import AccessList, TrustTier
from tests.shared.spending.values import wanted

ALL, OF_AGENT = SpendingLimits(day_usd=1), SpendingLimits(day_usd=0.5)
TERMS = SpendingPolicy(
    is_on=True, deployment=ALL, agents={"lull": AgentLimits(agent=OF_AGENT)}, zones={"lull": "Europe/Kyiv"}
)
LATE = datetime(2026, 11, 25, 21, 50, tzinfo=UTC)  # 23:50 in Kyiv


@pytest.mark.parametrize(
    ("tier", "limits"),
    [
        (TrustTier.STRANGER, AgentLimits().stranger),
        (TrustTier.KNOWN, AgentLimits().known),
        (TrustTier.BLOCKED, AgentLimits().stranger),
        (TrustTier.OWNER, None),
        (None, None),
    ],
)
def test_each_tier_has_its_limits_and_the_owner_only_the_agents(
    tier: TrustTier | None, limits: SpendingLimits | None
) -> None:
    found = TERMS.limits_for("lull", tier)
    assert found[DEPLOYMENT] == ALL
    assert found["lull"] == OF_AGENT
    assert found.get(PERSON) == limits


def test_a_share_is_held_back_for_an_owner_where_there_is_one() -> None:
    terms = SpendingPolicy(is_on=True, deployment=SpendingLimits(day_usd=1, month_usd=5), owners=0.2, background=0.5)
    access_list = AccessList(agent="lull", owner=9)
    assert (terms.held_back(access_list, 9), terms.held_back(access_list, 5), terms.held_back(access_list, 0)) == (
        0.0,
        0.2,
        0.2,
    )
    assert (terms.held_back(AccessList(agent="lull"), 5), terms.held_back(None, 5)) == (0.0, 0.2)
    assert terms.background_limits == SpendingLimits(day_usd=0.5, month_usd=2.5)
    assert SpendingPolicy().background_limits == SpendingLimits()


def test_an_owner_lowers_limits_and_raises_none() -> None:
    terms = replace(TERMS, deployment=SpendingLimits(day_usd=1, month_usd=5), soft=0.8, background=0.5)
    own = OwnerLimits(
        deployment=SpendingLimits(day_usd=0.4, month_usd=50),
        agent=SpendingLimits(day_usd=3, month_messages=100),
        known=SpendingLimits(day_usd=0.2),
        chat=SpendingLimits(day_messages=9),
        soft_share=0.5,
    )
    lowered = terms.with_owner_limits("lull", own)
    found = lowered.limits_for("lull", TrustTier.KNOWN)
    assert found[DEPLOYMENT] == SpendingLimits(day_usd=0.4, month_usd=5)
    assert found["lull"] == SpendingLimits(day_usd=0.5, month_messages=100)
    assert found[PERSON] == SpendingLimits(day_usd=0.2, day_messages=300)
    assert lowered.chat_limits("lull") == SpendingLimits(day_messages=9)
    assert (lowered.soft, lowered.background_limits) == (0.5, SpendingLimits(day_usd=0.2, month_usd=2.5))
    assert terms.with_owner_limits("lull", OwnerLimits(soft_share=0.9)).soft == 0.8
    assert lowered.limits_for("other", None) == {DEPLOYMENT: found[DEPLOYMENT]}


def test_an_owner_who_set_nothing_changes_nothing_and_neither_where_limits_are_off() -> None:
    assert TERMS.with_owner_limits("lull", OwnerLimits()) is TERMS
    off = SpendingPolicy()
    assert off.with_owner_limits("lull", OwnerLimits(agent=SpendingLimits(day_usd=1))) is off


def test_where_limits_are_off_nothing_is_limited() -> None:
    assert SpendingPolicy().limits_for("lull", TrustTier.STRANGER) == {}
    assert SpendingPolicy().chat_limits("lull") == SpendingLimits()


def test_an_agents_day_is_its_zones_and_the_deployments_is_utcs() -> None:
    assert TERMS.days("lull", LATE + timedelta(minutes=20)) == {
        DEPLOYMENT: "2026-11-25", "lull": "2026-11-26", PERSON: "2026-11-26",
    }  # fmt: skip


def test_no_lease_outlives_the_agents_midnight() -> None:
    assert TERMS.until("lull", LATE) == LATE + timedelta(minutes=10)
    assert TERMS.until("lull", LATE - timedelta(hours=2)) == LATE - timedelta(hours=2) + LEASE_TIME


def test_a_limit_goes_on_with_the_next_day_or_month_of_whose_it_is() -> None:
    late = datetime(2026, 11, 30, 22, 30, tzinfo=UTC)  # in Kyiv it is December

    def starts_anew(scope: str, span: LimitPeriod) -> datetime:
        return TERMS.starts_anew("lull", scope, span, late)

    assert (
        starts_anew(DEPLOYMENT, LimitPeriod.DAY)
        == starts_anew(DEPLOYMENT, LimitPeriod.MONTH)
        == datetime(2026, 12, 1, tzinfo=UTC)
    )
    assert starts_anew("lull", LimitPeriod.DAY) == datetime(2026, 12, 1, 22, tzinfo=UTC)
    assert starts_anew(PERSON, LimitPeriod.MONTH) == datetime(2026, 12, 31, 22, tzinfo=UTC)


def test_a_large_deployment_keeps_its_sums_in_several_documents() -> None:
    assert (SpendingPolicy().shards, SpendingPolicy(deployment=SpendingLimits(day_usd=100)).shards) == (1, 8)
    assert SpendingPolicy(deployment=SpendingLimits(day_usd=100, day_messages=5)).shards == 1


@pytest.mark.parametrize(
    "zone", ["Europe/Kyiv", "America/Havana", "America/Santiago", "Africa/Cairo", "Australia/Lord_Howe"]
)
def test_a_day_in_which_clocks_are_changed_ends_once_and_with_itself(zone: str) -> None:
    """In some zones clocks change at midnight: a day begins at one o'clock, or its first or last hour comes twice."""
    terms, there = SpendingPolicy(zones={"lull": zone}), ZoneInfo(zone)
    noons = [datetime.combine(date(2026, 1, 1) + timedelta(days=n), time(12), there) for n in range(366)]
    changes = [one for one, following in pairwise(noons) if one.utcoffset() != following.utcoffset()]
    assert len(changes) == 2
    for noon in changes:
        for minutes in range(0, 48 * 60, 10):
            now = noon.astimezone(UTC) + timedelta(minutes=minutes)
            end, today = terms.midnight("lull", now), date.fromisoformat(day_label(now, there))
            assert now < end <= now + timedelta(hours=25)
            assert day_label(end - timedelta(microseconds=1), there) == today.isoformat()
            assert day_label(end, there) == (today + timedelta(days=1)).isoformat()


def test_a_month_ends_with_the_first_of_two_midnights() -> None:
    terms, late = SpendingPolicy(zones={"lull": "America/Havana"}), datetime(2026, 11, 1, 3, 59, tzinfo=UTC)
    assert terms.starts_anew("lull", "lull", LimitPeriod.MONTH, late) == datetime(2026, 11, 1, 4, tzinfo=UTC)
    for again in (0, 1):  # at one o'clock the clock is set back to midnight
        assert terms.days("lull", datetime(2026, 11, 1, 4 + again, 30, tzinfo=UTC))["lull"] == "2026-11-01"


@pytest.mark.parametrize("agent", [CHAT, PERSON, PLACE])
def test_an_agent_that_is_called_as_another_scope_has_its_own_limits(agent: str) -> None:
    """An agent may be called `chat`."""
    own = AgentLimits(agent=OF_AGENT)
    terms = SpendingPolicy(is_on=True, deployment=ALL, agents={agent: own}, zones={agent: "Europe/Kyiv"})
    scope = agent_scope(agent)
    assert agent_of(scope) == agent
    assert terms.limits_for(agent, TrustTier.STRANGER) == {DEPLOYMENT: ALL, PERSON: own.stranger, scope: OF_AGENT}
    assert terms.days(agent, LATE + timedelta(hours=1))[scope] == "2026-11-26"
    assert terms.midnight(agent, LATE) == LATE + timedelta(minutes=10), "by its own clock"
    asked = wanted(agent=agent, person=5, limits={DEPLOYMENT: ALL, PERSON: own.stranger, scope: OF_AGENT})
    assert [*scopes_of(asked, 0, 1).values()] == [(DEPLOYMENT, scope), (PERSON,)]
