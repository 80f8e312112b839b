"""Who took part in a conversation, over the emulator."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.firestore_meter import run_meter
from local.cloud import LocalCloud
from shared.console.conversations.participants import MOST_NAMED, participants_view
from shared.console.views.conversations import read_conversation
from shared.console.views.metrics import read_metrics
from shared.values.chat_key import ChatKey
from shared.values.message import Author, Message
from shared.values.trust import AccessList
from tests.shared.console.talks import AGENT, Talks, new_talks
from tests.shared.examples import ME, NOW, SECOND, said
from tests.shared.paused_queue import PausedQueue

GROUP = ChatKey(agent=AGENT, chat_id=-100_777)
PEOPLE = [Author(id=5_000 + number, name=f"Person {number}") for number in range(130)]


@pytest.fixture
async def talks(emulator: str, paused_queue: PausedQueue) -> AsyncIterator[Talks]:
    async with new_talks(paused_queue) as found:
        await found.claim()
        yield found


def message(seq: int, author: Author) -> Message:
    return said("hi", author, seq, seq=seq, turn=seq, at=NOW + SECOND * seq)


async def test_all_are_counted_and_those_who_wrote_last_are_named(
    talks: Talks, cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = [message(number + 1, one) for number, one in enumerate((*PEOPLE, PEOPLE[3], ME))]
    await talks.keep("conv-1", written[:100], GROUP)
    await talks.keep("conv-1", written[100:], GROUP)
    async with run_meter(cloud.firestore_host) as (meter, address):
        monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", address)
        services = replace(talks.services, client=AsyncClient(project=talks.client.project))
        header = (await read_conversation(services, talks.request("conv-1")))["header"]
        assert meter.counts["reads"] <= 40
        read = meter.counts["reads"]
        metrics = await read_metrics(services, talks.request())
        assert meter.counts["reads"] - read == 1
    assert header["participant_count"] == len(PEOPLE)
    names = [one["name"] for one in header["participants"]]
    assert names == ["Person 3", *(f"Person {number}" for number in range(129, 110, -1))]
    assert len(names) == MOST_NAMED
    assert [one["participants"] for one in metrics["conversations"]] == [len(PEOPLE)]


async def test_who_wrote_long_ago_is_named_by_the_access_list(talks: Talks) -> None:
    await talks.claim(people={"5000": {"id": 5_000, "name": "Zoe", "since": NOW, "by": 1}})
    await talks.keep("conv-1", [message(1, PEOPLE[0]), message(2, PEOPLE[1])], GROUP)
    await talks.keep("conv-1", [message(3, PEOPLE[2]), message(4, ME)], GROUP)
    header = (await read_conversation(talks.services, talks.request("conv-1")))["header"]
    assert [one["name"] for one in header["participants"]] == ["Person 2", "Zoe"]
    assert header["participant_count"] == 3


def test_documents_of_earlier_versions_have_names_by_id_or_nobody() -> None:
    old = participants_view({"participants": {"1": {"name": "Ann"}, "2": {"name": "Bob"}}}, AccessList(agent=AGENT))
    assert (old["participants"], old["participant_count"]) == ([], 2)
    assert participants_view({}, AccessList(agent=AGENT))["participant_count"] == 0
