"""External communications: who wrote, what was answered under which rule, and the rules."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from shared.chat.store import paths
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.transcripts import encode_window
from shared.console.route import BadRequest, NotFound
from shared.console.views.external import change_rules, read_exchange, read_external, read_rules
from shared.deciding.access_policy import STRANGER
from shared.spending.policy import SpendingPolicy
from shared.values.access_request import RequestState
from shared.values.agent import GroupPolicy, StrangerPolicy
from shared.values.chat import Chat, CurrentConversation
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.message import AnyEntry, Author, Event, Message
from shared.values.money import AgentLimits, OwnerLimits, SpendingLimits
from shared.values.trust import AccessRules, AdmittedPerson, BlockedPerson
from tests.shared.console.harness import OWNER, ConsoleHarness
from tests.shared.console.test_people import ANN, BEN, EVE, at, keep_request, services_of
from tests.shared.examples import NOW


async def keep_conversation(
    console: ConsoleHarness, person: int, updated_at: datetime, agent: str = "lull", **fields: Any
) -> str:
    name = f"conv-{agent}-{person}-{updated_at:%H%M%S}"
    key = ChatKey(agent=agent, chat_id=person)
    document = {"agent": agent, "chat": key.id, "chat_kind": "private", "updated_at": updated_at, **fields}
    await console.client.document(paths.conversation_path(name)).set(document)
    return name


async def test_other_people_are_listed_with_their_tier_and_the_owner_is_not(console: ConsoleHarness) -> None:
    await console.claim("lull")
    lists = FirestoreAccessLists(console.client, lambda: NOW)
    await lists.let_in("lull", AdmittedPerson(id=ANN, name="Ann", since=NOW, by=OWNER))
    await lists.block("lull", BlockedPerson(id=BEN, name="Ben", since=NOW, by=OWNER))
    await keep_request(console)
    for minute, person in enumerate((BEN, EVE, ANN, OWNER, ANN)):
        await keep_conversation(console, person, NOW + timedelta(minutes=minute), opening=f"words {minute}")
    said: Any = {"last_words": {"at": NOW, "by": "lull", "is_agent": True, "text": "Yes."}}
    await keep_conversation(console, 604, NOW - timedelta(days=1), authors=[{"id": 604, "name": "Fay"}], **said)
    await keep_conversation(console, EVE, NOW, agent="moss")
    await keep_conversation(console, -5, NOW, chat_kind="supergroup")
    found = await read_external(services_of(console), at(console))
    assert [(one["name"], one["tier"], one["words"]) for one in found["items"]] == [
        ("Ann", "known", "words 4"),
        ("Eve", "stranger", "words 1"),
        ("Ben", "blocked", "words 0"),
        ("Fay", "stranger", "Yes."),
    ]
    assert found["items"][1]["request"]["state"] == "waiting"
    assert found["next"] == ""


async def test_the_list_is_paged(console: ConsoleHarness) -> None:
    for number in range(30):
        await keep_conversation(console, 1_000 + number, NOW + timedelta(seconds=number))
    services = services_of(console)
    first = await read_external(services, at(console))
    second = await read_external(services, at(console, query={"cursor": first["next"]}))
    assert (len(first["items"]), len(second["items"]), second["next"]) == (25, 5, "")
    assert first["items"][0]["person"] == "1029"
    assert second["items"][-1]["person"] == "1000"
    with pytest.raises(BadRequest):
        await read_external(services, at(console, query={"cursor": "x"}))


def said(seq: int, text: str, decision: Decision | None = None, *, is_agent: bool = False) -> Message:
    name = "lull" if is_agent else "Eve"
    author = Author(id=1001 if is_agent else EVE, name=name, is_bot=is_agent, is_agent=is_agent)
    return Message(seq=seq, at=NOW, message_id=seq, author=author, text=text, decision=decision)


REFUSED = Decision(respond=False, reason=STRANGER, tier=DecisionTier.ACCESS)
ANSWERED = Decision(respond=True, reason="a private chat", tier=DecisionTier.CHAT)


async def keep_window(console: ConsoleHarness, *entries: AnyEntry) -> None:
    key = ChatKey(agent="lull", chat_id=EVE)
    chat = Chat(key=key, kind=ChatKind.PRIVATE, conversation="conv-1", talk=CurrentConversation(seq=len(entries)))
    await console.client.document(paths.chat_path(key)).set(chat.model_dump())
    await console.client.document(paths.window_path(key)).set(encode_window(chat, entries))


async def test_an_exchange_tells_under_which_rule_each_message_was_answered(console: ConsoleHarness) -> None:
    await console.claim("lull")
    await keep_request(console, state=RequestState.ONCE)
    await keep_window(
        console,
        said(1, "May I?", REFUSED),
        Event(seq=2, at=NOW, kind="admitted", note="the owner decided: once"),
        said(3, "Yes.", is_agent=True),
        said(4, "And now?", REFUSED),
        Event(seq=5, at=NOW, kind="admitted", note="the owner decided: let in"),
        said(6, "Thanks", ANSWERED),
    )
    found = await read_exchange(services_of(console), at(console, person=str(EVE)))
    assert [(one["kind"], one.get("rule", one.get("state"))) for one in found["entries"]] == [
        ("person", "refused"),
        ("decision", "once"),
        ("agent", ""),
        ("person", "refused"),
        ("decision", "let in"),
        ("person", "known"),
    ]
    assert (found["name"], found["tier"], found["is_shortened"]) == ("Eve", "stranger", False)


async def test_the_owners_own_chat_and_chats_of_nobody_are_not_external(console: ConsoleHarness) -> None:
    await console.claim("lull")
    for person in (OWNER, ANN):
        with pytest.raises(NotFound):
            await read_exchange(services_of(console), at(console, person=str(person)))


async def test_the_owner_sets_the_rules_and_takes_them_back(console: ConsoleHarness) -> None:
    services, lists = services_of(console), FirestoreAccessLists(console.client, lambda: NOW)
    (before,) = (await read_rules(services, console.request()))["agents"]
    assert (before["private"]["own"], before["groups"]["own"], before["is_open"]) == ("", "", False)
    assert before["fellows"] is True
    for private, groups, fellows, rules in (
        ("answer", "open", True, AccessRules(open=True, groups=GroupPolicy.OPEN)),
        ("ask", "", False, AccessRules(open=False, strangers=StrangerPolicy.ESCALATE, fellows=False)),
        ("ignore", "leave", True, AccessRules(open=False, strangers=StrangerPolicy.IGNORE, groups=GroupPolicy.LEAVE)),
        ("", "", True, AccessRules()),
    ):
        body = {"private": private, "groups": groups, "fellows": fellows}
        (found,) = (await change_rules(services, at(console, body=body)))["agents"]
        assert (found["private"]["own"], found["groups"]["own"], found["fellows"]) == (private, groups, fellows)
        lists.drop("lull")
        assert (await lists.access_list("lull")).rules == rules
    for wrong in (
        {"private": "everything"},
        {"groups": "explode"},
        {"private": 5},
        {"fellows": "some"},
        {"fellows": None},
    ):
        with pytest.raises(BadRequest):
            await change_rules(services, at(console, body={"fellows": True, **wrong}))


async def test_the_limits_of_each_tier_are_told_as_they_apply(console: ConsoleHarness) -> None:
    limits = AgentLimits(known=SpendingLimits(day_usd=1.0, month_messages=50), stranger=SpendingLimits(day_messages=3))
    policy = SpendingPolicy(is_on=True, agents={"lull": limits})
    services = replace(services_of(console), spending=lambda: policy)
    lowered = OwnerLimits(known=SpendingLimits(day_usd=0.5))
    await console.client.document(paths.bot_path("lull")).set({"limits": lowered.model_dump()}, merge=True)
    (found,) = (await read_rules(services, console.request()))["agents"]
    shown = {tier: [(row["name"], row["limit"]) for row in rows] for tier, rows in found["limits"].items()}
    assert shown == {"known": [("day_usd", 0.5), ("month_messages", 50)], "stranger": [("day_messages", 3)]}
    (unlimited,) = (await read_rules(replace(services, spending=SpendingPolicy), console.request()))["agents"]
    assert unlimited["limits"] == {}


async def test_where_the_deployment_is_open_the_page_says_so(console: ConsoleHarness) -> None:
    services = replace(services_of(console), is_open=True)
    assert (await read_rules(services, console.request()))["agents"][0]["is_open"] is True
