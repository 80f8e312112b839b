import pytest

from shared.planning.format.raw_task import ReplyProblem
from shared.planning.format.reply import MAX_TASKS, NOT_DONE, ParsedReply, parse_reply, reply_text
from shared.tasks.react import React
from shared.tasks.send import Send
from shared.tasks.task import Task
from shared.tasks.wait import Wait
from shared.values.agent import Codec
from tests.shared.planning.format.plans import KINDS, spelled

HI = Send(id="1", text="hi")
JSON, MARKDOWN = Codec.JSON, Codec.MARKDOWN

both = pytest.mark.parametrize("codec", [Codec.JSON, Codec.MARKDOWN])


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


@pytest.mark.parametrize(
    "reply",
    [
        "# «send»\n\nhi",
        "\ufeff# «send»\nhi\n",
        "# «send»\r\n\r\nhi\r\n",
        "\n\n# «send»\n\n\n\nhi  \n\n",
        "Here is what I will do.\n\n# «send»\n\nhi",
        "```markdown\n# «send»\n\nhi\n```",
        "```\n\n# «send»\n\nhi\n\n```\n",
        "Sure, here it is:\n\n```md\n# «send»\n\nhi\n```\nI hope you like it.",
        "Not like this:\n```\nsend hi\n```\n# «send»\n\nhi",
        "<think>Should I write # «send»?\n# «send»\n\nno</think># «send»\n\nhi",
        "Should I?\n# «send»\n\nno\n</think>\n\n# «send»\n\nhi",
        "## «send»\n\nhi",
        "# «Send»:\n\nhi",
        "#«SEND» #\n\nhi",
        "# <<send>>\n\nhi",
        "# «think»\n\nshould I? {\n\n# «send»\n\nhi\n\n# «think»",
        "# «send» id=1 depends_on=[]\n\nhi",
    ],
)
def test_a_plan_of_markdown_is_understood_however_it_is_spelled(reply: str) -> None:
    assert parse_reply(reply, KINDS, MARKDOWN) == ParsedReply((HI,), notes=())


@both
@pytest.mark.parametrize(
    "text",
    [
        '“so” "so" \\ {[',
        "a\nb\n```json\n{}\n```",
        "// no /* comment",
        "a\x00\u2028",
        "it's",
        "C:\\new \\d",
        "# Top\n«so»",
    ],
)
def test_texts_come_through_unchanged(text: str, codec: Codec) -> None:
    reply = spelled([{"kind": "send", "text": text}], codec)
    assert parse_reply(reply, KINDS, codec) == ParsedReply((Send(id="1", text=text),), ())


def test_raw_line_ends_and_stray_backslashes_stay_in_the_text() -> None:
    read = parse_reply('{"tasks": [{"kind": "send", "text": "one\ntwo \\_three\\_"}]}', KINDS)
    assert read == ParsedReply((Send(id="1", text="one\ntwo \\_three\\_"),), ())


def test_silence_is_an_empty_plan() -> None:
    for reply in ('{"tasks": []}', "[]"):
        assert parse_reply(reply, KINDS) == ParsedReply((), notes=())


@both
def test_silence_is_a_plan_of_thoughts_alone(codec: Codec) -> None:
    for reply in (spelled([{"kind": "think", "text": "not for me"}], codec), reply_text((), codec)):
        assert parse_reply(reply, KINDS, codec) == ParsedReply((), notes=())


@both
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
def test_tasks_are_typed_and_linked(items: list[dict[str, object]], tasks: tuple[Task, ...], codec: Codec) -> None:
    assert parse_reply(spelled(items, codec), KINDS, codec) == ParsedReply(tasks, notes=())


@both
def test_an_unknown_or_locked_kind_is_left_out_with_a_note(codec: Codec) -> None:
    items: list[dict[str, object]] = [
        {"kind": "send", "text": "hi"},
        {"kind": "react", "emoji": "👍"},
        {"kind": "wait", "seconds": 5},
    ]
    assert parse_reply(spelled(items, codec), ["send", "wait"], codec) == ParsedReply(
        (HI, Wait(id="3", depends_on=("1",), seconds=5)),
        notes=("Task 2 was left out: its kind `react` is not one to use here.",),
    )


@pytest.mark.parametrize("locked", [{"kind": "shutdown"}, {"kind": "schedule", "text": "Tea!", "after": "1 day"}])
def test_a_locked_kind_whose_effect_lasts_was_not_done(locked: dict[str, object]) -> None:
    read = parse_reply(spelled([{"kind": "send", "text": "Ok."}, locked], JSON), ["send"])
    assert isinstance(read, ParsedReply)
    assert read.notes == (f"Task 2 was left out: its kind `{locked['kind']}` is not one to use here{NOT_DONE}",)


def test_a_kind_that_may_be_something_private_is_not_quoted() -> None:
    reply = spelled([{"kind": "send", "text": "hi"}, {"kind": "Tell Ann that I am ill"}], JSON)
    assert parse_reply(reply, KINDS) == ParsedReply(
        (HI,), notes=("Task 2 was left out: its kind is not one to use here.",)
    )


@both
def test_a_plan_of_which_nothing_is_left_is_no_silence(codec: Codec) -> None:
    reply = spelled([{"kind": "think", "text": "hm"}, {"kind": "dance", "name": "cat"}], codec)
    assert parse_reply(reply, ["send", "wait"], codec) == ReplyProblem(
        "No task is of a kind that you may use. Write the plan again with these kinds only: send, wait."
    )


@both
def test_notes_tell_what_was_not_taken_as_written(codec: Codec) -> None:
    items: list[dict[str, object]] = [
        {"kind": "dance"},
        {"kind": "send", "text": "old", "id": "a"},
        {"kind": "send", "text": "new", "id": "a", "depends_on": ["gone"], "reply_to": "him"},
    ]
    read = parse_reply(spelled(items, codec), KINDS, codec)
    assert isinstance(read, ParsedReply)
    assert read.tasks == (Send(id="a", text="old"), Send(id="task-a", text="new", depends_on=("a",)))
    assert read.notes == (
        "Task 1 was left out: its kind `dance` is not one to use here.",
        "Task 3 depends on a task that does not exist; that was ignored.",
        "Task 3 (send) lost its `reply_to`: input should be a valid integer.",
    )


@both
@pytest.mark.parametrize("name", ["msg", "1", "2", "a"])
def test_two_messages_of_one_id_are_both_sent(codec: Codec, name: str) -> None:
    items: list[dict[str, object]] = [{"kind": "send", "text": text, "id": name} for text in ("One.", "Two.", "Three.")]
    read = parse_reply(spelled(items, codec), KINDS, codec)
    assert isinstance(read, ParsedReply)
    assert [task.words for task in read.tasks] == ["One.", "Two.", "Three."]
    assert len({task.id for task in read.tasks}) == 3
    assert read.notes == ()


@both
def test_a_task_that_is_left_out_may_be_wrong(codec: Codec) -> None:
    items = [{"kind": "dance", "id": "1"}, {"kind": "dance"}, {"kind": "send", "text": "hi", "id": "1"}]
    read = parse_reply(spelled(items, codec), KINDS, codec)
    assert isinstance(read, ParsedReply)
    assert read.tasks == (HI,)


@both
def test_the_longest_plan_is_taken_and_a_longer_one_is_not(codec: Codec) -> None:
    read = parse_reply(spelled(sends(MAX_TASKS), codec), KINDS, codec)
    assert isinstance(read, ParsedReply)
    assert [task.depends_on for task in read.tasks[:3]] == [(), ("1",), ("2",)]
    assert len(read.tasks) == MAX_TASKS
    for number in (MAX_TASKS + 1, 500):
        problem = parse_reply(spelled(sends(number), codec), KINDS, codec)
        assert problem == ReplyProblem(f"The plan has {number} tasks; write one with at most 50.")


@pytest.mark.parametrize(
    ("reply", "hint"),
    [
        ("", "no JSON"),
        ("Hello!", "no JSON"),
        ('{"tasks": [{"kind": "send", "text": "hi"}', "cut off"),
        ('{"tasks": [{"kind": "send", "text": "say "hi" to her"}]}', "not valid"),
        ('{"steps": []}', "no `tasks`"),
        (spelled([{"kind": "send", "text": "a"}, {"kind": "send"}], JSON), "Task 2 (send), `text`: it is missing"),
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


@pytest.mark.parametrize(
    ("reply", "hint"),
    [
        ("", "no task"),
        ("Hello!", "no task"),
        ("# Hello\n\n«send»", "no task"),
        ("```\nprint()\n```", "no task"),
        ("# «send»", "Task 1 (send), `text`: it is empty"),
        ("# «send»\n\na\n\n# «send»\n\n", "Task 2 (send), `text`: it is empty"),
        ("# «send»\n\nhi\n\n# «wa", "cut off"),
        ("# «send»\n\nhi\n\n# «", "cut off"),
        ("# «send»\n\nlook:\n\n```py\nprint()", "cut off"),
        ("# «send»\n\nlook:\n\n```py\nprint()\n\n# «wait»\n\n5", "cut off"),
        ("```markdown\n# «send»\n\nhi", "cut off"),
        ("```\n# «send»\n\nlook:\n```py\nprint()\n```", "cut off"),
        ("<think>\n# «send»\n\nhi", "never closed"),
        ("For example:\n```\n# «send»\n\nx\n```\nNow the plan:\n\n# «send»\n\nhi", "several plans"),
        ("# «send»\n\nx" * 100_000, "longer than"),
        ("\ud800\x00" * 1_000, "no task"),
    ],
)
def test_what_cannot_be_saved_of_markdown_goes_back_with_a_hint(reply: str, hint: str) -> None:
    problem = parse_reply(reply, KINDS, MARKDOWN)
    assert isinstance(problem, ReplyProblem)
    assert hint in problem.hint
    assert len(problem.hint) < 300


@both
def test_a_task_that_makes_no_sense_goes_back_with_a_hint(codec: Codec) -> None:
    cases: list[tuple[list[dict[str, object]], str]] = [
        ([{"kind": "wait", "seconds": "five"}], "Task 1 (wait), `seconds`"),
        ([{"kind": "send", "text": "a", "depends_on": ["2"]}, {"kind": "wait", "depends_on": [1]}], "circle"),
        ([{"kind": "send", "text": "a"}, {"kind": "react", "emoji": "👍"}], "Task 2 (react), `message_id`"),
    ]
    for items, hint in cases:
        problem = parse_reply(spelled(items, codec), KINDS, codec)
        assert isinstance(problem, ReplyProblem)
        assert hint in problem.hint


@both
def test_the_canonical_reply_of_a_plan_is_read_as_that_plan(codec: Codec) -> None:
    tasks = (Send(id="b", text="x"), Wait(id="1", depends_on=("b",), seconds=0), Send(id="3", text="y", reply_to=4))
    assert parse_reply(reply_text(tasks, codec), KINDS, codec) == ParsedReply(tasks, notes=())
