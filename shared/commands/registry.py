"""Finds the commands in the modules of all features. Lists them in order, by name, and as Telegram's menus."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from shared.base.discovery import modules_of
from shared.base.wording.words import FALLBACK, languages, words_in
from shared.commands.command import Audience, Command, Scope
from shared.values.registration import Menu, MenuEntry, MenuScope


@cache
def commands() -> tuple[Command, ...]:
    """Return all commands in the order in which menus list them."""
    found = [module.COMMAND for module in modules_of("commands") if hasattr(module, "COMMAND")]
    return tuple(sorted(found, key=lambda command: (command.order, command.name)))


@cache
def commands_by_name() -> Mapping[str, Command]:
    """Return all commands by their names without the slash."""
    return MappingProxyType({command.name: command for command in commands()})


@cache
def command_names() -> frozenset[str]:
    return frozenset(commands_by_name())


@cache
def menus() -> tuple[Menu, ...]:
    """Return all menus: for private chats, groups, and administrators of groups, each in all of lull's languages."""
    shown = [c for c in commands() if c.audience is not Audience.OWNER]
    private = [c for c in shown if c.scope is not Scope.GROUP]
    group = [c for c in shown if c.scope is not Scope.PRIVATE]
    return (
        *_menus_by_language(MenuScope.PRIVATE_CHATS, private),
        *_menus_by_language(MenuScope.GROUPS, [c for c in group if c.audience is not Audience.ADMINISTRATORS]),
        *_menus_by_language(MenuScope.ADMINISTRATORS, group),
    )


def _menus_by_language(scope: MenuScope, shown: Sequence[Command]) -> Iterator[Menu]:
    for language in languages():
        words = words_in(language)
        entries = tuple(MenuEntry(name=c.name, description=c.description(words)) for c in shown)
        yield Menu(scope=scope, language="" if language == FALLBACK else language, entries=entries)
