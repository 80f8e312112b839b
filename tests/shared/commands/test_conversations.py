"""The list of a chat's conversations."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from shared.commands.conversations import Page, respond
from shared.commands.parse import command_pressed
from shared.models.chat import KeptConversation
from shared.models.message import Press
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.own_words import LISTED, NEWER, NONE_YET, OLDER, UNTITLED
from tests.shared.values import ANN, KEY, NOW


def kept(name: str, **fields: object) -> KeptConversation:
    return KeptConversation.model_validate({"id": f"conv-{name:X<26}", "chat": KEY.id, "opening": name} | fields)


def test_each_has_a_button_with_its_title_and_its_date() -> None:
    here = KeptConversation(id=CONVERSATION, chat=KEY.id, title="Beds", opening="hello", updated_at=NOW)
    page = Page(0, (here, kept("x" * 40, updated_at=NOW - timedelta(days=1)), kept("")), has_older=False)
    found = respond(asked(result=page, zone=ZoneInfo("Pacific/Kiritimati")))
    day = NOW.astimezone(ZoneInfo("Pacific/Kiritimati"))
    assert found.text == LISTED
    assert [button.text for button in found.buttons] == [
        f"✓ Beds · {day:%Y-%m-%d}",
        f"{'x' * 29}… · {day - timedelta(days=1):%Y-%m-%d}",
        UNTITLED,
    ]


def test_pages_are_turned_by_buttons_that_are_read_again() -> None:
    ends = [respond(asked(result=Page(n, (kept("a"),), has_older=n < 2))).buttons[1:] for n in range(3)]
    assert [[button.text for button in buttons] for buttons in ends] == [[OLDER], [NEWER, OLDER], [NEWER]]
    carried = [button.data for buttons in ends for button in buttons]
    assert all(len(data.encode()) <= 64 for data in carried)
    read = [command_pressed(Press(at=NOW, message_id=5, author=ANN, query_id="q", data=data)) for data in carried]
    assert [(one.name, one.argument) for one in read] == [("conversations", n) for n in ("1", "0", "2", "1")]


def test_where_none_is_that_is_said() -> None:
    assert respond(asked(result=Page(0, (), has_older=False))).text == NONE_YET
