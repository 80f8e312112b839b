"""What claims, calls and releases make of a purse."""

from datetime import timedelta

from shared.values.account import PERSON
from shared.values.money import NOTHING
from shared.values.purse import (
    TURNS,
    Allowance,
    Purse,
    Refusal,
    Used,
    all_closed,
    changed,
    claimed,
    emptied,
    forgotten,
    joined,
    released,
    settlement_of,
    softened,
    spent,
    unreserved,
    without_closed,
)
from tests.shared.examples import NOW
from tests.shared.spending.values import DAY, SOON, cents


def allowance(name: str = "a", **more: object) -> Allowance:
    return Allowance.model_validate({"id": name, "person": 5, "day": DAY, "until": SOON, "lent": cents(10, 20), **more})


def purse(*opened: Allowance, **more: object) -> Purse:
    found = Purse.model_validate({"usual": cents(2, 1), **more})
    for one in reversed(opened):
        found = changed(found, one)
    return found


def test_a_claim_reserves_what_an_answer_usually_needs_in_a_private_chat() -> None:
    before = purse(allowance(used=cents(1, 1)))
    assert claimed(before, NOW, is_private=True).open[0].reserved == cents(2.5, 1)
    assert claimed(before, NOW, is_private=False).open[0].reserved == NOTHING
    assert claimed(purse(allowance(used=cents(9))), NOW, is_private=True).open[0].reserved == NOTHING


def test_what_a_dead_tick_reserved_is_charged_in_full() -> None:
    (found,) = claimed(purse(allowance(reserved=cents(3, 1))), NOW, is_private=False).open
    assert (found.used, found.expired, found.reserved) == (cents(3, 1), cents(3, 1), NOTHING)


def test_a_chats_own_limits_count_what_a_dead_tick_reserved() -> None:
    before = purse(allowance(reserved=cents(3, 1)))
    found = claimed(before, NOW, is_private=False)
    assert (found.sums.spent_day, found.sums.spent_month) == (cents(3, 1), cents(3, 1))
    assert claimed(found, NOW, is_private=False).sums == found.sums


def test_what_is_over_is_closed_by_the_next_claim() -> None:
    found = claimed(purse(allowance(), allowance("free", lent=None)), SOON, is_private=True)
    assert [one.id for one in found.closed] == ["a"]
    assert [one.id for one in found.open] == ["free"]  # it is told of by a release
    assert (found.until, found.month) == (None, DAY[:7])


def test_a_call_is_taken_from_what_is_reserved() -> None:
    found = spent(purse(allowance(reserved=cents(2, 1))), "a", "plan", cents(0.5, 1), Used(calls=1))
    (one,) = found.open
    assert (one.used, one.reserved, one.by["plan"].calls) == (cents(0.5, 1), cents(1.5), 1)
    assert found.sums.spent_day == cents(0.5, 1)
    assert spent(found, "gone", "plan", cents(1), Used()) == found


def test_a_release_frees_what_was_reserved_and_closes_what_does_not_do_for_another_answer() -> None:
    kept, told = released(purse(allowance(reserved=cents(2))), NOW)
    assert (kept.open[0].reserved, kept.closed, told) == (NOTHING, (), [])
    for over in ({"used": cents(9)}, {"is_tight": True}, {"until": NOW}):
        kept, told = released(purse(allowance(**over)), NOW)
        assert ([one.id for one in kept.closed], kept.open, told) == (["a"], (), [])


def test_all_of_it_is_closed_for_whom_others_wait() -> None:
    found = all_closed(purse(allowance(reserved=cents(2)), allowance("free", lent=None)))
    assert [(one.id, one.reserved) for one in found.closed] == [("a", NOTHING)]
    assert [one.id for one in found.open] == ["free"]


def test_with_a_claim_a_little_more_is_reserved_than_the_answer_before_needed() -> None:
    assert claimed(purse(allowance()), NOW, is_private=True).open[0].reserved == cents(2.5, 1)
    assert claimed(purse(allowance(lent=cents(2.2, 3))), NOW, is_private=True).open[0].reserved == cents(2.2, 1)


def test_what_nothing_limits_is_told_of_after_some_answers() -> None:
    free = allowance(lent=None, used=cents(1, TURNS))
    kept, told = released(purse(free), NOW)
    assert (kept.open, kept.closed, [one.id for one in told]) == ((), (), ["a"])
    assert released(purse(allowance(lent=None)), NOW)[1] == []
    assert [one.id for one in released(purse(allowance(lent=None)), SOON + timedelta(days=3))[1]] == ["a"]


def test_what_is_settled_stands_in_the_purse_no_more() -> None:
    closed = released(purse(allowance(is_tight=True, used=cents(1))), NOW)[0]
    assert settlement_of(closed.closed[0], "lull").used == cents(1)
    after = without_closed(closed, closed.closed)
    assert (after.closed, after.month) == ((), "")


def test_another_chat_gives_back_what_a_group_had_under_its_old_id() -> None:
    old = purse(allowance(reserved=cents(1)))
    found = joined(Purse(), emptied(old))
    assert [one.id for one in found.closed] == ["a"]
    assert found.closed[0].reserved == NOTHING
    assert unreserved(old).open[0].reserved == NOTHING


def test_of_who_is_forgotten_everything_is_over_and_of_others_nothing() -> None:
    refused = Refusal(person=5, label=DAY, again_at=SOON)
    before = purse(
        allowance(used=cents(1)), allowance("free", lent=None), allowance("theirs", person=6),
        told={"5": DAY, "~5": DAY, "6": DAY}, refused=refused, closed=[allowance("old"), allowance("older", person=6)],
    )  # fmt: skip
    found, gone = forgotten(before, 5)
    assert [one.id for one in gone] == ["a", "free", "old"]
    assert [one.id for one in found.open] == ["theirs"]
    assert [one.id for one in found.closed] == ["old", "older", "a", "free"]
    assert (dict(found.told), found.refused) == ({"6": DAY}, None)
    kept = without_closed(found, gone)
    assert [one.id for one in (*kept.open, *kept.closed)] == ["theirs", "older"]
    assert forgotten(before, 6)[0].refused == refused


def test_a_chat_that_is_forgotten_has_told_nobody_anything() -> None:
    refused = Refusal(person=5, label=DAY, again_at=SOON)
    found, gone = forgotten(purse(allowance(), allowance("b", person=6), told={"5": DAY}, refused=refused), 0)
    assert (len(gone), found.open, dict(found.told), found.refused, found.until) == (2, (), {}, None, None)


def test_a_persons_soft_limit_is_theirs_alone_and_one_that_is_shared_everybodys() -> None:
    own = softened(purse(), 5, {PERSON}, SOON, NOW)
    assert (own.soft_until, own.soft_for) == (None, {"5": SOON})
    both = softened(own, 6, {PERSON, "lull"}, SOON, NOW)
    assert (both.soft_until, both.soft_for) == (SOON, {"5": SOON, "6": SOON})
    assert softened(both, 5, (), SOON, NOW).soft_for == {"6": SOON}
    assert softened(both, 5, (), SOON, SOON).soft_for == {}
    assert forgotten(both, 5)[0].soft_for == {"6": SOON}
    assert forgotten(both, 0)[0].soft_for == {}
