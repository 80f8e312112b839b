"""`shutdown`: the form in which a model writes it."""

from datetime import timedelta

import pytest

from shared.planning.format.reply import ParsedReply, parse_reply
from shared.values.access_action import AccessAction, AccessActionKind
from shared.values.agent import Codec


@pytest.mark.parametrize(("more", "is_everywhere"), [("", False), (', "everywhere": true', True)])
def test_a_model_writes_it(more: str, is_everywhere: bool) -> None:
    parsed = parse_reply(f'{{"tasks": [{{"kind": "shutdown"{more}}}]}}', ("send", "shutdown"), Codec.JSON)
    assert isinstance(parsed, ParsedReply)
    (task,) = parsed.tasks
    assert task.access_action == AccessAction(AccessActionKind.SHUTDOWN, is_everywhere=is_everywhere)
    assert task.pause() == timedelta()
    assert task.summary() == ("answers nobody" if is_everywhere else "answers nothing here")
