"""A notice to the owner comes once, in their private chat, with buttons, and is in no conversation."""

from datetime import timedelta

from shared.access.notices import OwnerNotice
from shared.base.wording.words import Phrase
from shared.chat.session import Session
from shared.chat.store.outbox import StoredNotice
from shared.chat.terms import SessionTerms
from shared.reminders.store import FirestoreReminders
from shared.tasks.task import TOLD
from shared.values.chat import Lease
from shared.values.outbox import NoticeButton, OutboxNotice
from shared.values.reminder import remind_wake
from shared.values.wake import WakeReason
from tests.shared.turn.room import Room

OFFER = NoticeButton(text="Approve", command="memories", argument="p1")


def word(here: Room, **fields: object) -> OwnerNotice:
    base = {"agent": "lull", "owner": here.person, "of": ("ann", "1"), "text": Phrase("Ann asks `hello`")}
    return OwnerNotice(**{**base, **fields})  # type: ignore[arg-type]


async def noted(here: Room, *words: OutboxNotice) -> None:
    """Noted by a tick of some chat: here the owner's own."""
    chats, now = here.tick_services.chats, here.clock.now
    lease = Lease(owner="test", until=now + timedelta(minutes=1))
    terms = SessionTerms(owner="test", lease=timedelta(minutes=1), window_entries=50, clock=here.clock)
    session = Session(chats, await chats.claim(await chats.see(here.key), lease), terms)
    for one in words:
        session.note(StoredNotice(one))
    await session.commit(release=True)
    for one in session.notices:
        wake = remind_wake(one, now)
        assert wake is not None
        await here.tick_services.queue.enqueue(wake)


def test_two_of_one_name_are_one_and_it_is_about_somebody(here: Room) -> None:
    now = here.clock.now
    first, again = word(here).to_outbox(now), word(here, text=Phrase("anew"), about=5).to_outbox(now)
    assert first.id == again.id != word(here, of=("bob", "1")).to_outbox(now).id
    assert (first.person, again.person, first.key) == (here.person, 5, here.key)
    assert (first.is_notice, first.is_apart) == (True, True)


async def test_it_comes_once_and_is_in_no_conversation(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "hi"})
    await here.writes("hello")
    await here.rests()
    await noted(here, word(here, offers=(OFFER,)).to_outbox(here.clock.now))
    ran = await here.rests()
    assert WakeReason.REMIND in {wake.reason for wake in ran}
    assert await here.said() == ["hi", "Ann asks hello"]
    assert "Ann asks" not in str(await here.transcript())
    plan = await here.tick_services.chats.plan(here.key)
    assert plan is not None
    assert [t.task.words for t in plan.tasks if t.task.kind == "tell_apart"] == [TOLD]
    kept = (await here.house.chats.client.document(f"events/{word(here).to_outbox(here.clock.now).id}").get()).to_dict()
    assert kept is not None
    assert (kept["text"], kept["offers"], kept["open_for"]) == ("", [], None)
    await here.will_plan({"kind": "send", "text": "again"})
    await here.writes("and?")
    await here.rests()
    assert "Ann asks" not in str((await here.asked())[-1])


async def test_it_is_none_of_the_owner_s_reminders(here: Room) -> None:
    await noted(here, word(here).to_outbox(here.clock.now + timedelta(hours=1)))
    await here.writes("/reminders")
    await here.rests()
    assert "Ann asks" not in (await here.said())[0]
    reminders = here.tick_services.agents["lull"].runner.ports[FirestoreReminders]
    assert await reminders.open_count("lull", here.person) == 0
