"""Tests of the tool `list_reminders`."""

from collections.abc import Mapping, Sequence
from datetime import UTC, timedelta
from typing import Any

import jsonschema
import pytest

from shared.base.errors import ToolFailed
from shared.chat.store.outbox import encode_notice
from shared.chat.store.paths import event_path
from shared.llm.ports.world import MessagingChannel, PortRegistry
from shared.reminders.store import FirestoreReminders
from shared.reminders.tools.list_reminders import IN_WORDS, OUTSIDE, SEVERAL, TOOL
from shared.tools.tool import ToolContext, ToolOutput
from shared.values.chat_key import ChatKind
from shared.values.message import Author
from shared.values.outbox import OutboxNotice
from shared.values.prompt import ToolAnswer, ToolCall
from shared.values.reminder import reminder_id
from shared.values.tool_use import summarize_tool_uses, tool_use_of
from tests.shared.fixtures import OpenHarness
from tests.shared.kept_reminders import promised
from tests.shared.turn.harness import ChatHarness


async def asked(harness: ChatHarness, asker: int | None, kind: ChatKind, places: Sequence[str] = ("",)) -> ToolOutput:
    arguments: Mapping[str, Any] = {}
    jsonschema.validate(arguments, dict(TOOL.parameters))
    context = ToolContext(
        asker=Author(id=asker, name="Ann") if asker is not None else None,
        chat=harness.key,
        kind=kind,
        places=tuple(places),
        conversation="",
        now=harness.clock.now,
        zone=UTC,
        ports=PortRegistry(
            {
                FirestoreReminders: FirestoreReminders(harness.backend.chats.client),
                MessagingChannel: harness.backend.channel,
            }
        ),
    )
    found = await TOOL.run(arguments, context)
    assert isinstance(found, ToolOutput)
    return found


async def test_lists_id_time_and_rule(harness: ChatHarness) -> None:
    at = harness.clock.now.replace(microsecond=0) + timedelta(days=1)
    tea = await promised(harness, "tea", text="Make\ntea", next_at=at, zone="Europe/Berlin")
    look = await promised(
        harness, "look", text="", instruction="Look again.", next_at=at + timedelta(days=1), rule="FREQ=DAILY"
    )
    answer = await asked(harness, harness.person, ChatKind.PRIVATE)
    first, second, how = answer.parts[0].splitlines()
    assert how == IN_WORDS
    assert first.startswith(f"- {tea.short_id}: ")
    assert first.endswith(" (Europe/Berlin), says: Make tea")
    assert second.startswith(f"- {look.short_id}: ")
    assert second.endswith(" (UTC), repeats FREQ=DAILY, you do: Look again.")
    assert answer.outside == ""


async def test_leaves_out_finished_and_foreign_reminders(open_harness: OpenHarness) -> None:
    harness, other = await open_harness(), await open_harness()
    await promised(harness, "over", next_at=None)
    for name, is_apart in (("apart", True), ("notice", False)):
        told = OutboxNotice(
            id=reminder_id(harness.key.id, name), agent="lull", chat=harness.key.id, person=harness.person, text=name,
            next_at=harness.clock.now, set_at=harness.clock.now, is_apart=is_apart,
        )  # fmt: skip
        await harness.backend.chats.client.document(event_path(told.id)).set(encode_notice(told))
    await promised(other, "other")
    assert (await asked(harness, harness.person, ChatKind.PRIVATE)).parts == ("None of theirs is still to come here.",)


async def test_in_a_group_shows_own_reminders_and_all_to_administrators(open_harness: OpenHarness) -> None:
    group = await open_harness(people=2)
    bob, carl = group.others
    await promised(group, "bob", person=bob, text="Call Ada", name="Bob")
    mine = await promised(group, "own", person=carl, text="Make tea")
    (line,) = (await asked(group, carl, ChatKind.SUPERGROUP)).parts[0].splitlines()
    assert line.startswith(f"- {mine.short_id}: ")
    (await group.backend.telegram.post(f"/world/chats/{group.chat}/admins", json={"id": carl})).raise_for_status()
    both = (await asked(group, carl, ChatKind.SUPERGROUP)).parts[0]
    assert "of Bob, says: Call Ada" in both
    assert "Make tea" in both
    anonymous = (await asked(group, group.key.chat_id, ChatKind.SUPERGROUP)).parts[0]
    assert anonymous.count("says:") == 2


async def test_includes_reminders_from_before_a_supergroup_migration(open_harness: OpenHarness) -> None:
    before, harness = await open_harness(people=1), await open_harness(people=1)
    await promised(before, "tea", person=harness.person, text="Make tea")
    places = (f"lull.{harness.key.chat_id}", f"lull.{before.key.chat_id}")
    assert "Make tea" in (await asked(harness, harness.person, ChatKind.SUPERGROUP, places)).parts[0]


async def test_marks_words_set_after_outside_text(harness: ChatHarness) -> None:
    await promised(harness, "tea", saw_outside=True)
    assert (await asked(harness, harness.person, ChatKind.PRIVATE)).outside == OUTSIDE


async def test_refuses_if_several_people_are_answered(harness: ChatHarness) -> None:
    with pytest.raises(ToolFailed, match="Several people"):
        await asked(harness, None, ChatKind.SUPERGROUP)
    assert "/reminders" in SEVERAL


async def test_the_result_is_not_retold_to_others(harness: ChatHarness) -> None:
    await promised(harness, "tea", text="Make tea")
    answer = await asked(harness, harness.person, ChatKind.PRIVATE)
    call = ToolCall(name=TOOL.name, arguments={})
    given = ToolAnswer(call=call, text=answer.parts[0], is_retold=TOOL.is_retold)
    assert "Make tea" in given.text
    assert "Make tea" not in "".join(summarize_tool_uses([tool_use_of(given)]))
