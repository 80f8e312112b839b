"""Raw updates after a person was removed from them."""

import json

from shared.privacy.deletion.updates import carries_message, repeats_what_is_told, tells_of, without_words

ANN, BOB = {"id": 7, "first_name": "Ann"}, {"id": 8, "first_name": "Bob"}
CHAT = {"id": -5, "title": "A room"}
HERS = {"message_id": 1, "date": 5, "chat": CHAT, "from": ANN, "text": "mine"}


def test_an_id_is_found_wherever_it_is() -> None:
    assert tells_of({"message": {"entities": [{"user": ANN}]}}, 7)
    assert not tells_of({"message": {"from": BOB, "text": "7", "is": True}}, 7)
    assert not tells_of({"a": True}, 1)


def test_what_somebody_else_wrote_and_nobody_has_read_stays_without_what_it_quotes() -> None:
    raw = {"update_id": 1, "message": {"message_id": 2, "from": BOB, "text": "hm", "reply_to_message": HERS}}
    left = json.loads(without_words(raw, 7) or "{}")
    assert left["message"]["text"] == "hm"
    assert left["message"]["reply_to_message"] == {"message_id": 1, "date": 5, "chat": CHAT}


def test_a_person_mentioned_or_forwarded_is_left_out() -> None:
    told = {"message_id": 2, "from": BOB, "entities": [{"type": "text_mention", "user": ANN}], "forward_from": ANN}
    left = json.loads(without_words({"message": told}, 7) or "{}")
    assert left["message"]["entities"] == [{"type": "text_mention"}]
    assert "forward_from" not in left["message"]


def test_nothing_stays_of_an_update_that_is_theirs() -> None:
    assert without_words({"update_id": 1, "message": HERS}, 7) is None
    assert without_words({"update_id": 1, "message_reaction": {"message_id": 3, "user": ANN}}, 7) is None


def test_a_message_that_is_quoted_or_pressed_below_is_carried() -> None:
    pressed = {"callback_query": {"message": {"message_id": 5, "text": "heron"}}}
    quoted = {
        "message": {"message_id": 9, "from": BOB, "text": "so?", "reply_to_message": {"message_id": 5, "text": "heron"}}
    }
    assert [carries_message(one, {5}) for one in (pressed, quoted, {"message_reaction": {"message_id": 5}})] == [
        True, True, False,
    ]  # fmt: skip
    assert not carries_message(pressed, {6})
    assert carries_message({"messages": [{"message_id": 4, "text": "crane"}, *quoted.values()]}, {5})
    left = json.loads(without_words(quoted, 7, {5}) or "{}")
    assert (left["message"]["text"], left["message"]["reply_to_message"]) == ("so?", {"message_id": 5})


def test_what_an_owner_was_told_of_somebody_is_known_by_its_buttons_and_by_the_number() -> None:
    told = {"callback_query": {"data": "model:conv-1:a", "message": {"text": "Eve (7) writes"}}}
    listed = {"callback_query": {"data": "requests:conv-1:i12"}}
    assert [repeats_what_is_told(one, 7) for one in (told, listed)] == [True, True]
    assert not repeats_what_is_told({"message": {"text": "77 or 17 of them"}}, 7)
