"""A job's wallet borrows for one call, gives back what it did not take, and keeps what it did."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.errors import ModelTrouble, ModelUnavailable
from shared.models.account import BACKGROUND, DEPLOYMENT, PERSON
from shared.models.chat_key import ChatKey
from shared.models.money import AgentLimits, Amount, Limits
from shared.models.purse import Usage
from shared.models.trust import Roster, TrustTier
from shared.models.usage import ModelCall, ModelUse, Purpose
from shared.ports.spending import Granted, NotGranted, Settlement, Span, Wanted
from shared.spending.jobs import LENT_FOR, RAISED_AFTER, JobWallet
from shared.spending.terms import SpendingTerms
from tests.shared.values import NOW

USE = ModelUse(purpose=Purpose.DESCRIBE, chat=ChatKey(agent="lull", chat_id=5))
CALL = ModelCall(model="gemini-3.6-flash", prompt_tokens=1_000)


class Book:
    """Accounts and usage that note what they are asked."""

    def __init__(self, answer: Granted | NotGranted) -> None:
        self.answer, self.lent, self.settled, self.kept = answer, list[Wanted](), list[Settlement](), list[Usage]()

    async def lend(self, wanted: Wanted, settled: object = ()) -> Granted | NotGranted:
        self.lent.append(wanted)
        return self.answer

    async def settle(self, settled: list[Settlement]) -> None:
        self.settled += settled

    async def keep(self, usage: Usage) -> None:
        self.kept.append(usage)


def wallet(book: Book, day_usd: float | None = 1.0, clock: Callable[[], datetime] = lambda: NOW) -> JobWallet:
    terms = SpendingTerms(is_on=True, deployment=Limits(day_usd=day_usd))
    return JobWallet(accounts=book, usages=book, terms=terms, clock=clock)  # type: ignore[arg-type]


async def test_it_gives_back_what_the_call_did_not_take() -> None:
    book = Book(Granted(amount=Amount(nano_usd=9_000_000), shard=2))
    hold = await wallet(book).reserve(USE, 9_000_000)
    assert (book.lent[0].agent, book.lent[0].chat, book.lent[0].least) == ("lull", "", Amount(nano_usd=9_000_000))
    hold.counted(CALL)
    await wallet(book).settle(hold)
    (settled,), (kept,) = book.settled, book.kept
    assert (settled.id, settled.shard, settled.used) == (kept.id, 2, Amount(nano_usd=750_000))
    assert (kept.agent, kept.person, kept.by["describe"].nano_usd) == ("lull", 5, 750_000)


@pytest.mark.parametrize(("tier", "payer"), [(TrustTier.STRANGER, 7), (TrustTier.OWNER, 0), ("", 0)])
async def test_whoever_it_is_for_pays_by_the_limits_of_their_tier(tier: str, payer: int) -> None:
    book = Book(Granted(amount=Amount(nano_usd=9_000_000), shard=2))
    use = ModelUse(purpose=Purpose.DESCRIBE, chat=ChatKey(agent="lull", chat_id=-5), person=7, tier=tier)
    terms = SpendingTerms(is_on=True, deployment=Limits(day_usd=1.0), agents={"lull": AgentLimits()})
    paying = JobWallet(accounts=book, usages=book, terms=terms, clock=lambda: NOW)  # type: ignore[arg-type]
    hold = await paying.reserve(use, 9_000_000)
    assert (book.lent[0].person, PERSON in book.lent[0].limits) == (payer, bool(payer))
    hold.counted(CALL)
    await paying.settle(hold)
    (settled,), (kept,) = book.settled, book.kept
    assert (settled.id, settled.person, settled.shard, kept.person) == (kept.id, payer, 2, 7)


class Names:
    """A roster that has an owner alone."""

    async def roster(self, agent: str, at_most: object = None) -> Roster:
        return Roster(agent=agent, owner=9)


@pytest.mark.parametrize(
    ("chat_id", "payer", "kept_for", "held_back"), [(5, 5, 5, 0.2), (9, 0, 9, 0.0), (-5, 0, 0, 0.2)]
)
async def test_what_is_made_of_a_private_chat_is_paid_by_its_person(
    chat_id: int, payer: int, kept_for: int, held_back: float
) -> None:
    book, key = Book(Granted(amount=Amount(nano_usd=9))), ChatKey(agent="lull", chat_id=chat_id)
    terms = SpendingTerms(is_on=True, deployment=Limits(day_usd=1.0), agents={"lull": AgentLimits()}, owners=0.2)
    accounts: Any = book
    paying = JobWallet(accounts=accounts, usages=accounts, terms=terms, clock=lambda: NOW, rosters=Names())  # type: ignore[arg-type]
    hold = await paying.reserve(ModelUse(purpose=Purpose.ABBREVIATE, chat=key), 9)
    (asked,) = book.lent
    assert (asked.person, PERSON in asked.limits, asked.held_back) == (payer, bool(payer), held_back)
    hold.counted(CALL)
    await paying.settle(hold)
    assert (book.settled[0].person, book.kept[0].person) == (payer, kept_for)


@pytest.mark.parametrize("purpose", Purpose)
async def test_what_nobody_waits_for_has_a_share_alone(purpose: Purpose) -> None:
    book = Book(Granted(amount=Amount(nano_usd=9)))
    terms = SpendingTerms(is_on=True, deployment=Limits(day_usd=1.0), background=0.3)
    paying = JobWallet(accounts=book, usages=book, terms=terms, clock=lambda: NOW)  # type: ignore[arg-type]
    await paying.reserve(ModelUse(purpose=purpose, chat=None), 9)
    (asked,) = book.lent
    waits = purpose in {Purpose.PLAN, Purpose.JUDGE, Purpose.SEARCH, Purpose.DESCRIBE, Purpose.SPEAK, Purpose.DRAW}
    assert asked.limits.get(BACKGROUND) == (None if waits else Limits(day_usd=0.3))
    assert asked.days[BACKGROUND] == asked.days[DEPLOYMENT]


NIGHT = datetime(2026, 11, 25, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("span", "is_lent", "again_at"),
    [
        (Span.DAY, False, datetime(2026, 11, 26, tzinfo=UTC)),
        (Span.MONTH, False, NIGHT + RAISED_AFTER),
        (Span.DAY, True, NIGHT + LENT_FOR),
    ],
)
async def test_where_nothing_is_left_it_says_when_it_may_work(span: Span, is_lent: bool, again_at: datetime) -> None:
    book = Book(NotGranted(scope="*", span=span, is_lent=is_lent))
    with pytest.raises(ModelUnavailable) as limit:
        await wallet(book, clock=lambda: NIGHT).reserve(USE, 1)
    assert (limit.value.trouble, limit.value.again_at) == (ModelTrouble.LIMIT, again_at)


async def test_what_costs_nothing_or_is_not_limited_is_only_kept() -> None:
    book = Book(NotGranted(scope="*", span=Span.DAY))
    for hold in (await wallet(book).reserve(USE, 0), await wallet(book, None).reserve(USE, 7)):
        hold.counted(CALL)
        await wallet(book).settle(hold)
    assert (book.lent, book.settled, len(book.kept)) == ([], [], 2)
