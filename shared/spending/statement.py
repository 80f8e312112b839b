"""Limits: how much each may use of an agent, and the statement of what they have used, in words for its owner."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeVar

from shared.base.wording.words import Phrase, Words, bulleted
from shared.chat.store.people import FirestorePeople
from shared.commands.command import CommandRequest
from shared.commands.read_budget import ReadBudget
from shared.llm.ports.world import PortRegistry
from shared.spending.store.usage import FirestoreUsages, UsageQuery
from shared.values.account import month_of
from shared.values.budget import UsageRecord
from shared.values.chat_key import ChatKey
from shared.values.money import ENDLESS, NANO, ZERO, Amount, SpendingLimits, sum_amounts
from shared.values.trust import TrustTier
from shared.values.usage import Purpose

Key = TypeVar("Key", int, str)

#: what is of no kind that people are told
OTHER: Final = "other"
#: the kinds of calls as people are told them (`spent.kind.<kind>` of the catalogues)
KINDS: Final[Mapping[str, str]] = {
    Purpose.PLAN: "answers",
    Purpose.JUDGE: "judging",
    Purpose.SEARCH: "search",
    Purpose.DESCRIBE: "files",
    Purpose.SPEAK: "speech",
    Purpose.DRAW: "pictures",
    Purpose.COMPRESS: "memory",
    Purpose.EMBED: "memory",
    Purpose.ABBREVIATE: "memory",
    Purpose.SUMMARIZE: "memory",
    Purpose.PROBE: OTHER,
}


@dataclass(frozen=True, kw_only=True)
class UsageTotal:
    """What some usage amounts to: money, answered messages, and calls of models."""

    amount: Amount = ZERO
    calls: int = 0

    def __add__(self, other: "UsageTotal") -> "UsageTotal":
        """Both together."""
        return UsageTotal(amount=self.amount + other.amount, calls=self.calls + other.calls)


@dataclass(frozen=True, kw_only=True)
class UsageStatement:
    """What was spent in a month until a day. Whatever is listed has what cost the most first."""

    day: date
    today: UsageTotal
    month: UsageTotal
    #: of each day of the month, from the first to `day`
    days: Sequence[Amount]
    #: by KINDS; their messages are not counted
    kinds: Mapping[str, UsageTotal]
    #: by the person's id; 0: nobody's
    people: Mapping[int, UsageTotal]
    #: by Telegram's id of the chat, with all its topics; 0: no chat's
    chats: Mapping[int, UsageTotal]
    #: of the month's money: what was set aside by work that broke off, so that nobody knows whether it was spent
    in_doubt: Amount = ZERO


def statement_of(usage: Sequence[UsageRecord], day: date) -> UsageStatement:
    """The statement of a month's usage, on a day of it."""
    by_day = _group_by(usage, lambda one: one.day)
    days = [by_day.get(day.replace(day=number).isoformat(), UsageTotal()) for number in range(1, day.day + 1)]
    return UsageStatement(
        day=day,
        today=days[-1],
        month=sum(map(_spent_on, usage), UsageTotal()),
        days=[one.amount for one in days],
        kinds=_by_kind(usage),
        people=_group_by(usage, lambda one: one.person),
        chats=_group_by(usage, _chat_id),
        in_doubt=sum_amounts(one.expired for one in usage),
    )


def _spent_on(one: UsageRecord) -> UsageTotal:
    return UsageTotal(amount=one.used, calls=sum(used.calls for used in one.by.values()))


def _chat_id(one: UsageRecord) -> int:
    try:
        return ChatKey.from_id(one.chat).chat_id
    except ValueError:  # it is no chat's
        return 0


def _group_by(usage: Iterable[UsageRecord], key: Callable[[UsageRecord], Key]) -> dict[Key, UsageTotal]:
    groups: dict[Key, UsageTotal] = {}
    for one in usage:
        groups[key(one)] = groups.get(key(one), UsageTotal()) + _spent_on(one)
    return _dearest_first(groups)


def _by_kind(usage: Iterable[UsageRecord]) -> Mapping[str, UsageTotal]:
    kinds: dict[str, UsageTotal] = {}
    for purpose, used in (pair for one in usage for pair in one.by.items()):
        name = KINDS.get(purpose, OTHER)
        spent = UsageTotal(amount=Amount(nano_usd=used.nano_usd), calls=used.calls)
        kinds[name] = kinds.get(name, UsageTotal()) + spent
    return _dearest_first(kinds)


def _dearest_first(spent: dict[Key, UsageTotal]) -> dict[Key, UsageTotal]:
    def cost(name: Key) -> tuple[int, int, int, str]:
        one = spent[name]
        return -one.amount.nano_usd, -one.amount.messages, -one.calls, str(name)

    return {name: spent[name] for name in sorted(spent, key=cost)}


#: documents of one person's usage that are read at most: 4,000 answers of a month
MOST_READ: Final = 200


async def read_person_usage(request: CommandRequest, ports: PortRegistry, person: int) -> UsageStatement | None:
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
) -> tuple[UsageStatement, int]:
    """Return what was used this month for a person, or for all (0), and how many documents of past usage were read.

    Raises StoreUnavailable or StoreRefused.
    """
    day = request.now.astimezone(request.agent.zone).date()
    asked = UsageQuery(agent=request.chat.key.agent, month=month_of(day.isoformat()), person=person)
    kept, still_open = await usages.of(asked, most), await usages.open(asked)
    await budget.count(kept.read + still_open.read)
    return statement_of([*kept.usage, *still_open.usage], day), kept.read


def limits_of(request: CommandRequest, tier: TrustTier) -> SpendingLimits:
    """What limits somebody of a tier, besides what limits the agent; nothing limits its owner."""
    if request.agent.limits is None or tier is TrustTier.OWNER:
        return SpendingLimits()
    return request.agent.limits.known if tier is TrustTier.KNOWN else request.agent.limits.stranger


def limits_text(words: Words, limits: SpendingLimits, statement: UsageStatement | None) -> Phrase:
    """How much may be used, and what was; empty where neither is to be told."""
    return bulleted(*_limit_lines(words, limits), *(usage_totals(words, statement) if statement is not None else ()))


def usage_totals(words: Words, statement: UsageStatement) -> tuple[Phrase, Phrase]:
    """Return what was spent today, and this month."""
    today, month = usage_text(words, statement.today), usage_text(words, statement.month)
    return words.say("spent.today", spent=today), words.say("spent.month", spent=month)


def _limit_lines(words: Words, limits: SpendingLimits) -> Iterator[Phrase]:
    if day := _amount(words, limits.day):
        yield words.say("people.limit_day", limit=day)
    if month := _amount(words, limits.month):
        yield words.say("people.limit_month", limit=month)


def _amount(words: Words, most: Amount) -> str:
    """Money and answers, as far as they are limited."""
    usd = [dollars(most)] if most.nano_usd < ENDLESS else []
    answers = [words.say("people.limit_answers", number=most.messages)] if most.messages < ENDLESS else []
    return " · ".join([*usd, *answers])


def usage_text(words: Words, spent: UsageTotal) -> Phrase:
    """What was spent, in a few words."""
    usd = dollars(spent.amount)
    if not spent.amount.messages:
        return words.say("spent.calls", usd=usd, calls=spent.calls)
    return words.say("spent.amount", usd=usd, answers=spent.amount.messages, calls=spent.calls)


def dollars(amount: Amount) -> str:
    """Money for people: cents, and of less than a dime two digits that say something."""
    usd = amount.nano_usd / NANO
    return f"${usd:.2f}" if usd >= 0.1 or not usd else f"${float(f'{usd:.2g}'):f}".rstrip("0")
