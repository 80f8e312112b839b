"""Forwards messages from other chats, and makes replies to messages of other chats."""

from local.telegram.chats import LocalChat
from local.telegram.entities import utf16_length
from local.telegram.errors import WorldRefused
from local.telegram.messages import ExternalReply, ForwardOrigin, LocalMessage, LocalQuote
from local.telegram.people import Person
from local.telegram.posting import post
from local.telegram.world import World

#: number of characters that Telegram quotes in a reply to a message of another chat
LONGEST_QUOTE = 1_024


def forward(
    world: World, chat: LocalChat, person: Person, source: LocalMessage, topic_id: int | None = None
) -> LocalMessage:
    """Forward a message. If the message was itself forwarded, the forward names the original author."""
    check_may_pass_on(world, person, source)
    if source.service is not None:
        raise WorldRefused("This is a service message, which cannot be forwarded.")
    copy = LocalMessage(
        chat=chat.key,
        id=0,
        sender=person.id,
        date=0,
        topic_id=topic_id,
        text=source.text,
        caption=source.caption,
        entities=source.entities,
        preview=source.preview,
        media=source.media,
        thing=source.thing,
        forwarded=source.forwarded or origin_of(source),
    )
    return post(world, copy)


def origin_of(message: LocalMessage) -> ForwardOrigin:
    """Return the origin for a forward of this message: its chat, id, sender and date."""
    return ForwardOrigin(chat=message.chat, id=message.id, sender=message.sender, date=message.date)


def external_of(world: World, person: Person, source: LocalMessage) -> ExternalReply:
    """Return the data about the message `source` for a reply in another chat: its origin and its file. Raises
    WorldRefused if the person is not allowed to quote the message in another chat.
    """
    check_may_pass_on(world, person, source)
    return ExternalReply(origin=source.forwarded or origin_of(source), media=source.media)


def quote_of(source: LocalMessage, chosen: str | None) -> LocalQuote | None:
    """Return the quote of a reply: the text `chosen` that the person selected in the message. If nothing was selected,
    return the beginning of the message, as Telegram's server does for a reply in another chat. None if nothing was
    selected and the message has no text.

    Raises WorldRefused if the message does not contain the selected text.
    """
    if chosen is None:
        return LocalQuote(text=source.words[:LONGEST_QUOTE], is_manual=False) if source.words else None
    at = source.words.find(chosen)
    if at < 0:
        raise WorldRefused("The quoted words are not in the message that is replied to.")
    return LocalQuote(text=chosen, position=utf16_length(source.words[:at]))


def check_may_pass_on(world: World, person: Person, source: LocalMessage) -> None:
    """Raise WorldRefused if the person is not in the message's chat, or if the message is protected from forwarding."""
    chat = world.chats.get(source.chat)
    if chat is None or not chat.has(person.id):
        raise WorldRefused(f"{person.first_name} is not in the chat of that message.", 403)
    if source.is_protected:
        raise WorldRefused("This message is protected: it can be neither forwarded nor quoted in another chat.", 403)
