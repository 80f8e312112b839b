"""The menus of commands that Telegram shows people: what each command does, by scope and language."""

from collections.abc import Iterator

from shared.commands.declared import COMMANDS, FALLBACK, LANGUAGES, Declaration, Scope
from shared.models.registration import Menu, MenuEntry, MenuScope


def menus() -> tuple[Menu, ...]:
    """Every menu: what anybody may use in private chats and in groups, and what groups' administrators may."""
    private = [c for c in COMMANDS if c.scope is not Scope.GROUP]
    group = [c for c in COMMANDS if c.scope is not Scope.PRIVATE]
    return (
        *_translated(MenuScope.PRIVATE_CHATS, private),
        *_translated(MenuScope.GROUPS, [c for c in group if not c.for_administrators]),
        *_translated(MenuScope.ADMINISTRATORS, group),
    )


def _translated(scope: MenuScope, commands: list[Declaration]) -> Iterator[Menu]:
    for language in LANGUAGES:
        entries = tuple(MenuEntry(name=c.name, description=c.description(language)) for c in commands)
        yield Menu(scope=scope, language="" if language == FALLBACK else language, entries=entries)


MENUS = menus()
