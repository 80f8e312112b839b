"""Properties of every plan and every text, not only of hand-picked ones."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.format.raw_task import ReplyProblem
from shared.planning.format.reply import ParsedReply, parse_reply, reply_text
from shared.tasks.task import Task
from shared.values.agent import Codec
from tests.shared.planning.format.plans import KINDS, PROPERTY, SPELLINGS, items_of, plans

_PROSE_BEFORE = (
    "",
    "Sure, here's the plan:\n",
    "\ufeff \n",
    "```json\n",
    "```\n",
    '<think>a { or [ " in a thought</think>\n',
)
_PROSE_AFTER = ("", "\n```", "\n\nIt's done — that's \"all\".", " \n\t")
_MARKDOWN_PROSE = ("", "\ufeff", "Sure:\n\n", "```\ncode\n```\n\n", "<think>\n# «send»\n```\n</think>\n", "# Plan\n")
_MARKDOWN_LIKE = st.text(alphabet=st.sampled_from('#«»<>/`~ \n\r\\-=:[]",1sendthinkwait\ud800\ufeffé'))
_JSON_LIKE = st.text(alphabet=st.sampled_from("{}[]\",:\\ \n'“”/*abkind1.-tasks<think>`\ud800\ufeff"))


both = pytest.mark.parametrize("codec", [Codec.JSON, Codec.MARKDOWN])


@PROPERTY
@both
@given(data=st.data())
def test_the_canonical_reply_gives_the_same_tasks(codec: Codec, data: st.DataObject) -> None:
    tasks = data.draw(plans(most=6, codec=codec))
    assert parse_reply(reply_text(tasks, codec), KINDS, codec) == ParsedReply(tasks, notes=())


@PROPERTY
@given(
    tasks=plans(codec=Codec.MARKDOWN),
    fence=st.sampled_from(["", "```", "```markdown", "~~~~md"]),
    before=st.sampled_from(_MARKDOWN_PROSE),
    ends=st.sampled_from(["\n", "\r\n"]),
)
def test_a_plan_of_markdown_survives_what_is_around_it(
    tasks: tuple[Task, ...], fence: str, before: str, ends: str
) -> None:
    written = reply_text(tasks, Codec.MARKDOWN)
    lines = [before + fence, written, re.sub(r"\w", "", fence), "That is all."] if fence else [before + written]
    read = parse_reply(ends.join(lines), KINDS, Codec.MARKDOWN)
    assert read == ParsedReply(tasks, notes=())


@PROPERTY
@given(tasks=plans(codec=Codec.MARKDOWN).filter(bool))
def test_of_a_plan_of_markdown_that_is_cut_all_but_the_last_task_is_as_it_was(tasks: tuple[Task, ...]) -> None:
    written = reply_text(tasks, Codec.MARKDOWN)
    for length in range(len(written)):
        read = parse_reply(written[:length], KINDS, Codec.MARKDOWN)
        if isinstance(read, ParsedReply):
            assert read.tasks[:-1] == tasks[: len(read.tasks) - 1]


@PROPERTY
@pytest.mark.parametrize("spelling", SPELLINGS)
@given(tasks=plans(), fence=st.sampled_from(["", "```", "```json", "```JSON5"]))
def test_a_plan_survives_its_spelling(spelling: str, tasks: tuple[Task, ...], fence: str) -> None:
    written = SPELLINGS[spelling](items_of(tasks))
    fenced = f"\n{fence}\n{written}\n```\n" if fence else written
    assert parse_reply(fenced, KINDS) == ParsedReply(tasks, notes=())


@PROPERTY
@pytest.mark.parametrize("spelling", [name for name in SPELLINGS if name != "JSON in JSON"])
@given(tasks=plans().filter(bool), before=st.sampled_from(_PROSE_BEFORE), after=st.sampled_from(_PROSE_AFTER))
def test_a_plan_survives_the_prose_around_it(spelling: str, tasks: tuple[Task, ...], before: str, after: str) -> None:
    written = SPELLINGS[spelling](items_of(tasks))
    assert parse_reply(before + written + after, KINDS) == ParsedReply(tasks, notes=())


@PROPERTY
@pytest.mark.parametrize("spelling", SPELLINGS)
@given(tasks=plans(most=3), before=st.sampled_from(_PROSE_BEFORE))
def test_a_reply_cut_anywhere_is_refused_whole(spelling: str, tasks: tuple[Task, ...], before: str) -> None:
    written = before.encode() + SPELLINGS[spelling](items_of(tasks)).encode()
    for length in range(len(written)):
        cut = written[:length].decode(errors="replace")
        assert isinstance(parse_reply(cut, KINDS), ReplyProblem), cut


@PROPERTY
@given(plans(most=3).filter(bool))
def test_a_cut_line_of_tasks_refuses_all_lines(tasks: tuple[Task, ...]) -> None:
    lines = [json.dumps(item, ensure_ascii=False) for item in items_of(tasks)]
    assert parse_reply("\n".join(lines), KINDS) == ParsedReply(tasks, notes=())
    for number, line in enumerate(lines):
        for length in range(1, len(line)):
            cut = "\n".join([*lines[:number], line[:length]])
            assert isinstance(parse_reply(cut, KINDS), ReplyProblem), cut


@PROPERTY
@both
@given(text=st.one_of(st.text(), _JSON_LIKE, _MARKDOWN_LIKE))
def test_any_text_is_a_reply_or_a_problem(codec: Codec, text: str) -> None:
    assert isinstance(parse_reply(text, KINDS, codec), ParsedReply | ReplyProblem)


@PROPERTY
@given(data=st.data())
def test_a_garbled_plan_of_markdown_is_a_reply_or_a_problem(data: st.DataObject) -> None:
    written = reply_text(data.draw(plans(codec=Codec.MARKDOWN)), Codec.MARKDOWN)
    start = data.draw(st.integers(0, len(written)))
    end = data.draw(st.integers(start, min(len(written), start + 5)))
    read = parse_reply(written[:start] + data.draw(_MARKDOWN_LIKE) + written[end:], KINDS, Codec.MARKDOWN)
    if isinstance(read, ParsedReply):
        again = parse_reply(reply_text(read.tasks, Codec.MARKDOWN), KINDS, Codec.MARKDOWN)
        assert again == ParsedReply(read.tasks, notes=())
    else:
        assert read.hint


@PROPERTY
@given(st.data())
def test_a_garbled_plan_is_a_reply_or_a_problem(data: st.DataObject) -> None:
    spelling = data.draw(st.sampled_from(sorted(SPELLINGS)))
    written = SPELLINGS[spelling](items_of(data.draw(plans())))
    start = data.draw(st.integers(0, len(written)))
    end = data.draw(st.integers(start, min(len(written), start + 5)))
    garbled = written[:start] + data.draw(_JSON_LIKE) + written[end:]
    read = parse_reply(garbled, KINDS)
    if isinstance(read, ParsedReply):
        assert parse_reply(reply_text(read.tasks), KINDS) == ParsedReply(read.tasks, notes=())
    else:
        assert read.hint


_VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.sampled_from(["send", "1", "-1"])
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)
_KEYS = st.sampled_from(
    ["kind", "id", "text", "seconds", "emoji", "message_id", "reply_to", "depends_on", "dependsOn", "Type"]
)


@PROPERTY
@given(st.lists(st.dictionaries(_KEYS, st.one_of(st.sampled_from(KINDS), _VALUES)), max_size=5))
def test_any_values_make_a_plan_that_can_be_run_or_a_problem(items: list[dict[str, object]]) -> None:
    read = parse_reply(json.dumps({"tasks": items}), KINDS)
    if isinstance(read, ReplyProblem):
        assert read.hint
        return
    done: set[str] = set()
    for task in read.tasks:
        assert task.id
        assert task.id not in done
        assert done.issuperset(task.depends_on)
        done.add(task.id)
    assert parse_reply(reply_text(read.tasks), KINDS) == ParsedReply(read.tasks, notes=())


@PROPERTY
@given(st.data())
def test_an_unknown_kind_never_costs_another_task(data: st.DataObject) -> None:
    tasks = data.draw(plans().filter(bool))
    items = [
        {**item, "id": task.id, "depends_on": task.depends_on}
        for item, task in zip(items_of(tasks), tasks, strict=True)
    ]
    strange: dict[str, object] = {"kind": data.draw(st.sampled_from(["sticker", "x", "Send it"])), "text": "?"}
    items.insert(data.draw(st.integers(0, len(items))), strange)
    read = parse_reply(json.dumps({"tasks": items}), KINDS)
    assert isinstance(read, ParsedReply)
    assert read.tasks == tasks
    assert len(read.notes) == 1
