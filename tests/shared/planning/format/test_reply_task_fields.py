from collections.abc import Mapping
from typing import get_args

import pytest

from shared.planning.format.raw_task import LinkedTask, RawTask, ReplyProblem
from shared.planning.format.reply import read_task
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.react import React
from shared.tasks.registry import plannable
from shared.tasks.send import Send
from shared.tasks.task import Task
from shared.tasks.wait import LONGEST_WAIT_SECONDS, Wait
from tests.shared.examples import NOW

LATEST_MESSAGE = 2**31 - 1


def read(kind: str, fields: Mapping[str, object]) -> tuple[Task, list[str]] | ReplyProblem:
    """Return the task of that kind with those fields, as the second of a plan."""
    raw = RawTask(kind=kind, id="", depends_on=None, fields=fields)
    return read_task(LinkedTask(raw, number=2, id="b", depends_on=("a",)))


ODD: tuple[object, ...] = (10**24, -(10**24), 2**63, 1e24, 1e308, float("nan"), -1, 0.5, "12", "1" * 30, True, [])
NUMBERS: list[tuple[str, str, object]] = [
    (kind, name, value)
    for kind, model in plannable().items()
    for name, field in model.model_fields.items()
    if int in (field.annotation, *get_args(field.annotation))
    for value in ODD
]


@pytest.mark.parametrize(("kind", "name", "value"), NUMBERS)
def test_no_number_of_a_task_is_larger_than_what_can_be_stored(kind: str, name: str, value: object) -> None:
    given = {"text": "a", "emoji": "👍", "seconds": 5, "message_id": 7, "person": 7, "after": "1 hour", name: value}
    found = read(kind, given)
    if isinstance(found, tuple):
        stored = Plan(id="p", created_at=NOW, tasks=(PlannedTask(task=found[0]),)).model_dump()
        assert -(2**63) <= (stored["tasks"][0]["task"][name] or 0) < 2**63


def test_a_task_has_its_place_in_the_graph() -> None:
    assert read("send", {"text": "hi", "id": "?", "depends_on": 5, "kind": "?"}) == (
        Send(id="b", depends_on=("a",), text="hi"),
        [],
    )


@pytest.mark.parametrize(
    ("written", "text"),
    [(" hi\n", " hi\n"), (5, "5"), (2.5, "2.5"), ("\ud83d\ude42\ud800", "🙂\ufffd"), ("a\x00b", "a\x00b")],
)
def test_a_text_is_any_text(written: object, text: str) -> None:
    assert read("send", {"text": written}) == (Send(id="b", depends_on=("a",), text=text), [])


@pytest.mark.parametrize(
    ("written", "seconds"),
    [(300, 300), ("300", 300), (" 300 ", 300), (300.0, 300), ("300.0", 300), (0, 0), (0.2, 1), ("1.5", 2)],
)
def test_seconds_are_a_whole_number_in_any_spelling(written: object, seconds: int) -> None:
    assert read("wait", {"seconds": written}) == (Wait(id="b", depends_on=("a",), seconds=seconds), [])


def test_the_longest_wait_is_allowed() -> None:
    wait = Wait(id="b", depends_on=("a",), seconds=LONGEST_WAIT_SECONDS)
    assert read("wait", {"seconds": LONGEST_WAIT_SECONDS}) == (wait, [])


@pytest.mark.parametrize("written", [77, "77", 77.0])
def test_a_message_id_is_a_whole_number_in_any_spelling(written: object) -> None:
    reaction = React(id="b", depends_on=("a",), emoji="👍", message_id=77)
    assert read("react", {"emoji": " 👍", "message_id": written}) == (reaction, [])
    assert read("send", {"text": "a", "reply_to": written}) == (
        Send(id="b", depends_on=("a",), text="a", reply_to=77),
        [],
    )


@pytest.mark.parametrize(
    ("kind", "fields", "field"),
    [
        *[("send", {"text": wrong}, "text") for wrong in (None, "", " \n", True, [], ["a"], {"a": "b"})],
        *[("send", {"text": blank}, "text") for blank in ("\u200b", "\u2800 \u3164", "\u2060\n\u00ad", "\ufe0f")],
        *[("send", {"text": blank}, "text") for blank in ("**\u200b**", "`\u3164`", "# \u2060", "||\u00ad||")],
        ("voice", {"text": "_\u2060_"}, "text"),
        ("send", {}, "text"),
        *[("wait", {"seconds": wrong}, "seconds") for wrong in (None, "", "five", "5 min", True, [5], -1, "-1", -0.5)],
        *[
            ("wait", {"seconds": wrong}, "seconds")
            for wrong in (float("nan"), float("inf"), 1e300, 10**30, "9" * 5_000)
        ],
        ("wait", {"seconds": LONGEST_WAIT_SECONDS + 1}, "seconds"),
        ("wait", {"seconds": 10 * 365 * 24 * 3600}, "seconds"),
        ("wait", {}, "seconds"),
        *[("react", {"emoji": wrong, "message_id": 5}, "emoji") for wrong in (None, "", "👍" * 65, ["👍"])],
        *[
            ("react", {"emoji": "👍", "message_id": wrong}, "message_id")
            for wrong in (None, 0, "", -5, 1.5, "the last one", True, LATEST_MESSAGE + 1, float("nan"))
        ],
    ],
)
def test_a_required_field_that_makes_no_sense_is_a_problem(kind: str, fields: dict[str, object], field: str) -> None:
    problem = read(kind, fields)
    assert isinstance(problem, ReplyProblem)
    assert f"Task 2 ({kind}), `{field}`: " in problem.hint


@pytest.mark.parametrize("nothing", [None, 0, "", "0"])
def test_a_reply_to_nothing_quotes_nothing(nothing: object) -> None:
    assert read("send", {"text": "a", "reply_to": nothing}) == (Send(id="b", depends_on=("a",), text="a"), [])


@pytest.mark.parametrize("wrong", ["that one", -3, LATEST_MESSAGE + 1, 1.5, float("nan"), True, [5], {"id": 5}])
def test_an_optional_field_that_makes_no_sense_is_left_out_with_a_note(wrong: object) -> None:
    task = read("send", {"text": "a", "reply_to": wrong})
    assert isinstance(task, tuple)
    assert task[0] == Send(id="b", depends_on=("a",), text="a")
    assert len(task[1]) == 1
    assert "lost its `reply_to`" in task[1][0]


def test_a_problem_says_what_is_wrong_and_quotes_nothing() -> None:
    problem = read("wait", {"seconds": "when Ann is back"})
    assert problem == ReplyProblem(
        "Task 2 (wait), `seconds`: input should be a valid integer. Correct it and write the whole plan again."
    )
