"""/usage: shows the asker's usage of today and this month. In private, it shows the owner everybody's usage."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from shared.base.wording.words import SILENCE, Phrase, Words, bullet_list, join_phrases
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.people import FirestorePeople
from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, verbatim
from shared.commands.read_budget import ReadBudget, ReadBudgetExceeded, budget_exceeded_response
from shared.llm.ports.world import PortRegistry
from shared.spending.statement import UsageStatement, UsageTotal, dollars, read_month, usage_text, usage_totals
from shared.spending.store.usage import FirestoreUsages
from shared.values.chat_key import ChatKind
from shared.values.money import Amount
from shared.values.trust import AccessList

#: the most lines of a list; the rest is summed in one more line
MOST_LINES: Final = 8
#: the most usage documents that are read; that is 40,000 answers in a month
MOST_READ: Final = 2_000
#: the bars of a chart, from the lowest up (U+2581 to U+2588)
BARS: Final = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, kw_only=True)
class UsageReport:
    """Usage of the asker or of everybody, with the names of people and groups by id."""

    statement: UsageStatement
    is_of_all: bool = False
    #: whether the month has more usage than was read
    is_partial: bool = False
    names: Mapping[int, str] = field(default_factory=dict)


async def read_usage(request: CommandRequest, ports: PortRegistry) -> object:
    """Return the usage report, or ReadBudgetExceeded if the asker's reads for today are used up.

    Costs about one read for each 20 answers of the month. Raises StoreUnavailable or StoreRefused.
    """
    budget = ReadBudget.of(request, ports[FirestorePeople])
    if not await budget.has_left():
        return ReadBudgetExceeded()
    person, access_list = request.person, await ports[FirestoreAccessLists].access_list(request.chat.key.agent)
    is_of_all = request.chat.kind is ChatKind.PRIVATE and access_list.is_claimed and access_list.owner == person.id
    statement, read = await read_month(
        request, ports[FirestoreUsages], budget, 0 if is_of_all else person.id, MOST_READ
    )
    return UsageReport(
        statement=statement,
        is_of_all=is_of_all,
        is_partial=read >= MOST_READ,
        names=_names(access_list) | {person.id: person.name} if is_of_all else {},
    )


def _names(access_list: AccessList) -> dict[int, str]:
    groups = {group.chat_id: group.title for group in access_list.groups.values()}
    blocked = {one.id: one.name for one in access_list.blocked.values()}
    return groups | blocked | {one.id: one.name for one in access_list.people.values()}


def respond(request: CommandRequest) -> CommandResponse:
    """Answer with the totals, the largest entries, and a bar for each day of the month."""
    result, words = request.result, request.words
    if isinstance(result, ReadBudgetExceeded):
        return budget_exceeded_response(request)
    if not isinstance(result, UsageReport) or result.statement.month == UsageTotal():
        return CommandResponse(text=words.say("spent.none"), is_apart=True)
    told, used = result.statement, bullet_list(*usage_totals(words, result.statement))
    kinds: list[tuple[str, UsageTotal]] = [
        (words.say(f"spent.kind.{kind}"), spent) for kind, spent in told.kinds.items()
    ]
    parts = [join_phrases(_heading(result, words), used, by="\n"), _cost_list(words, words.say("spent.by_kind"), kinds)]
    if result.is_of_all:
        people = [(_person(words, result, one), spent) for one, spent in told.people.items()]
        chats = [(_chat(words, result, one), spent) for one, spent in told.chats.items()]
        parts += [_cost_list(words, words.say("spent.by_person"), people)]
        parts += [_cost_list(words, words.say("spent.by_chat"), chats)]
    parts += [_by_day(words, told), join_phrases(*_remarks(words, result))]
    return CommandResponse(text=join_phrases(*parts, by="\n\n"), is_apart=True)


def _heading(result: UsageReport, words: Words) -> Phrase:
    return words.say("spent.all") if result.is_of_all else words.say("spent.own")


def _remarks(words: Words, result: UsageReport) -> Iterable[Phrase]:
    told = result.statement
    if told.in_doubt.nano_usd:
        yield words.say("spent.in_doubt", usd=dollars(told.in_doubt))
    if result.is_partial:
        yield words.say("spent.partial")
    yield words.say("spent.estimated") if told.month.amount.nano_usd else words.say("spent.unpriced")


def _cost_list(words: Words, heading: Phrase, found: Sequence[tuple[str, UsageTotal]]) -> Phrase:
    """Return a list with the most expensive entry first. The last line is the sum of all entries that are not shown."""
    if not found:
        return SILENCE
    shown: list[tuple[str, UsageTotal]] = list(found) if len(found) <= MOST_LINES + 1 else list(found[:MOST_LINES])
    rest = found[len(shown) :]
    if rest:
        others = words.say("spent.others", number=len(rest))
        shown.append((others, sum((spent for _, spent in rest), UsageTotal())))
    lines = (words.say("spent.line", name=name, spent=usage_text(words, spent)) for name, spent in shown)
    return join_phrases(heading, bullet_list(*lines), by="\n")


def _person(words: Words, result: UsageReport, person: int) -> str:
    """Return the name of a person or group, or the id if there is no name. For 0, return a text for background work."""
    if not person:
        return words.say("spent.background")
    return verbatim(result.names.get(person, "")) or f"`{person}`"


def _chat(words: Words, result: UsageReport, chat_id: int) -> str:
    named = _person(words, result, chat_id)
    return words.say("spent.private", name=named) if chat_id > 0 else named


def _by_day(words: Words, told: UsageStatement) -> Phrase:
    """Return a chart of the month with a bar for each day.

    The bars show dollars, or answers if no price is known. "" if nothing was used.
    """
    if told.month.amount.nano_usd:
        spent = [one.nano_usd for one in told.days]
        most = dollars(Amount(nano_usd=max(spent)))
        return words.say("spent.chart", bars=f"`{bars(spent)}`", days=len(spent), most=most) if any(spent) else SILENCE
    answers = [one.messages for one in told.days]
    if not any(answers):
        return SILENCE
    return words.say("spent.chart_answers", bars=f"`{bars(answers)}`", days=len(answers), most=max(answers))


def bars(values: Sequence[float]) -> str:
    """Return a bar for each value: the highest bar for the largest value, and `·` for 0.

    At least one value must be above 0.
    """
    steps = (0 if value <= 0 else ceil(len(BARS) * value / max(values)) for value in values)
    return "".join(BARS[step - 1] if step else "·" for step in steps)


COMMAND = Command(
    name="usage",
    order=87,
    is_said_once=True,  # each answer costs reads
    audience=Audience.EVERYONE,  # people may see what is stored about them, whether they are answered or not
    respond=respond,
    effect=read_usage,
    needs=(FirestorePeople, FirestoreAccessLists, FirestoreUsages),
)
