"""`unblock`: the form in which a model writes it."""

from datetime import timedelta

from shared.access.tasks.unblock import UnblockPerson
from shared.base.wording.words import words_in
from shared.planning.format.reply import ParsedReply, parse_reply
from shared.values.access_action import AccessAction, AccessActionKind
from shared.values.agent import Codec


def test_a_model_writes_it() -> None:
    parsed = parse_reply('{"tasks": [{"kind": "unblock", "person": 77}]}', ("send", "unblock"), Codec.JSON)
    assert isinstance(parsed, ParsedReply)
    (task,) = parsed.tasks
    assert task.access_action == AccessAction(AccessActionKind.UNBLOCK, 77)
    assert (task.pause(), task.summary()) == (timedelta(), "unblocks 77")


def test_a_button_asks_by_the_name_that_the_owner_knows() -> None:
    task = UnblockPerson(person=77, name="whom you like")
    named = task.naming({"77": "Eve\n\u202eCy", "m1": "Ann"})
    assert named.asked_for(words_in("en")) == "Unblock Eve Cy (77)"
    assert task.naming({}).asked_for(words_in("en")) == "Unblock 77"
