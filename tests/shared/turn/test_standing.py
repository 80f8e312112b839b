"""Deliveries that a dead tick left open: reported once, and never sent again."""

from shared.reminders.store import FirestoreReminders
from shared.values.incident import IncidentKind
from shared.values.reminder import OccurrenceState
from shared.values.trust import AdmittedGroup, AdmittedPerson, BlockedPerson
from shared.values.update import Json
from tests.shared.doors import closed
from tests.shared.turn.room import Room
from tests.shared.turn.watched import Killed

TEA: Json = {"kind": "schedule", "text": "Time for tea!", "after": "10 minutes"}
#: the steps of a tick that says one reminder, up to the call
TO_SENT = (
    *("before claim", "before commit", "after commit", "after reading"),
    *("before commit", "after commit", "before send", "after send"),
)


async def test_a_reminder_whose_answer_is_lost_is_in_doubt_and_not_said_again(here: Room) -> None:
    await here.will_plan(TEA)
    await here.writes("remind me in 10 minutes")
    while len(await here.said()) < 1:
        await here.next_tick()
    (one,) = await FirestoreReminders(here.house.chats.client).open_of_chat([here.key.id], 9)

    async def die() -> None:
        raise Killed

    here.steps.taken.clear()
    here.steps.at, here.steps.happens = TO_SENT.index("after send"), die
    await here.next_tick()
    assert tuple(here.steps.taken) == TO_SENT
    await here.rests()
    assert [text for text in await here.said() if text == "Time for tea!"] == ["Time for tea!"]
    over = await FirestoreReminders(here.house.chats.client).find(one.id)
    assert over is not None
    assert over.last is not None
    assert (over.last.state, over.next_at) == (OccurrenceState.UNKNOWN, None)
    assert [incident.kind for incident in await here.incidents()] == [IncidentKind.UNKNOWN_DELIVERY]


LATER = ({"kind": "send", "text": "Now."}, {"kind": "wait", "seconds": 3600}, {"kind": "send", "text": "Later."})
OWNER = 7_000_000_009


async def test_who_is_blocked_is_not_told_what_was_promised_and_what_lull_says_goes_on(here: Room) -> None:
    access_lists = await closed(here, OWNER)
    await access_lists.let_in("lull", AdmittedPerson(id=here.person, since=here.clock.now, by=OWNER))
    await here.will_plan(*LATER)
    await here.writes("tell me now and later")
    while "Now." not in await here.said():
        await here.next_tick()
    await access_lists.block("lull", BlockedPerson(id=here.person, since=here.clock.now, by=OWNER))
    await here.writes("/privacy")
    await here.rests()
    assert "Later." not in await here.said()
    assert len(await here.said()) == 2, "what is theirs by right is said"
    assert (await here.document()).due_at is None
    plan = await here.plan()
    assert not plan.is_open
    assert await here.incidents() == []


async def test_in_a_group_what_others_wait_for_is_said_until_it_is_shut_out(group: Room) -> None:
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
