"""`revoke`: its fields, and that it takes no time."""

from datetime import timedelta

import pytest

from shared.planning.format.reply import ParsedReply, parse_reply
from shared.tasks.graph import let_time_pass, next_task
from shared.tasks.plan import TaskState
from shared.tasks.revoke import Revoke
from shared.values.agent import Codec
from tests.shared.examples import NOW, plan_of


def test_it_is_over_once_it_is_reached() -> None:
    planned = next_task(plan_of(Revoke(id="1", task_id="k1")), NOW)
    assert planned is not None
    assert planned.task.pause() == timedelta()
    assert let_time_pass(planned, NOW).state is TaskState.DONE
    assert planned.task.summary() == "k1"


@pytest.mark.parametrize(
    ("reply", "codec"),
    [('{"tasks": [{"kind": "revoke", "task_id": "k12"}]}', Codec.JSON), ("# «revoke» k12", Codec.MARKDOWN),
     ("# «revoke»\n\nk12", Codec.MARKDOWN), ("# «revoke» task_id=k12", Codec.MARKDOWN)],
)  # fmt: skip
def test_a_model_names_what_it_takes_back(reply: str, codec: Codec) -> None:
    parsed = parse_reply(reply, ("send", "revoke"), codec)
    assert isinstance(parsed, ParsedReply)
    (task,) = parsed.tasks
    assert isinstance(task, Revoke)
    assert task.task_id == "k12"
