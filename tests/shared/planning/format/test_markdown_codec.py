import pytest

from shared.planning.format.markdown_codec import body_field, plan_in_markdown, target_field, tasks_in_markdown
from shared.planning.format.raw_task import RawTask, ReplyProblem
from shared.tasks.react import React
from shared.tasks.registry import plannable
from shared.tasks.send import Send
from shared.tasks.wait import Wait


def one(reply: str) -> RawTask:
    """Return the only task of a reply."""
    read = tasks_in_markdown(reply)
    assert not isinstance(read, ReplyProblem)
    (task,) = read
    return task


def test_a_number_in_the_heading_is_what_is_answered() -> None:
    assert one("# «send» 12345\n\nhi").fields["reply_to"] == "12345"
    assert one("# «react» #77\n\n👍").fields["message_id"] == "77"
    assert one("# «send 5»\n\nhi").fields["reply_to"] == "5"


@pytest.mark.parametrize(
    "reply",
    [
        "# «wait» 60",
        "# «wait»\n\n60",
        "# «wait»\n\nseconds: 60",
        "# «wait»\n\ndelay: 60\n",
        "# «wait» seconds=60",
        "# «wait»: 60",
        "# «wait» 60\n\nThen I will ask again.",
    ],
)
def test_what_a_task_takes_may_stand_in_the_heading_or_below(reply: str) -> None:
    assert str(one(reply).fields["seconds"]) == "60"


@pytest.mark.parametrize(
    ("reply", "field", "value"),
    [
        ("# «send» Hello, you there!", "text", "Hello, you there!"),
        ("# «send»: Hello", "text", "Hello"),
        ("# «react» 👍", "emoji", "👍"),
        ("# «send» 12345", "text", ""),
    ],
)
def test_what_stands_behind_a_heading_alone_is_its_content(reply: str, field: str, value: str) -> None:
    assert one(reply).fields[field] == value


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("# «send» Hello there\n\nmore", "Hello there\nmore"),
        ("# «send» x = 5 is the answer", "x = 5 is the answer"),
        ("# «send»: Here it is:\n\n```\ncode\n```", "Here it is:\n```\ncode\n```"),
        ("# «send» 12345 Hello\n\nmore", "Hello\nmore"),
        ("# «send» id=2 Hello\n\nmore", "Hello\nmore"),
        ('# «send» text="Hello you"\n\nmore', "Hello you\nmore"),
        ("# «send» (reply to message 12345)\n\nmore", "more"),
        ("# «send» message_id=12345\n\nmore", "more"),
        ("# «think» 3 things\n\nmore", "3 things\nmore"),
    ],
)
def test_no_word_behind_a_heading_is_lost(reply: str, text: str) -> None:
    fields = one(reply).fields
    assert fields["text"] == text
    assert fields.get("reply_to", "") == ("12345" if "12345" in reply else "")


@pytest.mark.parametrize("reply", ["# «wait» a moment\n\n60", "# «wait» 60 seconds", "# «wait» so\n\ndelay: 60"])
def test_words_behind_the_heading_of_a_task_without_a_text_are_no_value(reply: str) -> None:
    assert one(reply).fields["seconds"] == "60"


def test_a_number_before_an_emoji_is_the_messages() -> None:
    fields = one("# «react» 5 👍").fields
    assert (fields["message_id"], fields["emoji"]) == ("5", "👍")


def test_several_fields_may_stand_below() -> None:
    fields = one("# «react»\n\nmessage_id: 4\n\nemoji = 👍").fields
    assert (fields["message_id"], fields["emoji"]) == ("4", "👍")


def test_a_text_is_a_text_whatever_it_looks_like() -> None:
    assert one("# «send»\n\nreply_to: 5\nid: 7").fields["text"] == "reply_to: 5\nid: 7"
    assert "reply_to" not in one("# «send»\n\nreply_to: 5\nid: 7").fields


@pytest.mark.parametrize(
    ("heading", "id_", "needs"),
    [
        ("id=tea depends_on=kettle", "tea", ("kettle",)),
        ("id=tea depends_on=kettle,cup", "tea", ("kettle", "cup")),
        ('5 id="a b" depends_on=["x, y", "z]"]', "a b", ("x, y", "z]")),
        ("id: 1, dependsOn: []", "1", ()),
        ('id="open', "open", None),
        ("id=['a'] depends_on=[a,b]", "a", ("a", "b")),
        ("", "", None),
    ],
)
def test_ids_and_dependencies_stand_in_the_heading(heading: str, id_: str, needs: tuple[str, ...] | None) -> None:
    task = one(f"# «send» {heading}\n\nhi")
    assert (task.id, task.depends_on) == (id_, needs)


def test_an_unknown_kind_is_kept_with_its_text() -> None:
    task = one("# «dance_slowly» 5\n\nbecause")
    assert (task.kind, task.fields["text"]) == ("dance-slowly", "because")


def test_where_the_fields_of_each_kind_stand() -> None:
    places = {kind: (body_field(kind), target_field(kind)) for kind in plannable()}
    assert {kind: places[kind] for kind in ("send", "wait", "react")} == {
        "send": ("text", "reply_to"),
        "wait": ("seconds", ""),
        "react": ("emoji", "message_id"),
    }


def test_a_plan_is_written_without_what_goes_without_saying() -> None:
    tasks = (Send(id="1", text="so “ä”", reply_to=7), Wait(id="2", depends_on=("1",), seconds=5))
    assert plan_in_markdown(tasks) == "# «send» 7\n\nso “ä”\n\n# «wait»\n\nseconds: 5"


def test_a_plan_is_written_with_what_is_not_usual() -> None:
    tasks = (
        Send(id="hi you", text="a"),
        Wait(id="2", depends_on=(), seconds=5),
        React(id="tea", depends_on=("2", "hi you"), emoji="👍", message_id=8),
        React(id="4", depends_on=("2", "tea"), emoji="👍", message_id=8),
    )
    headings = [line for line in plan_in_markdown(tasks).split("\n") if line.startswith("#")]
    assert headings == [
        '# «send» id="hi you"',
        "# «wait» depends_on=[]",
        '# «react» 8 id=tea depends_on=["2", "hi you"]',
        "# «react» 8 depends_on=2,tea",
    ]


def test_silence_is_written_as_a_thought() -> None:
    assert one(plan_in_markdown(())).kind == "think"
