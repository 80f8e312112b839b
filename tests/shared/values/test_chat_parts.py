"""A chat's document has all fields at the top level, although the chat has parts."""

from datetime import UTC, datetime
from typing import Any

import pytest

from shared.values.budget import ChatBudget
from shared.values.chat import Chat, parts_of_chat
from shared.values.chat_key import ChatKey, ChatKind

AT = datetime(2026, 11, 1, 12, tzinfo=UTC)
#: a document as it was written before a chat had parts
DOCUMENT: dict[str, Any] = {
    "key": {"agent": "lull", "chat_id": -100, "topic_id": 4},
    "kind": ChatKind.SUPERGROUP,
    "title": "Garden",
    "topic": "Tea",
    "conversation": "conv-1",
    "seq": 9,
    "moved_seq": 2,
    "shown_seq": 8,
    "waits_until": AT,
    "turn": 3,
    "is_answered": True,
    "is_behind": True,
    "unpaged": "",
    "generation": 7,
    "lease": {"owner": "t", "until": AT},
    "due_at": AT,
    "starts": 1,
    "stop": 12,
    "moved_to": 0,
    "moved_from": -5,
    "begun_by": 11,
    "characters_per_token": 3.5,
    "model_failure": "it is overloaded",
    "active_until": AT,
    "direct_person": 6,
    "model": "big",
    "last_language": "de",
    "chosen_language": "uk",
    "spoken_language": "en",
    "keyboards": (),
    "unmarked_seq": 5,
    "own_marks": {"since": 3, "marked": (4,)},
    "muted_until": AT,
    "is_blocked": True,
    "asked_access_at": AT,
    "is_turned_away": True,
    "may_ask_once": True,
    "group_zone": "Europe/Kyiv",
    "conversation_title": "Beds",
    "segment": {"number": 2, "seq": 6, "part": 0, "terms_before": 1},
    "has_past": True,
    "rests_at": AT,
    "busy_since": AT,
    "shown_takeout": {"run": "r", "message_id": 8, "is_ended": False},
    "purse": ChatBudget().model_dump(),
    "erased_at": AT,
}


def test_a_document_of_before_is_read_and_written_as_it_was() -> None:
    chat = Chat.model_validate(DOCUMENT)
    assert (chat.talk.seq, chat.claim.generation, chat.locale.group_zone) == (9, 7, "Europe/Kyiv")
    assert chat.model_dump() == DOCUMENT


@pytest.mark.parametrize("name", [name for name in DOCUMENT if name != "key"])
def test_a_field_that_is_missing_has_its_default(name: str) -> None:
    chat = Chat.model_validate({one: value for one, value in DOCUMENT.items() if one != name})
    assert chat.model_dump()[name] == Chat(key=ChatKey(agent="lull", chat_id=-100)).model_dump()[name]


def test_no_two_parts_have_a_field_of_the_same_name() -> None:
    names = [name for part in parts_of_chat().values() for name in part.model_fields]
    assert len(names) == len(set(names))
    assert not set(names) & Chat.model_fields.keys()
