"""A chat that returns to an earlier conversation."""

from datetime import UTC, datetime

from shared.chat.conversation import number_entry, resume_conversation
from shared.values.chat import Chat, ConversationInfo, CurrentConversation
from tests.shared.examples import GROUP_KEY, ME, said

CHAT = Chat(
    key=GROUP_KEY,
    conversation="conv-2",
    talk=CurrentConversation(seq=9, turn=4, model="small", conversation_title="Beds", begun_by=5),
)


def test_everything_of_the_conversation_is_as_it_was() -> None:
    kept = ConversationInfo(
        id="conv-1", chat=GROUP_KEY.id, title="Tea", manually_named=True, model="big", entries=3, turns=2,
        updated_at=datetime.now(UTC),
    )  # fmt: skip
    found = resume_conversation(CHAT, kept, (said("q", seq=3, turn=2), said("a", seq=4, turn=3, author=ME)))
    assert (found.conversation, found.talk.conversation_title, found.talk.model) == ("conv-1", "Tea", "big")
    assert (found.talk.seq, found.talk.turn, found.talk.is_answered) == (4, 3, True), (
        "the transcript knows better than the document"
    )
    assert (found.moves.moved_seq, found.talk.begun_by, found.key) == (0, 0, GROUP_KEY)


def test_messages_of_the_group_before_it_was_a_supergroup_have_no_ids_any_more() -> None:
    kept = ConversationInfo(id="conv-1", chat="another", entries=3)
    assert resume_conversation(CHAT, kept, ()).moves.moved_seq == 3
    assert not resume_conversation(CHAT, kept, (said("q", seq=3),)).talk.is_answered


def test_begins_a_new_turn_after_returning_to_an_answered_conversation() -> None:
    kept = ConversationInfo(id="conv-1", chat=GROUP_KEY.id, entries=3, turns=1)
    window = (said("q", seq=1, turn=1), said("a", seq=2, turn=1, author=ME), said("/new", seq=3, is_command=True))
    assert number_entry(resume_conversation(CHAT, kept, window), said("another"))[0].talk.turn == 2


def test_a_title_that_no_person_gave_is_not_taken_for_a_persons() -> None:
    kept = ConversationInfo(id="conv-1", chat=GROUP_KEY.id, title="A model's title", entries=3)
    assert resume_conversation(CHAT, kept, ()).talk.conversation_title == ""
