"""Receiving updates: if the answer is 200, the update is stored once and has a tick. No update blocks its chat."""

import json
import logging
from datetime import timedelta

import pytest
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.base.errors import QueueUnavailable
from shared.chat.jobs.receive import (
    LONGEST_BODY,
    NO_UPDATE,
    UpdateReceiver,
    WebhookRequest,
    is_from_telegram,
    receive,
)
from shared.chat.jobs.receive import refused_body as refused_body_of
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.incidents import decode_incident
from shared.telegram.inbound.envelope import read_envelope
from shared.telegram.inbound.urgency import AgentNames
from shared.values.chat import Chat, ChatAccess, ChatClaim, Lease, PlanningState
from shared.values.chat_key import ChatKey
from shared.values.incident import LONGEST_INCIDENT_BODY, Incident, IncidentKind
from shared.values.update import Json
from shared.values.wake import WakeReason
from tests.shared.examples import GROUP, NOW, SECOND, message_update
from tests.shared.expected import EXPECTED
from tests.shared.paused_queue import PausedQueue
from tests.shared.updates import RAW, hard_to_pack

QUIET = {"private": 1.5 * SECOND, "group": 3 * SECOND, "supergroup": 3 * SECOND}
LATER = 60 * SECOND


@pytest.fixture
async def receiver(inbox: FirestoreInbox, paused_queue: PausedQueue) -> UpdateReceiver:
    return UpdateReceiver(
        inbox=inbox,
        queue=paused_queue.ticks(),
        names={"lull": AgentNames(usernames=("lull_bot",), called=("Marvin",))},
        quiet=QUIET,
        later=LATER,
    )


def dead_letter(dead: WebhookRequest) -> Incident:
    return refused_body_of(dead, NO_UPDATE)


def arrival(raw: Json | bytes, agent: str = "lull") -> WebhookRequest:
    return WebhookRequest(agent, raw if isinstance(raw, bytes) else json.dumps(raw).encode(), NOW, "00-t")


def in_chat(key: ChatKey, raw: Json) -> Json:
    """Return the update, moved to this chat."""
    chat = raw["message"]["chat"] | {"id": key.chat_id}
    return raw | {"message": raw["message"] | {"chat": chat}}


async def test_an_update_is_stored_and_woken_for_after_the_quiet_time(
    receiver: UpdateReceiver, chats: FirestoreChats, paused_queue: PausedQueue, key: ChatKey
) -> None:
    raw = in_chat(key, message_update(7))
    assert await receive(receiver, arrival(raw)) == {
        "method": "sendChatAction",
        "chat_id": key.chat_id,
        "action": "typing",
    }
    (stored,) = await chats.unread(key, 5)
    assert (stored.raw, stored.received_at) == (raw, NOW)
    (wake,) = await paused_queue.wakes()
    assert (wake.key, wake.reason, wake.of, wake.at, wake.since) == (key, WakeReason.SOON, "0", NOW + 1.5 * SECOND, NOW)
    assert wake.traceparent == "00-t"


async def test_a_burst_and_its_repeats_share_one_wake(
    receiver: UpdateReceiver, chats: FirestoreChats, paused_queue: PausedQueue, key: ChatKey
) -> None:
    for update_id in (7, 8, 7, 9, 9):
        await receive(receiver, arrival(in_chat(key, message_update(update_id))))
    assert await chats.unread_count(key) == 3
    assert len(await paused_queue.wakes()) == 1


async def test_after_a_claim_there_is_a_new_wake(
    receiver: UpdateReceiver, chats: FirestoreChats, paused_queue: PausedQueue, key: ChatKey
) -> None:
    await chats.client.document(f"chats/{key.id}").set(Chat(key=key, claim=ChatClaim(generation=4)).model_dump())
    await receive(receiver, arrival(in_chat(key, message_update(7))))
    assert [wake.of for wake in await paused_queue.wakes()] == ["4"]


@pytest.mark.parametrize(("active_for_s", "reason"), [(5, WakeReason.SOON), (-5, WakeReason.LATER)])
async def test_group_chatter_is_urgent_only_while_the_agent_takes_part(
    receiver: UpdateReceiver,
    chats: FirestoreChats,
    paused_queue: PausedQueue,
    key: ChatKey,
    active_for_s: int,
    reason: WakeReason,
) -> None:
    active = Chat(key=key, planning=PlanningState(active_until=NOW + timedelta(seconds=active_for_s)))
    await chats.client.document(f"chats/{key.id}").set(active.model_dump())
    assert await receive(receiver, arrival(in_chat(key, message_update(7, chat=GROUP)))) is None
    (wake,) = await paused_queue.wakes()
    assert (wake.reason, wake.at) == (reason, NOW + (3 * SECOND if reason is WakeReason.SOON else LATER))


@pytest.mark.parametrize(("held_for_s", "reason"), [(5, WakeReason.STOP), (-5, WakeReason.NOW)])
async def test_a_stop_request_is_for_whoever_is_at_work_in_a_group(
    receiver: UpdateReceiver,
    chats: FirestoreChats,
    paused_queue: PausedQueue,
    key: ChatKey,
    held_for_s: int,
    reason: WakeReason,
) -> None:
    """In the first case, the model may be thinking about its first answer, so nothing shows yet that the agent takes
    part.
    """
    held = Chat(key=key, claim=ChatClaim(lease=Lease(owner="tick-1", until=NOW + timedelta(seconds=held_for_s))))
    await chats.client.document(f"chats/{key.id}").set(held.model_dump())
    entities = [{"type": "bot_command", "offset": 0, "length": 5}]
    await receive(receiver, arrival(in_chat(key, message_update(7, "/stop", chat=GROUP, entities=entities))))
    assert [wake.reason for wake in await paused_queue.wakes()] == [reason]


async def test_a_command_is_woken_for_at_once(
    receiver: UpdateReceiver, paused_queue: PausedQueue, key: ChatKey
) -> None:
    entities = [{"type": "bot_command", "offset": 0, "length": 6}]
    await receive(receiver, arrival(in_chat(key, message_update(7, "/start", entities=entities))))
    (wake,) = await paused_queue.wakes()
    assert (wake.reason, wake.at) == (WakeReason.NOW, NOW)


async def test_typing_is_shown_in_the_topic_that_was_written_in(receiver: UpdateReceiver, key: ChatKey) -> None:
    raw = in_chat(key, message_update(7, message_thread_id=5, is_topic_message=True))
    call = await receive(receiver, arrival(raw))
    assert call is not None
    assert call["message_thread_id"] == 5


async def test_in_a_muted_chat_nobody_is_seen_typing(
    receiver: UpdateReceiver, chats: FirestoreChats, paused_queue: PausedQueue, key: ChatKey
) -> None:
    muted = Chat(key=key, access=ChatAccess(muted_until=NOW + SECOND))
    await chats.client.document(f"chats/{key.id}").set(muted.model_dump())
    assert await receive(receiver, arrival(in_chat(key, message_update(7)))) is None
    assert len(await paused_queue.wakes()) == 1


async def test_every_known_update_is_stored_and_woken_for(
    receiver: UpdateReceiver, chats: FirestoreChats, paused_queue: PausedQueue, key: ChatKey
) -> None:
    agent = f"a{key.chat_id}"  # its own agent, as all tests share the collection of chats
    stored = dict[str, int]()
    for name, raw in RAW.items():
        await receive(receiver, arrival(raw, agent))
        envelope = read_envelope(agent, raw)
        assert envelope is not None
        stored[envelope.key.id] = await chats.unread_count(envelope.key)
        assert EXPECTED[name].urgency in {
            wake.reason for wake in await paused_queue.wakes() if wake.key == envelope.key
        }
    assert sum(stored.values()) == len({raw["update_id"] for raw in RAW.values()})


NO_UPDATES = {
    "nothing": b"",
    "no JSON": b"hello",
    "no object": b"[1, 2]",
    "no id": b'{"message": {}}',
    "an id of words": b'{"update_id": "7"}',
    "no text at all": bytes(range(128, 256)) * 4096,
    "nesting": b"[" * 100_000,
    "deep nesting": b'{"update_id": 7, "message": ' + b'{"a": ' * 20_000 + b"1" + b"}" * 20_001,
    "a huge number": b'{"update_id": ' + b"9" * 5000 + b"}",
}


@pytest.mark.parametrize("name", NO_UPDATES)
async def test_keeps_a_body_that_is_no_update_as_a_dead_letter(
    receiver: UpdateReceiver,
    chats: FirestoreChats,
    paused_queue: PausedQueue,
    name: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "lull")
    dead = arrival(NO_UPDATES[name])
    for _ in range(2):
        assert await receive(receiver, dead) is None
    found = (await chats.client.document(f"incidents/{dead_letter(dead).id}").get()).to_dict()
    assert decode_incident(found) == dead_letter(dead)
    assert await paused_queue.wakes() == []
    told = [vars(line)["fields"] for line in caplog.records if line.getMessage() == "an incident"]
    assert told == [{"kind": "dead_letter", "incident": dead_letter(dead).id}], "once, however often it comes"


@pytest.mark.parametrize("fill", [b"x", b"\xff", "é".encode(), b'"'], ids=ascii)
async def test_the_longest_body_fits_into_a_document(
    receiver: UpdateReceiver, chats: FirestoreChats, fill: bytes
) -> None:
    dead = arrival((fill * LONGEST_BODY)[:LONGEST_BODY])
    assert await receive(receiver, dead) is None
    assert (await chats.client.document(f"incidents/{dead_letter(dead).id}").get()).exists


@pytest.mark.parametrize("depth", [5, 90, 100, 200, 900])
async def test_a_nested_update_is_read_again_or_not_stored_at_all(
    receiver: UpdateReceiver, chats: FirestoreChats, key: ChatKey, depth: int
) -> None:
    raw = in_chat(key, message_update(7))
    raw["message"]["x"] = json.loads("[" * depth + "]" * depth)
    assert read_envelope("lull", raw) is not None
    await receive(receiver, arrival(raw))
    assert [update.raw for update in await chats.unread(key, 5)] in ([], [raw])
    assert depth > 90 or await chats.unread_count(key) == 1


def incidents_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the kinds of incidents that were logged."""
    return [vars(line)["fields"]["kind"] for line in caplog.records if line.getMessage() == "an incident"]


async def test_an_update_that_can_never_be_stored_is_kept_as_far_as_it_fits(
    receiver: UpdateReceiver,
    chats: FirestoreChats,
    paused_queue: PausedQueue,
    key: ChatKey,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "lull")
    raw = in_chat(key, message_update(7, hard_to_pack()))
    body = json.dumps(raw, ensure_ascii=False).encode()
    assert len(body) <= LONGEST_BODY
    for _ in range(2):
        assert await receive(receiver, arrival(body)) is None
    found = await chats.client.document(f"incidents/{dead_letter(arrival(body)).id}").get()
    incident = decode_incident(found.to_dict())
    assert incident.why == "Firestore will never store an update as it is (InvalidArgument)"
    assert (incident.kind, incident.chat, incident.update_id) == (IncidentKind.DEAD_LETTER, key.id, 7)
    assert body.decode().startswith(incident.body)
    assert len(incident.body.encode()) >= LONGEST_INCIDENT_BODY - 3
    assert await chats.unread_count(key) == 0
    assert await paused_queue.wakes() == []
    assert incidents_in(caplog) == ["dead_letter"], "once, however often it comes"


async def test_an_update_whose_wake_is_refused_for_good_is_stored_and_told(
    inbox: FirestoreInbox,
    chats: FirestoreChats,
    paused_queue: PausedQueue,
    key: ChatKey,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "lull")
    receiver = UpdateReceiver(inbox=inbox, queue=paused_queue.ticks("nowhere"), names={}, quiet=QUIET, later=LATER)
    for _ in range(2):
        typing = await receive(receiver, arrival(in_chat(key, message_update(7))))
        assert typing is not None
        assert typing["chat_id"] == key.chat_id
    assert await chats.unread_count(key) == 1
    of_chat = chats.client.collection("incidents").where(filter=FieldFilter("chat", "==", key.id))
    (incident,) = [decode_incident(d.to_dict()) async for d in of_chat.stream()]
    assert (incident.kind, incident.at) == (IncidentKind.REFUSED_WAKE, NOW)
    assert incident.why == "Cloud Tasks will never take this task (InvalidArgument)"
    assert incidents_in(caplog) == ["refused_wake"]


async def test_without_a_tick_there_is_no_200(
    inbox: FirestoreInbox, chats: FirestoreChats, paused_queue: PausedQueue, key: ChatKey
) -> None:
    gone = paused_queue.ticks(missing=True)
    receiver = UpdateReceiver(inbox=inbox, queue=gone, names={}, quiet=QUIET, later=LATER)
    update = arrival(in_chat(key, message_update(7)))
    with pytest.raises(QueueUnavailable):
        await receive(receiver, update)
    again = UpdateReceiver(inbox=inbox, queue=paused_queue.ticks(), names={}, quiet=QUIET, later=LATER)
    await receive(again, update)
    assert len(await paused_queue.wakes()) == 1
    assert await chats.unread_count(key) == 1


@pytest.mark.parametrize(
    ("given", "expected"),
    [("hush", True), ("hus", False), ("hushh", False), ("", False), ("hüsh", False), ("\udcff", False)],
)
def test_only_the_secret_is_telegrams(given: str, expected: bool) -> None:
    assert is_from_telegram(given, "hush") is expected


def test_a_dead_letter_is_known_by_its_agent_and_its_body() -> None:
    one, other = arrival(b"x"), arrival(b"y")
    assert dead_letter(one) == dead_letter(one)
    assert len({dead_letter(a).id for a in (one, other, arrival(b"x", "moss"))}) == 3
