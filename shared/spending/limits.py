"""Limits: how much each may use of an agent, in words for its owner, beside what they have used."""

from collections.abc import Iterator
from typing import Final

from shared.base.wording.words import Phrase, Words, bulleted
from shared.chat.store.people import FirestorePeople
from shared.commands.command import CommandRequest
from shared.commands.read_budget import ReadBudget
from shared.llm.ports.world import Ports
from shared.spending.store.usage import FirestoreUsages
from shared.spending.usages import UsageQuery
from shared.values.account import month_of
from shared.values.money import ENDLESS, NANO, Amount, Limits
from shared.values.statement import Spent, Statement, statement_of
from shared.values.trust import TrustTier

#: documents of one person's usage that are read at most: 4,000 answers of a month
MOST_READ: Final = 200


async def used_by(request: CommandRequest, ports: Ports, person: int) -> Statement | None:
    """What was used for somebody this month; none if who asks has had too much read today.

    It costs a read for each 20 answers. Raises StoreUnavailable or StoreRefused.
    """
    budget = ReadBudget.of(request, ports[FirestorePeople])
    if not await budget.has_left():
        return None
    statement, _ = await read_month(request, ports[FirestoreUsages], budget, person, MOST_READ)
    return statement


async def read_month(
    request: CommandRequest, usages: FirestoreUsages, budget: ReadBudget, person: int, most: int
) -> tuple[Statement, int]:
    """Return what was used this month for a person, or for all (0), and how many documents of past usage were read.

    Raises StoreUnavailable or StoreRefused.
    """
    day = request.now.astimezone(request.agent.zone).date()
    asked = UsageQuery(agent=request.chat.key.agent, month=month_of(day.isoformat()), person=person)
    kept, still_open = await usages.of(asked, most), await usages.open(asked)
    await budget.count(kept.read + still_open.read)
    return statement_of([*kept.usage, *still_open.usage], day), kept.read


def limits_of(request: CommandRequest, tier: TrustTier) -> Limits:
    """What limits somebody of a tier, besides what limits the agent; nothing limits its owner."""
    if request.agent.limits is None or tier is TrustTier.OWNER:
        return Limits()
    return request.agent.limits.known if tier is TrustTier.KNOWN else request.agent.limits.stranger


def limits_text(words: Words, limits: Limits, statement: Statement | None) -> Phrase:
    """How much may be used, and what was; empty where neither is to be told."""
    return bulleted(*_limited(words, limits), *(sums(words, statement) if statement is not None else ()))


def sums(words: Words, statement: Statement) -> tuple[Phrase, Phrase]:
    """Return what was spent today, and this month."""
    today, month = spent_words(words, statement.today), spent_words(words, statement.month)
    return words.say("spent.today", spent=today), words.say("spent.month", spent=month)


def _limited(words: Words, limits: Limits) -> Iterator[Phrase]:
    if day := _amount(words, limits.day):
        yield words.say("people.limit_day", limit=day)
    if month := _amount(words, limits.month):
        yield words.say("people.limit_month", limit=month)


def _amount(words: Words, most: Amount) -> str:
    """Money and answers, as far as they are limited."""
    usd = [dollars(most)] if most.nano_usd < ENDLESS else []
    answers = [words.say("people.limit_answers", number=most.messages)] if most.messages < ENDLESS else []
    return " · ".join([*usd, *answers])


def spent_words(words: Words, spent: Spent) -> Phrase:
    """What was spent, in a few words."""
    usd = dollars(spent.amount)
    if not spent.amount.messages:
        return words.say("spent.calls", usd=usd, calls=spent.calls)
    return words.say("spent.amount", usd=usd, answers=spent.amount.messages, calls=spent.calls)


def dollars(amount: Amount) -> str:
    """Money for people: cents, and of less than a dime two digits that say something."""
    usd = amount.nano_usd / NANO
    return f"${usd:.2f}" if usd >= 0.1 or not usd else f"${float(f'{usd:.2g}'):f}".rstrip("0")
