"""Make transcript entries from raw updates, and read from updates what they report about their chat.

Every update becomes an entry. An update of an unknown kind becomes an event that names the kind.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from shared.telegram.inbound.authors import author_from_user, author_of, forwarded_from, quote_of
from shared.telegram.inbound.content import holds_outside, media_of
from shared.telegram.inbound.envelope import is_id, object_in, thread_of
from shared.telegram.inbound.media import media_refs_of
from shared.telegram.inbound.service import (
    LEFT_STATUSES,
    adder_of,
    come_by,
    gone_by,
    joined_by,
    place_note,
    repeats_place,
    service_note,
    topic_name,
)
from shared.telegram.inbound.text import LONGEST_ID, LONGEST_NAME, clean, entities_of, text_of
from shared.values.access_request import ADMITTED, WOKEN
from shared.values.chat_key import ChatKind
from shared.values.console_order import ConsoleOrder, order_in
from shared.values.evolve import evolve
from shared.values.media import MediaKind
from shared.values.message import (
    AnyEntry,
    Author,
    ButtonPress,
    DueReminder,
    Edit,
    Event,
    MediaDescribed,
    Message,
    Reaction,
)
from shared.values.reference import MEDIA_DESCRIBED, MediaDescribedPayload
from shared.values.reminder import REMINDER
from shared.values.update import InboxUpdate, Json

#: the maximum number of reactions in one update; a person can give fewer
MOST_REACTIONS = 20
#: the maximum bytes of a button's data (core.telegram.org/bots/api#inlinekeyboardbutton)
LONGEST_BUTTON = 64


@dataclass(frozen=True, kw_only=True)
class ChatNames:
    """The names of the chat and of its topic in an update. A name that the update does not contain is empty."""

    title: str = ""
    #: the current name of the topic; and below, its first name
    topic: str = ""
    first_topic: str = ""


@dataclass(frozen=True, kw_only=True)
class MemberChanges:
    """The changes of a chat's members that an update reports: whether the agent came or left, and who else did."""

    #: True if the agent lost access to the chat, False if it gained access, None if the update reports neither
    was_removed: bool | None = None
    #: the person who added the agent to the group; None if nobody did
    added_by: Author | None = None
    #: the ids of all who came into the group, of the people (not bots) among them, and of all who left or were removed
    come: tuple[int, ...] = ()
    joined: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Migration:
    """The group's new or old chat id, if the update reports that the group became a supergroup."""

    to_chat: int | None = None
    from_chat: int | None = None


@dataclass(frozen=True, kw_only=True)
class ParsedUpdate:
    """The entry that an update becomes, and what the update reports about its chat and its sender."""

    update_id: int
    entry: AnyEntry
    chat_kind: ChatKind
    names: ChatNames = ChatNames()
    #: the sender's language as an IETF tag: the language of their app unless a better one is known; empty if unknown
    language: str = ""
    #: the language in which the sender writes; empty if unknown
    spoken: str = ""
    #: whether it only reports that the agent came or left, which another update reports as well
    repeats_place: bool = False
    members: MemberChanges = MemberChanges()
    migration: Migration = Migration()
    #: the owner's order from the console, if the update brings one; and when the update was stored
    order: ConsoleOrder | None = None
    received_at: datetime | None = None


def entry_of(update: InboxUpdate, bot_id: int) -> AnyEntry:
    """Return the transcript entry for an update."""
    read = READERS.get(update.envelope.kind)
    subject = update.raw.get(update.envelope.kind)
    entry = read(subject, update, bot_id) if read is not None and isinstance(subject, dict) else None
    return entry if entry is not None else _event(update)


def _event(update: InboxUpdate) -> Event:
    return Event(at=update.received_at, updates=(update.envelope.update_id,), kind=update.envelope.kind or "unknown")


def _message(message: Json, update: InboxUpdate, bot_id: int) -> AnyEntry | None:
    message_id = message.get("message_id")
    if not is_id(message_id):
        return None
    note, is_worded_elsewhere = service_note(message, bot_id), holds_outside(message, bot_id)
    return Message(
        at=_moment(message.get("date"), update.received_at),
        updates=(update.envelope.update_id,),
        message_id=message_id,
        author=author_of(message, bot_id),
        text=note or text_of(message),
        entities=entities_of(message),
        media=media_of(message),
        holds_outside=is_worded_elsewhere,
        is_worded_elsewhere=is_worded_elsewhere,
        media_refs=media_refs_of(message),
        album_id=clean(message.get("media_group_id"), LONGEST_ID),
        reply=quote_of(message, bot_id, service_note(object_in(message, "reply_to_message"), bot_id)),
        forwarded_from=forwarded_from(message, bot_id),
        is_service=bool(note),
        is_post=message.get("is_automatic_forward") is True,
        thread=thread_of(message),
    )


def _edit(message: Json, update: InboxUpdate, bot_id: int) -> AnyEntry | None:
    message_id = message.get("message_id")
    if not is_id(message_id):
        return None
    return Edit(
        at=_moment(message.get("edit_date"), update.received_at),
        updates=(update.envelope.update_id,),
        message_id=message_id,
        author=author_of(message, bot_id),
        text=text_of(message),
        entities=entities_of(message),
        media=media_of(message),
        media_refs=media_refs_of(message),
        # the original message may not be shown any more, so the edit itself must say that it is a forward
        holds_outside=holds_outside(message, bot_id) or _forwards_others(message, bot_id),
    )


def _forwards_others(message: Json, bot_id: int) -> bool:
    origin, author = forwarded_from(message, bot_id), author_of(message, bot_id)
    return origin is not None and origin.id != author.id


def _reaction(reaction: Json, update: InboxUpdate, bot_id: int) -> AnyEntry | None:
    message_id = reaction.get("message_id")
    if not is_id(message_id):
        return None
    now = reaction.get("new_reaction")
    kinds = [r for r in now[:MOST_REACTIONS] if isinstance(r, dict)] if isinstance(now, list) else []
    user = reaction.get("user")
    return Reaction(
        at=_moment(reaction.get("date"), update.received_at),
        updates=(update.envelope.update_id,),
        message_id=message_id,
        author=author_from_user(user, bot_id) if isinstance(user, dict) else None,
        emojis=tuple(clean(r.get("emoji"), LONGEST_ID) or clean(r.get("type"), LONGEST_ID) for r in kinds),
    )


def _press(query: Json, update: InboxUpdate, bot_id: int) -> AnyEntry | None:
    below, user, query_id = query.get("message"), query.get("from"), clean(query.get("id"), LONGEST_ID)
    message_id = below.get("message_id") if isinstance(below, dict) else None
    if not is_id(message_id) or not isinstance(user, dict) or not query_id:
        return None
    return ButtonPress(
        at=update.received_at,
        updates=(update.envelope.update_id,),
        message_id=message_id,
        author=author_from_user(user, bot_id),
        query_id=query_id,
        data=clean(query.get("data"))[:LONGEST_BUTTON],
    )


def _place(change: Json, update: InboxUpdate, bot_id: int) -> AnyEntry:
    return evolve(_event(update), note=place_note(change, bot_id))


def _reminder(told: Json, update: InboxUpdate, bot_id: int) -> AnyEntry | None:
    """Return a due reminder as a message of the person who scheduled it. lull itself creates this update."""
    user = told.get("from")
    try:
        due = DueReminder.model_validate(told, extra="ignore")
    except ValueError:
        return None
    if not isinstance(user, dict):
        return None
    return Message(
        at=update.received_at,
        updates=(update.envelope.update_id,),
        message_id=-update.envelope.update_id,  # a negative id, which Telegram never uses
        author=author_from_user(user, bot_id),
        text=text_of(told),
        thread=thread_of(told),
        reminder=due,
        holds_outside=told.get("holds_outside") is True,
        known_links=_addresses(told.get("known_links")),
    )


def _media_described(told: Json, update: InboxUpdate, _: int) -> AnyEntry | None:
    """Return the entry with the description of a file. lull itself creates this update."""
    try:
        found = MediaDescribedPayload.model_validate(told)
    except ValueError:
        return None
    kind = next((one for one in MediaKind if one.value == found.kind), MediaKind.DOCUMENT)
    return MediaDescribed(
        at=update.received_at,
        updates=(update.envelope.update_id,),
        message_ids=found.message_ids,
        conversations=tuple(filter(None, found.conversations)),
        kind=kind,
        unique_id=found.unique_id,
        description=found.description,
        holds_outside=found.description.holds_outside(kind),
    )


def _access_decision(told: Json, update: InboxUpdate, _: int) -> AnyEntry:
    """Return an event which says that the owner has decided about the person who waits in the chat."""
    return evolve(_event(update), note=f"the owner decided: {clean(told.get('state'))}")


def _silence_ended(_: Json, update: InboxUpdate, __: int) -> AnyEntry:
    """Return an event which says that the owner has unmuted the agent in the chat."""
    return evolve(_event(update), note="the owner has the agent answer again")


def _addresses(listed: object) -> tuple[str, ...]:
    return tuple(one for one in listed if isinstance(one, str)) if isinstance(listed, list) else ()


READERS: dict[str, Callable[[Json, InboxUpdate, int], AnyEntry | None]] = {
    "message": _message,
    "channel_post": _message,
    "edited_message": _edit,
    "edited_channel_post": _edit,
    "message_reaction": _reaction,
    "callback_query": _press,
    "my_chat_member": _place,
    REMINDER: _reminder,
    MEDIA_DESCRIBED: _media_described,
    ADMITTED: _access_decision,
    WOKEN: _silence_ended,
}


def _moment(stamp: object, otherwise: datetime) -> datetime:
    try:
        return datetime.fromtimestamp(stamp, UTC) if isinstance(stamp, int) and stamp > 0 else otherwise
    except (OverflowError, OSError, ValueError):
        return otherwise


#: the maximum characters of a language tag, which may include script and region
LONGEST_TAG = 35


def read_update(update: InboxUpdate, bot_id: int) -> ParsedUpdate:
    """Read an update. `bot_id` is the id of the agent's own bot. Never raises, like `entry_of`."""
    subject = object_in(update.raw, update.envelope.kind)
    return ParsedUpdate(
        update_id=update.envelope.update_id,
        entry=entry_of(update, bot_id),
        chat_kind=update.envelope.chat_kind,
        names=ChatNames(
            title=clean(object_in(subject, "chat").get("title"), LONGEST_NAME),
            topic=topic_name(subject),
            first_topic=topic_name(object_in(subject, "reply_to_message")),
        ),
        language=language_of(update),
        repeats_place=repeats_place(object_in(update.raw, "message"), bot_id),
        members=MemberChanges(
            was_removed=_was_removed(update),
            added_by=_added_by(update, bot_id),
            come=come_by(update),
            joined=joined_by(update),
            gone=gone_by(update),
        ),
        migration=Migration(
            to_chat=_other_chat(update, "migrate_to_chat_id"), from_chat=_other_chat(update, "migrate_from_chat_id")
        ),
        order=order_in(update),
        received_at=update.received_at,
    )


def language_of(update: InboxUpdate) -> str:
    """Return the language of the sender's app as an IETF tag; "" if unknown."""
    subject = object_in(update.raw, update.envelope.kind)
    return clean(object_in(subject, "from").get("language_code"))[:LONGEST_TAG]


def _was_removed(update: InboxUpdate) -> bool | None:
    if update.envelope.kind != "my_chat_member":
        return None
    return object_in(object_in(update.raw, "my_chat_member"), "new_chat_member").get("status") in LEFT_STATUSES


def _added_by(update: InboxUpdate, bot_id: int) -> Author | None:
    user = object_in(object_in(update.raw, "my_chat_member"), "from")
    return author_from_user(user, bot_id) if adder_of(update) else None


def _other_chat(update: InboxUpdate, name: str) -> int | None:
    chat_id = object_in(update.raw, "message").get(name)
    return chat_id if is_id(chat_id) and chat_id != update.envelope.key.chat_id else None
