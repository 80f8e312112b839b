"""A notice to the owner is sent once, to their private chat, with buttons, and is in no conversation."""

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
from tests.shared.turn.harness import ChatHarness

OFFER = NoticeButton(text="Approve", command="memories", argument="p1")


def word(harness: ChatHarness, **fields: object) -> OwnerNotice:
    base = {"agent": "lull", "owner": harness.person, "of": ("ann", "1"), "text": Phrase("Ann asks `hello`")}
    return OwnerNotice(**{**base, **fields})  # type: ignore[arg-type]


async def noted(harness: ChatHarness, *words: OutboxNotice) -> None:
    """Note a notice in a tick of a chat; in these tests it is the owner's own chat."""
    chats, now = harness.tick_services.chats, harness.clock.now
    lease = Lease(owner="test", until=now + timedelta(minutes=1))
    terms = SessionTerms(owner="test", lease=timedelta(minutes=1), window_entries=50, clock=harness.clock)
    session = Session(chats, await chats.claim(await chats.see(harness.key), lease), terms)
    for one in words:
        session.note(StoredNotice(one))
    await session.commit(release=True)
    for one in session.notices:
        wake = remind_wake(one, now)
        assert wake is not None
        await harness.tick_services.queue.enqueue(wake)


def test_two_of_one_name_are_one_and_it_is_about_somebody(harness: ChatHarness) -> None:
    now = harness.clock.now
    first, again = word(harness).to_outbox(now), word(harness, text=Phrase("anew"), about=5).to_outbox(now)
    assert first.id == again.id != word(harness, of=("bob", "1")).to_outbox(now).id
    assert (first.person, again.person, first.key) == (harness.person, 5, harness.key)
    assert (first.is_notice, first.is_apart) == (True, True)


async def test_it_comes_once_and_is_in_no_conversation(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "hi"})
    await harness.writes("hello")
    await harness.rests()
    await noted(harness, word(harness, offers=(OFFER,)).to_outbox(harness.clock.now))
    ran = await harness.rests()
    assert WakeReason.REMIND in {wake.reason for wake in ran}
    assert await harness.said() == ["hi", "Ann asks hello"]
    assert "Ann asks" not in str(await harness.transcript())
    plan = await harness.tick_services.chats.plan(harness.key)
    assert plan is not None
    assert [t.task.words for t in plan.tasks if t.task.kind == "tell_apart"] == [TOLD]
    kept = (
        await harness.backend.chats.client.document(f"events/{word(harness).to_outbox(harness.clock.now).id}").get()
    ).to_dict()
    assert kept is not None
    assert (kept["text"], kept["offers"], kept["open_for"]) == ("", [], None)
    await harness.will_plan({"kind": "send", "text": "again"})
    await harness.writes("and?")
    await harness.rests()
    assert "Ann asks" not in str((await harness.asked())[-1])


async def test_it_is_none_of_the_owner_s_reminders(harness: ChatHarness) -> None:
    await noted(harness, word(harness).to_outbox(harness.clock.now + timedelta(hours=1)))
    await harness.writes("/reminders")
    await harness.rests()
    assert "Ann asks" not in (await harness.said())[0]
    reminders = harness.tick_services.agents["lull"].runner.ports[FirestoreReminders]
    assert await reminders.open_count("lull", harness.person) == 0
