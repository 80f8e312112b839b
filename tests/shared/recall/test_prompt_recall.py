"""Tests of adding earlier conversations to a prompt."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from shared.base.errors import StoreUnavailable
from shared.memory.loaded import LoadedMemories
from shared.memory.visible import MemoryAudience
from shared.planning.prompt.origins import OWN_AFTER, is_derived
from shared.planning.prompt.scene import Scene
from shared.recall.prompt_recall import ELSEWHERE, PromptRecall
from shared.turn.answer import with_recall
from shared.turn.batch import InboxBatch
from shared.values.chat_key import ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Message
from shared.values.origin import ConversationSpan, TextOrigin
from shared.values.place import Asker, place_of
from shared.values.prompt_format import PromptFormat
from shared.values.recalled import RecalledTurns, RecallHit, RecallHits, RecallQuery, ShownEntries
from shared.values.transcript import people_in
from tests.shared.examples import ANN, BOB, KEY, NOW, said
from tests.shared.planning.prompt.scenes import PRIVATE, scene
from tests.shared.tools.played import finding

RESPOND = Decision(respond=True, reason="a private chat", tier=DecisionTier.CHAT)


@dataclass
class Memory:
    """A fake search service that returns given results, or fails."""

    found: tuple[RecallHit, ...] = ()
    failure: Exception | None = None
    asked: list[tuple[Asker, RecallQuery]] = field(default_factory=list)

    async def search(self, asker: Asker, wanted: RecallQuery) -> RecallHits:
        self.asked.append((asker, wanted))
        if self.failure is not None:
            raise self.failure
        return RecallHits(found=self.found, total=9, reads=40)

    async def turns(self, asker: Asker, conversation: str, first: int | None, last: int | None) -> RecalledTurns | None:
        raise AssertionError("nobody fetches turns for a prompt")


def batch(*entries: AnyEntry) -> InboxBatch:
    return InboxBatch(update_ids=(1,), entries=entries, kind=ChatKind.PRIVATE)


def nothing_known() -> asyncio.Future[LoadedMemories]:
    """Return memories that contain no fact, neither remembered nor forgotten."""
    return asyncio.ensure_future(asyncio.sleep(0, LoadedMemories(here=MemoryAudience(key=KEY, people=(ANN.id,)))))


def question(text: str, **fields: object) -> Message:
    return said(text, message_id=7, decision=RESPOND, **fields)  # type: ignore[arg-type]


async def recalled(memory: Memory, text: str, *entries: AnyEntry, **fields: object) -> tuple[Scene, InboxBatch]:
    """Return the scene and the batch after a question. `entries` come before the question."""
    asked = batch(question(text))
    found, note = await PromptRecall(recall=memory).about(scene(*entries, **fields), asked.question, nothing_known())  # type: ignore[arg-type]
    return found, with_recall(asked, note)


def note_in(asked: InboxBatch) -> object:
    (entry,) = asked.entries
    assert isinstance(entry, Message)
    assert entry.decision is not None
    return entry.decision.recall


async def test_shows_results_with_day_and_place() -> None:
    memory = Memory((finding(people=(ANN.id,), place=place_of(KEY)), finding(score=0.1)))
    found, asked = await recalled(memory, "what did we decide about the trip?", said("hello", seq=12))
    (passage,) = found.earlier.recalled
    assert passage.text == 'Fri 2026-05-08 in "Friends", conversation conv-1:\nBob: we go in May'
    assert (passage.source.origin, passage.source.person) == (TextOrigin.PERSON, ANN.id)
    note = note_in(asked)
    assert note is not None
    assert (note.is_asked, note.found, note.matches, note.reads) == (True, 1, 9, 40)  # type: ignore[attr-defined]
    asker, wanted = memory.asked[0]
    assert (asker.is_explicit, asker.places, wanted.limit) == (False, (place_of(KEY),), 6)


async def test_does_not_search_for_shown_messages() -> None:
    memory = Memory()
    here = scene(said("hello", seq=12))
    await PromptRecall(recall=memory).about(here, question("what did we decide?"), nothing_known())  # type: ignore[arg-type]
    shown = memory.asked[0][1].shown
    assert shown == (ShownEntries(conversation=here.chat.conversation, from_seq=12) if here.chat.conversation else None)


async def test_does_not_search_without_a_reason_and_records_why() -> None:
    memory = Memory()
    found, asked = await recalled(memory, "I bought a bicycle")
    assert (memory.asked, found.earlier.recalled) == ([], ())
    note = note_in(asked)
    assert note is not None
    assert (note.is_asked, note.why) == (False, "the message asks nothing")  # type: ignore[attr-defined]


async def test_removes_the_agents_mention_from_the_query() -> None:
    memory = Memory()
    called = scene().agent.front.username
    await recalled(memory, f"@{called.upper()} do you remember what @rower said of the boat?")
    assert memory.asked[0][1].query.split() == ["do", "you", "remember", "what", "@rower", "said", "of", "the", "boat?"]
    found, _ = await recalled(memory, f"@{called}?")
    assert (len(memory.asked), found.earlier.recalled) == (1, ())


async def test_searches_for_a_day_unless_the_prompt_covers_it() -> None:
    memory, dated = Memory(), {"format": PromptFormat.META}
    day = NOW - timedelta(days=2)
    text = f"what did we do on {day:%Y-%m-%d}?"
    await recalled(memory, text, said(f"{day:%Y-%m-%d}", seq=12, at=day), **dated)
    assert len(memory.asked) == 1
    found, asked = await recalled(memory, text, said("hello", seq=1, at=day - timedelta(days=1)), **dated)
    assert (len(memory.asked), found.earlier.recalled) == (1, ())
    note = note_in(asked)
    assert note is not None
    assert note.why == "the day that the message asks about is shown"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        "What did we do on {late} and on {early}?",
        "What did we do on {early} and on {late}?",
        "Was haben wir am {late} und am {early} gemacht?",
        "Что мы делали {late} и {early}?",
        "What did we talk about yesterday and on {early}?",
        "What did we do on {late}, on {later} and on {early}?",
    ],
)
async def test_searches_for_days_unless_the_prompt_covers_all(text: str) -> None:
    memory, early, late = Memory(), NOW - timedelta(days=20), NOW - timedelta(days=2)
    days = {"early": early, "late": late, "later": NOW - timedelta(days=1)}
    asked = text.format(**{name: f"{day:%Y-%m-%d}" for name, day in days.items()})
    before_late = said("hello", seq=1, at=late - timedelta(days=1))
    await recalled(memory, asked, before_late, format=PromptFormat.META)
    assert len(memory.asked) == 1
    before_all = said("hello", seq=1, at=early - timedelta(days=1))
    await recalled(memory, asked, before_all, format=PromptFormat.META)
    assert len(memory.asked) == 1


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("What is today?", False), ("What time is it today?", False), ("What day is it today?", False),
        ("How are you today?", False), ("¿Qué día es hoy?", False), ("Che giorno è oggi?", False),
        ("What did we do today?", True), ("What happened today?", True), ("What did you say today?", True),
        ("Was haben wir heute gemacht?", True), ("О чём мы говорили сегодня?", True), ("¿Qué hicimos hoy?", True),
        ("Що ми робили сьогодні?", True), ("What time did we talk today?", True), ("What day was yesterday?", True),
    ],
)  # fmt: skip
async def test_searches_for_what_was_said_today_but_not_for_the_date(text: str, is_asked: bool) -> None:
    memory = Memory()
    await recalled(memory, text, said("hello", seq=12), format=PromptFormat.META)
    assert bool(memory.asked) == is_asked


async def test_a_day_without_year_is_the_last_one() -> None:
    memory, day = Memory(), NOW - timedelta(days=2)
    before = said("hello", seq=1, at=day - timedelta(days=1))
    await recalled(memory, f"what did we do on {day:%d %B}?", before, format=PromptFormat.META)
    assert memory.asked == []


async def test_searches_for_days_if_the_prompt_shows_no_days() -> None:
    memory, before = Memory(), said("hello", seq=1, at=NOW - timedelta(days=9))
    chat = evolve(PRIVATE, conversation="conv-1")
    await recalled(memory, "what did we do yesterday?", before, chat=chat)
    assert [wanted.shown for _, wanted in memory.asked] == [None]
    await recalled(memory, "do you remember the boat?", before, chat=chat)
    assert memory.asked[-1][1].shown is not None


async def test_drops_results_with_a_low_fit() -> None:
    memory = Memory((finding(fit=0.1), finding(fit=0.5)))
    found, _ = await recalled(memory, "do you remember the trip?")
    assert len(found.earlier.recalled) == 1


async def test_other_peoples_words_from_elsewhere_are_outside_text() -> None:
    memory = Memory((finding(people=(BOB.id,)), finding(outside=("a forwarded message",))))
    found, _ = await recalled(memory, "do you remember the trip?")
    assert [(one.source.origin, one.source.what) for one in found.earlier.recalled] == [
        (TextOrigin.OUTSIDE, ELSEWHERE),
        (TextOrigin.OUTSIDE, f"a forwarded message, {ELSEWHERE}"),
    ]


async def test_the_agents_words_from_elsewhere_are_marked() -> None:
    found, _ = await recalled(Memory((finding(outside=(OWN_AFTER,)),)), "do you remember the trip?")
    assert not is_derived(one.source.what for one in found.earlier.recalled)


async def test_a_failed_search_leaves_the_scene_unchanged() -> None:
    found, asked = await recalled(Memory(failure=StoreUnavailable("gone")), "do you remember the trip?")
    assert found.earlier.recalled == ()
    note = note_in(asked)
    assert note is not None
    assert (note.is_asked, note.trouble) == (True, "it could not be searched")  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["", "what did we decide about it?"])
async def test_does_not_search_without_a_question(text: str) -> None:
    asked = batch(said(text, message_id=7))
    _, note = await PromptRecall(recall=Memory()).about(scene(), asked.question, nothing_known())  # type: ignore[arg-type]
    assert note is None
    assert with_recall(asked, note) is asked


async def test_records_whose_words_were_shown_with_the_last_question() -> None:
    looked_up = ConversationSpan(conversation="conv-a", chat_id=-5, first_seq=1, last_seq=2, people=(ANN.id,))
    asked = batch(question("what did we decide?"), said("and so?", message_id=8, decision=RESPOND))
    found = with_recall(asked, None, [looked_up])
    assert [e.shown_of for e in found.entries if isinstance(e, Message)] == [(), (ANN.id, -5)]
    assert people_in(found.entries) >= {ANN.id, -5}
