"""Transcripts as JSON Lines."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from shared.base.model_call import ModelCall
from shared.chat.lines import content_of, lines_of
from shared.upkeep.jobs.restore import read_transcript
from shared.values.chat import Lease
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.message import Edit, Event, Reaction
from shared.values.notes import NotedEvent, history_in, history_text
from shared.values.prompt import CompressionSummary
from shared.values.transcript import Transcript
from tests.shared.chat.transcripts import AGENT, ANN, CONVERSATION, KEY, exchange, message, transcripts
from tests.shared.examples import NOW, PROPERTY, SECOND


def told(transcript: Transcript) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines_of(transcript)]


def test_the_first_line_says_whose_conversation_it_is() -> None:
    meta, *_ = told(exchange("Hi", "Hello!"))
    assert {name: meta[name] for name in ("type", "id", "channel", "created", "participants")} == {
        "type": "meta",
        "id": CONVERSATION,
        "channel": "telegram",
        "created": "2024-03-01T18:07:05.968000+00:00",
        "participants": ["Ann", "lull"],
    }
    assert meta["document"]["chat"] == KEY.id
    assert meta["chat"]["conversation"] == CONVERSATION


def test_each_message_is_a_turns_line() -> None:
    _, asked, answered = told(exchange("Hi", "Hello!"))
    assert asked == {
        "type": "turn",
        "role": "user",
        "content": "Hi",
        "timestamp": (NOW + SECOND).isoformat().replace("+00:00", "Z"),
        "turnNumber": 1,
        "channel": "telegram",
        "sender": "Ann",
        "seq": 1,
        "message_id": 101,
        "author": {"id": 5, "name": "Ann", "username": "ann"},
    }
    assert (answered["role"], answered["content"], answered["turnNumber"]) == ("assistant", "Hello!", 1)


def test_a_command_and_the_answer_to_it_are_no_turns() -> None:
    entries = (message(1, "/help", is_command=True), message(2, "So.", AGENT, is_command=True))
    transcript = replace(exchange("Hi"), entries=entries)
    _, asked, answered = told(transcript)
    assert [(e["type"], e["event"], e["content"]) for e in (asked, answered)] == [
        ("event", "command", "/help"),
        ("event", "command", "So."),
    ]
    assert "turnNumber" not in asked
    assert read_transcript(content_of(transcript), lambda number, _: pytest.fail(str(number))).entries == entries


def test_writes_other_entries_as_events() -> None:
    entries = (
        message(1, "Ann joined the group", is_service=True),
        Edit(seq=2, at=NOW, message_id=101, author=ANN, text="other"),
        Reaction(seq=3, at=NOW, message_id=101, author=ANN, emojis=("👍",)),
        Event(seq=4, at=NOW, kind="poll", note="a poll"),
    )
    meta, *events = told(Transcript(conversation=CONVERSATION, entries=entries))
    assert [(e["type"], e["event"], e.get("content")) for e in events] == [
        ("event", "service", "Ann joined the group"),
        ("event", "edit", "other"),
        ("event", "reaction", None),
        ("event", "update", None),
    ]
    assert events[2]["emojis"] == ["👍"]
    assert (events[3]["kind"], events[3]["note"]) == ("poll", "a poll")
    assert meta["participants"] == []


@pytest.mark.parametrize(
    ("model", "cost"), [("gemini-3.5-flash-lite", round((7 * 0.30 + 4 * 0.03 + 6 * 2.50) / 1e6, 9)), ("m", None)]
)
def test_writes_the_usage_of_an_answer_on_its_first_message(model: str, cost: float | None) -> None:
    calls = (
        ModelCall(model=model, prompt_tokens=10, cached_tokens=4, output_tokens=3, thought_tokens=2),
        ModelCall(model=model, prompt_tokens=1, output_tokens=1, problem="no plan"),
    )
    entries = (message(1, "x", AGENT, plan="p", calls=calls), message(2, "x", AGENT, plan="p"))
    _, first, second = told(Transcript(conversation=CONVERSATION, entries=entries))
    assert first["usage"] == {"input": 11, "output": 6, "cached": 4}
    assert first["cost"] == cost
    assert [call.get("problem") for call in first["calls"]] == [None, "no plan"]
    assert "usage" not in second


def test_a_message_that_was_judged_tells_what_that_took_also_when_it_was_not_answered() -> None:
    call = ModelCall(model="gemini-3.5-flash-lite", prompt_tokens=300, output_tokens=2, ms=400)
    no = Decision(
        respond=False, reason="judged not to be for the agent", tier=DecisionTier.JUDGE, ms=400, calls=(call,)
    )
    _, line = told(Transcript(conversation=CONVERSATION, entries=(message(1, "so it is", decision=no),)))
    assert line["usage"] == {"input": 300, "output": 2, "cached": 0}
    assert line["cost"] == pytest.approx((300 * 0.30 + 2 * 2.50) / 1e6)
    assert line["decision"]["calls"][0]["ms"] == 400


def test_titles_topics_and_abbreviations_are_events_where_they_were_made() -> None:
    history = (
        NotedEvent(at=NOW, title="Tea at five", topics=("tea",)),
        NotedEvent(at=NOW + 2 * SECOND, abbreviation="Ann wants tea.", holds_outside=True),
        NotedEvent(at=NOW + 9 * SECOND, topics=("tea", "cake")),
    )
    entries = (message(1, "Hi", at=NOW), message(2, "Tea?", at=NOW + SECOND), message(3, "So.", at=NOW + 3 * SECOND))
    kept = {"history": history_text(history), "title": "Tea at five"}
    meta, *lines = told(Transcript(conversation=CONVERSATION, document=kept, entries=entries))
    assert meta["document"] == {"title": "Tea at five"}
    assert [line.get("event", line["type"]) for line in lines] == [
        "turn", "title_assigned", "turn", "abbreviation", "turn", "meta_update",
    ]  # fmt: skip
    assert (lines[1]["title"], lines[1]["topics"], lines[1]["timestamp"]) == (
        "Tea at five",
        ["tea"],
        lines[0]["timestamp"],
    )
    assert (lines[3]["text"], lines[3]["holds_outside"]) == ("Ann wants tea.", True)
    assert lines[5]["topics"] == ["tea", "cake"]


def test_each_turn_names_its_channel() -> None:
    _, *lines = told(exchange("Hi", "Hello!"))
    assert {line["channel"] for line in lines if line["type"] == "turn"} == {"telegram"}


@pytest.mark.parametrize("odd", ["{", "[1]", 5, None, [{"at": "x"}]])
def test_a_history_of_another_form_stays_in_the_document(odd: object) -> None:
    meta, *_ = told(replace(exchange("Hi"), document={"history": odd}))
    assert meta["document"] == {"history": odd}


def test_leaves_out_fields_of_one_tick() -> None:
    transcript = exchange("Hi")
    assert transcript.chat is not None
    offered = Keyboard(id="x" * 16, choices=("Tea",), at=NOW)
    held = evolve(
        transcript.chat,
        claim=evolve(transcript.chat.claim, lease=Lease(owner="o", until=NOW), starts=3, stop=4),
        due_at=NOW,
        talk=evolve(transcript.chat.talk, keyboards=(offered,)),
    )
    assert told(replace(transcript, chat=held)) == told(transcript)


@PROPERTY
@given(transcripts())
def test_each_line_is_one_object_in_utf_8_and_always_the_same(transcript: Transcript) -> None:
    content = content_of(transcript)
    lines = content.decode().split("\n")
    assert lines.pop() == ""
    made = len(history_in(transcript.document.get("history", ""))) + (transcript.compression is not None)
    assert len(lines) == 1 + len(transcript.entries) + made
    assert all(isinstance(json.loads(line), dict) for line in lines)
    assert content_of(transcript) == content


def test_a_map_whose_keys_come_in_another_order_is_the_same_line() -> None:
    bold = {"type": "bold", "offset": 0, "length": 2}
    backwards = dict(reversed(bold.items()))
    first, second = (
        replace(exchange("Hi", "Hello!"), entries=(message(1, "Hi", entities=(entity,)),))
        for entity in (bold, backwards)
    )
    assert content_of(first) == content_of(second)


def test_a_title_is_told_where_it_was_given() -> None:
    asked, answered = exchange("Hi", "Hello!").entries
    titled = Event(seq=3, at=NOW + 3 * SECOND, kind="title_assigned", title="Garden")
    *_, line = told(Transcript(conversation=CONVERSATION, entries=(asked, answered, titled)))
    assert {name: line[name] for name in ("type", "event", "title", "seq")} == {
        "type": "event", "event": "title_assigned", "title": "Garden", "seq": 3,
    }  # fmt: skip
    assert line["timestamp"].startswith("2026-03-01T12:00:03")


def test_the_summary_of_the_older_part_is_told_where_it_was_made() -> None:
    entries = exchange("One?", "One.", "Two?", "Two.", "Three?").entries
    summary = CompressionSummary(up_to_seq=2, text="Ann asked for one.", made_at=entries[3].at)
    lines = told(Transcript(conversation=CONVERSATION, entries=entries, compression=summary))
    assert [line.get("seq", line.get("event")) for line in lines[1:]] == [1, 2, 3, 4, "compression", 5]
    assert lines[5] == {
        "type": "event",
        "event": "compression",
        "compressedThrough": 1,
        "summary": "Ann asked for one.",
        "timestamp": "2026-03-01T12:00:04Z",
        "up_to_seq": 2,
    }
    last = Transcript(conversation=CONVERSATION, entries=entries[:2], compression=summary)
    assert told(last)[-1]["event"] == "compression"
