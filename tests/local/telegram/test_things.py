"""Places, contacts, dice: messages without text or file."""

from typing import Any

import pytest

from tests.local.telegram.scene import Scene

SPOT = {"latitude": 50.4501, "longitude": 30.5234}


@pytest.mark.parametrize(
    "content",
    [
        {"location": SPOT},
        {"venue": {"location": SPOT, "title": "Café", "address": "Kyiv"}},
        {"contact": {"phone_number": "+15550100", "first_name": "Zoë"}},
        {"dice": {"emoji": "🎲", "value": 6}},
        {"checklist": {"title": "Groceries", "tasks": [{"id": 1, "text": "milk"}]}},
        {"rich_message": {"blocks": [{"type": "paragraph", "text": "hi"}]}},
    ],
    ids=lambda content: next(iter(content)),
)
async def test_what_a_person_sends_comes_as_telegram_tells_it(sandbox: Scene, content: dict[str, Any]) -> None:
    shown = await sandbox.say(sandbox.private, sandbox.ann, "", content=content)
    (update,) = await sandbox.updates()
    assert content.items() <= update["message"].items()
    assert ("location" in update["message"]) == (next(iter(shown["content"])) in {"location", "venue"})


@pytest.mark.parametrize("content", [{}, {"location": {}}, {"moon": {}}, {"location": SPOT, "dice": {}}, {"dice": 7}])
async def test_what_telegram_does_not_have_is_refused(sandbox: Scene, content: dict[str, Any]) -> None:
    body = {"from": sandbox.ann, "content": content}
    answer = await sandbox.http.post(f"/world/chats/{sandbox.private}/messages", json=body)
    assert (answer.status_code, await sandbox.updates()) == (400, [])
