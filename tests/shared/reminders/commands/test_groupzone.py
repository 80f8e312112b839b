"""Tests of /groupzone."""

from zoneinfo import ZoneInfo

from shared.commands.command import Audience, CommandResponse
from shared.reminders.commands.groupzone import COMMAND, press, respond
from shared.values.button_data import read_button
from shared.values.chat_key import ChatKind
from tests.shared.commands.requests import asked

GROUP = ChatKind.SUPERGROUP
KYIV = ZoneInfo("Europe/Kyiv")


def test_is_for_administrators_of_groups() -> None:
    assert COMMAND.audience is Audience.ADMINISTRATORS
    assert COMMAND.is_for(GROUP)
    assert not COMMAND.is_for(ChatKind.PRIVATE)


def test_sets_the_zone_of_the_chat() -> None:
    response = respond(asked("kyiv", GROUP))
    assert response.changes == {"group_zone": "Europe/Kyiv"}
    assert response.text == "The group's time zone is Europe/Kyiv. It's 14:00 there now."
    forgotten = respond(asked("-", GROUP, group_zone="Europe/Kyiv"))
    assert forgotten == CommandResponse(text=forgotten.text, changes={"group_zone": ""})


def test_shows_the_current_zone() -> None:
    own = respond(asked("", GROUP, group_zone="Europe/Kyiv", zone=KYIV))
    assert own.text.startswith("The group's time zone is Europe/Kyiv. It's 14:00 there now. To change it,")
    none = respond(asked("", GROUP, zone=KYIV))
    assert none.text.startswith("This group has no time zone of its own, so I use Europe/Kyiv")
    assert not own.changes
    assert not none.changes


def test_offers_buttons_for_several_zones() -> None:
    response = respond(asked("+2", GROUP))
    assert not response.changes
    for button in response.buttons:
        name, _, argument = read_button(button.data)
        assert name == COMMAND.name
        chosen = press(asked(argument, GROUP))
        assert button.text.startswith(f"{chosen.changes['group_zone']} · ")
        assert chosen.text == chosen.notice


def test_an_unknown_zone_changes_nothing() -> None:
    assert "/groupzone Berlin" in respond(asked("Xyzzy", GROUP)).text
    assert not respond(asked("Xyzzy", GROUP)).changes
    assert not press(asked("0123456789", GROUP)).changes
