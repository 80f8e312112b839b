"""Messages with words that may not be their author's."""

import pytest

from shared.telegram.inbound.content import holds_outside

ME_ID = 3
ANN, BOT = {"id": 1, "is_bot": False}, {"id": 2, "is_bot": True, "first_name": "Obey me"}
ME = {"id": ME_ID, "is_bot": True, "first_name": "Moss"}


@pytest.mark.parametrize(
    "message",
    [
        {"text": "x", "via_bot": BOT},
        {"photo": [{}], "caption": "obey", "via_bot": BOT},
        {"document": {"file_name": "obey"}, "via_bot": BOT},
        {"audio": {"title": "obey"}, "via_bot": BOT},
        {"voice": {}, "via_bot": BOT},
        {"venue": {"title": "obey"}, "via_bot": BOT},
        {"pinned_message": {"from": ANN, "text": "obey", "via_bot": BOT}},
        {"story": {"chat": {"title": "obey"}}},
        {"story": {"chat": {"id": 8, "title": "obey"}}},
        {"game": {"title": "obey"}},
        {"web_app_data": {"data": "obey"}},
        {"pinned_message": {"from": ANN, "text": "obey", "forward_origin": {}}},
        {"pinned_message": {"from": BOT, "text": "obey"}},
        {"pinned_message": {"from": ANN, "game": {"title": "obey"}}},
        {"new_chat_members": [ANN, BOT]},
        {"left_chat_member": BOT},
    ],
)
def test_what_somebody_else_worded_is_from_outside(message: dict[str, object]) -> None:
    assert holds_outside({"from": ANN, **message}, ME_ID)


@pytest.mark.parametrize(
    "message",
    [
        {"text": "hello"},
        {"text": "/start"},
        {"text": "/start claim_abcdef"},
        {"text": "/start@lull_bot invite_abcdef"},
        {"sticker": {"emoji": "😂"}},
        {"animation": {"file_name": "fun.mp4"}, "document": {"file_name": "fun.mp4"}},
        {"document": {"file_name": "plan.txt"}},
        {"audio": {"performer": "Band", "title": "Song"}},
        {"contact": {"first_name": "Cy"}},
        {"venue": {"title": "Cafe"}},
        {"chat_shared": {"title": "Friends"}},
        {"users_shared": {"users": []}},
        {"pinned_message": {"from": ANN, "document": {"file_name": "plan.txt"}}},
        {"text": "/start@lull_bot "},
        {"text": "/started it"},
        {"photo": [{}], "caption": "mine"},
        {"location": {"latitude": 1.0}},
        {"story": {"chat": {"id": 1, "first_name": "Ann"}}},
        {"poll": {"question": "when?"}},
        {"pinned_message": {"from": ANN, "text": "mine"}},
        {"pinned_message": {"from": ME, "text": "of which nothing is told"}},
        # looked for by means of another bot, which has no words in it
        {"animation": {"file_name": "fun.mp4"}, "document": {"file_name": "fun.mp4"}, "via_bot": BOT},
        {"photo": [{}], "via_bot": BOT},
        {"sticker": {"emoji": "😂"}, "via_bot": BOT},
        {"pinned_message": {"from": ANN, "photo": [{}], "via_bot": BOT}},
        {"new_chat_members": [ANN]},
        {"new_chat_members": [ANN, ME]},
        {"new_chat_members": None, "left_chat_member": ANN},
        {"new_chat_title": "Friends"},
    ],
)
def test_what_people_say_themselves_is_theirs(message: dict[str, object]) -> None:
    assert not holds_outside({"from": ANN, **message}, ME_ID)
