import json

import pytest

from shared.models.plan import React, Send, Task, Wait
from shared.planning.reply import MAX_TASKS, ParsedReply, ReplyProblem, parse_reply, reply_text
from tests.shared.planning.plans import KINDS

HI = Send(id="1", text="hi")


def plan(*items: object) -> str:
    """The reply of a model that wrote these items as its tasks."""
    return json.dumps({"tasks": items})


def sends(number: int) -> list[dict[str, object]]:
    return [{"kind": "send", "text": str(at)} for at in range(number)]


@pytest.mark.parametrize(
    "reply",
    [
        '{"tasks": [{"kind": "send", "text": "hi"}]}',
        '```json\n{"tasks": [{"kind": "send", "text": "hi"}]}\n```',
        'Sure! {"tasks": [{"kind": "send", "text": "hi"}]} Done, isn\'t it?',
        '<think>Is {"tasks": [ ok?</think>{"tasks": [{"kind": "send", "text": "hi"}]}',
        "{'tasks': [{'kind': 'send', 'text': 'hi', 'reply_to': None}]}",
        '{"tasks": [{"kind": "send", "text": "hi",},],}',
        '{"tasks": [ // one }\n {"kind": "send", /* " */ "text": "hi"}]}',
        "{“tasks”: [{“kind”: “send”, “text”: “hi”}]}",
        r'"{\"tasks\": [{\"kind\": \"send\", \"text\": \"hi\"}]}"',
        '[{"kind": "send", "text": "hi"}]',
        '{"kind": "send", "text": "hi"}',
        '{tasks: [{kind: "send", text: "hi"}]}',
        '{"plan": {"tasks": [{"kind": "send", "text": "hi"}]}}',
        '{"tasks": [{"type": "Send", "message": "hi"}]}',
        '{"tasks": [{"action": "SEND", "content": "hi"}]}',
        '{"tasks": [{"kind": "think", "text": "should I? {"}, {"kind": "send", "text": "hi"}]}',
        '\ufeff\n{"tasks": [{"id": 1, "kind": "send", "text": "hi", "depends_on": []}]}',
    ],
)
def test_a_plan_is_understood_however_it_is_spelled(reply: str) -> None:
    assert parse_reply(reply, KINDS) == ParsedReply((HI,), notes=())


def test_texts_come_through_unchanged() -> None:
    for text in ('“so” "so" \\ {[', "a\nb\t```json\n{}\n```", "// no /* comment", "\x00\u2028", "it's", "C:\\new \\d"):
        assert parse_reply(plan({"kind": "send", "text": text}), KINDS) == ParsedReply((Send(id="1", text=text),), ())


def test_raw_line_ends_and_stray_backslashes_stay_in_the_text() -> None:
    read = parse_reply('{"tasks": [{"kind": "send", "text": "one\ntwo \\_three\\_"}]}', KINDS)
    assert read == ParsedReply((Send(id="1", text="one\ntwo \\_three\\_"),), ())


def test_silence_is_an_empty_plan() -> None:
    for reply in ('{"tasks": []}', "[]", plan({"kind": "think", "text": "not for me"})):
        assert parse_reply(reply, KINDS) == ParsedReply((), notes=())


@pytest.mark.parametrize(
    ("items", "tasks"),
    [
        (
            [{"kind": "wait", "seconds": "300"}, {"kind": "send", "text": 5}],
            (Wait(id="1", seconds=300), Send(id="2", depends_on=("1",), text="5")),
        ),
        (
            [{"kind": "send", "text": "a", "id": 1}, {"kind": "send", "text": "b", "id": 2, "depends_on": 1}],
            (Send(id="1", text="a"), Send(id="2", depends_on=("1",), text="b")),
        ),
        (
            [{"kind": "send", "text": "b", "depends_on": ["w"]}, {"kind": "wait", "seconds": 5, "id": "w"}],
            (Wait(id="w", seconds=5), Send(id="1", depends_on=("w",), text="b")),
        ),
        (
            [{"kind": "react", "emoji": "👍", "reply_to": "5"}, {"kind": "think"}, {"kind": "wait", "seconds": 2.0}],
            (React(id="1", emoji="👍", message_id=5), Wait(id="2", depends_on=("1",), seconds=2)),
        ),
    ],
)
def test_tasks_are_typed_and_linked(items: list[object], tasks: tuple[Task, ...]) -> None:
    assert parse_reply(plan(*items), KINDS) == ParsedReply(tasks, notes=())


def test_an_unknown_or_locked_kind_is_left_out_with_a_note() -> None:
    reply = plan({"kind": "send", "text": "hi"}, {"kind": "react", "emoji": "👍"}, {"kind": "wait", "seconds": 5})
    assert parse_reply(reply, ["send", "wait"]) == ParsedReply(
        (HI, Wait(id="3", depends_on=("1",), seconds=5)),
        notes=("Task 2 was left out: its kind `react` is not one to use here.",),
    )


def test_a_kind_that_may_be_something_private_is_not_quoted() -> None:
    reply = plan({"kind": "send", "text": "hi"}, {"kind": "Tell Ann that I am ill"})
    assert parse_reply(reply, KINDS) == ParsedReply(
        (HI,), notes=("Task 2 was left out: its kind is not one to use here.",)
    )


def test_a_plan_of_which_nothing_is_left_is_no_silence() -> None:
    reply = plan({"kind": "think", "text": "hm"}, {"kind": "sticker", "name": "cat"})
    assert parse_reply(reply, ["send", "wait"]) == ReplyProblem(
        "No task is of a kind that you may use. Write the plan again with these kinds only: send, wait."
    )


def test_notes_tell_what_was_not_taken_as_written() -> None:
    reply = plan(
        {"kind": "dance"},
        {"kind": "send", "text": "old", "id": "a"},
        {"kind": "send", "text": "new", "id": "a", "depends_on": ["gone"], "reply_to": "him"},
    )
    read = parse_reply(reply, KINDS)
    assert isinstance(read, ParsedReply)
    assert read.tasks == (Send(id="a", text="new"),)
    assert read.notes == (
        "Task 1 was left out: its kind `dance` is not one to use here.",
        "Task 2 was left out: a later task has the same id.",
        "Task 3 depends on a task that does not exist; that was ignored.",
        "Task 3 (send) lost its `reply_to`: input should be a valid integer.",
    )


def test_a_task_that_is_left_out_may_be_wrong() -> None:
    reply = plan({"kind": "send", "id": "1"}, {"kind": "sticker"}, {"kind": "send", "text": "hi", "id": "1"})
    read = parse_reply(reply, KINDS)
    assert isinstance(read, ParsedReply)
    assert read.tasks == (HI,)


def test_the_longest_plan_is_taken_and_a_longer_one_is_not() -> None:
    read = parse_reply(plan(*sends(MAX_TASKS)), KINDS)
    assert isinstance(read, ParsedReply)
    assert [task.depends_on for task in read.tasks[:3]] == [(), ("1",), ("2",)]
    assert len(read.tasks) == MAX_TASKS
    for number in (MAX_TASKS + 1, 500):
        problem = parse_reply(plan(*sends(number)), KINDS)
        assert problem == ReplyProblem(f"The plan has {number} tasks; write one with at most 50.")


@pytest.mark.parametrize(
    ("reply", "hint"),
    [
        ("", "no JSON"),
        ("Hello!", "no JSON"),
        ('{"tasks": [{"kind": "send", "text": "hi"}', "cut off"),
        ('{"tasks": [{"kind": "send", "text": "say "hi" to her"}]}', "not valid"),
        ('{"steps": []}', "no `tasks`"),
        (plan({"kind": "wait", "seconds": "five"}), "Task 1 (wait), `seconds`"),
        (plan({"kind": "send", "text": "a"}, {"kind": "send"}), "Task 2 (send), `text`: it is missing"),
        (plan({"kind": "send", "text": "a", "depends_on": ["2"]}, {"kind": "wait", "depends_on": [1]}), "circle"),
        ('{"tasks": ' + "[" * 3_000 + "]" * 3_000 + "}", "deep"),
        ("[" * 100_000, "deep"),
        ("{" * 100_000, "cut off"),
        ('{"a":' * 50_000, "deep"),
        ("\ud800\x00" * 1_000, "no JSON"),
        ('{"tasks": [' + "{}," * 700_000, "longer than"),
    ],
)
def test_what_cannot_be_saved_goes_back_with_a_hint(reply: str, hint: str) -> None:
    problem = parse_reply(reply, KINDS)
    assert isinstance(problem, ReplyProblem)
    assert hint in problem.hint
    assert len(problem.hint) < 300


def test_the_canonical_reply_of_a_plan_is_read_as_that_plan() -> None:
    tasks = (Send(id="b", text="x"), Wait(id="1", depends_on=("b",), seconds=0), Send(id="3", text="y", reply_to=4))
    assert parse_reply(reply_text(tasks), KINDS) == ParsedReply(tasks, notes=())
