"""Leases: never more is lent than is left, leases are smaller where little is left, and unrecorded leases are given
back.
"""

from dataclasses import replace

import pytest

from shared.spending.leasing import (
    BudgetCheck,
    BudgetDenial,
    BudgetGrant,
    BudgetRequest,
    LeaseHolder,
    ThresholdState,
    add_lease,
    drop_stale_leases,
    lease_holders,
    limits_of_document,
    mark_notified,
    roll_to_days,
    settle_lease,
    spent_and_leased,
    unnotified_thresholds,
)
from shared.values.account import DEPLOYMENT, PERSON, Account, CrossedThreshold, LimitPeriod, Settlement, SpendingSums
from shared.values.money import ZERO, Amount, SpendingLimits, usd_to_nanos
from tests.shared.spending.values import DAY, SOON, cents, wanted

SCOPES = (DEPLOYMENT,)


def granted(account: Account, asked: BudgetRequest) -> BudgetGrant | BudgetDenial:
    return BudgetCheck.of({"": (roll_to_days(account, SCOPES, asked.terms.days), SCOPES)}, asked).decide()


def spent(amount: Amount, day: str = DAY) -> Account:
    asked = wanted(days={DEPLOYMENT: day})
    lent = add_lease(roll_to_days(Account(), SCOPES, asked.terms.days), SCOPES, asked, amount)
    return settle_lease(lent, Settlement(id="a", used=amount, agent="lull"))


def test_where_much_is_left_the_whole_request_is_granted() -> None:
    assert granted(Account(), wanted()) == BudgetGrant(amount=cents(2))


def test_where_little_is_left_an_eighth_or_the_minimum_is_granted() -> None:
    assert granted(spent(cents(88)), wanted(minimum=cents(0.5))) == BudgetGrant(
        amount=cents(1.5), soft=frozenset({DEPLOYMENT})
    )
    found = granted(spent(cents(99)), wanted())
    assert isinstance(found, BudgetGrant)
    assert (found.amount, found.is_tight) == (cents(1), True)


def test_of_what_is_a_persons_own_one_chat_may_have_all_and_is_asked_for_it() -> None:
    asked = wanted(limits={PERSON: SpendingLimits(day_usd=0.1)}, maximum=cents(20), days={PERSON: DAY}, person=5)
    account = roll_to_days(Account(), (PERSON,), asked.terms.days)
    found = BudgetCheck.of({"": (account, (PERSON,))}, asked).decide()
    # less than all: the loan ends one call above the soft limit of four fifths
    assert found == BudgetGrant(amount=cents(9))
    account = add_lease(account, (PERSON,), asked, found.amount)
    other = replace(asked, id="b", chat="another", minimum=cents(2))
    refused = BudgetCheck.of({"": (account, (PERSON,))}, other).decide()
    assert isinstance(refused, BudgetDenial)
    assert refused.is_lent
    assert lease_holders([account], other, PERSON) == (LeaseHolder(asked.chat, asked.id),)
    assert lease_holders([account], other, DEPLOYMENT) == ()
    assert lease_holders([account], replace(other, chats=(asked.chat,)), PERSON) == ()


def test_of_what_is_for_many_those_who_have_most_are_asked() -> None:
    account = roll_to_days(Account(), SCOPES, wanted().terms.days)
    for number in range(6):
        account = add_lease(account, SCOPES, wanted(f"a{number}", chat=f"chat{number}"), cents(1 + number))
    account = add_lease(account, SCOPES, wanted("job", chat=""), cents(50))
    found = lease_holders([account], wanted("b", chat="chat5"), DEPLOYMENT)
    assert found == tuple(LeaseHolder(f"chat{number}", f"a{number}") for number in (4, 3, 2, 1))


def test_a_reached_limit_is_named_before_one_that_is_lent_out() -> None:
    limits = {DEPLOYMENT: SpendingLimits(day_usd=0.02, month_usd=0.5)}
    account = add_lease(spent(cents(50), "2026-11-24"), SCOPES, wanted("lent", limits=limits), cents(0))
    account = add_lease(roll_to_days(account, SCOPES, wanted().terms.days), SCOPES, wanted("more"), cents(2))
    found = granted(account, wanted("b", limits=limits))
    assert isinstance(found, BudgetDenial)
    assert (found.span, found.is_lent) == (LimitPeriod.MONTH, False)


def test_only_the_owner_borrows_what_is_held_back() -> None:
    account, other = spent(cents(79.5)), wanted(held_back=0.2)
    assert granted(account, other) == BudgetDenial(scope="*", span=LimitPeriod.DAY)
    assert isinstance(granted(account, replace(other, terms=replace(other.terms, held_back=0.0))), BudgetGrant)
    assert isinstance(granted(spent(cents(79)), other), BudgetGrant)
    offer = BudgetCheck.of(
        {"": (roll_to_days(account, SCOPES, other.terms.days), SCOPES)}, replace(other, is_answer=True)
    )
    # 50 and not 100, since the owner may use more than the others
    assert [one.percent for one in offer.crossed_thresholds()] == [50]


def test_of_a_persons_own_no_more_is_lent_than_up_to_the_soft_limit_and_one_call() -> None:
    asked = wanted(limits={PERSON: SpendingLimits(day_usd=0.1)}, maximum=cents(20), days={PERSON: DAY}, person=5)
    account = add_lease(roll_to_days(Account(), (PERSON,), asked.terms.days), (PERSON,), asked, cents(5))
    account = settle_lease(account, Settlement(id="a", used=cents(5), agent="lull"))
    found = BudgetCheck.of({"": (account, (PERSON,))}, asked).decide()
    assert found == BudgetGrant(amount=cents(8 - 5 + 1))


def test_of_a_persons_own_limit_nothing_is_held_back() -> None:
    asked = wanted(
        limits={PERSON: SpendingLimits(day_usd=0.1)}, days={PERSON: DAY}, person=5, minimum=cents(9), held_back=0.2
    )
    account = roll_to_days(Account(), (PERSON,), asked.terms.days)
    assert isinstance(BudgetCheck.of({"": (account, (PERSON,))}, asked).decide(), BudgetGrant)


def test_leases_of_another_month_do_not_count_in_this_month() -> None:
    limits = {DEPLOYMENT: SpendingLimits(month_usd=0.1)}
    before = wanted("before", days={DEPLOYMENT: "2026-10-31"}, limits=limits)
    account = add_lease(roll_to_days(Account(), SCOPES, before.terms.days), SCOPES, before, cents(8))
    assert isinstance(granted(account, wanted("b", limits=limits, minimum=cents(9))), BudgetGrant)


def test_a_lease_is_not_lent_to_others() -> None:
    asked = wanted(limits={DEPLOYMENT: SpendingLimits(day_usd=0.02)})
    account = add_lease(roll_to_days(Account(), SCOPES, asked.terms.days), SCOPES, asked, cents(1.5))
    assert granted(account, replace(asked, id="b")) == BudgetDenial(scope="*", span=LimitPeriod.DAY, is_lent=True)


def test_what_is_spent_is_told_apart_from_what_is_lent() -> None:
    found = granted(spent(cents(99.5)), wanted())
    assert found == BudgetDenial(scope="*", span=LimitPeriod.DAY)


def test_a_month_is_a_limit_of_its_own() -> None:
    limits = {DEPLOYMENT: SpendingLimits(day_usd=1.0, month_usd=1.5)}
    account = spent(cents(90), "2026-11-24")
    found = granted(account, wanted(limits=limits, minimum=cents(61)))
    assert isinstance(found, BudgetDenial)
    assert (found.span, found.is_lent) == (LimitPeriod.MONTH, False)
    assert isinstance(granted(account, wanted(limits=limits, minimum=cents(59))), BudgetGrant)


def test_what_the_only_document_has_spent_is_taken_from_those_that_there_are_now() -> None:
    limits = SpendingLimits(day_usd=80, month_usd=800, day_messages=16)
    assert limits_of_document(limits, 8, SpendingSums()) == SpendingLimits(day_usd=10, month_usd=100, day_messages=2)
    first = SpendingSums(
        spent_day=Amount(nano_usd=usd_to_nanos(45), messages=16), spent_month=Amount(nano_usd=usd_to_nanos(800))
    )
    found = limits_of_document(limits, 8, first)
    assert found == SpendingLimits(day_usd=5, month_usd=0, day_messages=0)
    assert 45 + 7 * (found.day_usd or 0) == 80


def test_what_is_lent_is_taken_as_what_is_spent_is_of_its_day_and_month() -> None:
    account = Account()
    for name, day in (("b", "2026-10-31"), ("c", f"{DAY[:7]}-01"), ("d", DAY), ("a", DAY)):
        asked = wanted(name, days={DEPLOYMENT: day})
        account = add_lease(roll_to_days(account, SCOPES, asked.terms.days), SCOPES, asked, cents(5))
    account = settle_lease(account, Settlement(id="a", used=cents(3), agent="lull"))
    found = spent_and_leased(account, DEPLOYMENT, DAY)
    assert (found.spent_day, found.spent_month) == (cents(8), cents(13))
    assert spent_and_leased(account, "lull", DAY) == SpendingSums(day=DAY)


def test_messages_are_limited_as_money_is() -> None:
    limits = {DEPLOYMENT: SpendingLimits(day_messages=3)}
    asked = wanted(limits=limits, minimum=cents(1, 1), maximum=cents(2, 20))
    found = granted(spent(Amount(messages=2)), asked)
    assert isinstance(found, BudgetGrant)
    assert found.amount == cents(2, 1)
    assert isinstance(granted(spent(Amount(messages=3)), asked), BudgetDenial)


def test_what_is_settled_twice_counts_once() -> None:
    account = spent(cents(5))
    assert settle_lease(account, Settlement(id="a", used=cents(5), agent="lull")) == account
    assert account.sums[DEPLOYMENT].spent_day == cents(5)


@pytest.mark.parametrize(
    ("change", "is_kept"),
    [
        ({"generation": 2}, False),
        ({"generation": 1}, True),  # the present claim may still record it
        ({"generation": 2, "recorded": frozenset({"a"})}, True),
        ({"generation": 2, "chat": "another"}, True),
        ({"generation": 2, "chat": "new", "chats": ("chat",)}, False),
    ],
)
def test_unrecorded_leases_of_earlier_claims_come_back(change: dict, is_kept: bool) -> None:  # type: ignore[type-arg]
    asked = wanted()
    account = add_lease(roll_to_days(Account(), SCOPES, asked.terms.days), SCOPES, asked, cents(2))
    found = drop_stale_leases(account, replace(asked, id="b", **change))
    assert ("a" in found.lent) == is_kept
    assert found.sums[DEPLOYMENT].spent_day == ZERO


def test_what_was_lent_for_somebody_else_comes_back_in_all_documents_at_once_or_in_none() -> None:
    """The accounts of other people are not read here.

    If a lease were given back in only some documents, the others would count it for the rest of the month.
    """
    asked = wanted(person=5)
    account = add_lease(roll_to_days(Account(), SCOPES, asked.terms.days), SCOPES, asked, cents(2))
    later = replace(asked, id="b", generation=2)
    assert [list(drop_stale_leases(account, replace(later, person=one)).lent) for one in (5, 6, 0)] == [
        [],
        ["a"],
        ["a"],
    ]


def test_a_job_that_is_over_is_charged_in_full() -> None:
    asked = wanted(chat="")
    account = add_lease(roll_to_days(Account(), SCOPES, asked.terms.days), SCOPES, asked, cents(2))
    assert drop_stale_leases(account, asked) == account
    found = drop_stale_leases(account, replace(asked, now=SOON))
    assert (found.lent, found.sums[DEPLOYMENT].spent_day) == ({}, cents(2))


@pytest.mark.parametrize(
    ("number", "is_answer", "percent"),
    [
        (49, True, 0),
        (50, True, 50),
        (79.5, True, 50),
        (80, True, 80),
        (99.5, True, 100),
        (99.5, False, 80),
        (100, False, 100),
    ],
)
def test_a_share_is_crossed_once_it_is_spent_and_what_does_not_do_for_an_answer_is(
    number: float, is_answer: bool, percent: int
) -> None:
    asked = wanted(is_answer=is_answer)
    account = spent(cents(number))
    crossed = BudgetCheck.of({"": (account, SCOPES)}, asked).crossed_thresholds()
    assert crossed == ((CrossedThreshold(scope="*", span=LimitPeriod.DAY, percent=percent),) if percent else ())
    assert unnotified_thresholds(account, crossed, SCOPES) == crossed
    assert unnotified_thresholds(account, crossed, ("another",)) == ()
    assert unnotified_thresholds(mark_notified(account, crossed), crossed, SCOPES) == ()


def test_an_owner_is_not_told_what_a_person_spends() -> None:
    asked = wanted(limits={PERSON: SpendingLimits(day_usd=0.01)}, days={PERSON: DAY}, person=5)
    account = add_lease(roll_to_days(Account(), (PERSON,), asked.terms.days), (PERSON,), asked, cents(1))
    account = settle_lease(account, Settlement(id="a", used=cents(1), agent="lull"))
    assert BudgetCheck.of({"": (account, (PERSON,))}, asked).crossed_thresholds() == ()


def test_shares_are_of_all_documents_together() -> None:
    asked, here = wanted(limits={DEPLOYMENT: SpendingLimits(day_usd=0.08, month_usd=8)}), spent(cents(4))
    parts = [
        here,
        spent(cents(2), "2026-11-24"),
        Account(),
        mark_notified(spent(cents(1)), [CrossedThreshold(scope="*", span=LimitPeriod.DAY, percent=50)]),
    ]
    overall = ThresholdState.of(parts, asked, BudgetGrant(amount=cents(1)))
    assert overall == ThresholdState(
        crossed=(CrossedThreshold(scope="*", span=LimitPeriod.DAY, percent=50),), untold=(), soft=frozenset()
    )
    parts[1] = spent(cents(2))
    overall = ThresholdState.of(parts, asked, BudgetGrant(amount=cents(1)))
    assert overall.untold == (CrossedThreshold(scope="*", span=LimitPeriod.DAY, percent=80),)
    assert overall.soft == {DEPLOYMENT}


def test_a_months_share_is_of_all_documents_in_this_month() -> None:
    asked = wanted(limits={DEPLOYMENT: SpendingLimits(month_usd=0.8)})
    parts = [spent(cents(20)), spent(cents(30), "2026-11-24"), spent(cents(30), "2026-10-31")]
    overall = ThresholdState.of(parts, asked, BudgetGrant(amount=cents(1)))
    assert overall.crossed == (CrossedThreshold(scope="*", span=LimitPeriod.MONTH, percent=50),)


def test_where_no_document_has_enough_for_an_answer_all_is_spent() -> None:
    asked, parts = wanted(limits={DEPLOYMENT: SpendingLimits(day_usd=0.08)}), [spent(cents(3.5)), spent(cents(3.5))]
    refused = BudgetDenial(scope=DEPLOYMENT, span=LimitPeriod.DAY)
    for found, is_answer, percent in (
        (refused, True, 100),
        (refused, False, 80),
        (replace(refused, is_lent=True), True, 80),
        (replace(refused, scope=PERSON), True, 80),
    ):
        overall = ThresholdState.of(parts, replace(asked, is_answer=is_answer), found)
        assert overall.untold == (CrossedThreshold(scope="*", span=LimitPeriod.DAY, percent=percent),)


def test_an_agents_sums_are_in_the_first_document() -> None:
    asked = wanted(limits={DEPLOYMENT: SpendingLimits(), "lull": SpendingLimits(day_messages=5)})
    scopes = (DEPLOYMENT, "lull")
    account = add_lease(roll_to_days(Account(), scopes, asked.terms.days), scopes, asked, Amount(messages=4))
    account = settle_lease(account, Settlement(id="a", used=Amount(messages=4), agent="lull"))
    overall = ThresholdState.of([account, Account()], asked, BudgetGrant(amount=cents(1)))
    assert overall.untold == (CrossedThreshold(scope="lull", span=LimitPeriod.DAY, percent=80),)
