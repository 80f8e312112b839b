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


class Desk:
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
async def desk(emulator: str, paused_queue: PausedQueue) -> AsyncIterator[Desk]:
    found = Desk(f"desk-{os.getpid()}-{next(_numbers)}", paused_queue)
    yield found
    for client in (found.kept.client, found.inbox.client, found.chats.client):
        client.close()  # type: ignore[no-untyped-call]


async def test_an_update_that_was_put_aside_is_unread_again_and_woken_for(desk: Desk) -> None:
    raw = message_update(7, "what nobody could read")
    incident = await desk.put_aside(raw)
    desk.clock.now = NOW + timedelta(days=2)
    assert await desk.replays(incident) == IN_INBOX
    (update,) = await desk.chats.unread(KEY, 5)
    assert (update.raw, update.received_at) == (raw, desk.clock.now)
    (wake,) = await desk.queue.wakes()
    assert (wake.key, wake.reason, wake.at, wake.traceparent) == (KEY, WakeReason.REPLAY, desk.clock.now, TRACE)
    assert await desk.replayed_at(incident) == desk.clock.now


async def test_a_second_request_changes_nothing(desk: Desk) -> None:
    incident = await desk.put_aside(message_update(7))
    await desk.replays(incident)
    await desk.read(KEY, 7)
    desk.clock.now = NOW + 5 * SECOND
    assert await desk.replays(incident) == ReplayOutcome(
        is_done=True, said="it was replayed at 2026-03-01 12:00:00 UTC already"
    )
    assert await desk.chats.unread_count(KEY) == 0
    assert len(await desk.queue.wakes()) == 1


async def test_what_failed_again_can_be_replayed_again_at_once(desk: Desk) -> None:
    incident = await desk.put_aside(message_update(7))
    await desk.replays(incident)
    (wake,) = await desk.queue.wakes()
    await desk.queue.end(wake)
    await desk.read(KEY, 7)
    # the tick puts it aside once more, under the same id
    await desk.kept.client.document(f"incidents/{incident.id}").set(encode_incident(incident))
    desk.clock.now = NOW + 5 * SECOND
    assert await desk.replays(incident) == IN_INBOX
    assert await desk.chats.unread_count(KEY) == 1
    assert len(await desk.queue.wakes()) == 1


async def test_of_two_who_ask_at_once_one_replays(desk: Desk) -> None:
    incident = await desk.put_aside(message_update(7))
    seen = await desk.kept.find(incident.id)
    assert seen is not None
    assert await replay(desk.replayer, seen, TRACE) == IN_INBOX
    await desk.read(KEY, 7)
    desk.clock.now = NOW + SECOND
    second = await replay(desk.replayer, seen, TRACE)
    assert (second.is_done, second.said) == (False, "somebody else had the incident replayed meanwhile")
    assert await desk.chats.unread_count(KEY) == 0


async def test_an_update_goes_back_to_the_chat_where_it_was_put_aside(desk: Desk) -> None:
    moved = ChatKey(agent="lull", chat_id=-1_000_000_000_123)
    incident = await desk.put_aside(message_update(7), key=moved)
    await desk.replays(incident)
    assert [wake.key for wake in await desk.queue.wakes()] == [moved]
    assert await desk.chats.unread_count(moved) == 1
    assert await desk.chats.unread_count(KEY) == 0


async def test_a_queue_that_takes_nothing_leaves_it_to_the_sweep(desk: Desk) -> None:
    incident = await desk.put_aside(message_update(7))
    missing = desk.queue.ticks(missing=True)
    replayer = replace(desk.replayer, receiver=replace(desk.replayer.receiver, queue=missing))
    outcome = await desk.replays(incident, replayer)
    assert outcome.is_done
    assert outcome.said.startswith("it is in the inbox again; the next sweep wakes its chat, since Cloud Tasks did not")
    assert await desk.chats.unread_count(KEY) == 1


async def test_a_queue_that_refuses_it_for_good_leaves_it_to_the_sweep_too(desk: Desk) -> None:
    incident = await desk.put_aside(message_update(7))
    refusing = replace(desk.replayer.receiver, queue=desk.queue.ticks("nowhere"))
    outcome = await desk.replays(incident, replace(desk.replayer, receiver=refusing))
    assert outcome.is_done
    assert "the next sweep wakes its chat, since Cloud Tasks will never take this task" in outcome.said


async def test_an_update_that_can_never_be_stored_stays_a_dead_letter(desk: Desk) -> None:
    whole = json.dumps(message_update(7, hard_to_pack()), ensure_ascii=False).encode()
    arrival = WebhookRequest("lull", whole, NOW)
    await receive(desk.replayer.receiver, arrival)
    incident = refused_body(arrival, "", Envelope(update_id=7, kind="message", key=KEY, chat_kind=ChatKind.PRIVATE))
    assert (await desk.replays(incident)).said == "the stored body is not this update, so it cannot be replayed"
    assert await desk.replayed_at(incident) is None


async def test_an_update_for_a_place_that_firestore_has_not_is_left_as_it_was(desk: Desk) -> None:
    nowhere = ChatKey(agent="x" * 1_600, chat_id=1)  # a document's name has 1,500 bytes at most
    body = {"body": json.dumps(message_update(7)), "chat": nowhere.id, "update_id": 7}
    incident = await desk.note(IncidentKind.DEAD_LETTER, **body)
    outcome = await desk.replays(incident)
    assert not outcome.is_done
    assert outcome.said == "it still cannot be stored: Firestore will never note a replay as it is (InvalidArgument)"
    assert await desk.replayed_at(incident) is None
    assert await desk.queue.wakes() == []


@pytest.mark.parametrize("body", ["", "{", "[]", '{"update_id": 8}', '{"update_id": "7"}', "[" * 100_000])
async def test_what_is_not_that_update_any_more_stays_where_it_is(desk: Desk, body: str) -> None:
    incident = await desk.put_aside(message_update(7), body=body)
    assert await desk.replays(incident) == ReplayOutcome(
        is_done=False, said="the stored body is not this update, so it cannot be replayed"
    )
    assert await desk.replayed_at(incident) is None
    assert await desk.queue.wakes() == []


def letter(body: bytes) -> Incident:
    return refused_body(WebhookRequest("lull", body, NOW - timedelta(days=3)), NO_UPDATE)


@pytest.mark.parametrize("body", [b"", b"not json", b"[]", b'{"update_id": true}', b"\xff\xfe"])
async def test_a_body_that_still_is_no_update_is_left_as_it_was(desk: Desk, body: bytes) -> None:
    incident = letter(body)
    await desk.inbox.add_incident(incident)
    outcome = await desk.replays(incident)
    assert outcome == ReplayOutcome(is_done=False, said="it still cannot be taken: the body is not a JSON update")
    seen = await desk.kept.find(incident.id)
    assert seen is not None
    assert seen.incident == incident
    assert await desk.kept.newest(None, 9, also_replayed=True) == [incident]


async def test_a_body_that_can_be_taken_now_is_received(desk: Desk) -> None:
    incident = letter(json.dumps(message_update(7)).encode())
    await desk.inbox.add_incident(incident)
    received = ReplayOutcome(is_done=True, said="it was received, and a tick reads it")
    assert await desk.replays(incident) == received
    assert [u.envelope.update_id for u in await desk.chats.unread(KEY, 5)] == [7]
    (wake,) = await desk.queue.wakes()
    assert (wake.reason, wake.traceparent) == (WakeReason.SOON, TRACE)
    assert await desk.replayed_at(incident) == NOW
    assert "already" in (await desk.replays(incident)).said


async def test_a_body_that_is_received_but_gets_no_tick_is_left_to_the_sweep(desk: Desk) -> None:
    incident = letter(json.dumps(message_update(7)).encode())
    await desk.inbox.add_incident(incident)
    refusing = replace(desk.replayer.receiver, queue=desk.queue.ticks("nowhere"))
    outcome = await desk.replays(incident, replace(desk.replayer, receiver=refusing))
    said = "it was received; the next sweep wakes its chat, since no tick could be made"
    assert outcome == ReplayOutcome(is_done=True, said=said)
    assert await desk.queue.wakes() == []
    assert [u.envelope.update_id for u in await desk.chats.unread(KEY, 5)] == [7]


async def test_a_reception_that_fails_is_not_noted(desk: Desk) -> None:
    incident = letter(json.dumps(message_update(7)).encode())
    await desk.inbox.add_incident(incident)
    missing = desk.queue.ticks(missing=True)
    with pytest.raises(QueueUnavailable):
        await desk.replays(incident, replace(desk.replayer, receiver=replace(desk.replayer.receiver, queue=missing)))
    assert await desk.replayed_at(incident) is None
    assert (await desk.replays(incident)).is_done


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (IncidentKind.UNKNOWN_DELIVERY, "an unknown delivery is never sent again"),
        (IncidentKind.DROPPED_PLAN, "the next message in its chat makes a new plan"),
        (IncidentKind.REFUSED_WAKE, "the sweep wakes its chat"),
    ],
)
async def test_only_dead_letters_are_replayed(desk: Desk, kind: IncidentKind, why: str) -> None:
    incident = await desk.note(kind, chat=KEY.id)
    outcome = await desk.replays(incident)
    assert not outcome.is_done
    assert why in outcome.said
    assert await desk.replayed_at(incident) is None
    assert await desk.queue.wakes() == []


async def test_an_agent_that_is_gone_reads_nothing(desk: Desk) -> None:
    key = ChatKey(agent="gone", chat_id=5)
    incident = await desk.put_aside(message_update(7), key=key, agent="gone")
    assert await desk.replays(incident) == ReplayOutcome(is_done=False, said="there is no agent gone any more")
    assert await desk.chats.unread_count(key) == 0


async def test_nothing_of_what_was_written_is_told(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    incident = await desk.put_aside(message_update(7, "my secret"))
    with caplog.at_level("DEBUG"):
        outcome = await desk.replays(incident)
    assert "my secret" not in outcome.said + caplog.text
