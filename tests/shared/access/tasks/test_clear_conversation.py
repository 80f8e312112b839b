"""`clear-conversation`: the form in which a model writes it."""

import pytest

from shared.access.tasks.clear_conversation import ClearConversation
from shared.planning.format.reply import ParsedReply, parse_reply
from shared.values.agent import Codec


@pytest.mark.parametrize(
    ("reply", "codec"),
    [('{"tasks": [{"kind": "clear-conversation"}]}', Codec.JSON), ("# «clear-conversation»", Codec.MARKDOWN)],
)
def test_a_model_writes_it(reply: str, codec: Codec) -> None:
    parsed = parse_reply(reply, ("send", "clear-conversation"), codec)
    assert isinstance(parsed, ParsedReply)
    assert [type(task) for task in parsed.tasks] == [ClearConversation]
    assert parsed.tasks[0].summary() == "begins another conversation"
