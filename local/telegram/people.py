"""People and bots, with the bots' settings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from local.telegram.errors import WorldRefused
from local.telegram.store import DocumentKind, WorldStore

# The first id of a person. Like real ids it has ten digits, so that no id is confused with a small counter in a test.
FIRST_PERSON_ID = 1_100_000_001
# Telegram's own account, which stands for anonymous administrators, and for the authors of actions whose author is
# unknown.
GROUP_ANONYMOUS_BOT = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}

_TOKEN = re.compile(r"([0-9]{1,15}):[A-Za-z0-9_-]+")


@dataclass(frozen=True, kw_only=True)
class Person:
    """A person with a Telegram account: the account's data and two privacy settings."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = None
    #: whether forwards of the person's messages show only the person's name, without the account
    hides_account: bool = False
    #: whether the person refuses voice notes and round videos in private chats
    refuses_voice: bool = False


@dataclass(frozen=True, kw_only=True)
class BotWebhook:
    """A bot's webhook. The fields have the meaning that they have in setWebhook and getWebhookInfo."""

    url: str
    secret_token: str = ""
    max_connections: int = 40
    ip_address: str | None = None
    last_error_date: int | None = None
    last_error_message: str | None = None


@dataclass(frozen=True, kw_only=True)
class Bot:
    """A bot account. An `allowed_updates` of None means Telegram's default. `commands` are stored by scope and
    language.
    """

    id: int
    token: str = field(repr=False)
    first_name: str
    username: str
    privacy: bool = True
    can_join_groups: bool = True
    webhook: BotWebhook | None = None
    allowed_updates: tuple[str, ...] | None = None
    commands: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    #: the button beside the message field, by chat; "" for all private chats without one
    menu_buttons: dict[str, dict[str, Any]] = field(default_factory=dict)


class People:
    """All people and bots by id. Bots can also be found by token and by username."""

    def __init__(self, store: WorldStore) -> None:
        self._people = DocumentKind(store, "person", Person)
        self._bots = DocumentKind(store, "bot", Bot)
        self._by_token = {bot.token: bot.id for bot in self._bots.values()}
        self._by_username = {who.username.lower(): who.id for who in self.everyone() if who.username}

    def everyone(self) -> Iterator[Person | Bot]:
        """Yield all people, then all bots."""
        yield from self.people()
        yield from self.bots()

    def people(self) -> list[Person]:
        """Return the people, sorted by id."""
        return sorted(self._people.values(), key=lambda person: person.id)

    def bots(self) -> list[Bot]:
        """Return the bots, sorted by id."""
        return sorted(self._bots.values(), key=lambda bot: bot.id)

    def bot(self, id_: int) -> Bot | None:
        """Return the bot with this id, or None if there is none."""
        return self._bots.get(id_)

    def bot_with(self, token: str) -> Bot | None:
        """Return the bot with this token, or None if there is none."""
        return self._bots.get(self._by_token.get(token, 0))

    def person(self, id_: int) -> Person | None:
        """Return the person with this id, or None if there is none."""
        return self._people.get(id_)

    def find(self, id_: int) -> Person | Bot | None:
        """Return the person or bot with this id, or None if there is neither."""
        return self.person(id_) or self.bot(id_)

    def find_username(self, username: str) -> Person | Bot | None:
        """Return the person or bot with this username, or None. The username may be given with or without the @, and in
        upper or lower case.
        """
        return self.find(self._by_username.get(username.removeprefix("@").lower(), 0))

    def keep_bot(self, bot: Bot) -> Bot:
        """Store a new bot, or a bot's new state, and return it."""
        self._by_token[bot.token] = bot.id
        self._by_username[bot.username.lower()] = bot.id
        return self._bots.put(bot.id, bot)

    def keep_person(self, person: Person) -> Person:
        """Store a person's new state. The username must not have changed."""
        return self._people.put(person.id, person)

    def add_person(self, person: Person) -> Person:
        """Add a new person under the next free id."""
        if person.username and self.find_username(person.username):
            raise WorldRefused(f"The username @{person.username} is taken; choose another.", 409)
        person = replace(person, id=FIRST_PERSON_ID + len(self._people))
        if person.username:
            self._by_username[person.username.lower()] = person.id
        return self._people.put(person.id, person)


def bot_id_of(token: str) -> int | None:
    """Return the bot id in a bot token (the number before the colon), or None if this is not a token."""
    match = _TOKEN.fullmatch(token)
    return int(match.group(1)) if match else None
