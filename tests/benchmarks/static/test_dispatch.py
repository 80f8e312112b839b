"""Places that decide by a task's kind are found in every form, and nothing else is found."""

from pathlib import Path

import pytest

from benchmarks.static.dispatch import Kinds, places
from benchmarks.static.program import Program
from tests.benchmarks.static.trees import program

KIND = 'from shared.tasks.task import TaskBase\nclass {name}(TaskBase):\n    kind: Literal["{kind}"] = "{kind}"\n'


def with_tasks(folder: Path, **sources: str) -> Program:
    """Return a program with two kinds of task and these modules."""
    return program(
        folder,
        tasks__task="class TaskBase: ...",
        tasks__send=KIND.format(name="Send", kind="send") + "def own(task): return isinstance(task, Send)",
        tasks__wait=KIND.format(name="Wait", kind="wait"),
        tasks__registry="KINDS = {'send': 1, 'wait': 2}",
        **sources,
    )


def test_the_kinds_are_what_is_made_from_the_base_class(tmp_path: Path) -> None:
    kinds = Kinds(with_tasks(tmp_path, other="class Apart: ..."))
    assert sorted(c.node.name for c in kinds.classes) == ["Send", "Wait"]
    assert kinds.names == {"send", "wait"}


@pytest.mark.parametrize(
    "line",
    [
        "isinstance(x.task, Send)",
        "isinstance(x, Send | Wait)",
        "isinstance(x, EITHER)",
        "type(x) is Send",
        "{Send: 1}[type(x)]",
        "{'send': 1, 'wait': 2}[x]",
        "x.kind == 'send'",
        "x.kind in ('wait', 'other')",
        "x.kind in WORDS",
        "x.kind != SEND",
        "('send', 'wait')",
        're.compile(\'"kind": "(send|wait)"\')',
    ],
)
def test_a_place_is_found(tmp_path: Path, line: str) -> None:
    head = "from shared.tasks.send import Send\nfrom shared.tasks.wait import Wait\nimport re\n"
    constants = "EITHER = (Send,)\nWORDS = frozenset({'send'})\nSEND = 'send'\n"
    assert len(places(with_tasks(tmp_path, flow=f"{head}{constants}def flow(x):\n    return {line}\n"))) == 1


@pytest.mark.parametrize(
    "line",
    ["Send(id='1')", "x.append('send')", "{'send': 1}", "isinstance(x, str)", "x.kind == 'edit'", "call(kind='send')"],
)
def test_making_or_naming_one_is_none(tmp_path: Path, line: str) -> None:
    head = "from shared.tasks.send import Send\n"
    assert places(with_tasks(tmp_path, flow=f"{head}def flow(x):\n    return {line}\n")) == []


def test_a_match_is_one_place_and_what_its_cases_choose_another(tmp_path: Path) -> None:
    source = """
        from shared.tasks.send import Send
        from shared.tasks.wait import Wait
        def flow(x):
            match x:
                case Send():
                    return isinstance(x.other, Wait)
                case Wait():
                    return 2
    """
    assert [place.line for place in places(with_tasks(tmp_path, flow=source))] == [5, 7]


def test_a_class_of_the_same_name_from_elsewhere_is_no_kind(tmp_path: Path) -> None:
    source = "from starlette.types import Send\ndef flow(x):\n    return isinstance(x, Send)\n"
    assert places(with_tasks(tmp_path, flow=source)) == []
