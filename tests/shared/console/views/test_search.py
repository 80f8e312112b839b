"""Search in the console over the Firestore emulator, as the owner of agents."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from local.gemini import hashed
from shared.chat.store.chats import FirestoreChats
from shared.console.route import BadRequest, ConsoleRequest, NotFound
from shared.console.services import ConsoleServices
from shared.console.views.search import search
from shared.values.chat_key import WEB_TOPICS, ChatKey
from shared.values.evolve import evolve
from shared.values.place import place_of
from shared.values.question_vector import LONGEST_QUESTION, QuestionVector
from tests.local.cloud_tasks.task_handler import Answer, task_handler
from tests.shared.examples import NOW
from tests.shared.paused_queue import PausedQueue
from tests.shared.recall.searched import keep, later, segment

Json = dict[str, Any]


@pytest.fixture
async def services(chats: FirestoreChats, paused_queue: PausedQueue) -> ConsoleServices:
    return ConsoleServices(
        client=chats.client, project="any", clock=lambda: later(300), jobs=paused_queue.erasing_jobs()
    )


async def finds(services: ConsoleServices, **query: str) -> Json:
    return dict(await search(services, ConsoleRequest(owner=700, agents=("lull", "moss"), body=query)))


def marked(item: Json) -> list[str]:
    return [item["snippet"][start:end] for start, end in item["hits"]]


async def test_words_are_found_in_all_chats_of_the_owners_agents(
    chats: FirestoreChats, services: ConsoleServices
) -> None:
    await keep(
        chats,
        segment("lull.101", "We adopt two dogs"),
        segment("moss.-102", "The dogs bark at night", author=8, name="Bob"),
        segment("other.103", "My dogs are secret"),
        with_vectors=False,
    )
    found = await finds(services, q="dog")
    assert {item["conversation"] for item in found["items"]} == {"conv-lull.101", "conv-moss.-102"}
    assert {item["agent"] for item in found["items"]} == {"lull", "moss"}
    assert all(marked(item) == ["dogs"] for item in found["items"])
    assert found["trouble"] == "no_vector"
    assert found["reads"] <= 200
    with pytest.raises(NotFound):
        await finds(services, q="dog", agent="other")


async def test_a_result_leads_to_its_entry(chats: FirestoreChats, services: ConsoleServices) -> None:
    await keep(chats, segment("lull.111", "the bicycle is blue", number=7), with_vectors=False)
    (item,) = (await finds(services, q="bicycle", agent="lull"))["items"]
    assert (item["seq"], item["first_turn"], item["chat"], item["title"]) == (7, 7, "lull.111.0", "About lull.111")
    assert item["is_private"]
    assert item["at"] == NOW.isoformat()


async def test_filters_narrow_the_results(chats: FirestoreChats, services: ConsoleServices) -> None:
    early = segment("lull.121", "a violin for Ann", number=1)
    late = segment("lull.121", "a violin for Bob", number=2, at=NOW + timedelta(days=40), author=8, name="Bob")
    elsewhere = segment("lull.122", "a violin in the attic")
    await keep(chats, early, late, elsewhere, with_vectors=False)
    day = (NOW + timedelta(days=20)).date().isoformat()
    for query, expected in (
        ({"person": "Bob"}, ["Bob: a violin for Bob"]),
        ({"person": "8"}, ["Bob: a violin for Bob"]),
        ({"since": day}, ["Bob: a violin for Bob"]),
        ({"conversation": "conv-lull.122"}, ["Ann: a violin in the attic"]),
    ):
        assert [item["snippet"] for item in (await finds(services, q="violin", **query))["items"]] == expected
    assert len((await finds(services, q="violin", until=day))["items"]) == 2
    alone = (await finds(services, person="8", conversation="conv-lull.121"))["items"]
    assert [item["snippet"] for item in alone] == ["Bob: a violin for Bob"]


async def test_meaning_is_found_with_the_vector_of_another_function(
    chats: FirestoreChats, services: ConsoleServices
) -> None:
    await keep(chats, segment("lull.131", "The kettle is boiling"))
    question = "The kettle is boiling"
    vector = QuestionVector(model=hashed.NAME, vector=tuple(hashed.hashed(question)))
    async with task_handler() as function:
        function.script = [Answer(body=vector.model_dump_json().encode()), Answer(500)]
        with_function = replace(services, functions={"summarize": function.url})
        found = await finds(with_function, q=question)
        failed = await finds(with_function, q=question)
    assert (found["items"][0]["conversation"], found["trouble"]) == ("conv-lull.131", "")
    assert failed["trouble"] == "no_vector"
    assert b'"job":"vector"' in function.received[0].body


async def test_what_cannot_be_searched_is_said(services: ConsoleServices) -> None:
    assert (await finds(services, q=" "))["items"] == []
    for query in ({"q": "x" * (LONGEST_QUESTION + 1)}, {"q": "x", "since": "soon"}, {"q": "x", "zone": "Mars/Dune"}):
        with pytest.raises(BadRequest):
            await finds(services, **query)


async def test_conversations_of_one_channel_are_searched(chats: FirestoreChats, services: ConsoleServices) -> None:
    telegram, web = ChatKey(agent="lull", chat_id=141), ChatKey(agent="lull", chat_id=141, topic_id=WEB_TOPICS[7])
    for number, key in enumerate((telegram, web), start=1):
        place = f"{place_of(key)}"
        one = evolve(segment(place, f"a trombone, {key.channel}", number=number), chat=key.id)
        await keep(chats, one, with_vectors=False)
    for channel in ("telegram", "web"):
        found = (await finds(services, q="trombone", channel=channel))["items"]
        assert [(item["snippet"], item["channel"]) for item in found] == [(f"Ann: a trombone, {channel}", channel)]
    with pytest.raises(BadRequest):
        await finds(services, q="trombone", channel="pigeon")


async def test_agents_share_the_reads_of_one_search(chats: FirestoreChats, services: ConsoleServices) -> None:
    many = [segment(f"{agent}.151", f"a piano, {n}", number=n) for agent in ("lull", "moss") for n in range(1, 130)]
    await keep(chats, *many, with_vectors=False)
    found = await finds(services, q="piano")
    assert len(found["items"]) == 30
    assert 100 < found["reads"] <= 200
