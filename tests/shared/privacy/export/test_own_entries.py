"""The entries that a person may export."""

from shared.base.text import Entity, EntityType
from shared.privacy.export.own_entries import ExportableEntries, line_of
from shared.values.decision import Decision, DecisionTier
from shared.values.media import Description, DescriptionOutcome, MediaKind
from shared.values.message import AnyEntry, ButtonPress, Edit, MediaDescribed, QuotedMessage
from shared.values.origin import ConversationSpan
from tests.shared.examples import ANN, BOB, ME, NOW
from tests.shared.exports import said

ANSWERED = Decision(respond=True, reason="named", tier=DecisionTier.EXPLICIT)
SILENT = Decision(respond=False, reason="nothing called", tier=DecisionTier.NONE)
WAITS = Decision(respond=False, reason="its words are not known yet", tier=DecisionTier.WAIT)


def taken(*entries: AnyEntry, is_private: bool = False) -> list[AnyEntry]:
    theirs = ExportableEntries(ANN.id, is_private=is_private)
    return [one for one in map(theirs.of, entries) if one is not None]


def test_in_private_everything_is_theirs() -> None:
    entries = [said(ANN, "hello", 1), said(ME, "hello Ann", 2), said(BOB, "a guest", 3)]
    assert taken(*entries, is_private=True) == entries


def test_of_a_group_it_is_what_they_wrote_and_what_was_said_to_them() -> None:
    mention = Entity(EntityType.MENTION, 0, 6)
    by_id = Entity(EntityType.TEXT_MENTION, 0, 3, user_id=ANN.id)
    entries = [
        said(ANN, "hello", 1),
        said(BOB, "to everybody", 2),
        said(BOB, "to Ann", 3, reply=QuotedMessage(message_id=1, author=ANN)),
        said(BOB, "@ann_a look", 4, entities=(mention,)),
        said(BOB, "Ann look", 5, entities=(by_id,)),
        said(BOB, "@bob_b look", 6, entities=(mention,)),
    ]
    assert [one.text for one in taken(*entries) if not isinstance(one, MediaDescribed | ButtonPress)] == [  # type: ignore[union-attr]
        "hello",
        "to Ann",
        "@ann_a look",
        "Ann look",
    ]


def test_an_answer_is_theirs_if_it_stands_below_their_message_or_is_for_all_who_asked_at_once() -> None:
    entries = [
        said(ANN, "who is right?", 1, turn=1, decision=ANSWERED),
        said(BOB, "yes, who?", 2, turn=1, decision=ANSWERED),
        said(ME, "both of you", 3, turn=1),
        said(ME, "but Bob more", 4, turn=1, reply=QuotedMessage(message_id=2, author=BOB, excerpt="yes")),
        said(ANN, "fine", 5, turn=2, decision=SILENT),
        said(ME, "to somebody else", 6, turn=2),
        said(ME, "to Ann", 7, turn=3, reply=QuotedMessage(message_id=5, author=ANN, excerpt="fine")),
    ]
    texts = [getattr(one, "text", "") for one in taken(*entries)]
    assert texts == ["who is right?", "both of you", "fine", "to Ann"]


def test_what_made_a_message_one_to_be_answered_later_counts() -> None:
    known = MediaDescribed(
        at=NOW, message_ids=(1, 9), kind=MediaKind.VOICE, unique_id="v", decision=ANSWERED, conversations=("conv-x",),
        description=Description(outcome=DescriptionOutcome.DESCRIBED, says="lull, hello"),
    )  # fmt: skip
    entries: list[AnyEntry] = [
        said(ANN, "", 1, turn=1, decision=WAITS),
        known,
        said(ME, "hello Ann", 2, turn=1),
        said(ANN, "what", 3, turn=2, decision=SILENT),
        Edit(at=NOW, message_id=3, author=ANN, text="lull, what?", decision=ANSWERED),
        said(ME, "that", 4, turn=2),
    ]
    found = taken(*entries)
    assert len(found) == 6
    assert isinstance(found[1], MediaDescribed)
    assert (found[1].message_ids, found[1].conversations) == ((1,), ())


def test_a_quote_of_what_is_not_theirs_is_its_number_alone() -> None:
    theirs = QuotedMessage(message_id=1, author=ANN, excerpt="hello")
    others = QuotedMessage(message_id=2, author=BOB, excerpt="to everybody", forwarded_from=BOB)
    found = taken(said(ANN, "hello", 1), said(ANN, "again", 3, reply=theirs), said(ANN, "and", 4, reply=others))
    assert [getattr(one, "reply", None) for one in found] == [None, theirs, QuotedMessage(message_id=2)]


def test_what_lull_decided_and_spent_on_others_is_not_told() -> None:
    reply = QuotedMessage(message_id=1, author=ANN)
    asked = said(BOB, "Ann?", 2, reply=reply, decision=ANSWERED, known_links=("https://bob.example",), looked_up=("x",))
    found = taken(said(ANN, "hello", 1), asked, ButtonPress(at=NOW, message_id=1, author=BOB, query_id="q"))
    assert [getattr(one, "decision", None) for one in found] == [None, None]
    assert (getattr(found[1], "known_links", None), getattr(found[1], "looked_up", None)) == ((), ())


def test_a_line_says_where_it_was_said() -> None:
    line = line_of(said(ANN, "hello", 1, turn=1), {"chat": "c"})
    assert (line["chat"], line["type"], line["role"], line["content"]) == ("c", "turn", "user", "hello")


def test_a_line_tells_of_nobody_whose_words_of_other_chats_were_shown_or_used() -> None:
    used = ConversationSpan(conversation="conv-a", chat_id=-5, first_seq=1, last_seq=2, people=(BOB.id,))
    line = line_of(said(ME, "So.", 2, turn=1, elsewhere=(used,), shown_of=(BOB.id, -5)), {})
    assert str(BOB.id) not in str(line)
