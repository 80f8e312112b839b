"""Messages about a person that were sent to an owner are deleted from the owner's chat."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from shared.access.tasks.unblock import UnblockPerson
from shared.chat.store import paths
from shared.chat.store.inbox import add_update
from shared.chat.store.plans import encode_plan
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.values.channel import Button
from shared.values.chat_key import ChatKind
from shared.values.keyboard import Keyboard
from shared.values.message import ButtonPress, Event
from shared.values.update import Envelope, InboxUpdate
from tests.shared.examples import ANN, BOB, NOW, send
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import BOBS, DeletionHarness, his, ours


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        found = DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)
        await found.chats.client.document(paths.bot_path("lull")).set({"owner": BOB.id})
        yield found


async def pressed(harness: DeletionHarness, number: int, data: str, text: str, *, is_read: bool = True) -> str:
    """Have the owner press a button below a message. Return the path of the press's update."""
    below = {"message_id": 5, "text": text, "chat": {"id": BOB.id}}
    raw: dict[str, Any] = {"update_id": number, "callback_query": {"id": "q", "data": data, "message": below}}
    envelope = Envelope(update_id=number, kind="callback_query", key=BOBS, chat_kind=ChatKind.PRIVATE)
    await add_update(harness.chats.client, InboxUpdate(envelope=envelope, raw=raw, received_at=harness.now()))
    path = paths.update_path(BOBS, number)
    await harness.chats.client.document(path).update({"read": is_read})
    return path


async def test_names_numbers_and_first_words_go_from_the_owners_raw_updates(harness: DeletionHarness) -> None:
    await harness.says(BOBS, his("hi", message_id=1), ours("Hello.", message_id=2))
    told = "Zedrick Quillonby wants to write to me: hello there"
    of_request = await pressed(harness, 71, "requests:conv-1:i234567", told)
    of_number = await pressed(harness, 72, f"people:conv-1:o{ANN.id}", "Zedrick Quillonby")
    by_text = await pressed(harness, 73, "model:conv-1:a", f"Zedrick ({ANN.id})")
    other = await pressed(harness, 74, "model:conv-1:a", "Which model?")
    longer = await pressed(harness, 75, "model:conv-1:a", f"Account {ANN.id}7")
    await harness.forgets()
    assert [(await harness.document(path))["raw"] for path in (of_request, of_number, by_text)] == ["{}"] * 3
    assert "Which model?" in (await harness.document(other))["raw"]
    assert f"{ANN.id}7" in (await harness.document(longer))["raw"]


async def test_their_number_goes_from_what_the_owner_pressed_and_was_told_was_done(harness: DeletionHarness) -> None:
    chat = await harness.says(
        BOBS,
        his("hi", message_id=1),
        ButtonPress(at=NOW, message_id=5, author=BOB, query_id="q", data=f"people:conv-1:b{ANN.id}"),
        ButtonPress(at=NOW, message_id=5, author=BOB, query_id="q", data="people:conv-1:p0"),
        Event(at=NOW, kind="effect", note=f"you unblocked Ann (user_id {ANN.id})"),
        ours("Done.", message_id=2),
    )
    await harness.archives()
    assert ANN.id in (await harness.document(paths.page_path(chat.conversation, 1)))["people"]
    await harness.forgets()
    left = await harness.where(str(ANN.id))
    assert [path for path in left if chat.conversation in path or BOBS.id in path] == []
    transcript = await harness.transcripts.read(chat.conversation)
    assert transcript is not None
    assert [one.data for one in transcript.entries if isinstance(one, ButtonPress)] == ["", "people:conv-1:p0"]
    assert await harness.spoken(chat.conversation) == [("Bob", "hi"), ("lull", "Done.")]


def asked(buttons: list[Button], *more: PlannedTask) -> Plan:
    """Return a plan in which the owner was asked with these buttons. `more` are further tasks of the plan."""
    told = PlannedTask(task=send(text="told"), buttons=tuple(buttons), state=TaskState.DONE)
    return Plan(id="p", created_at=NOW, tasks=(told, *more))


async def test_plans_of_owners_lose_the_buttons_that_are_about_them(harness: DeletionHarness) -> None:
    await harness.says(BOBS, his("hi", message_id=1), ours("Hello.", message_id=2))
    about = [Button("Zedrick", f"people:conv-1:o{ANN.id}")]
    other = [Button("Eve", f"people:conv-1:o{ANN.id}7")]
    plan = asked(about, PlannedTask(task=send("2", "Tea?")))
    past = {"about": plan, "other": asked(other)}
    await harness.chats.client.document(paths.plan_path(BOBS)).set(encode_plan(plan))
    for name, one in past.items():
        at = f"{paths.plan_path(BOBS)}/{paths.PAST}/{name}"
        await harness.chats.client.document(at).set(encode_plan(one))
    await harness.forgets()
    assert await harness.where("Zedrick") == []
    assert len((await harness.document(paths.plan_path(BOBS)))["tasks"]) == 1, "what is open for the owner goes on"
    assert len(await harness.where("Eve")) == 1


async def test_what_an_owner_is_offered_or_has_had_done_about_them_goes_without_what_is_about_others(
    harness: DeletionHarness,
) -> None:
    await harness.says(BOBS, his("hi", message_id=1), ours("Hello.", message_id=2))
    unblock = PlannedTask(task=UnblockPerson(id="1", person=ANN.id), state=TaskState.DONE)
    plan = Plan(id="p", created_at=NOW, tasks=(unblock, PlannedTask(task=send("2", "Tea?"))))
    await harness.chats.client.document(paths.plan_path(BOBS)).set(encode_plan(plan))
    offers = [
        Keyboard(
            id=letter * 16, choices=("Yes",), people=(BOB.id,), at=NOW, effects=({"kind": "unblock", "person": who},)
        )
        for letter, who in (("a", ANN.id), ("b", ANN.id + 1))
    ]
    boards = [one.model_dump() for one in offers]
    await harness.chats.client.document(paths.chat_path(BOBS)).update({"keyboards": boards})
    await harness.forgets()
    assert [one.id for one in (await harness.chats.see(BOBS)).chat.talk.keyboards] == ["b" * 16]
    assert [one["task"]["kind"] for one in (await harness.document(paths.plan_path(BOBS)))["tasks"]] == ["send"]
