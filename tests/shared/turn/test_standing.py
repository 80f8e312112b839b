"""Deliveries that a dead tick left open: reported once, and never sent again."""

from shared.reminders.store import FirestoreReminders
from shared.values.incident import IncidentKind
from shared.values.reminder import OccurrenceState
from shared.values.trust import AdmittedGroup, AdmittedPerson, BlockedPerson
from shared.values.update import Json
from tests.shared.doors import closed
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.watched import Killed

TEA: Json = {"kind": "schedule", "text": "Time for tea!", "after": "10 minutes"}
#: the steps of a tick that says one reminder, up to the call
TO_SENT = (
    *("before claim", "before commit", "after commit", "after reading"),
    *("before commit", "after commit", "before send", "after send"),
)


async def test_a_reminder_whose_answer_is_lost_is_in_doubt_and_not_said_again(harness: ChatHarness) -> None:
    await harness.will_plan(TEA)
    await harness.writes("remind me in 10 minutes")
    while len(await harness.said()) < 1:
        await harness.next_tick()
    (one,) = await FirestoreReminders(harness.backend.chats.client).open_of_chat([harness.key.id], 9)

    async def die() -> None:
        raise Killed

    harness.steps.taken.clear()
    harness.steps.at, harness.steps.happens = TO_SENT.index("after send"), die
    await harness.next_tick()
    assert tuple(harness.steps.taken) == TO_SENT
    await harness.rests()
    assert [text for text in await harness.said() if text == "Time for tea!"] == ["Time for tea!"]
    over = await FirestoreReminders(harness.backend.chats.client).find(one.id)
    assert over is not None
    assert over.last is not None
    assert (over.last.state, over.next_at) == (OccurrenceState.UNKNOWN, None)
    assert [incident.kind for incident in await harness.incidents()] == [IncidentKind.UNKNOWN_DELIVERY]


LATER = ({"kind": "send", "text": "Now."}, {"kind": "wait", "seconds": 3600}, {"kind": "send", "text": "Later."})
OWNER = 7_000_000_009


async def test_who_is_blocked_is_not_told_what_was_promised_and_what_lull_says_goes_on(harness: ChatHarness) -> None:
    access_lists = await closed(harness, OWNER)
    await access_lists.let_in("lull", AdmittedPerson(id=harness.person, since=harness.clock.now, by=OWNER))
    await harness.will_plan(*LATER)
    await harness.writes("tell me now and later")
    while "Now." not in await harness.said():
        await harness.next_tick()
    await access_lists.block("lull", BlockedPerson(id=harness.person, since=harness.clock.now, by=OWNER))
    await harness.writes("/privacy")
    await harness.rests()
    assert "Later." not in await harness.said()
    assert len(await harness.said()) == 2, "what is theirs by right is said"
    assert (await harness.document()).due_at is None
    plan = await harness.plan()
    assert not plan.is_open
    assert await harness.incidents() == []


async def test_in_a_group_what_others_wait_for_is_said_until_it_is_shut_out(group: ChatHarness) -> None:
    access_lists, ben = await closed(group, OWNER), group.others[0]
    await access_lists.let_group_in("lull", AdmittedGroup(chat_id=group.key.chat_id, since=group.clock.now, by=OWNER))
    for text, person in (("Ann", group.person), ("Ben", ben)):
        await group.will_plan({"kind": "send", "text": f"{text}: now"}, *LATER[1:2], {"kind": "send", "text": text})
        await group.writes("lull, tell me later", **{"from": person})
        while f"{text}: now" not in await group.said():
            await group.next_tick()
    await access_lists.block("lull", BlockedPerson(id=group.person, since=group.clock.now, by=OWNER))
    await group.rests()
    assert await group.said() == ["Ann: now", "Ben: now", "Ben"]
    await group.will_plan(*LATER)
    await group.writes("lull, and once more", **{"from": ben})
    while "Now." not in await group.said():
        await group.next_tick()
    await access_lists.shut_group_out("lull", group.key.chat_id)
    await group.rests()
    assert "Later." not in await group.said()
    assert (await group.document()).due_at is None
