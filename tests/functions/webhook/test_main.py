"""The webhook function through functions-framework, as Telegram calls it."""

import json
from collections.abc import Iterator

import grpc
import httpx
import pytest
from google.cloud.tasks_v2.services.cloud_tasks import CloudTasksClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcTransport

from shared.telegram.inbound.envelope import read_envelope
from tests.shared.updates import hard_to_pack
from tests.stories.play import Json, Sandbox


@pytest.fixture(autouse=True)
def paused(sandbox: Sandbox) -> Iterator[None]:
    """Hold back ticks, as the chats of these updates do not exist; ticks of earlier tests end first."""
    queue = sandbox.cloud.queue
    transport = CloudTasksGrpcTransport(channel=grpc.insecure_channel(sandbox.cloud.tasks_address))
    with CloudTasksClient(transport=transport) as tasks:
        tasks.pause_queue(name=queue)
        yield
        tasks.purge_queue(name=queue)
        tasks.resume_queue(name=queue)


async def post(sandbox: Sandbox, body: bytes, agent: str = "lull", secret: str | None = None) -> httpx.Response:
    given = sandbox.cloud.webhook_secret if secret is None else secret
    headers = {b"X-Telegram-Bot-Api-Secret-Token": given.encode()}
    async with httpx.AsyncClient(base_url=sandbox.cloud.webhook_url, timeout=60) as client:
        return await client.post(f"/{agent}", content=body, headers=headers)


def update(update_id: int, **more: object) -> Json:
    person = {"id": 900, "is_bot": False, "first_name": "Zoe"}
    chat = {"id": 900 + update_id, "type": "private", "first_name": "Zoe"}
    message = {"message_id": 1, "from": person, "chat": chat, "date": 1763750400, "text": "hello", **more}
    return {"update_id": update_id, "message": message}


@pytest.mark.parametrize("secret", ["", "wrong", "ünïcode"])
async def test_a_wrong_secret_is_refused_and_nothing_is_stored(sandbox: Sandbox, secret: str) -> None:
    response = await post(sandbox, json.dumps(update(710001)).encode(), secret=secret)
    assert response.status_code == 401
    key = read_envelope("lull", update(710001))
    assert key is not None
    assert not (await sandbox.firestore.document(f"chats/{key.key.id}/inbox/{710001:020d}").get()).exists


async def test_an_unknown_agent_is_not_found(sandbox: Sandbox) -> None:
    assert (await post(sandbox, json.dumps(update(710002)).encode(), agent="nobody")).status_code == 404


async def test_anybody_may_read_the_page_on_privacy(sandbox: Sandbox) -> None:
    async with httpx.AsyncClient(base_url=sandbox.cloud.webhook_url, timeout=60) as client:
        shown = await client.get("/privacy.html")
    assert shown.status_code == 200
    assert shown.headers["content-type"] == "text/html; charset=utf-8"
    assert "script" not in shown.headers["content-security-policy"]
    assert "Messages to an agent are stored until somebody deletes them" in shown.text


async def test_a_body_over_one_mebibyte_is_refused(sandbox: Sandbox) -> None:
    assert (await post(sandbox, b"x" * (1024 * 1024 + 1))).status_code == 413


@pytest.mark.parametrize(
    "body",
    [b"", b"not json", b"[]", b"null", b'"text"', b"{}", b'{"update_id": "7"}', b'{"update_id": true}', b"\xff\xfe",
     b"[" * 100_000, b'{"update_id": 99999999999999999999999}'],
    ids=lambda b: b[:20].decode(errors="replace"),
)  # fmt: skip
async def test_what_is_no_update_is_kept_and_answered_200(sandbox: Sandbox, body: bytes) -> None:
    """Bodies are stored by agent and content, so no other test sends such bodies to this agent."""
    before = await incidents(sandbox)
    response = await post(sandbox, body, agent="librarian")
    assert response.status_code == 200
    again = await post(sandbox, body, agent="librarian")
    assert again.status_code == 200
    kept = [i for i in await incidents(sandbox) if i not in before and i.get("agent") == "librarian"]
    assert [i["kind"] for i in kept] == ["dead_letter"]


async def incidents(sandbox: Sandbox) -> list[Json]:
    return [d.to_dict() or {} async for d in sandbox.firestore.collection("incidents").stream()]


@pytest.mark.parametrize(
    "message", [{"text": "\ud800 lone"}, {"text": "é" * 100_000}, {"text": "a" * 900_000}, {"chat": 7}, {"date": "x"}],
    ids=["surrogate", "long", "near a mebibyte", "no chat", "no date"],
)  # fmt: skip
async def test_a_strange_update_is_stored_and_answered_200(sandbox: Sandbox, message: Json) -> None:
    number = 720000 + len(str(message))
    strange = update(number, **message)
    assert (await post(sandbox, json.dumps(strange).encode())).status_code == 200
    envelope = read_envelope("lull", strange)
    assert envelope is not None
    stored = await sandbox.firestore.document(f"chats/{envelope.key.id}/inbox/{number:020d}").get()
    assert (stored.to_dict() or {})["update_id"] == number


async def test_an_update_that_can_never_be_stored_is_kept_as_a_dead_letter_and_answered_200(sandbox: Sandbox) -> None:
    body = json.dumps(update(725001, text=hard_to_pack()), ensure_ascii=False).encode()
    for _ in range(2):
        response = await post(sandbox, body)
        assert (response.status_code, response.content) == (200, b"")
    kept = [i for i in await incidents(sandbox) if i.get("update_id") == 725001]
    assert [i["kind"] for i in kept] == ["dead_letter"]


async def test_an_update_whose_wake_is_refused_for_good_is_stored_and_answered_200(sandbox: Sandbox) -> None:
    lame = sandbox.cloud.add("webhook", env={"LULL_TICK_URL": "nowhere"})
    headers = {"X-Telegram-Bot-Api-Secret-Token": sandbox.cloud.webhook_secret}
    raw = update(725002)
    async with httpx.AsyncClient(base_url=lame, timeout=60) as client:
        response = await client.post("/lull", json=raw, headers=headers)
    assert response.status_code == 200
    envelope = read_envelope("lull", raw)
    assert envelope is not None
    assert (await sandbox.firestore.document(f"chats/{envelope.key.id}/inbox/{725002:020d}").get()).exists
    kept = [i for i in await incidents(sandbox) if i.get("chat") == envelope.key.id]
    assert [i["kind"] for i in kept] == ["refused_wake"]


async def test_a_queue_that_is_away_is_answered_500(sandbox: Sandbox) -> None:
    lame = sandbox.cloud.add("webhook", env={"LULL_QUEUE": f"{sandbox.cloud.queue}-gone"})
    headers = {"X-Telegram-Bot-Api-Secret-Token": sandbox.cloud.webhook_secret}
    async with httpx.AsyncClient(base_url=lame, timeout=60) as client:
        assert (await client.post("/lull", json=update(725003), headers=headers)).status_code == 500


async def test_a_repeat_is_stored_once(sandbox: Sandbox) -> None:
    body = json.dumps(update(730001, message_id=5, chat={"id": -730001, "type": "group", "title": "G"})).encode()
    for _ in range(3):
        assert (await post(sandbox, body)).status_code == 200
    envelope = read_envelope("lull", json.loads(body))
    assert envelope is not None
    stored = [d async for d in sandbox.firestore.collection(f"chats/{envelope.key.id}/inbox").stream()]
    assert len(stored) == 1


async def test_a_private_message_gets_the_typing_action_in_the_response(sandbox: Sandbox) -> None:
    private = await post(sandbox, json.dumps(update(740001)).encode())
    assert private.json() == {"method": "sendChatAction", "chat_id": 900 + 740001, "action": "typing"}
    group = await post(sandbox, json.dumps(update(740002, chat={"id": -5, "type": "group", "title": "G"})).encode())
    assert group.content == b""
