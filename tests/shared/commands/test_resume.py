"""/resume."""

from shared.commands.pager import ListPage
from shared.commands.parse import command_pressed
from shared.commands.resume import press, respond
from shared.values.chat import ConversationInfo
from shared.values.message import ButtonPress
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.examples import ANN, KEY, NOW
from tests.shared.own_words import ALREADY_HERE, LISTED, NO_CONVERSATION

OTHER = ConversationInfo(id="conv-01HQXK5J7G8M3N4P5R6S7T8V9X", chat=KEY.id, title="Be*ds", updated_at=NOW)
HERE = ConversationInfo(id=CONVERSATION, chat=KEY.id, title="Tea")


def test_one_that_is_found_goes_on() -> None:
    for found in (respond(asked("beds", result=[OTHER])), press(asked("go", result=[OTHER]))):
        assert found.resumes == OTHER
        assert found.text.startswith(r"We're back in “Be\*ds”.")
        assert found.buttons == ()


def test_several_are_buttons_and_none_is_said() -> None:
    several = respond(asked("e", result=[OTHER, HERE]))
    assert several.text.startswith("These are the newest conversations matching “e”.")
    assert several.text.splitlines()[-2:] == [r"1. Be\*ds · 1 March", "2. ✓ Tea"]
    assert (several.resumes, [button.text for button in several.buttons]) == (None, ["1", "2"])
    assert "conversation called “x”" in respond(asked("x", result=[])).text
    assert respond(asked(result=ListPage(0, (OTHER,), 1))).text.startswith(LISTED)


def test_the_current_one_and_one_that_is_gone_change_nothing() -> None:
    assert (respond(asked("tea", result=[HERE])).text, respond(asked("tea", result=[HERE])).resumes) == (
        ALREADY_HERE,
        None,
    )
    again = press(asked("go", result=[HERE]))
    assert (again.notice, again.text, again.resumes) == (ALREADY_HERE, "", None)
    assert press(asked("go", result=[])).notice == NO_CONVERSATION


def test_its_button_is_read_again() -> None:
    (button,) = respond(asked("e", result=[OTHER, OTHER])).buttons[:1]
    assert len(button.data.encode()) <= 64
    read = command_pressed(ButtonPress(at=NOW, message_id=5, author=ANN, query_id="q", data=button.data))
    assert read.button is not None
    assert (read.name, read.button.conversation, read.ends_plan) == ("resume", OTHER.id, True)
