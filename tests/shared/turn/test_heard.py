"""Descriptions of files are told, and messages that waited for them are decided on."""

from dataclasses import replace
from datetime import timedelta

from shared.deciding.circumstances import DecisionContext, OwnIdentity
from shared.turn.hearing import as_heard, waiting_in
from shared.turn.revival import ResolvedWaits, is_over, resolve_waits
from shared.turn.situation import AwaitedFiles, ChatSituation
from shared.values.chat_key import ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import MediaDescribed, Message
from tests.shared.examples import ANN, ME, NOW, SECOND, said

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",), frozenset({"help"}))
WAIT = Decision(respond=False, reason="", tier=DecisionTier.WAIT, until=NOW + timedelta(seconds=20))
GIVEN = DecisionContext(kind=ChatKind.SUPERGROUP, me=SELF)


def voice(message_id: int = 5, *files: str) -> Message:
    refs = tuple(MediaRef(kind=MediaKind.VOICE, file_id="f", unique_id=one) for one in files or ("u1",))
    return said("", ANN, message_id, media="a voice message", media_refs=refs, decision=WAIT)


def told(says: str, *message_ids: int, name: str = "u1") -> MediaDescribed:
    found = Description(outcome=DescriptionOutcome.DESCRIBED, says=says)
    return MediaDescribed(
        at=NOW,
        updates=(77,),
        message_ids=message_ids or (5,),
        kind=MediaKind.VOICE,
        unique_id=name,
        description=found,
    )


def heard(*entries: MediaDescribed, waiting: tuple[Message, ...], after: int = 1) -> ResolvedWaits:
    situation = ChatSituation(me=SELF, files=AwaitedFiles(waiting=waiting), now=NOW + after * SECOND)
    return resolve_waits(entries, GIVEN, situation)


def test_who_is_called_is_answered_and_the_entry_says_so() -> None:
    found = heard(told("Lull, are you there?"), waiting=(voice(),))
    (entry,), (message,) = found.told, found.called
    assert entry.decision is not None
    assert entry.decision.reason == "called by name"
    # it came with the update that has its transcript
    assert (as_heard(message).text, message.updates, message.message_id) == ("Lull, are you there?", (77,), 5)


def test_who_is_not_called_waits_no_more_either() -> None:
    found = heard(told("see you"), waiting=(voice(),))
    assert found.called == ()
    assert found.told[0].decision is not None
    assert not found.told[0].decision.respond


def test_what_is_told_of_another_file_changes_nothing() -> None:
    other = told("Lull?", 9, name="u9")
    assert heard(other, waiting=(voice(),)) == ResolvedWaits(told=(other,))


def test_an_album_waits_for_all_of_it() -> None:
    album = voice(5, "u1", "u2")
    assert heard(told("Lull?"), waiting=(album,)).called == ()
    both = heard(told("Lull?"), told("hello", name="u2"), waiting=(album,))
    assert [as_heard(message).text for message in both.called] == ["Lull?\nhello"]


def test_after_its_time_it_is_decided_on_without_its_words() -> None:
    assert not is_over(voice(), ChatSituation(me=SELF, now=NOW))
    found = heard(waiting=(voice(),), after=20)
    (missing,) = found.told
    assert (missing.description.outcome, missing.updates) == (DescriptionOutcome.TEMPORARY_FAILURE, ())
    assert missing.decision is not None
    private = resolve_waits(
        [],
        replace(GIVEN, kind=ChatKind.PRIVATE),
        ChatSituation(me=SELF, files=AwaitedFiles(waiting=(voice(),)), now=NOW + 20 * SECOND),
    )
    assert [message.message_id for message in private.called] == [5]


def test_the_same_file_of_two_is_heard_for_both() -> None:
    found = heard(told("Lull?", 5, 6), waiting=(voice(5), voice(6)))
    assert [message.message_id for message in found.called] == [5, 6]
    assert [(one.message_ids, one.updates, one.decision is not None) for one in found.told] == [
        ((5,), (77,), True),
        ((6,), (), True),
    ]


def test_a_message_that_still_waits_for_another_file_is_not_decided_by_the_one_that_it_shares() -> None:
    found = heard(told("Lull?", 5, 6), waiting=(voice(5), voice(6, "u1", "u2")))
    assert [(one.message_ids, one.decision is not None) for one in found.told] == [((6,), False), ((5,), True)]
    assert waiting_in((voice(6, "u1", "u2"), *found.told)) != ()


def test_what_waited_in_a_conversation_of_long_ago_is_not_answered_any_more() -> None:
    found = heard(waiting=(voice(),), after=2 * 24 * 3600)
    assert found.called == ()
    assert found.told[0].decision is not None


def test_what_waits_without_a_file_waits_no_longer_either() -> None:
    lost = evolve(voice(), media_refs=())
    (entry,) = heard(waiting=(lost,)).told
    assert waiting_in((lost, entry)) == ()


def test_a_message_that_does_not_say_how_long_it_waits_is_decided_on_at_once() -> None:
    for decision in (None, evolve(WAIT, until=None)):
        message = evolve(voice(), decision=decision)
        assert is_over(message, ChatSituation(me=SELF, now=NOW))
        (missing,) = heard(waiting=(message,)).told
        assert missing.decision is not None
        assert not missing.decision.respond
