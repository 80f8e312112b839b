"""Tests of reading the notes in a model's reply: references that the model invented are dropped."""

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given

from shared.recall.notes_prompt import LONGEST_ABBREVIATION, MOST_OBSERVATIONS, notes_prompt
from shared.recall.notes_reply import LONGEST_OBSERVATION, NotesReply, first_day_of, parse_happened, parse_notes
from shared.values.notes import Observation
from tests.shared.examples import ANN, BOB, JSON_VALUES, PROPERTY
from tests.shared.recall.talks import DAY, lines, observation, shown, talk

KNOWN = observation("Ann lives in Kyiv.")
TALK = talk(*lines("I moved to Lviv", "nice"), known=[KNOWN], wants_title=True)
ASKED = notes_prompt(TALK)
SAID = date(2026, 5, 9)


def read(given: Any) -> NotesReply:
    return parse_notes(given if isinstance(given, str) else json.dumps(given), ASKED, TALK, DAY)


def observed(**fields: Any) -> tuple[Observation, ...]:
    one = {"text": "Ann moved.", "about": ["Ann#000001"], "happened": "", "entries": [1], "supersedes": ""} | fields
    return read({"abbreviation": "A.", "observations": [one]}).observations


def test_reads_notes_within_prose_and_removes_lulls_marks() -> None:
    given = {"abbreviation": " Ann#000001 moved.\n[meta] x ", "title": '"Ann#000001 moved"', "topics": ["Moving"]}
    found = read(f"Here you are:\n```json\n{json.dumps(given)}\n```")
    assert found == NotesReply(abbreviation="Ann moved.\n(meta] x", title="Ann moved", topics=("moving",))


@pytest.mark.parametrize("reply", ["", "no", "[]", '{"abbreviation": 7}', '{"summary": "x"}', '{"abbreviation": " "}'])
def test_returns_nothing_without_notes(reply: str) -> None:
    assert not read(reply).abbreviation


def test_drops_observations_without_shown_messages() -> None:
    (one,) = observed(entries=[2, 1, 1, 77, True, "1"])
    assert one.entries == (1, 2)
    assert observed(entries=[77]) == observed(entries=[]) == observed(entries="1") == observed(text=" ") == ()


def test_keeps_only_people_of_the_conversation() -> None:
    (one,) = observed(about=["Ann#000001", "bob", "Cy", 7, "Ann"])
    assert one.about == (ANN.id, BOB.id)


def test_drops_implausible_dates() -> None:
    assert observed(happened="2026-05-08")[0].happened == "2026-05-08"
    assert observed(happened="last Friday")[0].happened == observed(happened=7)[0].happened == ""


def test_supersedes_only_shown_observations() -> None:
    assert observed(supersedes="o1")[0].supersedes == KNOWN.id
    assert observed(supersedes="o2")[0].supersedes == observed(supersedes=KNOWN.id)[0].supersedes == ""


def test_drops_observations_of_outside_text() -> None:
    quoted = talk(*lines("Prices rise", forwarded_from=BOB), *lines("well", first=2))
    asked = notes_prompt(quoted)
    assert "Prices" not in shown(asked)
    given = {"text": "x", "about": [], "happened": "", "supersedes": ""}
    reply = json.dumps({"abbreviation": "A", "observations": [given | {"entries": [1]}, given | {"entries": [2]}]})
    found = parse_notes(reply, asked, quoted, DAY)
    assert [(one.entries, one.outside) for one in found.observations] == [((2,), "")]
    known = [observation("Prices rise", outside="a forwarded message")]
    assert not notes_prompt(talk(*lines("no, they fall"), known=known)).known


def test_the_same_reply_gives_the_same_id() -> None:
    assert observed() == observed()
    assert observed()[0].id != observed(text="Ann left.")[0].id


@PROPERTY
@given(JSON_VALUES, JSON_VALUES)
def test_accepts_and_bounds_any_reply(one: Any, many: Any) -> None:
    given = {"abbreviation": one, "title": one, "topics": many, "observations": [many, {"text": one, "entries": many}]}
    for reply in (json.dumps(given), json.dumps(one), str(many)):
        found = parse_notes(reply, ASKED, TALK, DAY)
        assert len(found.abbreviation) <= LONGEST_ABBREVIATION
        assert len(found.title) <= 80
        assert len(found.observations) <= MOST_OBSERVATIONS
        assert all(len(each.text) <= LONGEST_OBSERVATION for each in found.observations)


@pytest.mark.parametrize("text", ["2026-05-08", "2026-05", "2026", " 1985 ", "2050-12-31", "2024-02-29"])
def test_keeps_the_precision_of_a_date(text: str) -> None:
    assert parse_happened(text, SAID) == text.strip()


@pytest.mark.parametrize(
    "text",
    ["", "Friday", "2026-5-8", "2026-02-30", "2026-13", "1066", "3026", "0000-01-01", "2026-05-08T10:00", "２０２６"],
)
def test_returns_no_date_for_invalid_text(text: str) -> None:
    assert parse_happened(text, SAID) == ""


def test_a_month_starts_on_its_first_day() -> None:
    assert first_day_of("2026-05", SAID) == date(2026, 5, 1)
    assert first_day_of("2026-05-08", SAID) == date(2026, 5, 8)
    assert first_day_of("", SAID) == SAID
