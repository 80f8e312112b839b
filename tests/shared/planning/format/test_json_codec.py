import json

import pytest

from shared.planning.format.json_codec import plan_in_json, tasks_in_json
from shared.planning.format.raw_task import ReplyProblem
from shared.tasks.react import React
from shared.tasks.send import Send
from shared.tasks.wait import Wait

SEND = '{"kind": "send", "text": "a"}'
WAIT = '{"kind": "wait", "seconds": 5}'
PLAN = f'{{"tasks": [{SEND}, {WAIT}]}}'
EXAMPLE = '{"tasks": [{"kind": "send", "text": "an example"}]}'


def kinds_in(reply: str) -> list[str] | str:
    """Return the kinds of the tasks in the reply, or the hint of the problem."""
    read = tasks_in_json(reply)
    return read.hint if isinstance(read, ReplyProblem) else [task.kind for task in read]


@pytest.mark.parametrize(
    "reply",
    [
        PLAN,
        f"[{SEND}, {WAIT}]",
        f"{SEND}\n{WAIT}",
        f"{SEND}\n\n{WAIT}\n",
        f"{SEND},\n{WAIT}",
        f"{SEND}{WAIT}",
        f"Here it is:\n{SEND}\n{WAIT}\nThat's all.",
        f"```jsonl\n{SEND}\n{WAIT}\n```",
        f'{{"plan": {PLAN}}}',
        f'{{"response": {PLAN}}}',
        f'{{"plan": [{SEND}, {WAIT}]}}',
        f'{{"Tasks": [{SEND}, {WAIT}]}}',
        f'{{"mood": {{"tasks": 5}}, "tasks": [{SEND}, {WAIT}]}}',
        json.dumps({"tasks": f"[{SEND}, {WAIT}]"}),
        json.dumps({"tasks": f"[{SEND}, {WAIT},]"}),
        json.dumps(PLAN),
        json.dumps(json.dumps(PLAN)),
        f"```json\n{json.dumps(PLAN)}\n```",
        f"{PLAN}\n{PLAN}",
        f"I will write {PLAN} and again:\n```json\n{PLAN}\n```",
        f"<think>Maybe {EXAMPLE}?</think>{PLAN}",
        f"Maybe {EXAMPLE}?</think>{PLAN}",
        f'{{"kind": "think", "text": "hm"}}\n{PLAN}',
        f'{{"name": "Ann"}} {PLAN} []',
        f'The schema {{"type": "object"}} asks for {PLAN}.',
    ],
)
def test_the_plan_is_found(reply: str) -> None:
    assert kinds_in(reply) == ["send", "wait"]


@pytest.mark.parametrize("reply", [SEND, f"[{SEND}]", f'{{"tasks": {SEND}}}', f'{{"tasks": {json.dumps(SEND)}}}'])
def test_a_single_task_is_a_plan(reply: str) -> None:
    assert kinds_in(reply) == ["send"]


@pytest.mark.parametrize(
    "reply",
    ['{"tasks": []}', '{"tasks": [ ]} // nothing', "[]", " []\n", "```json\n[]\n```", '{"tasks": "[]"}', '"[]"'],
)
def test_an_empty_plan_is_silence(reply: str) -> None:
    assert kinds_in(reply) == []


def test_silence_may_follow_a_thought() -> None:
    assert kinds_in("<think>better not</think>\n\n[]") == []


def test_unknown_kinds_and_thoughts_are_kept_in_their_place() -> None:
    assert kinds_in(f'{{"kind": "dance"}}\n{SEND}\n{{"kind": "think"}}') == ["dance", "send", "think"]


@pytest.mark.parametrize(
    ("reply", "hint"),
    [
        ("", "no JSON"),
        ("Hello! How can I help you today?", "no JSON"),
        ("{}", "no `tasks`"),
        ("- [ ] buy milk", "no `tasks`"),
        ("[] is what I have to say", "no `tasks`"),
        ('{"name": "Ann", "age": 5}', "no `tasks`"),
        ('{"kind": "dance"}', "no `tasks`"),
        ('{"kind": "think", "text": "hm"}', "no `tasks`"),
        (f'{{"example": {PLAN}}}', "no `tasks`"),
        ('{"response": "Hello!"}', "no `tasks`"),
        ('{"plan": {"steps": []}}', "no `tasks`"),
        (f"[[{SEND}]]", "no `tasks`"),
        ('{"tasks": null}', "not a list"),
        ('{"tasks": 5}', "not a list"),
        ('{"tasks": "say hello"}', "not a list"),
        (json.dumps({"tasks": f"{SEND}\n{WAIT}"}), "not a list"),
        ('{"tasks": ["say hello"]}', "not a list"),
        (f'{{"tasks": [{SEND}, null]}}', "not a list"),
        (f'{{"tasks": [{SEND}, [{WAIT}]]}}', "not a list"),
        ('{"tasks": [{"text": "a"}]}', "Task 1 has no `kind`"),
        (f'{{"tasks": [{SEND}, {{"kind": 5}}]}}', "Task 2 has no `kind`"),
        (f'{SEND}\n{{"text": "b"}}', "Task 2 has no `kind`"),
        (f'[{SEND}, {{"text": "b"}}]', "Task 2 has no `kind`"),
        ('{"tasks": {"first": {"kind": "send"}}}', "Task 1 has no `kind`"),
        (f"{EXAMPLE}\n{PLAN}", "several different plans"),
        (f"For example {EXAMPLE}. Now the plan: {PLAN}", "several different plans"),
        (f"For example {SEND}. Now the plan: {PLAN}", "several different plans"),
        (f"First {SEND} and then {WAIT}", "several different plans"),
        (f'Silence is {{"tasks": []}}, but {PLAN}', "several different plans"),
        (f"{SEND},", "ends with a comma"),
        (f"{SEND}, {WAIT} ,\n", "ends with a comma"),
        (f'{PLAN[:-1]}, "tasks": []}}', "not valid"),
        (f"{SEND}\n{WAIT[:-1]}", "cut off"),
        (f"{SEND}\n{WAIT[:3]}", "cut off"),
        (f"{SEND}\n{{", "cut off"),
        (f'{PLAN} {{"kind": oops}}', "not valid"),
    ],
)
def test_what_is_not_one_whole_plan_is_refused(reply: str, hint: str) -> None:
    assert hint in kinds_in(reply)


@pytest.mark.parametrize(
    "quoted", [EXAMPLE, f"```json\n{EXAMPLE}\n```", "{'tasks': []}", "<think>", "}]}", '"}, {"kind"']
)
def test_what_a_text_quotes_is_only_text(quoted: str) -> None:
    for reply in (
        json.dumps({"tasks": [{"kind": "send", "text": quoted}]}),
        json.dumps([{"kind": "send", "text": quoted}], indent=1),
        json.dumps(json.dumps({"kind": "send", "text": quoted})),
    ):
        read = tasks_in_json(reply)
        assert isinstance(read, list)
        assert [task.fields["text"] for task in read] == [quoted]


def test_a_plan_is_written_without_what_goes_without_saying() -> None:
    tasks = (Send(id="1", text="so “ä”"), Wait(id="2", depends_on=("1",), seconds=5))
    assert plan_in_json(tasks) == ('{"tasks": [{"kind": "send", "text": "so “ä”"}, {"kind": "wait", "seconds": 5}]}')
    assert plan_in_json(()) == '{"tasks": []}'


def test_a_plan_is_written_with_what_is_not_usual() -> None:
    tasks = (
        Send(id="hi", text="a", reply_to=7),
        Wait(id="2", depends_on=(), seconds=5),
        React(id="3", depends_on=("hi", "2"), emoji="👍", message_id=8),
    )
    assert json.loads(plan_in_json(tasks))["tasks"] == [
        {"kind": "send", "text": "a", "reply_to": 7, "id": "hi"},
        {"kind": "wait", "seconds": 5, "depends_on": []},
        {"kind": "react", "emoji": "👍", "message_id": 8, "depends_on": ["hi", "2"]},
    ]
