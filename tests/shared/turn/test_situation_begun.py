"""The text after the command that began a conversation is its first message."""

from shared.base.text import Entity
from shared.deciding.circumstances import OwnIdentity
from shared.turn.situation import ChatSituation
from shared.values.chat import CurrentConversation
from tests.shared.examples import ME, said

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",), frozenset({"new"}))
NEW = said("/new tell me of herons", updates=(5,), entities=(Entity(type="bot_command", offset=0, length=4),))


def test_they_call_for_an_answer() -> None:
    first = ChatSituation(me=SELF, talk=CurrentConversation(begun_by=5)).as_begun(NEW)
    assert first.model_dump()["text"] == "tell me of herons"
    assert first.model_dump()["decision"]["respond"]


def test_not_in_a_muted_chat() -> None:
    assert (
        ChatSituation(me=SELF, talk=CurrentConversation(begun_by=5), is_muted=True)
        .as_begun(NEW)
        .model_dump()["decision"]
        is None
    )


def test_any_other_message_stays_as_it_is() -> None:
    assert ChatSituation(me=SELF, talk=CurrentConversation(begun_by=4)).as_begun(NEW) is NEW
