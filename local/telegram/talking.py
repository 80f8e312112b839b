"""Actions of people in a chat: write, edit, delete, react, press a button."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from local.telegram.albums import WITHOUT_CAPTION, album_id, problem_with_album
from local.telegram.chats import LocalChat
from local.telegram.detection import find_entities
from local.telegram.entities import LocalEntity, trim, utf16_length
from local.telegram.errors import WorldRefused
from local.telegram.messages import LocalMessage, LocalReaction, Media, RichContent
from local.telegram.passing_on import external_of, forward, quote_of
from local.telegram.people import Person
from local.telegram.posting import change, post, remove
from local.telegram.reactions import reaction_emoji
from local.telegram.typed_markdown import read_typed
from local.telegram.updates import CALLBACK_QUERY_SECONDS, DAY_SECONDS, LaneKind, News
from local.telegram.views import message_view
from local.telegram.wire import Json, chat_json, message_json, user_json
from local.telegram.world import World

MAX_TEXT = 4_096
MAX_CAPTION = 1_024


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """A message that a person sends: its text, files (several form an album) or other content, its place in the chat,
    and its time if that is not now.
    """

    text: str = ""
    entities: tuple[LocalEntity, ...] | None = None
    media: tuple[Media, ...] = ()
    thing: RichContent | None = None
    topic_id: int | None = None
    reply_to: int | None = None
    #: the message of another chat to which this message replies
    elsewhere: LocalMessage | None = None
    quote: str | None = None
    date: int | None = None


def say(world: World, chat: LocalChat, person: Person, utterance: Utterance) -> list[LocalMessage]:
    """Post what a person sends. Return the posted messages: one, or one per file of an album. Raises WorldRefused."""
    _check_may_write(chat, person)
    utterance = replace(utterance, topic_id=utterance.topic_id or person.id) if chat.is_direct else utterance
    _check_place(world, chat, utterance)
    text, entities = _format(utterance, MAX_CAPTION if utterance.media else MAX_TEXT)
    target = world.messages.get(chat.key, utterance.reply_to) if utterance.reply_to else None
    draft = LocalMessage(
        chat=chat.key,
        id=0,
        # in a group for direct messages, administrators write in the channel's name (0)
        sender=person.id if utterance.topic_id == person.id or not chat.is_direct else 0,
        date=utterance.date or 0,
        topic_id=utterance.topic_id,
        reply_to=utterance.reply_to,
        quote=quote_of(target, utterance.quote) if target and utterance.quote else None,
    )
    if utterance.elsewhere is not None:
        external = external_of(world, person, utterance.elsewhere)
        draft = replace(draft, external=external, quote=quote_of(utterance.elsewhere, utterance.quote))
    if not utterance.media:
        if utterance.thing is not None:
            return [post(world, replace(draft, thing=utterance.thing))]
        if not text:
            raise WorldRefused("A message needs a text, a sticker or a file.")
        return [post(world, replace(draft, text=text, entities=entities))]
    return _post_files(world, draft, utterance.media, text, entities)


def _post_files(
    world: World, draft: LocalMessage, media: Sequence[Media], caption: str, entities: tuple[LocalEntity, ...]
) -> list[LocalMessage]:
    """Post each file as a message, and let several files form an album (one media_group_id). The first message gets the
    caption, if files of its kind may have one.
    """
    problem = problem_with_album([one.kind for one in media])
    if problem is not None:
        raise WorldRefused(f"An album cannot be sent: {problem}.")
    if media[0].kind in WITHOUT_CAPTION:
        caption, entities = "", ()
    group = album_id(world) if len(media) > 1 else None
    posted: list[LocalMessage] = []
    for one in media:
        named = replace(draft, media=one, media_group_id=group)
        is_first = not posted and bool(caption)
        posted.append(post(world, replace(named, caption=caption, entities=entities) if is_first else named))
    return posted


def pass_on(world: World, chat: LocalChat, person: Person, source: LocalMessage, topic_id: int | None) -> LocalMessage:
    """Forward the message `source` into the chat. The person must be a member of the chat that `source` is from."""
    _check_may_write(chat, person)
    _check_place(world, chat, Utterance(topic_id=topic_id))
    return forward(world, chat, person, source, topic_id or (person.id if chat.is_direct else None))


def rewrite(
    world: World, message: LocalMessage, person: Person, text: str, entities: tuple[LocalEntity, ...] | None
) -> LocalMessage:
    """Replace the text or caption of a person's own message. Raises WorldRefused."""
    if message.sender != person.id or message.service is not None:
        raise WorldRefused(f"{person.first_name} can only edit messages that {person.first_name} wrote.", 403)
    limit = MAX_TEXT if message.media is None else MAX_CAPTION
    text, found = _format(Utterance(text=text, entities=entities), limit)
    if not text and message.media is None:
        raise WorldRefused("A message needs a text; delete it instead.")
    if message.media is not None:
        return change(world, replace(message, caption=text or None, entities=found))
    return change(world, replace(message, text=text, entities=found))


def unsay(world: World, chat: LocalChat, message: LocalMessage, by: int | None) -> None:
    """Delete a message on behalf of `by`, who must be the message's author, an administrator or the creator of the
    group, or the person of the private chat. If `by` is None, nothing is checked.

    Raises WorldRefused if somebody else wants to delete the message.
    """
    if by is not None and by not in (message.sender, *chat.admins, chat.person_id, chat.creator):
        raise WorldRefused("Only its author or an administrator can delete this message.", 403)
    remove(world, message)


def react(world: World, chat: LocalChat, message: LocalMessage, person: Person, emoji: str | None) -> LocalMessage:
    """Set or remove a person's reaction on a message, and notify bots that want updates about reactions."""
    _check_is_in(chat, person)
    if emoji is not None and reaction_emoji(emoji) is None:
        raise WorldRefused(f"{emoji} is not one of Telegram's reactions.")
    emoji = reaction_emoji(emoji) if emoji is not None else None
    old = message.reaction_of(person.id)
    message = put_reaction(world, message, person.id, emoji)
    content: Json = {
        "chat": chat_json(world, chat),
        "message_id": message.id,
        "user": user_json(person),
        "date": int(world.now()),
        "old_reaction": _reaction_types(old),
        "new_reaction": _reaction_types(emoji),
    }
    for bot_id in chat.bots if old != emoji else ():
        bot = world.people.bot(bot_id)
        if bot is not None and (not chat.is_group or bot_id in chat.admins):
            world.updates.push(bot, _reaction_news(world, chat, message, content))
    return message


def put_reaction(world: World, message: LocalMessage, sender: int, emoji: str | None) -> LocalMessage:
    """Set or remove the reaction of the person or bot `sender` on a message."""
    others = tuple(reaction for reaction in message.reactions if reaction.sender != sender)
    mine = (LocalReaction(sender=sender, emoji=emoji),) if emoji is not None else ()
    message = world.messages.keep(replace(message, reactions=(*others, *mine)))
    world.events.add("reaction", message=message_view(world, message))
    return message


def check_has_button(message: LocalMessage, data: str) -> None:
    """Raise WorldRefused unless a button below the message has this callback data."""
    offered = [button.get("callback_data") for row in message.buttons or () for button in row]
    if data not in offered:
        raise WorldRefused("This message has no button with that data.", 404)


def press(world: World, chat: LocalChat, message: LocalMessage, person: Person, data: str) -> str:
    """Press the button with this callback data on behalf of a person. Return the id of the callback query.

    The data is not checked: Telegram passes on whatever data a client sends, even if no button has it
    (core.telegram.org/bots/api#callbackquery).
    """
    _check_is_in(chat, person)
    bot = world.people.bot(message.sender)
    if bot is None:
        raise WorldRefused("The message is not from a bot, so it has no buttons.", 404)
    query_id = str(4_382_000_000_000_000_000 + world.counters.next("callback query"))
    content = {
        "id": query_id,
        "from": user_json(person),
        "message": message_json(world, message, bot.id),
        "chat_instance": str(-3_141_592_653_589_793_238 + chat.id),
        "data": data,
    }
    news = News(
        kind="callback_query",
        content=content,
        lane=LaneKind.CALLBACK_QUERIES.of(person.id),
        expires_at=world.now() + CALLBACK_QUERY_SECONDS,
        chat=chat.key,
        message_id=message.id,
    )
    world.callbacks.open(query_id, bot.id, message)
    world.updates.push(bot, news)
    return query_id


def _reaction_news(world: World, chat: LocalChat, message: LocalMessage, content: Json) -> News:
    return News(
        kind="message_reaction",
        content=content,
        lane=LaneKind.REACTIONS.of(chat.id),
        expires_at=world.now() + DAY_SECONDS,
        chat=chat.key,
        message_id=message.id,
    )


def _reaction_types(emoji: str | None) -> list[dict[str, Any]]:
    return [{"type": "emoji", "emoji": emoji}] if emoji is not None else []


def _check_is_in(chat: LocalChat, person: Person) -> None:
    if not chat.has(person.id):
        raise WorldRefused(f"{person.first_name} is not in this chat.", 403)


def _check_may_write(chat: LocalChat, person: Person) -> None:
    _check_is_in(chat, person)
    if chat.blocked:
        raise WorldRefused(f"{person.first_name} has blocked this bot; unblock it first.", 409)
    if chat.migrated_to is not None:
        raise WorldRefused(f"This group became the supergroup {chat.migrated_to}; write there.", 409)


def _check_place(world: World, chat: LocalChat, utterance: Utterance) -> None:
    is_known = utterance.topic_id is None or chat.topic(utterance.topic_id) is not None
    if not (is_known or (chat.is_direct and world.people.person(utterance.topic_id or 0) is not None)):
        raise WorldRefused(f"This chat has no topic {utterance.topic_id}.", 404)
    if utterance.reply_to is not None and world.messages.get(chat.key, utterance.reply_to) is None:
        raise WorldRefused(f"There is no message {utterance.reply_to} to reply to.", 404)


def _format(utterance: Utterance, limit: int) -> tuple[str, tuple[LocalEntity, ...]]:
    """Return the text and the entities of a message: typed markdown is parsed, white space at the ends is removed, and
    entities are detected. Raises WorldRefused if the text is too long.
    """
    text, entities = utterance.text, utterance.entities
    if entities is None:
        text, entities = read_typed(text)
    text, entities = trim(text, entities)
    if utf16_length(text) > limit:
        what = "caption" if limit == MAX_CAPTION else "message"
        raise WorldRefused(f"A {what} has at most {limit:,} characters; this one has {utf16_length(text):,}.")
    return text, find_entities(text, entities)
