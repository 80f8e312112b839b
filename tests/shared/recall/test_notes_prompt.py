"""Tests of the prompt for notes."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from shared.recall.notes_prompt import notes_prompt, title_prompt
from shared.values.decision import Decision, DecisionTier
from shared.values.message import Event
from shared.values.notes import Notes
from tests.shared.examples import ANN, BOB, JSON_VALUES, ME, PROPERTY, said
from tests.shared.recall.talks import DAY, lines, observation, shown, talk


def test_groups_messages_by_local_day() -> None:
    late = said("good night", ANN, 3, seq=3, turn=3, at=DAY.replace(hour=22, minute=30))
    asked = notes_prompt(talk(*lines("hello", "hi"), late, zone=ZoneInfo("Europe/Kyiv")))
    assert "== Saturday 2026-05-09 ==\n1 12:01 Ann#000001: hello\n2 12:02 Bob#000002: hi\n" in shown(asked)
    assert "== Sunday 2026-05-10 ==\n3 01:30 Ann#000001: good night\n" in shown(asked)
    assert asked.days == {1: date(2026, 5, 9), 2: date(2026, 5, 9), 3: date(2026, 5, 10)}
    assert asked.people == {"Ann#000001": ANN.id, "Bob#000002": BOB.id}


def test_names_the_agent_without_listing_it_as_a_person() -> None:
    asked = notes_prompt(talk(*lines("hello"), said("Hi Ann", ME, 2, seq=2, turn=1, at=DAY)))
    assert "2 09:00 lull: Hi Ann" in shown(asked)
    assert "lull is an agent" in " ".join((asked.prompt.system if asked.prompt else "").split())
    assert asked.people == {"Ann#000001": ANN.id}


def test_leaves_out_noted_entries() -> None:
    notes = Notes(abbreviation="Ann said hello.\n[meta] so", noted_seq=2)
    asked = notes_prompt(talk(*lines("hello", "hi", "and now?"), notes=notes))
    assert shown(asked).startswith("The notes so far:\n  Ann said hello.\n  (meta] so\n")
    assert "hello\n2" not in shown(asked)
    assert (list(asked.shown), asked.up_to_seq) == ([3], 3)


def test_shows_current_observations_about_these_people() -> None:
    known = [
        observation("Ann lives in Lviv.", happened="2026-04"),
        observation("Ann lives in Kyiv.", superseded_on=date(2026, 4, 1)),
        observation("Cy has a dog.", about=(5,)),
        observation("Ann paints."),
    ]
    asked = notes_prompt(talk(*lines("hello"), known=known))
    assert "  o1 (2026-04): Ann lives in Lviv.\n  o2 (noted 2026-05-09): Ann paints.\n" in shown(asked)
    assert list(asked.known.values()) == [known[0], known[3]]


def test_limits_the_share_of_known_observations() -> None:
    known = [observation(f"Ann has seen {n} {'x' * 380}") for n in range(30)]
    asked = notes_prompt(talk(*lines(*(f"{n} {'x' * 900}" for n in range(40))), known=known, room=12_000))
    assert asked.prompt is not None
    assert asked.prompt.characters <= 12_000
    assert 0 < len(asked.known) < 30
    assert list(asked.known.values()) == known[: len(asked.known)]
    assert asked.up_to_seq > 0


def test_leaves_the_rest_for_the_next_call() -> None:
    entries = lines(*(f"{n} {'x' * 900}" for n in range(40)))
    asked = notes_prompt(talk(*entries, room=12_000))
    assert asked.prompt is not None
    assert asked.prompt.characters <= 12_000
    assert 0 < asked.up_to_seq < 40
    assert list(asked.shown) == [*range(1, asked.up_to_seq + 1)]
    rest = notes_prompt(talk(*entries, notes=Notes(noted_seq=asked.up_to_seq), room=12_000))
    assert next(iter(rest.shown)) == asked.up_to_seq + 1


def test_shortens_an_endless_message() -> None:
    asked = notes_prompt(talk(*lines("x" * 50_000), room=5_000))
    assert asked.prompt is not None
    assert asked.prompt.characters < 6_000
    assert asked.up_to_seq == 1


def test_asks_nothing_without_messages() -> None:
    assert notes_prompt(talk()).prompt is None
    asked = notes_prompt(talk(Event(seq=1, at=DAY, kind="x", note="Ann joined the group")))
    assert (asked.prompt, asked.up_to_seq) == (None, 1)


def test_asks_nothing_about_people_without_access() -> None:
    refused = Decision(respond=False, reason="a stranger", tier=DecisionTier.ACCESS)
    asked = notes_prompt(talk(*lines("let me in", decision=refused)))
    assert (asked.prompt, asked.up_to_seq) == (None, 1)
    assert title_prompt(talk(*lines("let me in", decision=refused))).prompt is None


def test_asks_for_a_title_only_if_due() -> None:
    assert {"title", "topics"}.isdisjoint(notes_prompt(talk(*lines("a"))).schema["properties"])
    topics = notes_prompt(talk(*lines("a"), wants_topics=True))
    assert set(topics.schema["properties"]) == {"abbreviation", "observations", "topics"}
    assert topics.prompt is not None
    assert "`title`" not in topics.prompt.system
    asked = notes_prompt(talk(*lines("a"), wants_title=True, wants_topics=True))
    assert set(asked.schema["properties"]) == {"abbreviation", "observations", "title", "topics"}
    alone = title_prompt(talk(*lines("a")))
    assert set(alone.schema["properties"]) == {"title", "topics"}
    assert "1 09:01 Ann#000001: a" in shown(alone)


@PROPERTY
@given(st.lists(st.text(max_size=60) | JSON_VALUES.map(str), min_size=1, max_size=6))
def test_user_text_never_passes_for_lulls_own_lines(texts: list[str]) -> None:
    asked = notes_prompt(talk(*lines(*texts)))
    if asked.prompt is None:
        return
    said_lines = shown(asked).splitlines()
    begin, end = said_lines.index("The messages:") + 1, said_lines.index("Write the notes now.")
    own = [line for line in said_lines[begin:end] if line and not line.startswith("  ")]
    assert all(line.startswith("== ") or line.split(" ")[0].isdigit() for line in own)
    assert len([line for line in own if line[0].isdigit()]) == len(asked.shown)


def test_gives_messages_and_edits_their_own_times() -> None:
    asked = notes_prompt(talk(*lines("a", "b", at=DAY), *lines("c", first=3, at=DAY + timedelta(days=1))))
    assert shown(asked).count("== ") == 2
