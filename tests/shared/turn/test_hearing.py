"""A voice message counts as its spoken words; it waits until they are known, and only it waits."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.base.text import EntityType
from shared.deciding.circumstances import DecisionContext, OwnIdentity
from shared.planning.prompt.attaching import visible_files
from shared.turn.hearing import (
    NOT_DESCRIBING,
    DescribingOptions,
    as_heard,
    decide_heard,
    decide_now,
    heard_messages,
    is_complete,
    unheard_entries,
    waiting_in,
)
from shared.values.capabilities import Capabilities, InputKind
from shared.values.chat_key import ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.described import with_descriptions
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import Edit, MediaDescribed, Message
from shared.values.showing import FileLimits
from tests.shared.examples import ANN, BOB, ME, NOW, said
from tests.shared.planning.prompt.scenes import scene

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",), frozenset({"help", "stop"}))
UNTIL = NOW + timedelta(seconds=20)
HOW = DescribingOptions(until=UNTIL)
SEEING = DescribingOptions(until=UNTIL, planner=Capabilities(takes=frozenset(InputKind)))


def group(*earlier: Message, **fields: object) -> DecisionContext:
    return replace(DecisionContext(kind=ChatKind.SUPERGROUP, me=SELF, earlier=earlier), **fields)  # type: ignore[arg-type]


PRIVATE = DecisionContext(kind=ChatKind.PRIVATE, me=SELF)


def file(kind: MediaKind, says: str | None = None, name: str = "u1") -> MediaRef:
    described = Description(outcome=DescriptionOutcome.DESCRIBED, says=says) if says is not None else None
    return MediaRef(kind=kind, file_id="f", unique_id=name, description=described)


def voice(says: str | None = None, text: str = "", message_id: int = 5, **fields: object) -> Message:
    return said(text, ANN, message_id, media="a voice message", media_refs=(file(MediaKind.VOICE, says),), **fields)


def told(says: str, decision: Decision | None = None, name: str = "u1") -> MediaDescribed:
    found = Description(outcome=DescriptionOutcome.DESCRIBED, says=says)
    return MediaDescribed(
        at=NOW, message_ids=(5,), kind=MediaKind.VOICE, unique_id=name, description=found, decision=decision
    )


@pytest.mark.parametrize("given", [group(), PRIVATE])
def test_a_voice_message_waits_until_its_words_are_known(given: DecisionContext) -> None:
    decision = decide_heard(voice(), given, HOW)
    assert (decision.respond, decision.tier, decision.until) == (False, DecisionTier.WAIT, UNTIL)
    assert decide_heard(voice("Lull, what is the time?"), given, HOW).respond


def test_what_nobody_would_answer_does_not_wait() -> None:
    assert decide_heard(voice(), group(is_muted=True), HOW).tier is DecisionTier.NONE
    assert decide_heard(said("", ME, 5, media_refs=(file(MediaKind.VOICE),)), group(), HOW).tier is DecisionTier.NONE
    bot = evolve(BOB, is_bot=True)
    assert decide_heard(said("", bot, 5, media_refs=(file(MediaKind.VOICE),)), group(), HOW).tier is DecisionTier.NONE


def test_where_nobody_describes_nothing_waits() -> None:
    assert decide_heard(voice(), PRIVATE, NOT_DESCRIBING).respond
    assert not decide_heard(voice(), group(), NOT_DESCRIBING).respond


@pytest.mark.parametrize("kind", [MediaKind.PHOTO, MediaKind.STICKER, MediaKind.VIDEO, MediaKind.AUDIO])
def test_other_files_wait_only_where_the_planner_is_not_shown_them(kind: MediaKind) -> None:
    message = said("what is this?", ANN, 5, media_refs=(file(kind),))
    assert decide_heard(message, PRIVATE, HOW).tier is DecisionTier.WAIT
    assert decide_heard(message, PRIVATE, SEEING).respond
    # no message asked about it
    assert decide_heard(message, group(), HOW).tier is DecisionTier.NONE


@pytest.mark.parametrize(
    ("refs", "limits"),
    [
        ((evolve(file(MediaKind.VIDEO), duration_s=121),), FileLimits()),
        ((evolve(file(MediaKind.AUDIO), duration_s=121),), FileLimits()),
        ((file(MediaKind.PHOTO),), FileLimits(pictures=0)),
        (tuple(file(MediaKind.PHOTO, name=f"u{n}") for n in range(5)), FileLimits()),
    ],
)
def test_a_file_that_the_planner_is_not_shown_for_want_of_room_is_waited_for(
    refs: tuple[MediaRef, ...], limits: FileLimits
) -> None:
    message = said("what is this?", ANN, 5, media_refs=refs, media="a file")
    how = replace(SEEING, limits=limits)
    assert decide_heard(message, PRIVATE, how).tier is DecisionTier.WAIT
    # it waits because the prompt would attach only a part of it
    shown = visible_files(scene(message, targets=[5]), SEEING.planner, limits)
    assert len(shown) < len(refs)
    assert decide_heard(message, PRIVATE, replace(how, limits=FileLimits(pictures=5, sound_s=121))).respond


def test_a_custom_emoji_holds_up_nothing() -> None:
    assert decide_heard(said("hi", ANN, 5, media_refs=(file(MediaKind.CUSTOM_EMOJI),)), PRIVATE, HOW).respond


def test_a_document_of_which_nobody_knows_what_it_is_is_waited_for() -> None:
    ref = MediaRef(kind=MediaKind.DOCUMENT, file_id="f", unique_id="u1", mime_type="application/octet-stream")
    assert decide_heard(said("read it", ANN, 5, media_refs=(ref,)), PRIVATE, SEEING).tier is DecisionTier.WAIT
    pdf = evolve(ref, mime_type="application/pdf")
    assert decide_heard(said("read it", ANN, 5, media_refs=(pdf,)), PRIVATE, SEEING).respond


def test_a_name_that_is_said_calls_and_one_that_is_not_does_not() -> None:
    assert decide_now(voice("Lull, tell us a joke"), group()).reason == "called by name"
    assert not decide_now(voice("see you tomorrow"), group()).respond


@pytest.mark.parametrize(("words", "command"), [("/help", True), ("/help.", True), ("help", False), ("/x y/z", False)])
def test_a_command_that_is_said_is_one(words: str, command: bool) -> None:
    heard = as_heard(voice(words))
    assert heard.text == words
    is_one = any(e.type == EntityType.BOT_COMMAND and e.offset == 0 for e in heard.entities)
    assert is_one or not command
    assert decide_now(voice(words), group()).respond is command


def test_the_words_stand_behind_a_caption_and_are_no_command_there() -> None:
    heard = as_heard(voice("/help", text="listen"))
    assert (heard.text, heard.entities) == ("listen\n/help", ())
    assert as_heard(said("a")) == said("a")


def test_what_waits_is_known_by_its_decision_until_that_is_made() -> None:
    waiting = voice(decision=Decision(respond=False, reason="", tier=DecisionTier.WAIT, until=UNTIL))
    assert waiting_in([waiting]) == (waiting,)
    (heard,) = waiting_in([waiting, told("hello")])
    assert heard.media_refs[0].description is not None
    yes = Decision(respond=True, reason="", tier=DecisionTier.EXPLICIT)
    assert waiting_in([waiting, told("hello", yes)]) == ()
    assert waiting_in([waiting, Edit(at=NOW, message_id=5, author=ANN, decision=yes)]) == ()
    assert waiting_in([voice()]) == ()


def test_all_of_an_album_has_to_be_known() -> None:
    album = said("", ANN, 5, media_refs=(file(MediaKind.VOICE), file(MediaKind.VOICE, name="u2")))
    one = with_descriptions(album, {"u1": told("a").description})
    assert not is_complete(one)
    assert is_complete(with_descriptions(one, {"u2": told("b").description}))
    assert as_heard(with_descriptions(one, {"u2": told("b").description})).text == "a\nb"


@pytest.mark.parametrize("count", [8, 9, 10])
def test_an_album_does_not_wait_for_what_is_described_later(count: int) -> None:
    how = DescribingOptions(until=UNTIL, most=8)
    refs = tuple(file(MediaKind.PHOTO, name=f"u{at}") for at in range(count))
    album = said("@lull_bot what is it?", ANN, 5, media_refs=refs)
    assert not is_complete(album, how)
    first = with_descriptions(album, {f"u{at}": told("a cat").description for at in range(8)})
    assert is_complete(first, how)
    assert not is_complete(
        with_descriptions(album, {f"u{at}": told("a cat").description for at in range(2, count)}), how
    )


def test_among_many_files_what_is_spoken_is_waited_for_first() -> None:
    refs = (*(file(MediaKind.PHOTO, name=f"u{at}") for at in range(9)), file(MediaKind.VOICE, name="v"))
    album = said("", ANN, 5, media_refs=refs)
    how = DescribingOptions(until=UNTIL, most=1)
    assert is_complete(with_descriptions(album, {"v": told("hello").description}), how)
    assert not is_complete(with_descriptions(album, {"u0": told("a cat").description}), how)


def test_what_was_heard_counts_for_what_is_said_behind_it() -> None:
    assert [m.text for m in heard_messages([voice(), told("hello"), said("x", BOB, 6)])] == ["hello", "x"]


def test_a_message_that_waits_no_more_is_told_with_what_is_missing() -> None:
    no = Decision(respond=False, reason="", tier=DecisionTier.NONE)
    (missing,) = unheard_entries(voice(), NOW, no)
    assert (missing.message_ids, missing.description.outcome) == ((5,), DescriptionOutcome.TEMPORARY_FAILURE)
    assert missing.decision == no
    # with a complete description, the decision follows from that
    (whole,) = unheard_entries(voice("hello"), NOW, no)
    assert whole.description.says == "hello"
