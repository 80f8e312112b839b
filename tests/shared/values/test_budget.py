"""A chat's budget after claims, calls and releases."""

from dataclasses import replace
from datetime import timedelta

from shared.base.model_call import ModelCall
from shared.values.account import PERSON
from shared.values.budget import (
    ANSWERS_PER_LEASE,
    UNKNOWN_MODEL,
    BudgetLease,
    BudgetRefusal,
    CallTotals,
    ChatBudget,
    SpentCall,
    add_closed_leases,
    all_leases,
    claim_budget,
    close_all_leases,
    forget_person,
    model_of_calls,
    record_spending,
    release_budget,
    settlement_of,
    usage_record,
    with_lease,
    with_soft_limits,
    without_reservations,
    without_settled,
)
from shared.values.money import ZERO
from tests.shared.examples import NOW
from tests.shared.spending.values import DAY, SOON, cents


def budget_lease(name: str = "a", **more: object) -> BudgetLease:
    return BudgetLease.model_validate(
        {"id": name, "person": 5, "day": DAY, "until": SOON, "lent": cents(10, 20), **more}
    )


def budget(*opened: BudgetLease, **more: object) -> ChatBudget:
    found = ChatBudget.model_validate({"usual": cents(2, 1), **more})
    for one in reversed(opened):
        found = with_lease(found, one)
    return found


def test_a_claim_reserves_what_an_answer_usually_needs_in_a_private_chat() -> None:
    before = budget(budget_lease(used=cents(1, 1)))
    assert claim_budget(before, NOW, is_private=True).open[0].reserved == cents(2.5, 1)
    assert claim_budget(before, NOW, is_private=False).open[0].reserved == ZERO
    assert claim_budget(budget(budget_lease(used=cents(9))), NOW, is_private=True).open[0].reserved == ZERO


def test_what_a_dead_tick_reserved_is_charged_in_full() -> None:
    (found,) = claim_budget(budget(budget_lease(reserved=cents(3, 1))), NOW, is_private=False).open
    assert (found.used, found.expired, found.reserved) == (cents(3, 1), cents(3, 1), ZERO)


def test_a_chats_own_limits_count_what_a_dead_tick_reserved() -> None:
    before = budget(budget_lease(reserved=cents(3, 1)))
    found = claim_budget(before, NOW, is_private=False)
    assert (found.sums.spent_day, found.sums.spent_month) == (cents(3, 1), cents(3, 1))
    assert claim_budget(found, NOW, is_private=False).sums == found.sums


def test_what_is_over_is_closed_by_the_next_claim() -> None:
    found = claim_budget(budget(budget_lease(), budget_lease("free", lent=None)), SOON, is_private=True)
    assert [one.id for one in found.closed] == ["a"]
    assert [one.id for one in found.open] == ["free"]  # no account records it: only a release ends it
    assert (found.until, found.month) == (None, DAY[:7])


def test_a_call_is_taken_from_what_is_reserved() -> None:
    spent = SpentCall(purpose="plan", amount=cents(0.5, 1), totals=CallTotals(calls=1), model="small")
    found = record_spending(budget(budget_lease(reserved=cents(2, 1))), "a", spent)
    (one,) = found.open
    assert (one.used, one.reserved, one.by["plan"].calls) == (cents(0.5, 1), cents(1.5), 1)
    assert one.models == {"small": CallTotals(calls=1)}
    assert found.sums.spent_day == cents(0.5, 1)
    again = record_spending(found, "a", replace(spent, amount=cents(0.5), model="large"))
    assert {name: used.calls for name, used in again.open[0].models.items()} == {"small": 1, "large": 1}
    assert usage_record(again.open[0], "lull", "lull.5", NOW).models == again.open[0].models
    assert record_spending(found, "gone", spent) == found


def test_a_call_that_broke_off_counts_to_an_unknown_model() -> None:
    assert model_of_calls([]) == model_of_calls([ModelCall(model="")]) == UNKNOWN_MODEL
    assert model_of_calls([ModelCall(model="small"), ModelCall(model="")]) == "small"


def test_a_release_frees_what_was_reserved_and_closes_what_does_not_do_for_another_answer() -> None:
    kept, told = release_budget(budget(budget_lease(reserved=cents(2))), NOW)
    assert (kept.open[0].reserved, kept.closed, told) == (ZERO, (), [])
    for over in ({"used": cents(9)}, {"is_tight": True}, {"until": NOW}):
        kept, told = release_budget(budget(budget_lease(**over)), NOW)
        assert ([one.id for one in kept.closed], kept.open, told) == (["a"], (), [])


def test_all_of_it_is_closed_for_whom_others_wait() -> None:
    found = close_all_leases(budget(budget_lease(reserved=cents(2)), budget_lease("free", lent=None)))
    assert [(one.id, one.reserved) for one in found.closed] == [("a", ZERO)]
    assert [one.id for one in found.open] == ["free"]


def test_with_a_claim_a_little_more_is_reserved_than_the_answer_before_needed() -> None:
    assert claim_budget(budget(budget_lease()), NOW, is_private=True).open[0].reserved == cents(2.5, 1)
    assert claim_budget(budget(budget_lease(lent=cents(2.2, 3))), NOW, is_private=True).open[0].reserved == cents(
        2.2, 1
    )


def test_what_nothing_limits_is_told_of_after_some_answers() -> None:
    free = budget_lease(lent=None, used=cents(1, ANSWERS_PER_LEASE))
    kept, told = release_budget(budget(free), NOW)
    assert (kept.open, kept.closed, [one.id for one in told]) == ((), (), ["a"])
    assert release_budget(budget(budget_lease(lent=None)), NOW)[1] == []
    assert [one.id for one in release_budget(budget(budget_lease(lent=None)), SOON + timedelta(days=3))[1]] == ["a"]


def test_settled_leases_leave_the_budget() -> None:
    closed = release_budget(budget(budget_lease(is_tight=True, used=cents(1))), NOW)[0]
    assert settlement_of(closed.closed[0], "lull").used == cents(1)
    after = without_settled(closed, closed.closed)
    assert (after.closed, after.month) == ((), "")


def test_another_chat_gives_back_what_a_group_had_under_its_old_id() -> None:
    old = budget(budget_lease(reserved=cents(1)))
    found = add_closed_leases(ChatBudget(), all_leases(old))
    assert [one.id for one in found.closed] == ["a"]
    assert found.closed[0].reserved == ZERO
    assert without_reservations(old).open[0].reserved == ZERO


def test_of_who_is_forgotten_everything_is_over_and_of_others_nothing() -> None:
    refused = BudgetRefusal(person=5, label=DAY, again_at=SOON)
    before = budget(
        budget_lease(used=cents(1)), budget_lease("free", lent=None), budget_lease("theirs", person=6),
        told={"5": DAY, "~5": DAY, "6": DAY}, refused=refused,
        closed=[budget_lease("old"), budget_lease("older", person=6)],
    )  # fmt: skip
    found, gone = forget_person(before, 5)
    assert [one.id for one in gone] == ["a", "free", "old"]
    assert [one.id for one in found.open] == ["theirs"]
    assert [one.id for one in found.closed] == ["old", "older", "a", "free"]
    assert (dict(found.told), found.refused) == ({"6": DAY}, None)
    kept = without_settled(found, gone)
    assert [one.id for one in (*kept.open, *kept.closed)] == ["theirs", "older"]
    assert forget_person(before, 6)[0].refused == refused


def test_a_chat_that_is_forgotten_has_told_nobody_anything() -> None:
    refused = BudgetRefusal(person=5, label=DAY, again_at=SOON)
    found, gone = forget_person(
        budget(budget_lease(), budget_lease("b", person=6), told={"5": DAY}, refused=refused), 0
    )
    assert (len(gone), found.open, dict(found.told), found.refused, found.until) == (2, (), {}, None, None)


def test_a_persons_soft_limit_is_theirs_alone_and_one_that_is_shared_everybodys() -> None:
    own = with_soft_limits(budget(), 5, {PERSON}, SOON, NOW)
    assert (own.soft_until, own.soft_for) == (None, {"5": SOON})
    both = with_soft_limits(own, 6, {PERSON, "lull"}, SOON, NOW)
    assert (both.soft_until, both.soft_for) == (SOON, {"5": SOON, "6": SOON})
    assert with_soft_limits(both, 5, (), SOON, NOW).soft_for == {"6": SOON}
    assert with_soft_limits(both, 5, (), SOON, SOON).soft_for == {}
    assert forget_person(both, 5)[0].soft_for == {"6": SOON}
    assert forget_person(both, 0)[0].soft_for == {}
