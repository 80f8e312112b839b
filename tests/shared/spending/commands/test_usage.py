"""/usage: people see their own usage, and the owner sees everybody's."""

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.people import FirestorePeople
from shared.commands.command import CommandRequest
from shared.commands.read_budget import MOST_A_DAY, ReadBudget, ReadBudgetExceeded
from shared.llm.ports.world import PortRegistry
from shared.spending.commands.usage import MOST_LINES, UsageReport, bars, read_usage, respond
from shared.spending.statement import dollars, statement_of
from shared.spending.store.usage import FirestoreUsages
from shared.telegram.markdown.render import render
from shared.values.budget import CallTotals, UsageRecord
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.money import Amount
from shared.values.trust import AdmittedGroup, AdmittedPerson, TrustTier
from tests.shared.commands.requests import asked
from tests.shared.examples import ANN, BOB, NOW
from tests.shared.spending.values import cents

DAY = NOW.date().replace(day=20)
CALL = CallTotals(calls=2, nano_usd=cents(3).nano_usd)


def usage(number: int = 1, person: int = ANN.id, chat: ChatKey | None = None, **more: object) -> UsageRecord:
    key = chat or ChatKey(agent="lull", chat_id=person)
    given: dict[str, object] = {
        "id": f"{key.agent}-{number}", "agent": key.agent, "chat": key.id, "person": person, "at": NOW,
        "day": DAY.isoformat(), "month": DAY.isoformat()[:7], "used": cents(3, 1), "by": {"plan": CALL},
    }  # fmt: skip
    return UsageRecord.model_validate(given | more)


def told(some: list[UsageRecord], **more: object) -> str:
    result = UsageReport(statement=statement_of(some, DAY), **more)  # type: ignore[arg-type]
    return render(respond(asked(result=result)).text)[0].text


def test_it_says_what_was_used_today_and_this_month_and_for_what() -> None:
    early = usage(2, day=DAY.replace(day=1).isoformat(), by={"embed": CallTotals(calls=1)})
    text = told([usage(), early])
    assert "Today: $0.03 · answers: 1 · calls: 2" in text
    assert "This month: $0.06 · answers: 2 · calls: 3" in text
    assert "answering: $0.03 · calls: 2" in text
    assert "remembering and searching: $0.00 · calls: 1" in text
    assert "By person" not in text


def test_the_owner_is_told_of_people_and_chats_by_their_names() -> None:
    group = ChatKey(agent="lull", chat_id=-100)
    text = told(
        [usage(), usage(2, BOB.id, group), usage(3, 0, used=cents(9), chat=ChatKey(agent="lull", chat_id=-200))],
        is_of_all=True,
        names={ANN.id: "*Ann*", -100: "Our group"},
    )
    for line in ("*Ann*: $0.03", f"{BOB.id}: $0.03", "in the background: $0.09", "private chat with *Ann*: $0.03"):
        assert line in text
    assert "Our group: $0.03" in text
    assert "-200: $0.09" in text


def test_a_long_list_ends_with_all_others() -> None:
    text = told([usage(n, n, used=cents(n)) for n in range(1, MOST_LINES + 6)], is_of_all=True)
    assert "others (5): $0.15" in text
    assert "others" not in told([usage(n, n) for n in range(1, MOST_LINES + 2)], is_of_all=True)


def test_what_is_not_sure_is_said() -> None:
    text = told([usage(expired=cents(1))], is_partial=True)
    assert "$0.01 of this is uncertain" in text
    assert "left out" in text
    assert "The bill may differ" in text
    assert "I don't know the price" in told([usage(used=Amount(messages=1))])


def test_the_days_of_the_month_are_a_line_of_bars_of_dollars_or_of_answers() -> None:
    def text(used: Amount) -> str:
        response = respond(asked(result=UsageReport(statement=statement_of([usage(used=used)], DAY))))
        assert response.is_apart
        return str(response.text)

    line = f"`{'·' * (DAY.day - 1)}█`"
    assert f"This month by day, 1–{DAY.day}, highest $0.03:\n{line}" in text(cents(3, 1))
    assert f"Answers by day, 1–{DAY.day}, highest 4:\n{line}" in text(Amount(messages=4))
    assert "calls: " in text(Amount())
    assert "by day" not in text(Amount()), "calls that came to nothing are no answers, and cost nothing"


def test_bars_grow_with_their_values_and_the_least_can_be_seen() -> None:
    assert bars([0, 1, 2, 4, 8]) == "·▁▂▄█"
    assert bars([0.000_001, 100]) == "▁█"
    assert bars([5]) == "█"


@pytest.mark.parametrize(
    ("nanos", "said"),
    [(0, "$0.00"), (1_230_000_000, "$1.23"), (30_000_000, "$0.03"), (1_234_567, "$0.0012"), (1_000, "$0.000001")],
)
def test_money_says_something_however_little_it_is(nanos: int, said: str) -> None:
    assert dollars(Amount(nano_usd=nanos)) == said


async def looked_up(chats: FirestoreChats, request: CommandRequest) -> UsageReport:
    access_lists = FirestoreAccessLists(chats.client, lambda: NOW)
    result = await read_usage(request, ports_of(chats, access_lists))
    assert isinstance(result, UsageReport)
    return result


def ports_of(chats: FirestoreChats, access_lists: FirestoreAccessLists) -> PortRegistry:
    return PortRegistry(
        {
            FirestorePeople: FirestorePeople(chats.client),
            FirestoreAccessLists: access_lists,
            FirestoreUsages: FirestoreUsages(chats.client),
        }
    )


async def test_who_has_had_too_much_read_today_is_told_so(chats: FirestoreChats, key: ChatKey) -> None:
    """The daily read budget limits repeated requests: once it is used up, a further request reads nothing."""
    agent, person = f"usage-read-{key.chat_id}", evolve(ANN, id=key.chat_id)
    usages = FirestoreUsages(chats.client)
    mine = ChatKey(agent=agent, chat_id=person.id)
    for number in range(40):
        await usages.keep(usage(number, person.id, mine))
    request = asked(key=mine, person=person)
    people, ports = FirestorePeople(chats.client), ports_of(chats, FirestoreAccessLists(chats.client, lambda: NOW))
    await people.draw(person.id, ReadBudget.of(request, people).budget, MOST_A_DAY - 100)
    results = [await read_usage(request, ports) for _ in range(5)]
    assert [isinstance(one, UsageReport) for one in results[:2]] == [True, True]
    assert isinstance(results[-1], ReadBudgetExceeded)
    said = str(respond(replace(request, result=results[-1])).text)
    assert said == "You've looked this up too often today. Please try again tomorrow."
    tomorrow = replace(request, now=NOW + timedelta(days=1))
    assert isinstance(await read_usage(tomorrow, ports), UsageReport)
    owner = replace(request, trust=TrustTier.OWNER)
    assert isinstance(await read_usage(owner, ports), UsageReport), "the owner's is larger"
    other = replace(request, person=BOB)
    assert isinstance(await read_usage(other, ports), UsageReport)


async def test_everybody_is_told_their_own_and_the_owner_in_private_all(chats: FirestoreChats) -> None:
    agent = "usage-all"
    access_lists, usages = FirestoreAccessLists(chats.client, lambda: NOW), FirestoreUsages(chats.client)
    await FirestoreOwners(chats.client).claim(agent, ANN.id, NOW)
    await access_lists.let_in(agent, AdmittedPerson(id=BOB.id, name="Bob B.", since=NOW, by=ANN.id))
    await access_lists.let_group_in(agent, AdmittedGroup(chat_id=-100, title="Ours", since=NOW, by=ANN.id))
    for number, person in enumerate((ANN.id, BOB.id, 0), 1):
        await usages.keep(usage(number, person, ChatKey(agent=agent, chat_id=person)))
    key = ChatKey(agent=agent, chat_id=ANN.id)

    all_ = await looked_up(chats, asked(key=key))
    assert (all_.is_of_all, all_.statement.month.amount) == (True, cents(9, 3))
    assert {BOB.id: "Bob B.", -100: "Ours", ANN.id: ANN.name}.items() <= all_.names.items()
    own = await looked_up(chats, asked(key=key, person=BOB))
    assert (own.is_of_all, own.statement.month.amount, own.names) == (False, cents(3, 1), {})
    in_group = await looked_up(chats, asked(key=key, kind=ChatKind.GROUP))
    assert (in_group.is_of_all, in_group.statement.month.amount) == (False, cents(3, 1))


async def test_days_are_those_of_the_agent_s_zone(chats: FirestoreChats) -> None:
    late = NOW.replace(day=30, hour=23)
    request = asked(key=ChatKey(agent="usage-zone", chat_id=1), now=late, agent_zone=ZoneInfo("Pacific/Auckland"))
    assert (await looked_up(chats, request)).statement.day == (late + timedelta(hours=13)).date()
