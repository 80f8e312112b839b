"""Usage statements, which add up usage records; and a person's limits and usage in words."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeVar

from shared.base.wording.words import Phrase, Words, bullet_list
from shared.chat.store.people import FirestorePeople
from shared.commands.command import CommandRequest
from shared.commands.read_budget import ReadBudget
from shared.llm.ports.world import PortRegistry
from shared.spending.store.usage import FirestoreUsages, UsageQuery
from shared.values.account import month_of
from shared.values.budget import UNKNOWN_MODEL, CallTotals, UsageRecord
from shared.values.chat_key import ChatKey
from shared.values.money import ENDLESS, NANO, ZERO, Amount, SpendingLimits, sum_amounts
from shared.values.trust import TrustTier
from shared.values.usage import Purpose

Key = TypeVar("Key", int, str)

#: the kind for all calls that have no kind of their own in the statement
OTHER: Final = "other"
#: the kinds of calls, as the catalogues name them (`spent.kind.<kind>`)
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
    Purpose.REHEARSE: OTHER,
    Purpose.PROBE: OTHER,
}


@dataclass(frozen=True, kw_only=True)
class UsageTotal:
    """A total of usage: money, answered messages, and calls of models."""

    amount: Amount = ZERO
    calls: int = 0

    def __add__(self, other: "UsageTotal") -> "UsageTotal":
        return UsageTotal(amount=self.amount + other.amount, calls=self.calls + other.calls)


@dataclass(frozen=True, kw_only=True)
class UsageStatement:
    """Usage in a month up to a day. Each mapping has the most expensive entry first."""

    day: date
    today: UsageTotal
    month: UsageTotal
    #: the amount of each day of the month, from the first to `day`
    days: Sequence[Amount]
    #: by kind of call; messages are not counted
    kinds: Mapping[str, UsageTotal]
    #: by purpose of the call, by model, and by agent, "" for none
    purposes: Mapping[str, UsageTotal]
    models: Mapping[str, UsageTotal]
    agents: Mapping[str, UsageTotal]
    #: by person's id; 0 for nobody
    people: Mapping[int, UsageTotal]
    #: by Telegram's id of the chat, with all its topics; 0 for no chat
    chats: Mapping[int, UsageTotal]
    #: the part of the month's money that was reserved by work that broke off: it may not have been spent at all
    in_doubt: Amount = ZERO


def statement_of(usage: Sequence[UsageRecord], day: date) -> UsageStatement:
    """Return the statement of a month's usage as of a day."""
    by_day = _group_by(usage, lambda one: one.day)
    days = [by_day.get(day.replace(day=number).isoformat(), UsageTotal()) for number in range(1, day.day + 1)]
    return UsageStatement(
        day=day,
        today=days[-1],
        month=sum(map(_total_of, usage), UsageTotal()),
        days=[one.amount for one in days],
        kinds=_by_kind(usage),
        purposes=_by_name(pair for one in usage for pair in one.by.items()),
        models=_by_name(pair for one in usage for pair in _model_pairs(one)),
        agents=_group_by(usage, lambda one: one.agent),
        people=_group_by(usage, lambda one: one.person),
        chats=_group_by(usage, _chat_id),
        in_doubt=sum_amounts(one.expired for one in usage),
    )


def _total_of(one: UsageRecord) -> UsageTotal:
    return UsageTotal(amount=one.used, calls=sum(used.calls for used in one.by.values()))


def _chat_id(one: UsageRecord) -> int:
    try:
        return ChatKey.from_id(one.chat).chat_id
    except ValueError:  # the usage belongs to no chat
        return 0


def _group_by(usage: Iterable[UsageRecord], key: Callable[[UsageRecord], Key]) -> dict[Key, UsageTotal]:
    groups: dict[Key, UsageTotal] = {}
    for one in usage:
        groups[key(one)] = groups.get(key(one), UsageTotal()) + _total_of(one)
    return _most_expensive_first(groups)


def _by_kind(usage: Iterable[UsageRecord]) -> Mapping[str, UsageTotal]:
    return _by_name((KINDS.get(purpose, OTHER), used) for one in usage for purpose, used in one.by.items())


def _model_pairs(one: UsageRecord) -> Iterator[tuple[str, CallTotals]]:
    """Yield the name of each model with its totals. Old records name no models; they count under UNKNOWN_MODEL."""
    if one.models:
        yield from one.models.items()
    else:
        yield from ((UNKNOWN_MODEL, used) for used in one.by.values())


def _by_name(pairs: Iterable[tuple[str, CallTotals]]) -> Mapping[str, UsageTotal]:
    found: dict[str, UsageTotal] = {}
    for name, used in pairs:
        spent = UsageTotal(amount=Amount(nano_usd=used.nano_usd), calls=used.calls)
        found[name] = found.get(name, UsageTotal()) + spent
    return _most_expensive_first(found)


def _most_expensive_first(spent: dict[Key, UsageTotal]) -> dict[Key, UsageTotal]:
    def cost(name: Key) -> tuple[int, int, int, str]:
        one = spent[name]
        return -one.amount.nano_usd, -one.amount.messages, -one.calls, str(name)

    return {name: spent[name] for name in sorted(spent, key=cost)}


#: the most documents that are read for a person's usage; that is 4,000 answers in a month
MOST_READ: Final = 200


async def read_person_usage(request: CommandRequest, ports: PortRegistry, person: int) -> UsageStatement | None:
    """Return a person's usage this month; None if the asker's reads for today are used up.

    Costs one read for each 20 answers. Raises StoreUnavailable or StoreRefused.
    """
    budget = ReadBudget.of(request, ports[FirestorePeople])
    if not await budget.has_left():
        return None
    statement, _ = await read_month(request, ports[FirestoreUsages], budget, person, MOST_READ)
    return statement


async def read_month(
    request: CommandRequest, usages: FirestoreUsages, budget: ReadBudget, person: int, most: int
) -> tuple[UsageStatement, int]:
    """Return this month's usage of a person (0: of all people), and the number of documents read.

    Raises StoreUnavailable or StoreRefused.
    """
    day = request.now.astimezone(request.agent.zone).date()
    asked = UsageQuery(agent=request.chat.key.agent, month=month_of(day.isoformat()), person=person)
    kept, still_open = await usages.of(asked, most), await usages.open(asked)
    await budget.count(kept.read + still_open.read)
    return statement_of([*kept.usage, *still_open.usage], day), kept.read


def limits_of(request: CommandRequest, tier: TrustTier) -> SpendingLimits:
    """Return the limits that apply to a person of this tier, in addition to the agent's limits.

    The owner has no such limits.
    """
    if request.agent.limits is None or tier is TrustTier.OWNER:
        return SpendingLimits()
    return request.agent.limits.known if tier is TrustTier.KNOWN else request.agent.limits.stranger


def limits_text(words: Words, limits: SpendingLimits, statement: UsageStatement | None) -> Phrase:
    """Return a person's limits and usage in words; empty if there are neither."""
    return bullet_list(*_limit_lines(words, limits), *(usage_totals(words, statement) if statement is not None else ()))


def usage_totals(words: Words, statement: UsageStatement) -> tuple[Phrase, Phrase]:
    """Return today's and this month's usage in words."""
    today, month = usage_text(words, statement.today), usage_text(words, statement.month)
    return words.say("spent.today", spent=today), words.say("spent.month", spent=month)


def _limit_lines(words: Words, limits: SpendingLimits) -> Iterator[Phrase]:
    if day := _amount(words, limits.day):
        yield words.say("people.limit_day", limit=day)
    if month := _amount(words, limits.month):
        yield words.say("people.limit_month", limit=month)


def _amount(words: Words, most: Amount) -> str:
    usd = [dollars(most)] if most.nano_usd < ENDLESS else []
    answers = [words.say("people.limit_answers", number=most.messages)] if most.messages < ENDLESS else []
    return " · ".join([*usd, *answers])


def usage_text(words: Words, spent: UsageTotal) -> Phrase:
    usd = dollars(spent.amount)
    if not spent.amount.messages:
        return words.say("spent.calls", usd=usd, calls=spent.calls)
    return words.say("spent.amount", usd=usd, answers=spent.amount.messages, calls=spent.calls)


def dollars(amount: Amount) -> str:
    """Format an amount of money for people: with cents, or with two significant digits if it is below ten cents."""
    usd = amount.nano_usd / NANO
    return f"${usd:.2f}" if usd >= 0.1 or not usd else f"${float(f'{usd:.2g}'):f}".rstrip("0")
