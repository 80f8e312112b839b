"""The menus of commands, held to what there is and to what Telegram takes."""

import re

import pytest

from shared.commands.declared import NAMES
from shared.commands.menu import MENUS
from shared.models.registration import Menu, MenuScope


@pytest.mark.parametrize("menu", MENUS, ids=lambda menu: f"{menu.scope}-{menu.language}")
def test_a_menu_shows_commands_that_there_are(menu: Menu) -> None:
    assert {entry.name for entry in menu.entries} <= NAMES
    assert len({entry.name for entry in menu.entries}) == len(menu.entries) > 0


@pytest.mark.parametrize("menu", MENUS, ids=lambda menu: f"{menu.scope}-{menu.language}")
def test_a_menu_is_one_that_telegram_takes(menu: Menu) -> None:
    # core.telegram.org/bots/api#botcommand
    assert all(re.fullmatch(r"[a-z0-9_]{1,32}", entry.name) for entry in menu.entries)
    assert all(1 <= len(entry.description) <= 256 for entry in menu.entries)
    assert re.fullmatch(r"([a-z]{2})?", menu.language)


def test_no_two_menus_are_for_the_same_people() -> None:
    places = [(menu.scope, menu.language) for menu in MENUS]
    assert len(set(places)) == len(places)


def test_each_kind_of_chat_has_its_menu_in_each_language() -> None:
    found = {(menu.scope, menu.language): {e.name: e.description for e in menu.entries} for menu in MENUS}
    scopes = (MenuScope.PRIVATE_CHATS, MenuScope.GROUPS, MenuScope.ADMINISTRATORS)
    assert set(found) == {(scope, language) for scope in scopes for language in ("", "de", "uk")}
    assert found[MenuScope.PRIVATE_CHATS, ""].keys() == NAMES
    assert found[MenuScope.GROUPS, "uk"].keys() == {"help", "stop", "whoami"}
    assert found[MenuScope.ADMINISTRATORS, "de"].keys() == NAMES - {"start", "claim"}
    assert found[MenuScope.PRIVATE_CHATS, "de"]["new"] == "Ein neues Gespräch beginnen"
