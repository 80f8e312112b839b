"""`confirm`: what may be asked for, and that the button says exactly that."""

import json
from typing import Any

import pytest

from shared.models.agent import Codec
from shared.spelling.raw_task import ReplyProblem
from shared.spelling.reply import ParsedReply, parse_reply
from shared.tasks.confirm import Confirm
from shared.tasks.keep_zone import KeepZone
from shared.tasks.registry import plannable
from shared.wording.words import words_in
from tests.shared.values import NOW

ACT = {"kind": "keep-zone", "zone": "Asia/Tokyo"}


@pytest.mark.parametrize(
    ("reply", "codec"),
    [
        (
            '{"tasks": [{"kind": "confirm", "text": "Shall I?", "act": {"kind": "keep-zone", "zone": "Asia/Tokyo"}}]}',
            Codec.JSON,
        ),
        ('# «confirm» act="keep-zone Asia/Tokyo"\n\nShall I?', Codec.MARKDOWN),
    ],
)
def test_a_model_asks_for_what_it_may_not_do(reply: str, codec: Codec) -> None:
    parsed = parse_reply(reply, ("send", "confirm"), codec)
    assert isinstance(parsed, ParsedReply), parsed
    (task,) = parsed.tasks
    assert isinstance(task, Confirm)
    assert isinstance(task.task, KeepZone)
    assert (task.words, task.offered) == ("Shall I?", ())


@pytest.mark.parametrize(
    "act",
    [
        {},
        {"kind": "send", "text": "x"},
        {"kind": "revoke", "task_id": "k1"},
        {"kind": "notice"},
        {"kind": "dance"},
        "x",
    ],
)
def test_nothing_else_can_be_asked_for(act: Any) -> None:
    reply = json.dumps({"tasks": [{"kind": "confirm", "text": "Shall I?", "act": act}]})
    problem = parse_reply(reply, ("send", "confirm"))
    assert isinstance(problem, ReplyProblem)
    assert "`act`" in problem.hint


def test_the_button_is_lulls_whatever_the_model_wrote() -> None:
    reply = json.dumps({"tasks": [{"kind": "confirm", "text": "Win!", "act": ACT, "choices": ["Win"]}]})
    parsed = parse_reply(reply, ("send", "confirm"))
    assert isinstance(parsed, ParsedReply)
    (task,) = parsed.tasks
    assert isinstance(task, Confirm)
    assert task.labelled(words_in("de")).offered == ("Die Zeitzone Asia/Tokyo merken",)
    assert task.at_instants(NOW, "UTC") == task


def test_in_markdown_a_kind_is_written_with_what_it_needs_behind_it() -> None:
    parsed = parse_reply('# «confirm» act="keep-zone Europe/Kyiv"\n\nShall I?', ("send", "confirm"), Codec.MARKDOWN)
    assert isinstance(parsed, ParsedReply), parsed
    assert parsed.tasks[0].effect == {"id": "act", "depends_on": [], "kind": "keep-zone", "zone": "Europe/Kyiv"}


OFFERED = [kind for kind, model in plannable().items() if not model.traits.stays_in_chat and model.traits.is_offered]


@pytest.mark.parametrize("kind", OFFERED)
def test_every_kind_that_is_lost_can_be_asked_for(kind: str) -> None:
    model = plannable()[kind]
    required = {name: "Europe/Kyiv" for name, field in model.model_fields.items() if field.is_required()}
    assert model.model_validate(required).asked_for(words_in("en"))
