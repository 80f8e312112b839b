"""The list of conversations and a conversation, in the real Firestore."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from starlette.responses import Response

from shared.base.model_call import ModelCall
from shared.chat.store import paths
from shared.chat.store.conversations import encode_compression
from shared.console.knowledge import KnowledgeSettings
from shared.console.route import BadRequest, NotFound
from shared.console.views import conversations as view
from shared.values.chat import ChatAccess, CurrentConversation
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.media import MediaKind
from shared.values.message import Author
from shared.values.prompt import CompressionSummary
from shared.values.trust import AdmittedGroup, AdmittedPerson
from tests.shared.console.talks import AGENT, OWNER, Talks, new_talks
from tests.shared.examples import ANN, GROUP_KEY, ME, NOW, SECOND, said
from tests.shared.paused_queue import PausedQueue

PRIVATE = ChatKey(agent=AGENT, chat_id=ANN.id)
OWN = ChatKey(agent=AGENT, chat_id=OWNER)
CALL = ModelCall(model="gemini-3.8-flash", prompt_tokens=1_000, output_tokens=10)
CLICK = {"id": "a-click-of-the-page"}


@pytest.fixture
async def talks(emulator: str, paused_queue: PausedQueue) -> AsyncIterator[Talks]:
    """Open a database with an agent that the owner owns, and Ann, who is let in."""
    async with new_talks(paused_queue) as found:
        await found.claim(
            people={str(ANN.id): AdmittedPerson(id=ANN.id, name="Ann", since=NOW, by=OWNER).model_dump()},
            groups={
                str(GROUP_KEY.chat_id): AdmittedGroup(
                    chat_id=GROUP_KEY.chat_id, title="Garden", since=NOW, by=OWNER
                ).model_dump()
            },
        )
        yield found


def turn(number: int, text: str = "hi", author: Author = ANN, **fields: Any) -> Any:
    """Make a message of a turn."""
    usual = {"seq": number, "turn": (number + 1) // 2, "at": NOW + number * SECOND}
    return said(text, author, number, **usual | fields)


def talk(text: str = "hi") -> tuple[Any, Any]:
    """Make a question and its answer."""
    return turn(1, text), turn(2, f"{text} yourself", ME, calls=(CALL,))


async def listed(talks: Talks, **query: str) -> list[dict[str, Any]]:
    """Read the first page of the list."""
    return list((await view.list_conversations(talks.services, talks.request(query=query)))["items"])


async def test_a_row_has_all_that_the_list_shows(talks: Talks) -> None:
    await talks.keep("conv-1", talk(), PRIVATE)
    (row,) = await listed(talks)
    assert row | {"last": None} == {
        "id": "conv-1", "agent": "lull", "chat": PRIVATE.id, "channel": "telegram", "kind": "private", "who": "Ann",
        "title": None, "is_named": False, "opening": "hi", "topics": [], "last": None, "turns": 1, "entries": 2,
        "updated": (NOW + 2 * SECOND).isoformat(), "unread": 1, "cost": row["cost"], "is_cost_partial": False,
        "tier": "known", "is_external": False, "is_current": True,
    }  # fmt: skip
    assert row["cost"] > 0
    assert row["last"] == {
        "at": (NOW + 2 * SECOND).isoformat().replace("+00:00", "Z"), "by": "lull", "is_agent": True,
        "text": "hi yourself",
    }  # fmt: skip


async def test_what_is_added_later_adds_its_cost(talks: Talks) -> None:
    await talks.keep("conv-1", talk(), PRIVATE)
    (before,) = await listed(talks)
    await talks.keep("conv-1", (turn(3), turn(4, "again", ME, calls=(CALL,))), PRIVATE)
    (after,) = await listed(talks)
    assert after["cost"] == pytest.approx(2 * before["cost"])
    assert (after["unread"], after["last"]["text"]) == (2, "again")


async def test_a_document_of_an_earlier_version_is_a_row_too(talks: Talks) -> None:
    old = {
        "agent": AGENT, "chat": GROUP_KEY.id, "chat_kind": "supergroup", "chat_title": "Garden", "entries": 4,
        "turns": 2, "updated_at": NOW, "participants": {"1": {"name": "Ann"}},
    }  # fmt: skip
    await talks.client.document(paths.conversation_path("conv-old")).set(old)
    (row,) = await listed(talks)
    assert (row["who"], row["last"], row["cost"], row["is_current"]) == ("Garden", None, None, False)
    opened = await view.read_conversation(talks.services, talks.request("conv-old"))
    assert (opened["items"], opened["header"]["participants"]) == ([], [])


async def test_pages_go_on_where_the_last_one_ended(talks: Talks) -> None:
    for number in range(60):
        key = ChatKey(agent=AGENT, chat_id=GROUP_KEY.chat_id, topic_id=number + 1)
        await talks.keep(f"conv-{number:02}", (turn(1, at=NOW + timedelta(minutes=number)),), key)
    first = await view.list_conversations(talks.services, talks.request())
    second = await view.list_conversations(talks.services, talks.request(query={"cursor": first["next"]}))
    found = [row["id"] for row in (*first["items"], *second["items"])]
    assert found == [f"conv-{number:02}" for number in reversed(range(60))]
    assert (len(first["items"]), second["next"]) == (50, "")
    with pytest.raises(BadRequest):
        await view.list_conversations(talks.services, talks.request(query={"cursor": "yesterday conv-1"}))


async def test_filters_choose_by_kind_agent_and_tier(talks: Talks) -> None:
    eve = ChatKey(agent=AGENT, chat_id=666)
    await talks.keep("conv-ann", talk(), PRIVATE)
    await talks.keep("conv-group", talk(), GROUP_KEY)
    await talks.keep("conv-eve", talk(), eve, access=ChatAccess(is_turned_away=True))
    await talks.keep("conv-other", talk(), ChatKey(agent="moss", chat_id=ANN.id))

    async def ids(**query: str) -> set[str]:
        return {row["id"] for row in await listed(talks, **query)}

    assert await ids() == {"conv-ann", "conv-group"}, "external communication is apart"
    assert await ids(kind="private") == {"conv-ann"}
    assert await ids(kind="group") == {"conv-group"}
    assert await ids(tier="stranger") == {"conv-eve"}
    assert await ids(agent="moss") == set(), "it belongs to somebody else"
    for wrong in ({"kind": "secret"}, {"tier": "queen"}):
        with pytest.raises(BadRequest):
            await ids(**wrong)


async def test_what_the_owner_has_seen_is_not_unread(talks: Talks) -> None:
    await talks.keep("conv-1", talk(), PRIVATE)
    await talks.keep("conv-own", (turn(1, author=Author(id=OWNER, name="Olga")),), OWN)
    await view.look(talks.services, talks.request("conv-1", body={"turn": 1}))
    assert {row["id"]: row["unread"] for row in await listed(talks)} == {"conv-1": 0, "conv-own": 0}
    with pytest.raises(BadRequest):
        await view.look(talks.services, talks.request("conv-1", body={"turn": "many"}))


async def test_a_conversation_opens_with_its_newest_part_and_pages_back(talks: Talks) -> None:
    await talks.keep("conv-1", [turn(number, f"words {number}") for number in range(1, 76)], PRIVATE)
    summary = CompressionSummary(up_to_seq=50, text="Much was said.", made_at=NOW)
    await talks.client.document(paths.compression_path("conv-1")).set(encode_compression(summary))
    earlier = evolve(summary, up_to_seq=20, text="Something was said.")
    await talks.client.document(paths.replaced_compression_path("conv-1", 20)).set(encode_compression(earlier))
    opened = await view.read_conversation(talks.services, talks.request("conv-1"))
    assert [one["seq"] for one in opened["items"] if one["seq"]] == list(range(46, 76))
    assert [one["summary"] for one in opened["items"] if one["type"] == "compressed"] == ["Much was said."]
    assert (opened["next"], opened["paged"]) == ("46", 75)
    older = await view.read_entries(talks.services, talks.request("conv-1", query={"before": opened["next"]}))
    oldest = await view.read_entries(talks.services, talks.request("conv-1", query={"before": older["next"]}))
    parts = (*oldest["items"], *older["items"])
    assert [one["seq"] for one in parts if one["seq"]] == list(range(1, 46))
    assert [one["summary"] for one in parts if one["type"] == "compressed"] == ["Something was said."]
    assert oldest["next"] == ""
    newer = await view.read_entries(talks.services, talks.request("conv-1", query={"after": "74"}))
    assert [one["seq"] for one in newer["items"]] == [75]


async def test_the_header_tells_the_state_of_the_chat(talks: Talks) -> None:
    unpaged = (turn(3, "just now"),)
    current = CurrentConversation(seq=3, turn=2, model="big", conversation_title="Tea", unpaged=unpaged)
    await talks.keep("conv-1", talk(), PRIVATE, talk=current)
    opened = await view.read_conversation(talks.services, talks.request("conv-1"))
    header = opened["header"]
    assert (header["title"], header["is_named"], header["is_current"], header["is_running"]) == (
        "Tea",
        True,
        True,
        False,
    )
    assert [one["name"] for one in header["participants"]] == ["Ann"]
    assert [one["text"] for one in opened["items"]] == ["hi", "hi yourself", "just now"], "a tick is still running"
    assert (opened["paged"], header["abbreviation"]["state"]) == (2, "none")


@pytest.mark.parametrize(
    ("bucket", "model", "stored"),
    [
        ("parts", "gemini-3.5-flash-lite", set(MediaKind)),
        ("parts", "deepseek:deepseek-chat", {MediaKind.DOCUMENT}),
        ("parts", "ollama:a-model-that-no-table-has", set(MediaKind)),
        ("parts", "", set()),
        ("", "gemini-3.5-flash-lite", set()),
    ],
)
async def test_the_header_tells_which_files_may_be_stored(
    talks: Talks, bucket: str, model: str, stored: set[MediaKind]
) -> None:
    await talks.keep("conv-1", talk(), PRIVATE)
    services = replace(talks.services, media_bucket=bucket, knowledge=KnowledgeSettings(media_model=model))
    opened = await view.read_conversation(services, talks.request("conv-1"))
    newer = await view.read_entries(services, talks.request("conv-1", query={"after": "1"}))
    assert set(opened["header"]["stored_kinds"]) == set(newer["header"]["stored_kinds"]) == stored


async def test_nobody_reads_what_belongs_to_another_agent(talks: Talks) -> None:
    await talks.keep("conv-other", talk(), ChatKey(agent="moss", chat_id=ANN.id))
    body = {**CLICK, "title": "Mine", "turn": 1, "model": "big", "length": ""}
    for handler in (view.read_conversation, view.download, view.rename, view.delete, view.look, view.stop, view.resume):
        for conversation in ("conv-other", "conv-none", "../chats/x", ""):
            with pytest.raises(NotFound):
                await handler(talks.services, talks.request(conversation or " ", body=body))
    assert await talks.jobs() == []


async def test_a_button_stores_an_order_once_and_wakes_the_chat(talks: Talks) -> None:
    await talks.keep("conv-1", talk(), PRIVATE)
    for is_new in (True, False):
        request = talks.request("conv-1", body={**CLICK, "title": "  Tea   for two "})
        assert await view.rename(talks.services, request) == {"is_new": is_new}
    (stored,) = await talks.client.collection(paths.inbox_path(PRIVATE)).get()
    told = json.loads(stored.get("raw"))["console_order"]
    assert (told["command"], told["argument"], told["from"]["id"]) == ("title", "Tea for two", OWNER)
    assert told["conversation"] == "conv-1"
    assert [job["reason"] for job in await talks.jobs()] == ["now"]
    for wrong in ({}, CLICK, {**CLICK, "title": "x" * 81}, {"id": 7, "title": "Tea"}):
        with pytest.raises(BadRequest):
            await view.rename(talks.services, talks.request("conv-1", body=wrong))


async def test_a_deleted_conversation_leaves_the_list_at_once(talks: Talks) -> None:
    await talks.keep("conv-1", talk(), PRIVATE)
    for _ in range(2):
        await view.delete(talks.services, talks.request("conv-1"))
    assert await listed(talks) == []
    (asked,) = await talks.client.collection(paths.DELETIONS).get()
    assert (asked.get("conversation"), asked.get("scope"), asked.get("is_told")) == ("conv-1", "conversation", True)
    assert [job["job"] for job in await talks.jobs()] == ["erase"]


async def test_an_abbreviation_is_made_again(talks: Talks) -> None:
    await talks.keep("conv-1", talk(), PRIVATE)
    place = talks.client.document(paths.conversation_path("conv-1"))
    await place.update({"abbreviation": "Greetings.", "noted_seq": 2, "due_at": None})
    await talks.client.document(paths.observation_path("conv-1", "o1")).set({"text": "Ann greets."})
    await view.abbreviate(talks.services, talks.request("conv-1"))
    found = await talks.document("conv-1")
    assert (found["noted_seq"], found["due_at"]) == (0, talks.services.clock())
    assert await talks.client.collection(paths.observations_path("conv-1")).get() == []
    assert [(job["job"], job["conversation"]) for job in await talks.jobs()] == [("note", "conv-1")]


async def test_the_transcript_is_a_file_that_tells_what_cannot_be_read(talks: Talks) -> None:
    await talks.keep("conv-1", talk(), PRIVATE)
    odd = {"first_seq": 3, "entries": [{"type": "from the future", "seq": 3}]}
    await talks.client.document(paths.page_path("conv-1", 3)).set(odd)
    answer = await view.download(talks.services, talks.request("conv-1"))
    assert isinstance(answer, Response)
    lines = [json.loads(line) for line in bytes(answer.body).decode().splitlines()]
    assert [line["type"] for line in lines] == ["meta", "turn", "turn", "unreadable"]
    assert (lines[1]["content"], lines[3]["seq"]) == ("hi", 3)
    assert answer.headers["content-disposition"] == 'attachment; filename="conv-1.jsonl"'
