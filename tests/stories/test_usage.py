"""Stories of people's reports of usage."""

from datetime import UTC, datetime

from shared.spending.store.usage import FirestoreUsages
from shared.values.budget import CallTotals, UsageRecord
from shared.values.money import Amount
from tests.stories.play import Chat, Person, Sandbox


async def used(sandbox: Sandbox, chat: Chat, person: Person, nano_usd: int) -> None:
    """Record usage of today for a person."""
    now = datetime.now(UTC)
    day = now.date().isoformat()
    usage = UsageRecord(
        id=f"story-{chat.id}", agent=chat.agent, chat=chat.chat_key.id, person=person.id, at=now, day=day,
        month=day[:7], used=Amount(nano_usd=nano_usd, messages=7), by={"plan": CallTotals(calls=9, nano_usd=nano_usd)},
    )  # fmt: skip
    await FirestoreUsages(sandbox.firestore).keep(usage)


async def test_everybody_sees_what_was_used_for_them_by_day(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob", "de")
    with_ann, with_bob = await sandbox.private(ann), await sandbox.private(bob)
    await used(sandbox, with_ann, ann, 1_230_000_000)
    await with_ann.writes(ann, "/usage")
    (text,) = await with_ann.answers()
    assert "Today: $1.23 · answers: 7 · calls: 9" in text
    assert "By person" not in text
    await with_ann.rests()
    assert "█" in text
    assert len(await with_ann.said()) == 1
    await with_bob.writes(bob, "/usage")
    assert await with_bob.answers() == ["Du hast diesen Monat nichts verbraucht."]


async def test_what_was_said_of_it_is_in_no_prompt_and_in_no_plan(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await used(sandbox, chat, ann, 4_560_000_000)
    await chat.writes(ann, "/usage")
    await chat.answers()
    await chat.rests()
    assert "$4.56" not in str(await chat.transcript())
    assert "$4.56" not in (await chat.plan()).model_dump_json()
    await sandbox.model.will_say("Hello.")
    await chat.writes(ann, f"hello, it is {ann.name}")
    await chat.rests()
    assert "$4.56" not in str(await sandbox.model.shown(f"hello, it is {ann.name}"))
