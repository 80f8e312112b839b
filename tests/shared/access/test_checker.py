"""Access over the real Firestore and Telegram: access lists, groups that the owner adds, members of groups."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from shared.access.checker import FRESH_MEMBER, LAST_LOOK, AccessChecker
from shared.access.store.requests import FirestoreAccessRequests
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.deciding.access_policy import GROUP, STRANGER, UNCLAIMED
from shared.values.access_request import ADMITTED
from shared.values.agent import FrontMatter, GroupPolicy
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.trust import MOST_GROUPS, AccessRules, AdmittedGroup, AdmittedPerson, TrustTier
from shared.values.update import Envelope, InboxUpdate
from tests.shared.examples import NOW, SECOND
from tests.shared.turn.harness import ChatHarness

OWNER = 7_000_000_009


@dataclass
class Door:
    admission: AccessChecker
    room: ChatHarness
    agent: str

    @property
    def access_lists(self) -> FirestoreAccessLists:
        assert isinstance(self.admission.access_lists, FirestoreAccessLists)
        return self.admission.access_lists

    async def refusal(self, chat_id: int, unread: Sequence[InboxUpdate] = (), **more: Any) -> str:
        chat = Chat(key=ChatKey(agent=self.agent, chat_id=chat_id), **more)
        return (await self.admission.access(chat, unread)).refusal(max(chat_id, 0))

    async def claimed(self) -> "Door":
        await FirestoreOwners(self.access_lists.client).claim(self.agent, OWNER, self.room.clock.now)
        self.access_lists.drop(self.agent)
        return self


def door(room: ChatHarness, **front: Any) -> Door:
    client, agent = room.backend.chats.client, f"door{room.key.chat_id}".replace("-", "x")
    admission = AccessChecker(
        agent=agent,
        front=FrontMatter(name="lull", username="lull_bot", **front),
        access_lists=FirestoreAccessLists(client, room.clock),
        requests=FirestoreAccessRequests(client),
        channel=room.backend.channel,
        clock=room.clock,
        is_open=False,
    )
    return Door(admission, room, agent)


def added(by: int, title: str = "Trip", kind: str = "supergroup") -> InboxUpdate:
    change = {
        "chat": {"id": -5, "type": kind, "title": title},
        "from": {"id": by, "first_name": "X"},
        "old_chat_member": {"status": "left"},
        "new_chat_member": {"status": "member"},
    }
    key = ChatKey(agent="lull", chat_id=-5)
    envelope = Envelope(update_id=1, kind="my_chat_member", key=key, chat_kind=ChatKind.SUPERGROUP)
    return InboxUpdate(envelope=envelope, raw={"my_chat_member": change}, received_at=NOW)


async def test_unclaimed_it_answers_nobody_however_open_its_persona_is(harness: ChatHarness) -> None:
    for front in ({}, {"open": True}, {"groups": "open"}):
        assert [await door(harness, **front).refusal(who) for who in (5, -5)] == [UNCLAIMED] * 2
    everywhere = door(harness)
    everywhere.admission = replace(everywhere.admission, is_open=True)  # LULL_OPEN
    assert [await everywhere.refusal(who) for who in (5, -5)] == ["", ""]


async def test_claimed_it_is_as_open_as_its_persona(harness: ChatHarness) -> None:
    one = await door(harness, open=True).claimed()
    assert [await one.refusal(who) for who in (5, -5)] == ["", GROUP]
    assert await door(harness, groups="open").refusal(-5) == ""  # the same agent and chat


async def test_the_owners_rules_go_before_the_personas(harness: ChatHarness) -> None:
    one = await door(harness, open=True).claimed()
    await one.access_lists.set_rules(one.agent, AccessRules(open=False, groups=GroupPolicy.OPEN))
    assert [await one.refusal(who) for who in (5, -5)] == [STRANGER, ""]
    await one.access_lists.set_rules(one.agent, AccessRules())
    assert [await one.refusal(who) for who in (5, -5)] == ["", GROUP]


async def test_claimed_it_answers_its_owner_and_whom_they_let_in(harness: ChatHarness) -> None:
    one = await door(harness).claimed()
    assert [await one.refusal(who) for who in (OWNER, 5, -5)] == ["", STRANGER, GROUP]
    await one.access_lists.let_in(one.agent, AdmittedPerson(id=5, since=harness.clock.now, by=OWNER))
    assert [await one.refusal(who) for who in (5, 6)] == ["", STRANGER]


async def test_before_somebody_is_turned_away_the_access_list_is_looked_at_again(harness: ChatHarness) -> None:
    one = await door(harness).claimed()
    assert await one.refusal(5) == STRANGER
    elsewhere = FirestoreAccessLists(one.access_lists.client, harness.clock)
    await elsewhere.let_in(one.agent, AdmittedPerson(id=5, since=harness.clock.now, by=OWNER))
    harness.clock.now += LAST_LOOK - SECOND
    assert await one.refusal(5) == STRANGER
    harness.clock.now += SECOND
    assert await one.refusal(5) == ""


async def test_a_group_is_let_in_by_the_owner_s_adding_and_by_nobody_else_s(harness: ChatHarness) -> None:
    one = await door(harness).claimed()
    assert await one.refusal(-5, [added(by=6)]) == GROUP
    assert await one.refusal(-5, [added(by=OWNER, kind="private")]) == GROUP
    assert await one.refusal(-5, [added(by=OWNER)]) == ""
    assert await one.refusal(-5) == ""
    assert (await one.access_lists.access_list(one.agent)).groups[-5].title == "Trip"


async def test_a_group_that_becomes_a_supergroup_stays_let_in(harness: ChatHarness) -> None:
    one = await door(harness).claimed()
    await one.access_lists.let_group_in(
        one.agent, AdmittedGroup(chat_id=-5, title="Trip", since=harness.clock.now, by=OWNER)
    )
    assert await one.refusal(-1_005, moved_from=-5) == ""
    groups = (await one.access_lists.access_list(one.agent)).groups
    assert {chat_id: group.title for chat_id, group in groups.items()} == {-1_005: "Trip"}


async def test_a_group_that_becomes_a_supergroup_stays_let_in_where_no_other_could_be(harness: ChatHarness) -> None:
    one = await door(harness).claimed()
    group = AdmittedGroup(chat_id=-5, title="Trip", since=harness.clock.now, by=OWNER)
    many = {str(-n): evolve(group, chat_id=-n).model_dump() for n in range(5, 5 + MOST_GROUPS)}
    await one.access_lists.client.document(f"bots/{one.agent}").set({"groups": many}, merge=True)
    one.access_lists.drop(one.agent)
    assert await one.refusal(-1_005, moved_from=-5) == ""
    groups = (await one.access_lists.access_list(one.agent)).groups
    assert (len(groups), -5 in groups, -1_005 in groups) == (MOST_GROUPS, False, True)


async def test_a_member_of_a_group_that_was_let_in_is_known_in_private_for_five_minutes(group: ChatHarness) -> None:
    one, member, stranger = await door(group).claimed(), group.person, 6
    await one.access_lists.let_group_in(
        one.agent, AdmittedGroup(chat_id=group.key.chat_id, since=group.clock.now, by=OWNER)
    )
    assert [await one.refusal(who) for who in (member, stranger)] == ["", STRANGER]
    access = await one.admission.access(Chat(key=ChatKey(agent=one.agent, chat_id=member)), ())
    assert access.tier_of(member) is TrustTier.KNOWN
    await is_removed(group, member)
    assert await one.refusal(member) == "", "Telegram's word is kept"
    group.clock.now += FRESH_MEMBER - SECOND
    assert await one.refusal(member) == ""
    group.clock.now += SECOND
    assert await one.refusal(member) == STRANGER, "by whichever instance they are asked about"


async def test_asks_again_about_people_who_come_or_go(group: ChatHarness) -> None:
    one, member, chat_id = await door(group).claimed(), group.person, group.key.chat_id
    await one.access_lists.let_group_in(one.agent, AdmittedGroup(chat_id=chat_id, since=group.clock.now, by=OWNER))
    assert await one.refusal(member) == ""
    await is_removed(group, member)
    one.admission.refresh_memberships(chat_id, here=[], gone=[member])
    assert await one.refusal(member) == STRANGER
    await group.backend.make(f"chats/{group.chat}/members", person_id=member)
    assert await one.refusal(member) == STRANGER
    one.admission.refresh_memberships(-77, here=[member], gone=[])
    assert await one.refusal(member) == STRANGER, "it was heard in another group"
    one.admission.refresh_memberships(chat_id, here=[member], gone=[])
    assert await one.refusal(member) == ""


async def test_caches_a_membership_for_one_group_only(group: ChatHarness) -> None:
    one, member, chat_id = await door(group).claimed(), group.person, group.key.chat_id
    await one.access_lists.let_group_in(one.agent, AdmittedGroup(chat_id=-77, since=group.clock.now, by=OWNER))
    assert await one.refusal(member) == STRANGER, "the agent is not in that one"
    await one.access_lists.let_group_in(one.agent, AdmittedGroup(chat_id=chat_id, since=group.clock.now, by=OWNER))
    assert await one.refusal(member) == "", "who is in a group that is let in now is known now"
    await one.access_lists.shut_group_out(one.agent, chat_id)
    assert await one.refusal(member) == STRANGER, "and a stranger once it is shut out"


async def is_removed(group: ChatHarness, person: int) -> None:
    place = f"/world/chats/{group.chat}/members/{person}"
    (await group.backend.telegram.request("DELETE", place, params={"by": group.others[0]})).raise_for_status()


async def test_answers_what_the_owner_allowed(harness: ChatHarness) -> None:
    one = await door(harness).claimed()
    envelope = Envelope(update_id=1, kind=ADMITTED, key=ChatKey(agent=one.agent, chat_id=5), chat_kind=ChatKind.NONE)
    update = InboxUpdate(envelope=envelope, raw={ADMITTED: {"state": "once"}}, received_at=harness.clock.now)
    assert await one.refusal(5, [update]) == ""
    assert await one.refusal(5) == STRANGER
    assert await one.refusal(5, may_ask_once=True) == "", "the next message is answered, if nothing waited"
