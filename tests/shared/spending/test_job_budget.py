"""A job's budget service borrows for one call, gives back the rest, and stores the usage."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import ModelRefused, ModelTrouble, ModelUnavailable
from shared.base.model_call import ModelCall
from shared.spending.job_budget import LEASE_TIME, RETRY_AT_LATEST, RETRY_IF_LENT, JobBudgetService
from shared.spending.leasing import BudgetDenial, BudgetGrant, BudgetRequest
from shared.spending.policy import SpendingPolicy
from shared.spending.refusals import NO_PAYER, payer_in
from shared.values.account import BACKGROUND, DEPLOYMENT, PLACE, LimitPeriod, Settlement
from shared.values.budget import UsageRecord
from shared.values.chat_key import ChatKey
from shared.values.money import AgentLimits, Amount, OwnerLimits, SpendingLimits
from shared.values.trust import AccessList, BlockedPerson, TrustTier
from shared.values.usage import ModelUse, Purpose
from tests.shared.examples import NOW

USE = ModelUse(purpose=Purpose.DESCRIBE, chat=ChatKey(agent="lull", chat_id=5))
CALL = ModelCall(model="gemini-3.6-flash", prompt_tokens=1_000)


class Book:
    """Accounts and usage that record their calls."""

    def __init__(self, answer: BudgetGrant | BudgetDenial) -> None:
        self.answer, self.lent, self.settled, self.kept = (
            answer,
            list[BudgetRequest](),
            list[Settlement](),
            list[UsageRecord](),
        )

    async def lend(self, wanted: BudgetRequest, settled: object = ()) -> BudgetGrant | BudgetDenial:
        self.lent.append(wanted)
        return self.answer

    async def settle(self, settled: list[Settlement]) -> None:
        self.settled += settled

    async def keep(self, usage: UsageRecord) -> None:
        self.kept.append(usage)


def budget_service(
    book: Book, day_usd: float | None = 1.0, clock: Callable[[], datetime] = lambda: NOW
) -> JobBudgetService:
    terms = SpendingPolicy(is_on=True, deployment=SpendingLimits(day_usd=day_usd))
    return JobBudgetService(accounts=book, usages=book, terms=terms, clock=clock)  # type: ignore[arg-type]


async def test_it_gives_back_what_the_call_did_not_take() -> None:
    book = Book(BudgetGrant(amount=Amount(nano_usd=9_000_000), shard=2))
    reservation = await budget_service(book).reserve(USE, 9_000_000)
    assert (book.lent[0].agent, book.lent[0].chat, book.lent[0].minimum) == ("lull", "", Amount(nano_usd=9_000_000))
    assert book.lent[0].until == NOW + LEASE_TIME  # after this time the loan counts as spent
    reservation.add_call(CALL)
    await budget_service(book).settle(reservation)
    (settled,), (kept,) = book.settled, book.kept
    assert (settled.id, settled.shard, settled.used) == (kept.id, 2, Amount(nano_usd=750_000))
    assert (kept.agent, kept.person, kept.by["describe"].nano_usd) == ("lull", 5, 750_000)
    assert kept.models == {CALL.model: kept.by["describe"]}


@pytest.mark.parametrize(("tier", "payer"), [(TrustTier.STRANGER, 7), (TrustTier.OWNER, 0), ("", 0)])
async def test_whoever_it_is_for_pays_by_the_limits_of_their_tier(tier: str, payer: int) -> None:
    book = Book(BudgetGrant(amount=Amount(nano_usd=9_000_000), shard=2))
    use = ModelUse(purpose=Purpose.DESCRIBE, chat=ChatKey(agent="lull", chat_id=-5), person=7, tier=tier)
    terms = SpendingPolicy(is_on=True, deployment=SpendingLimits(day_usd=1.0), agents={"lull": AgentLimits()})
    paying = JobBudgetService(accounts=book, usages=book, terms=terms, clock=lambda: NOW)  # type: ignore[arg-type]
    reservation = await paying.reserve(use, 9_000_000)
    assert list(book.lent[0].parts) == [payer] * bool(payer)
    reservation.add_call(CALL)
    await paying.settle(reservation)
    (whole, *of_people), (kept,) = book.settled, book.kept
    assert (whole.id, whole.person, whole.shard, kept.person) == (kept.id, 0, 2, 7)
    assert [(one.person, one.shard, one.used) for one in of_people] == [(payer, 2, whole.used)] * bool(payer)


class Names:
    """An access list with only an owner."""

    async def access_list(self, agent: str, at_most: object = None) -> AccessList:
        return AccessList(agent=agent, owner=9)


@pytest.mark.parametrize(("chat_id", "payer", "kept_for", "held_back"), [(5, 5, 5, 0.2), (9, 0, 9, 0.0)])
async def test_what_is_made_of_a_private_chat_is_paid_by_its_person(
    chat_id: int, payer: int, kept_for: int, held_back: float
) -> None:
    book, key = Book(BudgetGrant(amount=Amount(nano_usd=9))), ChatKey(agent="lull", chat_id=chat_id)
    terms = SpendingPolicy(
        is_on=True, deployment=SpendingLimits(day_usd=1.0), agents={"lull": AgentLimits()}, owners=0.2
    )
    accounts: Any = book
    paying = JobBudgetService(accounts=accounts, usages=accounts, terms=terms, clock=lambda: NOW, access_lists=Names())  # type: ignore[arg-type]
    reservation = await paying.reserve(ModelUse(purpose=Purpose.ABBREVIATE, chat=key), 9)
    (asked,) = book.lent
    assert (list(asked.parts), asked.terms.held_back, asked.place) == ([payer] * bool(payer), held_back, chat_id)
    reservation.add_call(CALL)
    await paying.settle(reservation)
    assert ([one.person for one in book.settled[1:]], book.kept[0].person) == ([payer] * bool(payer), kept_for)


class Lowered(Names):
    """An access list whose owner lowered limits."""

    async def access_list(self, agent: str, at_most: object = None) -> AccessList:
        limits = OwnerLimits(deployment=SpendingLimits(day_usd=0.5), stranger=SpendingLimits(day_usd=0.01))
        return AccessList(agent=agent, owner=9, limits=limits)


async def test_limits_of_the_owner_apply_to_jobs() -> None:
    accounts: Any = (book := Book(BudgetGrant(amount=Amount(nano_usd=9))))
    terms = SpendingPolicy(
        is_on=True, deployment=SpendingLimits(day_usd=1.0), agents={"lull": AgentLimits()}, background=0.4
    )
    names: Any = Lowered()
    paying = JobBudgetService(accounts=accounts, usages=accounts, terms=terms, clock=lambda: NOW, access_lists=names)
    await paying.reserve(ModelUse(purpose=Purpose.ABBREVIATE, chat=USE.chat), 9)
    (asked,) = book.lent
    assert (asked.terms.limits[DEPLOYMENT].day_usd, asked.terms.limits[BACKGROUND].day_usd) == (0.5, 0.2)
    assert asked.parts[5].limits.day_usd == 0.01


async def test_in_a_private_chat_its_person_pays_whoever_wrote() -> None:
    book = Book(BudgetGrant(amount=Amount(nano_usd=9)))
    terms = SpendingPolicy(is_on=True, deployment=SpendingLimits(day_usd=1.0), agents={"lull": AgentLimits()})
    paying = JobBudgetService(accounts=book, usages=book, terms=terms, clock=lambda: NOW, access_lists=Names())  # type: ignore[arg-type]
    await paying.reserve(ModelUse(purpose=Purpose.ABBREVIATE, chat=USE.chat, writers={7: 3, 8: 1}), 9)
    assert list(book.lent[0].parts) == [5]


@pytest.mark.parametrize("purpose", Purpose)
async def test_what_nobody_waits_for_has_a_share_alone(purpose: Purpose) -> None:
    book = Book(BudgetGrant(amount=Amount(nano_usd=9)))
    terms = SpendingPolicy(is_on=True, deployment=SpendingLimits(day_usd=1.0), background=0.3)
    paying = JobBudgetService(accounts=book, usages=book, terms=terms, clock=lambda: NOW)  # type: ignore[arg-type]
    await paying.reserve(ModelUse(purpose=purpose, chat=USE.chat), 9)
    (asked,) = book.lent
    awaited = {Purpose.PLAN, Purpose.JUDGE, Purpose.SEARCH, Purpose.DESCRIBE, Purpose.SPEAK, Purpose.DRAW}
    waits = purpose in {*awaited, Purpose.REHEARSE}
    assert asked.terms.limits.get(BACKGROUND) == (None if waits else SpendingLimits(day_usd=0.3))
    assert asked.terms.limits.get(PLACE) == (None if waits else SpendingLimits(day_usd=0.15))
    assert {asked.terms.days[scope] for scope in (BACKGROUND, PLACE)} == {asked.terms.days[DEPLOYMENT]}


NIGHT = datetime(2026, 11, 25, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("span", "is_lent", "again_at"),
    [
        (LimitPeriod.DAY, False, datetime(2026, 11, 26, tzinfo=UTC)),
        (LimitPeriod.MONTH, False, NIGHT + RETRY_AT_LATEST),
        (LimitPeriod.DAY, True, NIGHT + RETRY_IF_LENT),
    ],
)
async def test_where_nothing_is_left_it_says_when_it_may_work(
    span: LimitPeriod, is_lent: bool, again_at: datetime
) -> None:
    book = Book(BudgetDenial(scope="*", span=span, is_lent=is_lent))
    with pytest.raises(ModelUnavailable) as limit:
        await budget_service(book, clock=lambda: NIGHT).reserve(USE, 1)
    assert (limit.value.trouble, limit.value.again_at) == (ModelTrouble.LIMIT, again_at)


async def test_what_costs_nothing_or_is_not_limited_is_only_kept() -> None:
    book = Book(BudgetDenial(scope="*", span=LimitPeriod.DAY))
    for reservation in (await budget_service(book).reserve(USE, 0), await budget_service(book, None).reserve(USE, 7)):
        reservation.add_call(CALL)
        await budget_service(book).settle(reservation)
    assert (book.lent, book.settled, len(book.kept)) == ([], [], 2)


@given(
    st.dictionaries(st.integers(1, 2**40), st.integers(0, 10**6), max_size=12),
    st.integers(1, 10**12),
    st.integers(0, 10**7),
)
async def test_all_together_pay_the_price_and_nobody_what_others_wrote(
    writers: dict[int, int], bound: int, tokens: int
) -> None:
    book, key = Book(BudgetGrant(amount=Amount(nano_usd=bound), shard=2)), ChatKey(agent="lull", chat_id=-5)
    terms = SpendingPolicy(is_on=True, deployment=SpendingLimits(day_usd=1.0), agents={"lull": AgentLimits()})
    paying = JobBudgetService(accounts=book, usages=book, terms=terms, clock=lambda: NOW, access_lists=Names())  # type: ignore[arg-type]
    use = ModelUse(purpose=Purpose.ABBREVIATE, chat=key, writers=writers)
    written = {one: share for one, share in writers.items() if share}
    if not written:
        with pytest.raises(ModelRefused):
            await paying.reserve(use, bound)
        return
    reservation = await paying.reserve(use, bound)
    reservation.add_call(ModelCall(model="gemini-3.6-flash", prompt_tokens=tokens))
    await paying.settle(reservation)
    (asked,), (whole, *_), price = book.lent, book.settled, reservation.nano_usd
    assert sum(one.used.nano_usd for one in book.kept) == whole.used.nano_usd == price
    assert sum(part.amount.nano_usd for part in asked.parts.values()) <= bound
    assert [one.person for one in book.kept] == [*written]
    for one in book.kept:
        assert abs(one.used.nano_usd - price * written[one.person] / sum(written.values())) <= 1
    assert asked.parts.keys() == written.keys() - {9}  # the owner has no limits


@pytest.mark.parametrize("purpose", Purpose)
@pytest.mark.parametrize("chat", [None, ChatKey(agent="lull", chat_id=-5)])
async def test_what_has_no_payer_is_on_a_short_list(purpose: Purpose, chat: ChatKey | None) -> None:
    # each addition to this list lets people spend money without a limit of their own
    listed = purpose is Purpose.PROBE or (purpose is Purpose.DESCRIBE and chat is None)
    use, book = ModelUse(purpose=purpose, chat=chat), Book(BudgetGrant(amount=Amount(nano_usd=9)))
    assert use.needs_payer is not listed
    with nullcontext() if listed else pytest.raises(ModelRefused, match=NO_PAYER):
        await budget_service(book).reserve(use, 9)
    assert len(book.lent) == listed
    with nullcontext() if listed else pytest.raises(ModelRefused, match=NO_PAYER):
        assert payer_in(use, 0, chat or ChatKey(agent="lull", chat_id=-5)) == 0


async def test_whoever_was_blocked_since_pays_as_a_stranger() -> None:
    class Blocks(Names):
        async def access_list(self, agent: str, at_most: object = None) -> AccessList:
            return AccessList(agent=agent, owner=9, blocked={7: BlockedPerson(id=7, since=NOW)})

    book, limits = Book(BudgetGrant(amount=Amount(nano_usd=9))), AgentLimits()
    terms = SpendingPolicy(is_on=True, deployment=SpendingLimits(day_usd=1.0), agents={"lull": limits})
    paying = JobBudgetService(accounts=book, usages=book, terms=terms, clock=lambda: NOW, access_lists=Blocks())  # type: ignore[arg-type]
    key = ChatKey(agent="lull", chat_id=-5)
    await paying.reserve(ModelUse(purpose=Purpose.ABBREVIATE, chat=key, writers={7: 1}), 9)
    assert book.lent[0].parts[7].limits == limits.stranger
