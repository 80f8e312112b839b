"""A census finds missing and repeated items, and unanswered messages."""

from dataclasses import asdict
from datetime import UTC, datetime

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks import census
from benchmarks.census import Compared, Line
from shared.values.chat_key import ChatKey
from shared.values.message import Author, Message

ANN = Author(id=7, name="Ann")
AGENT = Author(id=1, name="lull", is_bot=True, is_agent=True)
AT = datetime(2026, 1, 1, tzinfo=UTC)


def person(text: str) -> Line:
    return Line(text, is_agent=False)


def agent(text: str) -> Line:
    return Line(text, is_agent=True)


def message(author: Author, text: str, seq: int = 0, **more: object) -> Message:
    return Message.model_validate({"at": AT, "author": author, "text": text, "message_id": 5, "seq": seq, **more})


def test_what_is_missing_is_lost_and_what_is_there_again_is_doubled() -> None:
    assert census.compare(["a", "b", "c"], ["a", "c", "c", "c"]) == Compared(lost=1, doubled=2)
    assert census.compare([1, 2], [2, 1]) == Compared()
    assert Compared(1, 2) + Compared(3, 4) == Compared(4, 6)


def test_a_message_is_answered_by_a_later_line_that_names_it() -> None:
    lines = [agent("About L1"), person("L1"), person("L12"), agent("About L12"), person("L3")]
    assert census.unanswered_names(lines, ["L1", "L12", "L3"]) == ["L1", "L3"]
    assert census.unanswered_names(lines, ["L12"]) == []


def test_an_excuse_speaks_for_all_that_was_written_before_it() -> None:
    lines = [person("L1"), person("L2"), agent("Sorry, please ask me again."), person("L3")]
    assert census.unanswered_names(lines, ["L1", "L2", "L3"]) == ["L3"]


def test_an_answer_that_is_said_again_counts_and_an_excuse_does_not() -> None:
    lines = [agent("About L1"), agent("Sorry."), agent("About L1"), agent("Sorry."), person("L1"), person("L1")]
    assert census.said_twice(lines) == 1


def test_a_plan_that_said_the_same_twice_counts() -> None:
    entries = [message(AGENT, text, plan=plan) for plan, text in ("pa", "pb", "qa", "pa")]
    assert census.planned_twice([*entries, message(ANN, "a"), message(ANN, "a")]) == 1


def test_a_transcript_tells_who_said_what_and_from_which_updates() -> None:
    entries = [message(ANN, "L1", updates=(3,)), message(AGENT, "About L1"), message(ANN, "L2", updates=(4, 5))]
    assert census.people_said(entries) == ["L1", "L2"]
    assert census.agent_said(entries) == ["About L1"]
    assert census.updates_in(entries) == [3, 4, 5]


async def test_transcripts_are_read_whole_and_in_order(firestore: AsyncClient) -> None:
    await keep(firestore, -77, {3: ["c"], 1: ["a", "b"]})
    await firestore.document("chats/empty").set({"conversation": "", "key": key_of(-78)})
    kept = await census.transcripts(firestore)
    assert census.people_said(kept[-77]) == ["a", "b", "c"]
    assert kept[-78] == []


async def test_incidents_are_counted_by_kind(firestore: AsyncClient) -> None:
    for name, kind in {"a": "dead_letter", "b": "dropped_plan", "c": "dead_letter"}.items():
        await firestore.document(f"incidents/{name}").set({"kind": kind})
    assert await census.incidents(firestore) == {"dead_letter": 2, "dropped_plan": 1}


def key_of(chat_id: int) -> dict[str, object]:
    return asdict(ChatKey(agent="lull", chat_id=chat_id))


async def keep(firestore: AsyncClient, chat_id: int, pages: dict[int, list[str]]) -> None:
    conversation = f"conv-of{chat_id}"
    await firestore.document(f"chats/census{chat_id}").set({"conversation": conversation, "key": key_of(chat_id)})
    for first, texts in pages.items():
        entries = [message(ANN, text, seq=first + n).model_dump() for n, text in enumerate(texts)]
        page = firestore.document(f"conversations/{conversation}/messages/{first:010d}")
        await page.set({"first_seq": first, "entries": entries})
