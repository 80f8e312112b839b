"""A transcript's entries as the console shows them."""

from datetime import timedelta
from typing import Any

from shared.base.model_call import ModelCall
from shared.console.conversations.entries import EntrySpan, items_of, with_made
from shared.console.conversations.store import StoredPage
from shared.values.decision import Decision, DecisionTier
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import TITLED, AnyEntry, ButtonPress, Edit, Event, MediaDescribed, Reaction
from shared.values.notes import NotedEvent
from shared.values.prompt import CompressionSummary
from tests.shared.examples import ANN, BOB, ME, NOW, SECOND, said

SILENT = Decision(respond=False, reason="said to Bob", tier=DecisionTier.NONE)
FOLLOWED = Decision(respond=True, reason="follow-up", tier=DecisionTier.FOLLOW_UP)


def page(*entries: AnyEntry, first: int = 1) -> StoredPage:
    """Make a page as it is stored."""
    return StoredPage(first=first, entries=[one.model_dump() for one in entries])


def shown(*entries: AnyEntry) -> list[dict[str, Any]]:
    """Show one page."""
    return items_of([page(*entries)])


def test_a_message_has_its_decision_in_words_beside_it() -> None:
    silent, answered = shown(
        said("Bob, tea?", seq=1, turn=1, decision=SILENT), said("and you?", message_id=2, seq=2, decision=FOLLOWED)
    )
    assert silent["decision"] | {"ms": 0} == {
        "respond": False, "tier": "none", "reason": "said to Bob", "ms": 0, "until": "", "recalled": None,
    }  # fmt: skip
    assert (answered["decision"]["respond"], answered["decision"]["reason"]) == (True, "follow-up")
    assert (silent["by"]["name"], silent["role"], silent["turn"]) == ("Ann", "turn", 1)


def test_an_edit_shows_the_new_text_and_keeps_the_old_one() -> None:
    first = Edit(at=NOW + SECOND, seq=2, message_id=1, author=ANN, text="tea")
    second = Edit(at=NOW + 2 * SECOND, seq=3, message_id=1, author=ANN, text="cocoa", decision=FOLLOWED)
    (item,) = shown(said("coffee", seq=1), first, second)
    assert item["text"] == "cocoa"
    assert [one["text"] for one in item["edits"]] == ["coffee", "tea"]
    assert [one["at"] for one in item["edits"]] == [NOW.isoformat(), (NOW + SECOND).isoformat()]
    assert item["decision_after_edit"]["respond"]


def test_only_the_newest_reactions_of_each_person_count() -> None:
    def reaction(seq: int, *emojis: str, by: Any = ANN) -> Reaction:
        return Reaction(at=NOW, seq=seq, message_id=1, author=by, emojis=emojis)

    (item,) = shown(said("hi", seq=1), reaction(2, "👍"), reaction(3, "❤", by=BOB), reaction(4, "🔥", "🎉"))
    assert [(one["by"]["name"], one["emoji"]) for one in item["reactions"]] == [
        ("Bob", "❤"),
        ("Ann", "🔥"),
        ("Ann", "🎉"),
    ]


def test_what_happened_to_a_message_of_an_earlier_part_is_told_by_itself() -> None:
    edit = Edit(at=NOW, seq=9, message_id=1, author=ANN, text="tea")
    press = ButtonPress(at=NOW, seq=10, message_id=2, author=BOB, query_id="q", data="secret")
    edited, pressed = shown(edit, press)
    assert (edited["type"], edited["id"], edited["text"]) == ("edit", 1, "tea")
    assert (pressed["type"], pressed["by"]["name"]) == ("press", "Bob")
    assert "secret" not in str(pressed)


def test_a_description_that_came_later_is_shown_with_its_file() -> None:
    voice = MediaRef(kind=MediaKind.VOICE, file_id="f", unique_id="u", duration_s=3)
    heard = Description(outcome=DescriptionOutcome.DESCRIBED, says="two teas please")
    told = MediaDescribed(
        at=NOW, seq=2, message_ids=(1,), kind=MediaKind.VOICE, unique_id="u", description=heard, decision=FOLLOWED
    )
    (item,) = shown(said("", seq=1, media="a voice message", media_refs=(voice,)), told)
    (file,) = item["files"]
    assert (file["id"], file["seconds"], file["description"]["says"]) == ("u", 3, "two teas please")
    assert item["decision"]["reason"] == "follow-up"
    assert "file_id" not in file, "with it, a bot downloads the file"


def test_the_usage_of_an_answer_is_told_with_unknown_costs_as_unknown() -> None:
    call = ModelCall(model="gemini-3.8-flash", prompt_tokens=1_000, output_tokens=10, thought_tokens=5, ms=700)
    known, unknown = shown(
        said("Hello.", ME, seq=1, calls=(call,)),
        said("Hi.", ME, 2, seq=2, calls=(call.model_copy(update={"model": "nobody:knows"}),)),
    )
    assert known["usage"]["cost"] > 0
    assert (known["usage"]["input"], known["usage"]["thoughts"], known["usage"]["ms"]) == (1_000, 5, 700)
    assert unknown["usage"]["cost"] is None


def test_an_entry_that_cannot_be_read_is_told() -> None:
    good = said("hi", seq=2).model_dump()
    found = items_of([StoredPage(first=1, entries=[{"type": "from the future", "seq": 1}, good, "no entry"])])
    assert [(one["type"], one["seq"]) for one in found] == [("unreadable", 1), ("message", 2), ("unreadable", 1)]


def test_titles_and_notes_stand_where_they_were_made() -> None:
    items = shown(
        said("one", seq=1),
        Event(at=NOW + 10 * SECOND, seq=2, kind=TITLED, title="By hand"),
        said("two", message_id=2, seq=3, at=NOW + 20 * SECOND),
    )
    history = [
        NotedEvent(at=NOW - SECOND, title="before this part"),
        NotedEvent(at=NOW + 15 * SECOND, abbreviation="They counted."),
        NotedEvent(at=NOW + timedelta(hours=1), title="Counting"),
    ]
    span = EntrySpan(first=1, last=3, is_newest=True)
    found = with_made(items, span, history, ())
    assert [one["type"] for one in found] == ["message", "titled", "noted", "message", "noted"]
    older = with_made(items, EntrySpan(first=1, last=3, is_newest=False), history, ())
    assert [one["type"] for one in older] == ["message", "titled", "noted", "message"], (
        "the last one is of a later part"
    )


def test_each_summary_of_an_older_part_stands_where_that_part_ends() -> None:
    items = shown(*(said(f"{n}", message_id=n, seq=n) for n in range(1, 5)))
    summaries = [
        CompressionSummary(up_to_seq=2, text="Counted to two.", made_at=NOW),
        CompressionSummary(up_to_seq=1, text="Counted.", made_at=NOW),
    ]
    found = with_made(items, EntrySpan(first=1, last=4, is_newest=True), (), summaries)
    kinds = [one["type"] for one in found]
    assert kinds == ["message", "compressed", "message", "compressed", "message", "message"]
    assert [found[1]["summary"], found[3]["summary"]] == ["Counted.", "Counted to two."]
    assert with_made(items, EntrySpan(first=3, last=4, is_newest=True), (), summaries) == items
