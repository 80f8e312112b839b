"""A statement of usage: what was spent on a day and in a month, by whom, where and on what."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeVar

from shared.values.chat_key import ChatKey
from shared.values.money import NOTHING, Amount, total
from shared.values.purse import Usage
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
class Spent:
    """What some usage amounts to: money, answered messages, and calls of models."""

    amount: Amount = NOTHING
    calls: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        """Both together."""
        return Spent(amount=self.amount + other.amount, calls=self.calls + other.calls)


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What was spent in a month until a day. Whatever is listed has what cost the most first."""

    day: date
    today: Spent
    month: Spent
    #: of each day of the month, from the first to `day`
    days: Sequence[Amount]
    #: by KINDS; their messages are not counted
    kinds: Mapping[str, Spent]
    #: by the person's id; 0: nobody's
    people: Mapping[int, Spent]
    #: by Telegram's id of the chat, with all its topics; 0: no chat's
    chats: Mapping[int, Spent]
    #: of the month's money: what was set aside by work that broke off, so that nobody knows whether it was spent
    in_doubt: Amount = NOTHING


def statement_of(usage: Sequence[Usage], day: date) -> Statement:
    """The statement of a month's usage, on a day of it."""
    by_day = _grouped(usage, lambda one: one.day)
    days = [by_day.get(day.replace(day=number).isoformat(), Spent()) for number in range(1, day.day + 1)]
    return Statement(
        day=day,
        today=days[-1],
        month=sum(map(_spent, usage), Spent()),
        days=[one.amount for one in days],
        kinds=_by_kind(usage),
        people=_grouped(usage, lambda one: one.person),
        chats=_grouped(usage, _chat_id),
        in_doubt=total(one.expired for one in usage),
    )


def _spent(one: Usage) -> Spent:
    return Spent(amount=one.used, calls=sum(used.calls for used in one.by.values()))


def _chat_id(one: Usage) -> int:
    try:
        return ChatKey.from_id(one.chat).chat_id
    except ValueError:  # it is no chat's
        return 0


def _grouped(usage: Iterable[Usage], key: Callable[[Usage], Key]) -> dict[Key, Spent]:
    groups: dict[Key, Spent] = {}
    for one in usage:
        groups[key(one)] = groups.get(key(one), Spent()) + _spent(one)
    return _dearest_first(groups)


def _by_kind(usage: Iterable[Usage]) -> Mapping[str, Spent]:
    kinds: dict[str, Spent] = {}
    for purpose, used in (pair for one in usage for pair in one.by.items()):
        name = KINDS.get(purpose, OTHER)
        spent = Spent(amount=Amount(nano_usd=used.nano_usd), calls=used.calls)
        kinds[name] = kinds.get(name, Spent()) + spent
    return _dearest_first(kinds)


def _dearest_first(spent: dict[Key, Spent]) -> dict[Key, Spent]:
    def cost(name: Key) -> tuple[int, int, int, str]:
        one = spent[name]
        return -one.amount.nano_usd, -one.amount.messages, -one.calls, str(name)

    return {name: spent[name] for name in sorted(spent, key=cost)}
