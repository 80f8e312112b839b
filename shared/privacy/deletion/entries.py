"""Removes a forgotten person from transcript entries. The person's text is replaced by "[erased]", and other people's
text stays.

`KEPT` lists the fields of an erased message that stay. A field that is later added to messages is erased unless it is
listed.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from shared.base.text import PINNED, Entity
from shared.privacy.deletion.forgotten import ForgottenSubject
from shared.privacy.deletion.repeats import texts_in
from shared.values.button_data import person_in
from shared.values.deletion import ERASED, NOBODY
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaRef
from shared.values.message import (
    AnyEntry,
    Author,
    ButtonPress,
    Edit,
    Event,
    MediaDescribed,
    Message,
    PlannedMessage,
    QuotedMessage,
    Reaction,
)

#: fields of an erased message that stay: its position, time and kind, and lull's decision whether to answer
KEPT: Final = (
    "seq", "at", "updates", "message_id", "turn", "thread", "is_service", "is_command", "is_by_lull", "is_post",
    "decision", "plan", "calls", "waited_s", "holds_outside",
)  # fmt: skip


def without(entry: AnyEntry, who: ForgottenSubject) -> AnyEntry:
    """Return the entry without the person's data. If it has none, the same object is returned."""
    match entry:
        case Message():
            return _message(entry, who)
        case Edit():
            return _edit(entry, who)
        case Reaction() if who.wrote(entry):
            return evolve(entry, author=NOBODY, emojis=())
        case ButtonPress():
            return _press(entry, who)
        case MediaDescribed():
            return _erase_description(entry, who)
        case Event():
            return _event(entry, who)
    return entry


def _is_chosen(message: Message) -> bool:
    """Return whether the message stands for the press of a button below a message of the agent. Telegram has no message
    for a press.
    """
    return message.message_id < 0 and not message.author.is_agent and message.reminder is None


def _press(press: ButtonPress, who: ForgottenSubject) -> ButtonPress:
    if who.wrote(press):
        return evolve(press, author=NOBODY, data="", query_id="")
    return evolve(press, data="") if person_in(press.data) == who.person else press


def _event(event: Event, who: ForgottenSubject) -> Event:
    if who.said.has(event.title) or who.said.is_repeated_in(event.title, event.note):
        return evolve(event, title="", note="")
    note = _without_id(who.said.without_names(event.note, ERASED, event.at), who)
    return event if note == event.note else evolve(event, note=note)


def _without_id(note: str, who: ForgottenSubject) -> str:
    return re.sub(rf"(?<![\w-]){who.person}(?!\w)", ERASED, note)


def _message(message: Message, who: ForgottenSubject) -> Message:
    if who.wrote(message):
        return _mark_erased(message, NOBODY)
    if message.author.id != who.person and who.is_passed_on(message.forwarded_from, message.text, message.at):
        return _mark_erased(message, message.author)
    # a model writes the text of reminders and options
    is_models = message.author.is_agent or message.reminder is not None or _is_chosen(message)
    is_repeating = is_models and who.said.is_repeated_in(*_texts_of(message), at=message.at)
    is_made_of_theirs = who.is_used_in(message.elsewhere)
    if is_repeating or is_made_of_theirs or who.is_answered_by(message):
        return _mark_erased(message, message.author)
    changes = _changes_of(message, who, in_own_words=is_models or message.is_service)
    return message.model_copy(update=changes) if changes else message


def _changes_of(message: Message, who: ForgottenSubject, *, in_own_words: bool) -> dict[str, Any]:
    """Return the changed fields of a message that is not erased.

    `in_own_words`: the text is by a model or lull, and may contain the person's names.
    """
    changes = _without_what_is_theirs(message, who) if in_own_words else {}
    if message.is_service:
        changes |= _without_pinned(message, who)
    if (
        refs := _without_files(message.media_refs, who)
    ) != message.media_refs:  # an agent may have sent the person's file anew
        changes["media_refs"] = refs
    if left := _without_signature(message.forwarded_from, who):
        changes["forwarded_from"] = left
    if "entities" not in changes and any(one.user_id == who.person for one in message.entities):
        changes["entities"] = tuple(one for one in message.entities if one.user_id != who.person)
    if who.person in message.shown_of:
        changes["shown_of"] = tuple(one for one in message.shown_of if one != who.person)
    if message.reply is not None and (reply := _quote(message.reply, who)) is not message.reply:
        changes["reply"] = reply
    return changes


def _without_what_is_theirs(message: Message, who: ForgottenSubject) -> dict[str, Any]:
    """Return the changed fields of a message by the agent or lull, with the person's names and links removed."""
    at = None if message.is_service else message.at  # the name of a new member is in it before the member writes
    told = {
        "text": message.text, "media": message.media, "choices": message.choices, "later": message.later,
        "task": message.task, "confirms": message.confirms, "looked_up": message.looked_up,
    }  # fmt: skip
    changes = {name: left for name, old in told.items() if (left := _without_names(old, who, at)) != old}
    for name in changes.keys() & {"task", "confirms"}:  # in JSON, an id must be replaced by a number
        changes[name] = _without_names(
            re.sub(rf"(?<=[:,\[]){who.person}(?=[,\]}}])", "0", getattr(message, name)), who, at
        )
    if (links := who.said.without_links(message.known_links)) != message.known_links:
        changes["known_links"] = links
    if (entities := _without_links(message, who)) != message.entities:
        changes["entities"] = entities
    return changes | {"entities": ()} if "text" in changes else changes  # they name positions in the old text


def _without_links(message: Message, who: ForgottenSubject) -> tuple[Entity, ...]:
    """Return the entities of a message without links to the person and without links that the person sent."""
    said = who.said
    return tuple(
        one
        for one in message.entities
        if not one.url or (said.without_names(one.url, "") == one.url and not said.has(one.url))
    )


def _without_pinned(message: Message, who: ForgottenSubject) -> dict[str, Any]:
    """Return the changed text of a notice that a message was pinned, if the person wrote the pinned message."""
    what, _, pinned = message.text.partition(": ")
    is_theirs = what == PINNED and who.said.has(pinned)
    return {"text": f"{PINNED}: {ERASED}", "entities": ()} if is_theirs else {}


def _without_files(refs: tuple[MediaRef, ...], who: ForgottenSubject) -> tuple[MediaRef, ...]:
    return tuple(one for one in refs if one.unique_id not in who.files)


def _without_signature(origin: Author | None, who: ForgottenSubject) -> Author | None:
    """Return the channel without the person's name, if the person signed the channel's post; None otherwise."""
    if origin is None or origin.id >= 0:
        return None
    left = who.said.without_names(origin.name, ERASED)
    return evolve(origin, name=left) if left != origin.name else None


def _without_names(told: Any, who: ForgottenSubject, at: datetime | None) -> Any:
    if isinstance(told, tuple):
        return tuple(_without_names(one, who, at) for one in told)
    if isinstance(told, PlannedMessage):
        return evolve(told, text=_without_names(told.text, who, at))
    return who.said.without_names(told, ERASED, at)


def _mark_erased(message: Message, author: Author) -> Message:
    kept = {name: getattr(message, name) for name in KEPT}
    reply = QuotedMessage(message_id=message.reply.message_id) if message.reply is not None else None
    return Message(**kept, author=author, text=ERASED, reply=reply)


def _texts_of(message: Message) -> Iterable[str]:
    fields = {"text", "media", "task", "confirms", "choices", "later", "looked_up"}
    yield from texts_in(message.model_dump(include=fields))


def _quote(quote: QuotedMessage, who: ForgottenSubject) -> QuotedMessage:
    origins = (
        quote.forwarded_from,
        None if quote.message_id else quote.author,
    )  # the author hides their account
    is_passed_on = any(who.is_passed_on(one, text) for one in origins for text in quote.words or ("",))
    is_theirs = who.is_of(quote.author) or is_passed_on or quote.message_id in who.erased_messages
    if is_theirs or (quote.author is not None and quote.author.is_agent and who.said.is_repeated_in(*quote.words)):
        is_named = who.is_of(quote.author) or (quote.author is not None and not quote.author.id)
        author = NOBODY if is_named else quote.author
        return QuotedMessage(message_id=quote.message_id, author=author, excerpt=ERASED)
    changes: dict[str, Any] = {}
    is_agents = quote.author is not None and quote.author.is_agent
    if is_agents:
        texts = {"excerpt": quote.excerpt, "around": quote.around, "media": quote.media}
        changes |= {name: left for name, text in texts.items() if (left := _without_names(text, who, None)) != text}
        changes |= {"entities": ()} if changes else {}  # they name positions in the old text
    if (refs := _without_files(quote.media_refs, who)) != quote.media_refs:
        changes["media_refs"] = refs
    if unsigned := _without_signature(quote.forwarded_from, who):
        changes["forwarded_from"] = unsigned
    return quote.model_copy(update=changes) if changes else quote


def _edit(edit: Edit, who: ForgottenSubject) -> Edit:
    is_made_of_theirs = who.is_used_in(edit.elsewhere) or edit.message_id in who.heard.derived
    is_repeating = is_made_of_theirs or (edit.author.is_agent and who.said.is_repeated_in(edit.text, at=edit.at))
    if not who.wrote(edit) and not is_repeating:
        left = who.said.without_names(edit.text, ERASED, edit.at) if edit.author.is_agent else edit.text
        return edit if left == edit.text else evolve(edit, text=left, entities=())
    author = NOBODY if who.wrote(edit) else edit.author
    kept = {name: getattr(edit, name) for name in ("seq", "at", "updates", "message_id", "decision", "holds_outside")}
    return Edit(**kept, author=author, text=ERASED)


def _erase_description(told: MediaDescribed, who: ForgottenSubject) -> MediaDescribed:
    if told.unique_id not in who.files and not who.goes(told):
        return told
    gone = Description(outcome=DescriptionOutcome.PERMANENT_FAILURE, why="its sender was forgotten")
    return evolve(told, description=gone, unique_id="", message_ids=())
