"""Every known shape of update, through the webhook and the tick: stored, read, never a crash, never nonsense."""

import json
from pathlib import Path

import httpx

from shared.telegram.inbound.envelope import read_envelope
from tests.stories.play import Json, Sandbox, until

DATA = Path(__file__).resolve().parents[1] / "data" / "updates.jsonl"
CASES = [json.loads(line) for line in DATA.read_text().splitlines()]


async def test_every_known_update_is_stored_and_read(sandbox: Sandbox) -> None:
    await sandbox.model.will_echo()
    before = frozenset(
        [(one.to_dict() or {}).get("id") async for one in sandbox.firestore.collection("plans").stream()]
    )
    secret = {"X-Telegram-Bot-Api-Secret-Token": sandbox.cloud.webhook_secret}
    async with httpx.AsyncClient(base_url=sandbox.cloud.webhook_url, timeout=60, headers=secret) as webhook:
        for case in CASES:
            response = await webhook.post("/moss", json=case["update"])
            assert response.status_code == 200, case["name"]
    for case in CASES:
        stored = await _read(sandbox, case["update"])
        assert json.loads(stored["raw"]) == _first_of_its_number(case["update"]), case["name"]
    for case in CASES:
        await _assert_answered_if_said(sandbox, case["update"], before)


async def _assert_answered_if_said(sandbox: Sandbox, update: Json, before: frozenset[str | None]) -> None:
    """Check that a plan answers only messages in private or to a channel, as nobody here addresses Moss.

    `before` has the plans of earlier stories, whose people may have the same numbers.
    """
    envelope = read_envelope("moss", update)
    assert envelope is not None
    found = (await sandbox.firestore.document(f"plans/{envelope.key.id}").get()).to_dict()
    answered = set(found["answers"]) if found and found.get("id") not in before else set()
    said = {c["update"]["message"]["message_id"] for c in CASES if _is_said_in_private(c["update"])}
    assert answered <= said


def _is_said_in_private(update: Json) -> bool:
    message = update.get("message", {})
    return message.get("chat", {}).get("type") == "private" or "direct_messages_topic" in message


def _first_of_its_number(update: Json) -> Json:
    return next(case["update"] for case in CASES if case["update"]["update_id"] == update["update_id"])


async def _read(sandbox: Sandbox, update: Json) -> Json:
    envelope = read_envelope("moss", update)
    assert envelope is not None
    path = f"chats/{envelope.key.id}/inbox/{envelope.update_id:020d}"

    async def is_read() -> Json | None:
        found = (await sandbox.firestore.document(path).get()).to_dict() or {}
        return found if found.get("read") else None

    found: Json = await until(is_read, f"{envelope.kind} is read")
    return found
