"""The list of commands, and Telegram's menus."""

import re

import pytest

from shared.base.discovery import modules_of
from shared.base.wording.words import FALLBACK, languages
from shared.commands.command import Audience
from shared.commands.registry import command_names, commands, commands_by_name, menus
from shared.values.chat_key import ChatKind
from shared.values.registration import Menu, MenuScope
from tests.shared.commands.requests import KNOWN


def test_they_are_found_in_their_order() -> None:
    assert tuple(command.name for command in commands() if command.name in KNOWN) == KNOWN


def test_each_is_a_module_of_its_name() -> None:
    named = {one.__name__.rpartition(".")[2] for one in modules_of("commands") if hasattr(one, "COMMAND")}
    assert named == command_names()


def test_telegram_takes_every_one() -> None:
    # core.telegram.org/bots/api#botcommand
    assert len(command_names()) == len(commands())
    assert all(re.fullmatch(r"[a-z0-9_]{1,32}", name) for name in command_names())


def test_only_administrators_change_a_group_for_everybody() -> None:
    known = {name for name in KNOWN if commands_by_name()[name].audience is Audience.ADMINISTRATORS}
    assert known == {"new", "model", "mute", "unmute", "title"}


def test_some_are_for_private_chats_alone() -> None:
    assert commands_by_name()["start"].is_for(ChatKind.PRIVATE)
    assert not commands_by_name()["start"].is_for(ChatKind.SUPERGROUP)
    assert commands_by_name()["help"].is_for(ChatKind.GROUP)


@pytest.mark.parametrize("menu", menus(), ids=lambda menu: f"{menu.scope}-{menu.language}")
def test_a_menu_shows_commands_that_there_are(menu: Menu) -> None:
    assert {entry.name for entry in menu.entries} <= command_names()
    assert len({entry.name for entry in menu.entries}) == len(menu.entries) > 0


@pytest.mark.parametrize("menu", menus(), ids=lambda menu: f"{menu.scope}-{menu.language}")
def test_a_menu_is_one_that_telegram_takes(menu: Menu) -> None:
    # core.telegram.org/bots/api#botcommand
    assert all(re.fullmatch(r"[a-z0-9_]{1,32}", entry.name) for entry in menu.entries)
    assert all(1 <= len(entry.description) <= 256 for entry in menu.entries)
    assert re.fullmatch(r"([a-z]{2})?", menu.language)


def test_no_two_menus_are_for_the_same_people() -> None:
    places = [(menu.scope, menu.language) for menu in menus()]
    assert len(set(places)) == len(places)


def test_each_kind_of_chat_has_its_menu_in_each_language() -> None:
    found = {(menu.scope, menu.language): {e.name: e.description for e in menu.entries} for menu in menus()}
    scopes = (MenuScope.PRIVATE_CHATS, MenuScope.GROUPS, MenuScope.ADMINISTRATORS)
    assert set(found) == {(scope, language) for scope in scopes for language in {"", *languages()} - {FALLBACK}}
    known = frozenset(KNOWN)
    assert found[MenuScope.PRIVATE_CHATS, ""].keys() & known == known
    assert found[MenuScope.GROUPS, "uk"].keys() & known == {"help", "stop", "pronouns", "whoami"}
    assert found[MenuScope.ADMINISTRATORS, "de"].keys() & known == known - {"start", "claim"}
    assert found[MenuScope.PRIVATE_CHATS, "de"]["new"] == "Ein neues Gespräch beginnen"
