"""Tests of the prompt for a summary, and of reading the model's reply."""

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from shared.recall.jobs.summarize import SummaryInput, SummaryPrompt, parse_summary, summary_prompt
from shared.recall.store.summaries import ChatSummary, EntryRange, SpanConversation, SummarySpan
from shared.values.decision import Decision, DecisionTier
from shared.values.message import AnyEntry
from tests.shared.examples import BOB, GROUP_KEY
from tests.shared.recall.talks import DAY, lines, observation

NOW = DAY + timedelta(hours=3)


def conversation(name: str = "conv-1", newest: Sequence[AnyEntry] = (), **fields: Any) -> SpanConversation:
    known: dict[str, Any] = {"entries": newest[-1].seq if newest else 9, "updated_at": DAY, "newest": newest}
    return SpanConversation(id=name, **(known | fields))


def days(*conversations: SpanConversation, **fields: Any) -> SummaryInput:
    known: dict[str, Any] = {"span": SummarySpan.WEEK, "key": GROUP_KEY, "now": NOW, "tokens": 1_024, "room": 20_000}
    return SummaryInput(conversations=conversations, own_name="lull", **(known | fields))


def shown(asked: SummaryPrompt) -> str:
    assert asked.prompt is not None
    return asked.prompt.turns[0].parts[0]


def test_leaves_out_people_without_access() -> None:
    refused = lines("let me in", decision=Decision(respond=False, reason="a stranger", tier=DecisionTier.ACCESS))
    asked = summary_prompt(days(conversation(newest=[*refused, *lines("hello", first=2)])))
    assert "let me in" not in shown(asked)
    assert "hello" in shown(asked)


def test_lists_messages_with_authors_oldest_first_and_their_ranges() -> None:
    asked = summary_prompt(days(conversation(newest=lines("hello", "[meta] hi\n  x"), title="A greeting")))
    text = shown(asked)
    assert (
        "[conversation: A greeting]\nSaturday 2026-05-09 09:01 Ann#000001: hello\n"
        "Saturday 2026-05-09 09:02 Bob#000002: (meta] hi\n"
    ) in text
    assert text.endswith("Today is Saturday 2026-05-09. Write the record of these days now.")
    assert asked.ranges == (EntryRange(conversation="conv-1", first_seq=1, last_seq=2),)
    assert asked.prompt is not None
    assert "last 7 days" in asked.prompt.system.replace("\n", " ")
    assert asked.prompt.reply_tokens == 1_024 + 1_024


def test_keeps_the_newest_messages_within_the_limit() -> None:
    talk = lines(*(f"{n} {'x' * 300}" for n in range(1, 200)))
    others = [conversation(f"conv-{n}", title="T", abbreviation="y" * 900) for n in range(2, 40)]
    known = [observation(f"Fact {n}.", conversation="conv-1", entries=(n,), said_at=DAY) for n in range(1, 150)]
    before = ChatSummary(text="z" * 30_000, made_at=DAY)
    room = 12_000
    asked = summary_prompt(
        days(conversation(newest=talk, abbreviation="Old."), *others, observations=known, before=before, room=room)
    )
    assert asked.prompt is not None
    assert asked.prompt.characters <= room
    assert "199 xxx" in shown(asked)
    newest = next(one for one in asked.ranges if one.conversation == "conv-1" and not one.is_abbreviated)
    assert newest.last_seq == 199
    older = next(one for one in asked.ranges if one.conversation == "conv-1" and one.is_abbreviated)
    assert (older.first_seq, older.last_seq) == (1, newest.first_seq - 1)
    assert "  2026-05-09: : Old." in shown(asked)
    assert "Fact 1." in shown(asked)


def test_leaves_out_messages_before_the_span() -> None:
    old = lines("old", at=NOW - timedelta(days=8))
    assert summary_prompt(days(conversation(newest=old))).prompt is None
    assert summary_prompt(days()).prompt is None
    month = summary_prompt(days(conversation(newest=old), span=SummarySpan.MONTH))
    assert "old" in shown(month)


def test_leaves_out_observations_of_shown_messages() -> None:
    known = [
        observation("Shown.", conversation="conv-1", entries=(2,), said_at=DAY),
        observation("Of another chat.", conversation="conv-9", said_at=DAY),
        observation("Contradicted.", conversation="conv-2", superseded_on=DAY.date(), said_at=DAY),
        observation("Kept.", conversation="conv-2", said_at=DAY, happened="2026-05"),
    ]
    asked = summary_prompt(days(conversation(newest=lines("a", "b")), conversation("conv-2"), observations=known))
    assert "Observed:\n  2026-05: Kept.\n" in shown(asked)
    assert not any(text in shown(asked) for text in ("Shown.", "another chat", "Contradicted"))


def test_a_summary_is_made_without_text_from_outside() -> None:
    before = ChatSummary(text="obey before", made_at=DAY, holds_outside=True)
    of = conversation(newest=(*lines("obey here", forwarded_from=BOB), *lines("hello", first=2)))
    noted = conversation("conv-2", abbreviation="obey noted", holds_outside=True)
    seen = observation("obey seen", conversation="conv-2", said_at=DAY, outside="a forwarded message")
    text = shown(summary_prompt(days(of, noted, before=before, observations=[seen])))
    assert "hello" in text
    assert "obey" not in text


@pytest.mark.parametrize("reply", ["", "no", "{}", '{"summary": 7}', '{"summary": " "}', '{"other": "x"}'])
def test_returns_none_without_a_summary(reply: str) -> None:
    assert parse_summary(reply, summary_prompt(days(conversation(newest=lines("a")))), NOW) is None


def test_cuts_and_escapes_the_summary() -> None:
    asked = summary_prompt(days(conversation(newest=lines("a")), tokens=64))
    found = parse_summary(json.dumps({"summary": "[meta] " + "x" * 9_000}), asked, NOW)
    assert found is not None
    assert len(found.text) <= 64 * 4
    assert found.text.startswith("(meta] x")
    assert (found.made_at, found.ranges) == (NOW, asked.ranges)
