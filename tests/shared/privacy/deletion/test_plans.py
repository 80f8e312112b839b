"""Stored plans after a person was removed from them."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ulid import ULID

from shared.privacy.deletion.plans import is_about, is_from_before, is_kept_from_before, reword, without, without_notes
from tests.shared.examples import NOW

LATER = NOW + timedelta(minutes=1)


def task(name: str, state: str = "planned", depends_on: Sequence[str] = (), **more: Any) -> dict[str, Any]:
    return {"task": {"id": name, "depends_on": depends_on}, "state": state, **more}


def plan(*tasks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "p", "tasks": list(tasks), "uses": [{"asked": "x"}], "notes": ["x"], **more}


def is_hers(one: dict[str, Any]) -> bool:
    return bool(one["task"]["id"] == "hers")


def test_what_is_open_for_others_goes_on_and_waits_for_nothing_that_is_gone() -> None:
    assert without(plan(task("hers"), task("his", depends_on=("hers", "other")), task("other")), is_hers) == plan(
        task("his", depends_on=["other"]), task("other", depends_on=[]), uses=[], notes=[]
    )


def test_a_plan_of_which_nothing_goes_is_the_same_and_one_with_nothing_left_to_do_is_none() -> None:
    theirs = plan(task("his", "done"))
    assert without(theirs, is_hers) is theirs
    assert without(plan(task("hers")), is_hers) is None
    assert without(plan(task("hers", "done"), task("his", "done")), is_hers) is None
    assert without(plan(task("hers"), task("his", "cancelled")), is_hers) is None


def test_what_tools_were_asked_goes_alone() -> None:
    assert without_notes(plan(task("his"))) == plan(task("his"), uses=[], notes=[])
    assert without_notes(plan(task("his", "done"), task("other"))) == plan(
        task("his", "done"), task("other"), uses=[], notes=[]
    )
    assert without_notes(plan(task("his", "done"))) is None


def test_of_a_plan_words_alone_are_said_otherwise() -> None:
    told = {"id": "ann", "tasks": [task("ann", text="ann", choices=["ann", "bob"])]}
    left = reword(told, lambda one: one.replace("ann", "-"))
    assert left == {"id": "ann", "tasks": [task("ann", text="-", choices=["-", "bob"])]}
    assert reword(left, lambda one: one.replace("ann", "-")) is left


def test_of_what_a_button_does_to_a_reminder_or_a_memory_no_name_stays() -> None:
    change = {"id": "abcde", "whose": "ann", "before": {"text": "call ann"}}
    told = {"kind": "change-reminder", "reminder": "call ann", "resolved": change, "said": "ann sails"}
    left = reword(told, lambda one: one.replace("ann", "-"))
    kept = {"id": "abcde", "whose": "-", "before": {"text": "call -"}}
    assert left == {"kind": "change-reminder", "reminder": "call -", "resolved": kept, "said": "- sails"}


def test_a_plan_tells_when_it_was_made_and_a_task_when_it_was_promised() -> None:
    assert is_from_before(plan(created_at=NOW), NOW)
    assert is_from_before(plan(), NOW)
    assert not is_from_before(plan(created_at=LATER), NOW)
    promised = task("his", kept_from={"plan": str(ULID.from_datetime(NOW)), "task": "1"})
    assert is_kept_from_before(promised, LATER)
    assert not is_kept_from_before(promised, NOW - timedelta(minutes=1))
    assert is_kept_from_before(task("his", kept_from={"plan": "p1", "task": "1"}), NOW)
    assert not is_kept_from_before(task("his", kept_from=None), NOW)


def test_a_task_is_about_somebody_by_their_id_alone_or_within_what_it_offers() -> None:
    block = {"kind": "block", "person": 7}
    assert is_about({"task": {"id": "1", **block}}, 7)
    assert is_about(block, 7)
    assert is_about({"task": {"id": "1", "kind": "ask", "acts": [block]}}, 7)
    assert not is_about({"task": {"id": "1", "kind": "ask", "acts": [block]}}, 8)
    assert not is_about(task("1"), 7)
