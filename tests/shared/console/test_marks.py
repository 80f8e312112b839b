"""Marks on decisions and answers, and the cases that they become for `make bench NAME=decisions`."""

import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.decisions import decide, people_of, rows_of
from shared.base.text import Entity, EntityType
from shared.chat.store import paths
from shared.chat.store.transcripts import encode_page
from shared.console.marks import FirestoreMarks
from shared.console.route import BadRequest, NotFound
from shared.console.views.marks import (
    case_in,
    case_lines,
    export_cases,
    list_conversation_marks,
    list_marks,
    mark_message,
    remove_mark,
)
from shared.privacy.store.deletion_lookup import ConversationOutline
from shared.privacy.store.person_deletion import FirestorePersonDeletion
from shared.values.chat_key import ChatKey
from shared.values.decision import Decision, DecisionTier
from shared.values.mark import Mark, Verdict
from shared.values.message import Author, Message, QuotedMessage
from tests.shared.console.harness import ConsoleHarness
from tests.shared.examples import ANN, BOB, GROUP_KEY, ME, NOW, said

CONV = "conv-marks"
YES = Decision(respond=True, reason="mentioned", tier=DecisionTier.EXPLICIT)
NO = Decision(respond=False, reason="not addressed", tier=DecisionTier.NONE)


def line(seq: int, text: str, author: Author = ANN, decision: Decision | None = NO, **fields: Any) -> Message:
    at = NOW + timedelta(seconds=8 * seq)
    decision = None if author.is_agent else decision
    return said(text, author, message_id=seq, seq=seq, at=at, decision=decision, **fields)


TALK = (
    line(1, "anybody knows the pass to the lake?", BOB),
    line(2, "lull, how far is it?", decision=YES, turn=1),
    line(3, "Two hours on foot.", ME, turn=1),
    line(4, "and by bike?", turn=2),
    line(5, "ask Carl", BOB, turn=2),
)


async def talk(console: ConsoleHarness, key: ChatKey = GROUP_KEY, conversation: str = CONV) -> None:
    """Store a conversation, a page for each entry."""
    document = console.client.document(paths.conversation_path(conversation))
    await document.set({"chat": key.id, "agent": key.agent})
    for entry in TALK:
        await console.client.document(paths.page_path(conversation, entry.seq)).set(encode_page([entry]))


async def mark(console: ConsoleHarness, seq: int, verdict: str = "right", conversation: str = CONV) -> Any:
    body = {"seq": seq, "verdict": verdict}
    return await mark_message(console.services, console.request(path={"conversation": conversation}, body=body))


async def test_a_silence_and_an_answer_are_marked(console: ConsoleHarness) -> None:
    await talk(console)
    silence = await mark(console, 4, "should_have_answered")
    assert (silence["seq"], silence["person"], silence["answered"], silence["should_answer"]) == (
        4,
        ANN.id,
        False,
        True,
    )
    answer = await mark(console, 3, "wrong_content")
    assert (answer["seq"], answer["turn"], answer["answered"], answer["should_answer"]) == (2, 1, True, True)
    await mark(console, 2, "right")
    request = console.request(path={"conversation": CONV})
    found = (await list_conversation_marks(console.services, request))["items"]
    assert [(one["seq"], one["verdict"]) for one in found] == [(2, "right"), (4, "should_have_answered")]
    assert all("by" not in one for one in found)


async def test_what_cannot_be_marked_is_refused(console: ConsoleHarness) -> None:
    await talk(console)
    for seq, verdict in ((1, "good"), (99, "right"), (0, "right"), (True, "right"), ("1", "right")):
        with pytest.raises(BadRequest):
            await mark(console, seq, verdict)  # type: ignore[arg-type]  # what a browser may send
    await talk(console, evolve_key(GROUP_KEY, "moss"), "conv-of-moss")
    for conversation in ("conv-of-moss", "conv-none"):
        with pytest.raises(NotFound):
            await mark(console, 1, conversation=conversation)


def evolve_key(key: ChatKey, agent: str) -> ChatKey:
    return ChatKey(agent=agent, chat_id=key.chat_id)


async def test_marks_are_listed_and_removed(console: ConsoleHarness) -> None:
    await talk(console)
    for seq in (1, 2, 4):
        await mark(console, seq)
        console.wait(seconds=1)
    marks = FirestoreMarks(console.client)
    await marks.keep(Mark(agent="moss", chat="c", conversation="x", seq=1, person=1, answered=True,
                          verdict=Verdict.RIGHT, at=NOW, by=1))  # fmt: skip
    found = await list_marks(console.services, console.request())
    assert ([one["seq"] for one in found["items"]], found["next"]) == ([4, 2, 1], "")
    newest = found["items"][0]["id"]
    older = await list_marks(console.services, console.request(query={"cursor": newest}))
    assert [one["seq"] for one in older["items"]] == [2, 1]
    await remove_mark(console.services, console.request(path={"mark": newest}))
    for gone in (newest, "x-1", "none"):
        with pytest.raises(NotFound):
            await remove_mark(console.services, console.request(path={"mark": gone}))


async def test_the_bench_takes_the_exported_file(console: ConsoleHarness, tmp_path: Path) -> None:
    await talk(console)
    await talk(console, ChatKey(agent="lull", chat_id=7), "conv-private")
    for seq, verdict in ((1, "right"), (2, "right"), (4, "should_have_answered"), (5, "should_have_been_silent")):
        await mark(console, seq, verdict)
        console.wait(seconds=1)
    await mark(console, 2, conversation="conv-private")
    file = tmp_path / "cases.jsonl"
    response = await export_cases(console.services, console.request())
    file.write_bytes(bytes(response.body))
    rows = rows_of(file)
    assert [(row["sender"], row["text"], row["label_reply"]) for row in rows] == [
        ("Bob", "anybody knows the pass to the lake?", False),
        ("Ann", "lull, how far is it?", True),
        ("Ann", "and by bike?", True),
        ("Bob", "ask Carl", False),
    ]
    assert rows[2]["context"] == [
        ["Bob", "anybody knows the pass to the lake?"],
        ["Ann", "lull, how far is it?"],
        ["lull", "Two hours on foot."],
    ]
    people = people_of(rows)
    outcomes = [decide(row, people[row["file"]]) for row in rows]
    assert [(one.within.respond, one.is_reply) for one in outcomes] == [
        (False, False),
        (True, True),
        (True, True),
        (False, False),
    ]


def case(*entries: Message, verdict: Verdict = Verdict.RIGHT) -> dict[str, Any]:
    last = entries[-1]
    mark = Mark(
        agent="lull",
        chat=GROUP_KEY.id,
        conversation=CONV,
        seq=last.seq,
        person=last.author.id,
        answered=False,
        verdict=verdict,
        at=NOW,
        by=1,
    )
    made = case_in(entries, mark, "lull", "lull_bot")
    assert made is not None
    return made


def test_people_get_nicks_that_differ_and_have_no_spaces() -> None:
    other = Author(id=9, name="Ann Marie O’Neil", username="annm")
    third, odd = Author(id=10, name="Ann"), Author(id=11, name="  ,:  ")
    made = case(line(1, "hi", ANN), line(2, "hi", other), line(3, "hi", third), line(4, "hi", odd))
    assert [nick for nick, _ in made["context"]] == ["Ann", "Ann_Marie_O’Neil", "Ann_2"]
    assert made["sender"] == "somebody"


def test_replies_and_mentions_name_people_by_their_nicks() -> None:
    quote = QuotedMessage(message_id=1, author=BOB)
    text = "hey @lull_bot and 😂 you there"
    entities = (
        Entity(EntityType.MENTION, offset=4, length=9),
        Entity(EntityType.TEXT_MENTION, offset=21, length=3, user_id=BOB.id),
    )
    made = case(
        line(1, "tea?", BOB),
        line(2, "Yes.", ME),
        line(3, "fine\nwith me", reply=quote),
        line(4, text, entities=entities),
    )
    assert made["context"][2] == ["Ann", "Bob: fine with me"]
    assert made["text"] == "hey lull and 😂 Bob there"


def test_events_commands_and_refused_messages_are_no_lines() -> None:
    refused = Decision(respond=False, reason="blocked", tier=DecisionTier.ACCESS)
    made = case(
        line(1, "joined", is_service=True),
        line(2, "/help", is_command=True),
        line(3, "let me in", BOB, refused),
        line(4, "", media="a photo"),
        line(5, "hi"),
    )
    assert (made["context"], made["text"]) == ([], "hi")


def test_a_case_is_one_line_of_json() -> None:
    made = [case(line(1, "one\u2028two")), case(line(2, "ö"))]
    lines = case_lines(made).splitlines(keepends=True)
    assert [json.loads(one) for one in case_lines(made).strip().split("\n")] == made
    assert len(lines) >= 2


async def test_marks_go_with_their_person_group_and_conversation(console: ConsoleHarness) -> None:
    await talk(console)
    deleting, key = FirestorePersonDeletion(console.client), GROUP_KEY

    async def left(*seqs: int) -> Sequence[int]:
        for seq in seqs:
            await mark(console, seq)
        return [one.seq for one in await FirestoreMarks(console.client).of_conversation(CONV)]

    assert await left(1, 2) == [1, 2]
    later = NOW + timedelta(days=9_999)
    await deleting.delete_documents_of_person(BOB.id, later)
    assert await left() == [2]
    await deleting.delete_documents_of_group([key], later)
    assert await left() == []
    assert await left(4) == [4]
    outline = ConversationOutline(conversation=CONV, chat=key.id, title="", is_named_by_hand=False, entries=5)
    await deleting.delete_beside_conversation(key, outline)
    assert await left() == []
