"""A number that no Firestore document holds ends no chat, wherever it stands in an update."""

from typing import Any

import pytest

from shared.values.incident import IncidentKind
from tests.shared.turn.harness import ChatHarness

HUGE = 10**24
FILE = {"file_id": "f", "file_unique_id": "u", "file_size": HUGE}
POLL = {"id": "1", "question": "?", "options": [{"text": "a", "voter_count": HUGE}], "total_voter_count": HUGE}
CONTENTS: dict[str, dict[str, Any]] = {
    "a photo": {"photo": [FILE | {"width": HUGE, "height": HUGE}]},
    "a voice note": {"voice": FILE | {"duration": HUGE}},
    "a film": {"video": FILE | {"duration": HUGE, "width": HUGE, "height": HUGE}},
    "a document": {"document": FILE | {"file_name": "a.pdf"}},
    "a die": {"dice": {"emoji": "🎲", "value": HUGE}},
    "a place": {"location": {"latitude": 1e300, "longitude": float(HUGE), "live_period": HUGE}},
    "a contact": {"contact": {"phone_number": "1", "first_name": "Eve", "user_id": HUGE}},
    "a poll": {"poll": POLL},
    "a payment": {"successful_payment": {"currency": "XTR", "total_amount": HUGE, "invoice_payload": "p"}},
    "a timer": {"message_auto_delete_timer_changed": {"message_auto_delete_time": HUGE}},
    "a boost": {"boost_added": {"boost_count": HUGE}},
    "a forward": {"text": "so", "forward_origin": {"type": "hidden_user", "date": HUGE, "sender_user_name": "Eve"}},
    "a date": {"text": "so", "date": HUGE, "edit_date": HUGE},
    "a mark of text": {"text": "so", "entities": [{"type": "bold", "offset": HUGE, "length": HUGE}]},
    "an id of a message": {"text": "so", "message_id": HUGE},
    "a reply": {"text": "so", "reply_to_message": {"message_id": HUGE, "date": HUGE, "text": "what?"}},
    "a thread": {"text": "so", "message_thread_id": HUGE},
    "an album": {"photo": [FILE], "media_group_id": str(HUGE)},
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
async def test_the_next_question_is_answered(harness: ChatHarness, content: dict[str, Any]) -> None:
    await harness.will_plan({"kind": "send", "text": "Yes."}, times=None)
    await harness.take(update(harness, {"message_id": 900_001, "date": 1_790_000_000} | content))
    await harness.rests()
    await harness.writes("hello?")
    await harness.rests()
    assert "hello?" in [entry.get("text") for entry in await harness.transcript()]
    assert "Yes." in await harness.said()
    # a quote of an impossible message cannot be sent, and the model is told so
    assert {one.kind for one in await harness.incidents()} <= {IncidentKind.DROPPED_PLAN}


def update(harness: ChatHarness, message: dict[str, Any]) -> dict[str, Any]:
    """Make an update of the room's chat in Telegram's form."""
    chat = {"id": harness.key.chat_id, "type": "private", "first_name": "Ann"}
    sender = {"id": harness.key.chat_id, "is_bot": False, "first_name": "Ann", "language_code": "en"}
    return {"update_id": 800_000_001, "message": {"chat": chat, "from": sender} | message}
