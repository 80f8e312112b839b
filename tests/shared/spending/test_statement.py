"""Usage statements: totals by day, person, chat and kind of call."""

from datetime import date

from shared.spending.statement import KINDS, OTHER, UsageTotal, statement_of
from shared.values.budget import UNKNOWN_MODEL, CallTotals, UsageRecord
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.usage import Purpose
from tests.shared.examples import NOW
from tests.shared.spending.values import cents

PRIVATE = ChatKey(agent="lull", chat_id=7)
TOPICS = [ChatKey(agent="lull", chat_id=-100, topic_id=topic) for topic in (1, 2)]


def usage(name: str, chat: str, person: int, day: str, cost: int, **by: int) -> UsageRecord:
    """Make a usage record of some cents; `by` has the cents by purpose."""
    used = {purpose: CallTotals(calls=1, nano_usd=cents(part).nano_usd) for purpose, part in by.items()}
    return UsageRecord(
        id=name, agent="lull", chat=chat, person=person, day=day, month=day[:7], at=NOW, used=cents(cost, 2), by=used
    )


SOME = [
    usage("a", PRIVATE.id, 7, "2026-11-02", 3, plan=2, judge=1),
    usage("b", TOPICS[0].id, 7, "2026-11-03", 4, plan=4),
    usage("c", TOPICS[1].id, 8, "2026-11-03", 5, embed=2, summarize=3),
    evolve(usage("d", "", 0, "2026-11-03", 1, unheard_of=1), expired=cents(1)),
]


def test_it_is_summed_by_day_person_chat_and_kind() -> None:
    found = statement_of(SOME, date(2026, 11, 3))
    assert (found.today, found.month) == (
        UsageTotal(amount=cents(10, 6), calls=4),
        UsageTotal(amount=cents(13, 8), calls=6),
    )
    assert list(found.days) == [cents(0), cents(3, 2), cents(10, 6)]
    assert [(name, one.amount) for name, one in found.people.items()] == [
        (7, cents(7, 4)),
        (8, cents(5, 2)),
        (0, cents(1, 2)),
    ]
    assert [(name, one.amount) for name, one in found.chats.items()] == [
        (-100, cents(9, 4)),
        (7, cents(3, 2)),
        (0, cents(1, 2)),
    ]
    assert [(name, one.amount) for name, one in found.kinds.items()] == [
        ("answers", cents(6)),
        ("memory", cents(5)),
        ("judging", cents(1)),
        (OTHER, cents(1)),
    ]
    assert found.in_doubt == cents(1)


def test_where_nothing_was_used_each_day_has_nothing() -> None:
    found = statement_of([], date(2026, 11, 3))
    assert (found.month, found.today, len(found.days)) == (UsageTotal(), UsageTotal(), 3)


def test_every_purpose_is_of_a_kind() -> None:
    assert KINDS.keys() == set(Purpose)


def test_it_is_summed_by_purpose_model_and_agent() -> None:
    small = {"small": CallTotals(calls=1, nano_usd=cents(3).nano_usd)}
    found = statement_of([evolve(SOME[0], models=small), evolve(SOME[1], agent="other")], date(2026, 11, 3))
    assert [(name, one.amount) for name, one in found.purposes.items()] == [("plan", cents(6)), ("judge", cents(1))]
    assert [(name, one.amount) for name, one in found.models.items()] == [
        (UNKNOWN_MODEL, cents(4)),
        ("small", cents(3)),
    ]
    assert [(name, one.amount) for name, one in found.agents.items()] == [
        ("other", cents(4, 2)),
        ("lull", cents(3, 2)),
    ]
