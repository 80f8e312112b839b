"""Replaying: a dead letter is tried once for each request, and nothing else is."""

import itertools
import json
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.base.errors import QueueUnavailable
from shared.chat.jobs.receive import NO_UPDATE, UpdateReceiver, WebhookRequest, receive, refused_body
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.incidents import decode_incident
from shared.chat.store.layout import encode_incident
from shared.telegram.inbound.urgency import AgentNames
from shared.upkeep.jobs.replay import Replayer, ReplayOutcome, replay
from shared.upkeep.store.incidents import FirestoreIncidents
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.incident import Incident, IncidentKind
from shared.values.update import Envelope, Json
from shared.values.wake import WakeReason
from tests.shared.examples import KEY, NOW, SECOND, message_update, update_of
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.watched import Clock
from tests.shared.updates import hard_to_pack

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
IN_INBOX = ReplayOutcome(is_done=True, said="it is in the inbox again, and a tick reads it")
_numbers = itertools.count(1)


class JobHarness:
    """An operator with a lull of their own."""

    def __init__(self, project: str, queue: PausedQueue) -> None:
        self.kept, self.inbox, self.chats = (
            FirestoreIncidents(project),
            FirestoreInbox(project),
            FirestoreChats(project),
        )
        self.queue, self.clock = queue, Clock(NOW)
        receiver = UpdateReceiver(
            inbox=self.inbox,
            queue=queue.ticks(),
            names={"lull": AgentNames(usernames=("lull_bot",), called=("lull",))},
            quiet={"private": SECOND},
            later=60 * SECOND,
        )
        self.replayer = Replayer(incidents=self.kept, receiver=receiver, clock=self.clock)

    async def put_aside(self, raw: Json, key: ChatKey = KEY, **fields: object) -> Incident:
        """Quarantine an update: its document is read, and an incident has its content."""
        update = update_of(raw)
        envelope = replace(update.envelope, key=key)
        await self.inbox.add(replace(update, envelope=envelope))
        await self.read(key, envelope.update_id)
        body = {"body": json.dumps(raw), "chat": key.id, "update_id": envelope.update_id}
        return await self.note(IncidentKind.DEAD_LETTER, **(body | fields))

    async def note(self, kind: IncidentKind, **fields: object) -> Incident:
        """Store an incident."""
        incident = {"id": f"i-{next(_numbers)}", "kind": kind, "at": NOW, "why": "w", "agent": "lull"} | fields
        await self.inbox.add_incident(decode_incident(incident))
        return decode_incident(incident)

    async def read(self, key: ChatKey, update_id: int) -> None:
        """Store that a tick has read an update."""
        await self.inbox.client.document(f"chats/{key.id}/inbox/{update_id:020d}").update({"read": True})

    async def replays(self, incident: Incident, replayer: Replayer | None = None) -> ReplayOutcome:
        """Replay; return the outcome."""
        seen = await self.kept.find(incident.id)
        assert seen is not None
        return await replay(replayer or self.replayer, seen, TRACE)

    async def replayed_at(self, incident: Incident) -> object:
        """Return when it was replayed."""
        seen = await self.kept.find(incident.id)
        return seen and seen.incident.replayed_at


@pytest.fixture
async def job_harness(emulator: str, paused_queue: PausedQueue) -> AsyncIterator[JobHarness]:
    found = JobHarness(f"desk-{os.getpid()}-{next(_numbers)}", paused_queue)
    yield found
    for client in (found.kept.client, found.inbox.client, found.chats.client):
        client.close()  # type: ignore[no-untyped-call]


async def test_an_update_that_was_put_aside_is_unread_again_and_woken_for(job_harness: JobHarness) -> None:
    raw = message_update(7, "what nobody could read")
    incident = await job_harness.put_aside(raw)
    job_harness.clock.now = NOW + timedelta(days=2)
    assert await job_harness.replays(incident) == IN_INBOX
    (update,) = await job_harness.chats.unread(KEY, 5)
    assert (update.raw, update.received_at) == (raw, job_harness.clock.now)
    (wake,) = await job_harness.queue.wakes()
    assert (wake.key, wake.reason, wake.at, wake.traceparent) == (KEY, WakeReason.REPLAY, job_harness.clock.now, TRACE)
    assert await job_harness.replayed_at(incident) == job_harness.clock.now


async def test_a_second_request_changes_nothing(job_harness: JobHarness) -> None:
    incident = await job_harness.put_aside(message_update(7))
    await job_harness.replays(incident)
    await job_harness.read(KEY, 7)
    job_harness.clock.now = NOW + 5 * SECOND
    assert await job_harness.replays(incident) == ReplayOutcome(
        is_done=True, said="it was replayed at 2026-03-01 12:00:00 UTC already"
    )
    assert await job_harness.chats.unread_count(KEY) == 0
    assert len(await job_harness.queue.wakes()) == 1


async def test_what_failed_again_can_be_replayed_again_at_once(job_harness: JobHarness) -> None:
    incident = await job_harness.put_aside(message_update(7))
    await job_harness.replays(incident)
    (wake,) = await job_harness.queue.wakes()
    await job_harness.queue.end(wake)
    await job_harness.read(KEY, 7)
    # the tick puts it aside once more, under the same id
    await job_harness.kept.client.document(f"incidents/{incident.id}").set(encode_incident(incident))
    job_harness.clock.now = NOW + 5 * SECOND
    assert await job_harness.replays(incident) == IN_INBOX
    assert await job_harness.chats.unread_count(KEY) == 1
    assert len(await job_harness.queue.wakes()) == 1


async def test_of_two_who_ask_at_once_one_replays(job_harness: JobHarness) -> None:
    incident = await job_harness.put_aside(message_update(7))
    seen = await job_harness.kept.find(incident.id)
    assert seen is not None
    assert await replay(job_harness.replayer, seen, TRACE) == IN_INBOX
    await job_harness.read(KEY, 7)
    job_harness.clock.now = NOW + SECOND
    second = await replay(job_harness.replayer, seen, TRACE)
    assert (second.is_done, second.said) == (False, "somebody else replayed the incident meanwhile")
    assert await job_harness.chats.unread_count(KEY) == 0


async def test_an_update_goes_back_to_the_chat_where_it_was_put_aside(job_harness: JobHarness) -> None:
    moved = ChatKey(agent="lull", chat_id=-1_000_000_000_123)
    incident = await job_harness.put_aside(message_update(7), key=moved)
    await job_harness.replays(incident)
    assert [wake.key for wake in await job_harness.queue.wakes()] == [moved]
    assert await job_harness.chats.unread_count(moved) == 1
    assert await job_harness.chats.unread_count(KEY) == 0


async def test_a_queue_that_takes_nothing_leaves_it_to_the_sweep(job_harness: JobHarness) -> None:
    incident = await job_harness.put_aside(message_update(7))
    missing = job_harness.queue.ticks(missing=True)
    replayer = replace(job_harness.replayer, receiver=replace(job_harness.replayer.receiver, queue=missing))
    outcome = await job_harness.replays(incident, replayer)
    assert outcome.is_done
    assert outcome.said.startswith("it is in the inbox again; the next sweep wakes its chat, since Cloud Tasks did not")
    assert await job_harness.chats.unread_count(KEY) == 1


async def test_a_queue_that_refuses_it_for_good_leaves_it_to_the_sweep_too(job_harness: JobHarness) -> None:
    incident = await job_harness.put_aside(message_update(7))
    refusing = replace(job_harness.replayer.receiver, queue=job_harness.queue.ticks("nowhere"))
    outcome = await job_harness.replays(incident, replace(job_harness.replayer, receiver=refusing))
    assert outcome.is_done
    assert "the next sweep wakes its chat, since Cloud Tasks will never take this task" in outcome.said


async def test_an_update_that_can_never_be_stored_stays_a_dead_letter(job_harness: JobHarness) -> None:
    whole = json.dumps(message_update(7, hard_to_pack()), ensure_ascii=False).encode()
    arrival = WebhookRequest("lull", whole, NOW)
    await receive(job_harness.replayer.receiver, arrival)
    incident = refused_body(arrival, "", Envelope(update_id=7, kind="message", key=KEY, chat_kind=ChatKind.PRIVATE))
    assert (await job_harness.replays(incident)).said == "the stored body is not this update, so it cannot be replayed"
    assert await job_harness.replayed_at(incident) is None


async def test_an_update_for_a_place_that_firestore_has_not_is_left_as_it_was(job_harness: JobHarness) -> None:
    nowhere = ChatKey(agent="x" * 1_600, chat_id=1)  # a document's name has 1,500 bytes at most
    body = {"body": json.dumps(message_update(7)), "chat": nowhere.id, "update_id": 7}
    incident = await job_harness.note(IncidentKind.DEAD_LETTER, **body)
    outcome = await job_harness.replays(incident)
    assert not outcome.is_done
    assert outcome.said == "it still cannot be stored: Firestore will never note a replay as it is (InvalidArgument)"
    assert await job_harness.replayed_at(incident) is None
    assert await job_harness.queue.wakes() == []


@pytest.mark.parametrize("body", ["", "{", "[]", '{"update_id": 8}', '{"update_id": "7"}', "[" * 100_000])
async def test_what_is_not_that_update_any_more_stays_where_it_is(job_harness: JobHarness, body: str) -> None:
    incident = await job_harness.put_aside(message_update(7), body=body)
    assert await job_harness.replays(incident) == ReplayOutcome(
        is_done=False, said="the stored body is not this update, so it cannot be replayed"
    )
    assert await job_harness.replayed_at(incident) is None
    assert await job_harness.queue.wakes() == []


def letter(body: bytes) -> Incident:
    return refused_body(WebhookRequest("lull", body, NOW - timedelta(days=3)), NO_UPDATE)


@pytest.mark.parametrize("body", [b"", b"not json", b"[]", b'{"update_id": true}', b"\xff\xfe"])
async def test_a_body_that_still_is_no_update_is_left_as_it_was(job_harness: JobHarness, body: bytes) -> None:
    incident = letter(body)
    await job_harness.inbox.add_incident(incident)
    outcome = await job_harness.replays(incident)
    assert outcome == ReplayOutcome(is_done=False, said="lull still cannot read it: the body is not a JSON update")
    seen = await job_harness.kept.find(incident.id)
    assert seen is not None
    assert seen.incident == incident
    assert await job_harness.kept.newest(None, 9, also_replayed=True) == [incident]


async def test_a_body_that_can_be_taken_now_is_received(job_harness: JobHarness) -> None:
    incident = letter(json.dumps(message_update(7)).encode())
    await job_harness.inbox.add_incident(incident)
    received = ReplayOutcome(is_done=True, said="it was received, and a tick reads it")
    assert await job_harness.replays(incident) == received
    assert [u.envelope.update_id for u in await job_harness.chats.unread(KEY, 5)] == [7]
    (wake,) = await job_harness.queue.wakes()
    assert (wake.reason, wake.traceparent) == (WakeReason.SOON, TRACE)
    assert await job_harness.replayed_at(incident) == NOW
    assert "already" in (await job_harness.replays(incident)).said


async def test_a_body_that_is_received_but_gets_no_tick_is_left_to_the_sweep(job_harness: JobHarness) -> None:
    incident = letter(json.dumps(message_update(7)).encode())
    await job_harness.inbox.add_incident(incident)
    refusing = replace(job_harness.replayer.receiver, queue=job_harness.queue.ticks("nowhere"))
    outcome = await job_harness.replays(incident, replace(job_harness.replayer, receiver=refusing))
    said = "it was received; the next sweep wakes its chat, since no tick could be made"
    assert outcome == ReplayOutcome(is_done=True, said=said)
    assert await job_harness.queue.wakes() == []
    assert [u.envelope.update_id for u in await job_harness.chats.unread(KEY, 5)] == [7]


async def test_a_reception_that_fails_is_not_noted(job_harness: JobHarness) -> None:
    incident = letter(json.dumps(message_update(7)).encode())
    await job_harness.inbox.add_incident(incident)
    missing = job_harness.queue.ticks(missing=True)
    with pytest.raises(QueueUnavailable):
        await job_harness.replays(
            incident, replace(job_harness.replayer, receiver=replace(job_harness.replayer.receiver, queue=missing))
        )
    assert await job_harness.replayed_at(incident) is None
    assert (await job_harness.replays(incident)).is_done


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (IncidentKind.UNKNOWN_DELIVERY, "an unknown delivery is never sent again"),
        (IncidentKind.DROPPED_PLAN, "the next message in its chat makes a new plan"),
        (IncidentKind.REFUSED_WAKE, "the sweep wakes its chat"),
    ],
)
async def test_only_dead_letters_are_replayed(job_harness: JobHarness, kind: IncidentKind, why: str) -> None:
    incident = await job_harness.note(kind, chat=KEY.id)
    outcome = await job_harness.replays(incident)
    assert not outcome.is_done
    assert why in outcome.said
    assert await job_harness.replayed_at(incident) is None
    assert await job_harness.queue.wakes() == []


async def test_an_agent_that_is_gone_reads_nothing(job_harness: JobHarness) -> None:
    key = ChatKey(agent="gone", chat_id=5)
    incident = await job_harness.put_aside(message_update(7), key=key, agent="gone")
    assert await job_harness.replays(incident) == ReplayOutcome(is_done=False, said="the agent gone no longer exists")
    assert await job_harness.chats.unread_count(key) == 0


async def test_nothing_of_what_was_written_is_told(job_harness: JobHarness, caplog: pytest.LogCaptureFixture) -> None:
    incident = await job_harness.put_aside(message_update(7, "my secret"))
    with caplog.at_level("DEBUG"):
        outcome = await job_harness.replays(incident)
    assert "my secret" not in outcome.said + caplog.text
