"""Messages answered only now: an edited one whose answer has not left, or one that names the agent since."""

import pytest

from shared.deciding.circumstances import DecisionContext, OwnIdentity
from shared.turn.revival import as_edited, mark_answered_edit, revived_messages
from shared.turn.situation import ChatSituation
from shared.values.chat_key import ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.media import Description, DescriptionOutcome, MediaKind
from shared.values.message import AnyEntry, Edit, MediaDescribed, Message
from tests.shared.examples import ANN, ME, NOW, said

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",))


YES = Decision(respond=True, reason="called by name", tier=DecisionTier.EXPLICIT)


def again(before: Message, text: str, *since: AnyEntry) -> tuple[Message, ...]:
    edit = Edit(at=NOW, message_id=before.message_id, author=ANN, text=text)
    given = DecisionContext(kind=ChatKind.SUPERGROUP, me=SELF, earlier=[before])
    return revived_messages([edit], {}, given, ChatSituation(me=SELF, window=(before, *since)))


def test_a_message_that_names_the_agent_only_now_is_answered() -> None:
    passed_over = said("what is it", ANN, 5)
    assert [m.text for m in again(passed_over, "lull, what is it?")] == ["lull, what is it?"]
    assert again(passed_over, "what was it") == ()


def test_what_was_answered_is_not_answered_again() -> None:
    assert again(said("lull?", ANN, 5, decision=YES), "lull, what is it?") == ()


@pytest.mark.parametrize(("message_id", "count"), [(5, 0), (6, 1)])
def test_an_earlier_edit_that_was_answered_counts_for_its_own_message_alone(message_id: int, count: int) -> None:
    edited = Edit(at=NOW, message_id=message_id, author=ANN, text="lull?", decision=YES)
    heard = MediaDescribed(
        at=NOW,
        message_ids=(message_id,),
        kind=MediaKind.VOICE,
        unique_id="v",
        description=Description(outcome=DescriptionOutcome.DESCRIBED, says="lull?"),
        decision=YES,
    )
    for since in (edited, heard):
        assert len(again(said("what is it", ANN, 5), "lull, what is it?", since)) == count


def test_an_edit_that_has_its_message_answered_says_so() -> None:
    message, edit = said("a", ANN, 5), Edit(at=NOW, message_id=5, author=ANN, text="b")
    told = mark_answered_edit(edit, (message,))
    assert isinstance(told, Edit)
    assert told.decision is not None
    assert told.decision.respond
    assert (mark_answered_edit(edit, ()), mark_answered_edit(message, (message,))) == (edit, message)


def test_a_message_reads_as_its_edit_does() -> None:
    message = said("a", ANN, 5)
    assert as_edited(message, Edit(at=NOW, message_id=5, author=ANN, text="b")).text == "b"
    assert as_edited(message, None) is message
