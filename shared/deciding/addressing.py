"""Finds the people and bots that a message mentions or gives a command to, by means of Telegram's entities.

Mentions inside code do not count.
"""

from collections.abc import Iterator

from shared.base.text import Entity, EntityType, WrittenCommand, command_in
from shared.deciding.calls import is_told_of
from shared.deciding.circumstances import DecisionContext
from shared.deciding.names import fold
from shared.values.message import Message

#: kinds of entity whose text is not the person's own words, or is a complete name
QUIET = frozenset({
    EntityType.CODE, EntityType.PRE, EntityType.BLOCKQUOTE, EntityType.EXPANDABLE_BLOCKQUOTE, EntityType.URL,
    EntityType.TEXT_LINK, EntityType.EMAIL, EntityType.PHONE_NUMBER, EntityType.MENTION, EntityType.TEXT_MENTION,
    EntityType.HASHTAG, EntityType.CASHTAG, EntityType.BOT_COMMAND,
})  # fmt: skip


def mentions(message: Message, bot_id: int, username: str) -> bool:
    """Return whether the message mentions the agent: by its @username in any case, or by a link to its account."""
    return bool(mentioned_people(message) & {bot_id, username.casefold()})


def mentioned_people(message: Message) -> frozenset[int | str]:
    """Return the ids of the mentioned people, or their usernames (lower case, without @) if the id is unknown."""
    return frozenset(who for who, _ in _mentions(message))


def people_called_by_mention(message: Message) -> frozenset[int | str]:
    """Return the people whom a message addresses by a mention.

    In `tell @ann that …` and `@ann likes tea` the mention addresses nobody.
    """
    units = message.text.encode("utf-16-le", "surrogatepass")
    return frozenset(
        who
        for who, place in _mentions(message)
        if not is_told_of(
            units[: place.in_utf16.start].decode("utf-16-le", "replace"),
            units[place.in_utf16.stop :].decode("utf-16-le", "replace"),
        )
    )


def _mentions(message: Message) -> Iterator[tuple[int | str, Entity]]:
    for entity in () if message.is_of_others_words else message.entities:
        if entity.type == EntityType.TEXT_MENTION and entity.user_id:
            yield entity.user_id, entity
        if entity.type == EntityType.MENTION:
            yield entity.text_in(message.text).removeprefix("@").casefold(), entity


def is_named_by_command(message: Message, username: str) -> bool:
    """Return whether the message has a command with the agent's username: `/help@lull_bot`."""
    wanted = f"@{username}".casefold()
    return any(span.casefold().endswith(wanted) for span in spans(message, EntityType.BOT_COMMAND))


def folded_words(message: Message) -> str:
    """Return the author's own text, folded. Code, quotations, links, mentions and forwarded text are left out."""
    if message.is_of_others_words:
        return ""
    units = bytearray(message.text.encode("utf-16-le", "surrogatepass"))
    for entity in message.entities:
        if entity.type in QUIET:
            covered = units[entity.in_utf16]
            units[entity.in_utf16] = b"\n\0" * (len(covered) // 2)
    return fold(units.decode("utf-16-le", "replace"))


def spans(message: Message, kind: EntityType) -> Iterator[str]:
    """Yield the parts of the author's own text that have entities of this kind. Forwarded text is left out."""
    entities = () if message.is_of_others_words else message.entities
    return (entity.text_in(message.text) for entity in entities if entity.type == kind)


def written_command(message: Message) -> WrittenCommand | None:
    """Return the command at the start of a message.

    Return None if Telegram marks no command, if the text is a path, or if the message is forwarded.
    """
    return None if message.is_of_others_words else command_in(message.text, message.entities)


def is_for_agent(command: WrittenCommand, message: Message, given: DecisionContext) -> bool:
    """Return whether a command is for the agent: it has the agent's username, or the chat is not a group.

    In a group, a command without a username is for the agent if the agent knows the command, and no other bot has
    written since the agent did. That is also how Telegram chooses the bot that gets such a command
    (core.telegram.org/bots/features#privacy-mode). A known command in a reply to the agent is always for the agent.
    """
    if command.username:
        return command.username == given.me.username.casefold()
    if given.kind.is_of_one:
        return True
    if command.name not in given.me.commands:
        return False
    if message.replied_to is not None and message.replied_to.is_agent:
        return True
    bots = [m.author for m in given.spoken_before(message) if m.author.is_bot]
    return not bots or bots[-1].is_agent
