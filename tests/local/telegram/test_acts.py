import pytest
from pydantic import TypeAdapter, ValidationError

from local.telegram import acts
from local.telegram.faults import TelegramFaultKind


def test_a_message_names_its_sender_from() -> None:
    message = acts.NewMessage.model_validate_json('{"from": 1, "text": "hi", "reply_to": 3}')
    assert (message.sender, message.text, message.reply_to, message.entities) == (1, "hi", 3, None)


def test_a_slip_in_a_field_is_noticed() -> None:
    with pytest.raises(ValidationError, match="replyto"):
        acts.NewMessage.model_validate_json('{"from": 1, "text": "hi", "replyto": 3}')


def test_a_chat_is_told_by_its_type() -> None:
    adapter: TypeAdapter[acts.NewPrivateChat | acts.NewGroup] = TypeAdapter(acts.NewChat)
    private = adapter.validate_json('{"type": "private", "person_id": 1, "bot_id": 2}')
    group = adapter.validate_json('{"type": "group", "title": "Team", "members": [1]}')
    assert isinstance(private, acts.NewPrivateChat)
    assert isinstance(group, acts.NewGroup)
    assert group.members == (1,)
    with pytest.raises(ValidationError, match="person_id"):
        adapter.validate_json('{"type": "private", "bot_id": 2}')


@pytest.mark.parametrize("username", ["ab", "with space", "umläut", "x" * 33])
def test_a_username_is_one_that_telegram_has(username: str) -> None:
    with pytest.raises(ValidationError, match="username"):
        acts.NewPerson(first_name="Ann", username=username)


def test_a_fault_has_its_defaults() -> None:
    fault = acts.NewFault.model_validate_json('{"method": "*", "kind": "cut_after"}')
    assert (fault.kind, fault.times, fault.bot_id) == (TelegramFaultKind.CUT_AFTER, 1, None)
