"""What a dead tick left open of a plan: told once, and never sent again."""

from shared.adapters.firestore.reminders import FirestoreReminders
from shared.models.incident import IncidentKind
from shared.models.reminder import OccurrenceState
from shared.models.update import Json
from tests.shared.flows.room import Room
from tests.shared.flows.watched import Killed

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
