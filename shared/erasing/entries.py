"""Entries of a transcript without somebody: what they wrote is a mark, and whoever else spoke stays readable.

What is kept of an entry is named here, field by field: a field that is added to a message later is erased with it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeGuard

from shared.erasing.repeats import Said, texts_in
from shared.erasing.updates import carries_message, tells_of, without_words
from shared.models.button_data import person_in
from shared.models.erasure import ERASED, NOBODY
from shared.models.media import Description, Outcome
from shared.models.message import AnyEntry, Author, Described, Edit, Event, Later, Message, Press, Quote, Reaction
from shared.models.origin import is_made_of
from shared.models.transcript import authors_in

#: of a message: where it stands, when and of which kind it was, and what was decided, in lull's own words
KEPT: Final = (
    "seq", "at", "updates", "message_id", "turn", "thread", "is_service", "is_command", "is_by_lull", "is_post",
    "decision", "plan", "calls", "waited_s", "holds_outside",
)  # fmt: skip


@dataclass
class Heard:
    """What is known of somebody's part in one conversation: it has numbers of its own for messages and turns."""

    messages: set[int] = field(default_factory=set)
    turns: set[int] = field(default_factory=set)
    #: the agent's messages that may be made of their words in other chats
    derived: set[int] = field(default_factory=set)
    #: the page that was heard last, by the number of its first entry
    up_to: int = 0
    #: what others are called there
    others: set[str] = field(default_factory=set)


@dataclass
class Forgotten:
    """Who is forgotten, and what is known of what they said where it is erased."""

    person: int
    said: Said = field(default_factory=Said)
    #: the files that only they sent
    files: frozenset[str] = frozenset()
    #: what they wrote after this moment is new, and stays; none: nothing is
    until: datetime | None = None
    #: of the conversation that is erased now
    heard: Heard = field(default_factory=Heard)
    _known: dict[str, Heard] = field(default_factory=dict)

    @property
    def messages(self) -> set[int]:
        """Their messages in the conversation."""
        return self.heard.messages

    @property
    def turns(self) -> set[int]:
        """The turns in which they spoke there."""
        return self.heard.turns

    def begin(self, conversation: str) -> Heard:
        """Go to another conversation; what was heard of it before is still known."""
        self.heard = self._known.setdefault(conversation, Heard())
        self.said.among(self.heard.others)
        return self.heard

    def look_at(self, conversations: Iterable[str]) -> None:
        """Go to what is kept besides some conversations, as they were heard: whoever spoke in them keeps their name."""
        known = [self._known.get(one, Heard()) for one in conversations]
        self.heard = Heard(derived={message for one in known for message in one.derived})
        self.said.among({name for one in known for name in one.others})

    def hear(self, entries: Iterable[AnyEntry]) -> None:
        """Learn what they said in a conversation, some entries at a time, the oldest first, before it is erased."""
        for entry in entries:
            self._learn(entry)
            if _is_own_word(entry) and entry.author.id != self.person:
                self.said.hear_other(entry.text)
            self.heard.others |= {one.name for one in authors_in(entry) if one.id != self.person and one.name}
        self.said.among(self.heard.others)

    def _learn(self, entry: AnyEntry) -> None:
        author = getattr(entry, "author", None)
        if isinstance(entry, Message | Edit) and is_made_of(entry.elsewhere, self.person):
            self.heard.derived.add(entry.message_id)
        if isinstance(author, Author) and self.wrote(entry):
            self.said.called(author.name, author.username, at=entry.at)
            for text in texts_in(entry.model_dump(include={"text", "media", "emojis", "media_refs"})):
                self.said.hear(text, entry.at)
            if isinstance(entry, Message | Edit):
                self.messages.add(entry.message_id)
            if isinstance(entry, Message) and entry.turn:
                self.turns.add(entry.turn)
        elif isinstance(entry, Message) and entry.forwarded_from and entry.forwarded_from.id == self.person:
            self.said.called(entry.forwarded_from.name, entry.forwarded_from.username, at=entry.at)
            self.said.hear(entry.text, entry.at)
        elif isinstance(entry, Described) and self.messages.issuperset(entry.message_ids):
            self.said.hear(entry.description.says, entry.at)
            self.said.hear(entry.description.seen, entry.at)

    def wrote(self, entry: AnyEntry) -> bool:
        """Whether an entry is theirs, and not from after they were forgotten.

        Of a group (below 0) none is: what is posted in its name in another chat is that chat's.
        """
        author = getattr(entry, "author", None)
        is_theirs = isinstance(author, Author) and author.id == self.person > 0
        return is_theirs and (self.until is None or entry.at <= self.until)

    def is_in_update(self, raw: object) -> bool:
        """Whether a raw update of the chat tells of them: by their id, their words, or what was made of these."""
        is_told = tells_of(raw, self.person) or self.said.is_repeated_in(*texts_in(raw))
        return is_told or carries_message(raw, self.heard.derived)

    def update_without(self, raw: Mapping[str, Any]) -> str | None:
        """An update of somebody else that nobody has read yet, without them, as JSON; none: all of it is theirs."""
        return without_words(raw, self.person, self.heard.derived)

    def is_in(self, entry: AnyEntry) -> bool:
        """Whether an entry tells of them."""
        return without(entry, self) != entry


def without(entry: AnyEntry, who: Forgotten) -> AnyEntry:
    """The entry without them; the same one where nothing in it is theirs."""
    match entry:
        case Message():
            return _message(entry, who)
        case Edit():
            return _edit(entry, who)
        case Reaction() if who.wrote(entry):
            return entry.model_copy(update={"author": NOBODY, "emojis": ()})
        case Press():
            return _press(entry, who)
        case Described():
            return _described(entry, who)
        case Event():
            return _event(entry, who)
    return entry


def _is_own_word(entry: AnyEntry) -> TypeGuard[Message | Edit]:
    """Whether a person said something themselves: not forwarded, not chosen from what was offered, not due again."""
    if not isinstance(entry, Message | Edit) or entry.author.is_agent or entry.author.is_bot:
        return False
    if isinstance(entry, Edit):
        return True
    is_typed = entry.message_id > 0 and not entry.is_service and entry.reminder is None
    return is_typed and entry.forwarded_from is None


def _press(press: Press, who: Forgotten) -> Press:
    if who.wrote(press):
        return press.model_copy(update={"author": NOBODY, "data": "", "query_id": ""})
    return press.model_copy(update={"data": ""}) if person_in(press.data) == who.person else press


def _event(event: Event, who: Forgotten) -> Event:
    if who.said.has(event.title) or who.said.is_repeated_in(event.title, event.note):
        return event.model_copy(update={"title": "", "note": ""})
    note = _without_id(who.said.without_names(event.note, ERASED, event.at), who)
    return event if note == event.note else event.model_copy(update={"note": note})


def _without_id(note: str, who: Forgotten) -> str:
    return re.sub(rf"(?<![\w-]){who.person}(?!\w)", ERASED, note)


def _message(message: Message, who: Forgotten) -> Message:
    if who.wrote(message) or (_is(message.forwarded_from, who) and message.author.id != who.person):
        return _marked(message, NOBODY if who.wrote(message) else message.author)
    is_models = message.author.is_agent or message.reminder is not None  # a model wrote what came to be due
    is_repeating = is_models and who.said.is_repeated_in(*_texts_of(message), at=message.at)
    is_made_of_theirs = is_made_of(message.elsewhere, who.person)
    if is_repeating or is_made_of_theirs or (message.author.is_agent and message.turn in who.turns):
        return _marked(message, message.author)
    changes: dict[str, Any] = {}
    if message.author.is_agent or message.is_service:  # what happened is told in lull's words, with names
        changes = _without_names(message, who)
    if "entities" not in changes and any(one.user_id == who.person for one in message.entities):
        changes["entities"] = tuple(one for one in message.entities if one.user_id != who.person)
    if message.reply is not None and (reply := _quote(message.reply, who)) is not message.reply:
        changes["reply"] = reply
    return message.model_copy(update=changes) if changes else message


def _without_names(message: Message, who: Forgotten) -> dict[str, Any]:
    """What changes of a message in lull's words once they are not named in it."""
    at = None if message.is_service else message.at  # who is added is named before they wrote anything
    told = {
        "text": message.text, "media": message.media, "task": message.task, "confirms": message.confirms,
        "choices": message.choices, "later": message.later,
    }  # fmt: skip
    changes = {name: left for name, old in told.items() if (left := _unnamed(old, who, at)) != old}
    return changes | {"entities": ()} if "text" in changes else changes  # they would stand elsewhere


def _unnamed(told: Any, who: Forgotten, at: datetime | None) -> Any:
    if isinstance(told, tuple):
        return tuple(_unnamed(one, who, at) for one in told)
    if isinstance(told, Later):
        return told.model_copy(update={"text": _unnamed(told.text, who, at)})
    return who.said.without_names(told, ERASED, at)


def _marked(message: Message, author: Author) -> Message:
    kept = {name: getattr(message, name) for name in KEPT}
    reply = Quote(message_id=message.reply.message_id) if message.reply is not None else None
    return Message(**kept, author=author, text=ERASED, reply=reply)


def _texts_of(message: Message) -> Iterable[str]:
    yield from texts_in(message.model_dump(include={"text", "media", "task", "confirms", "choices", "later"}))


def _quote(quote: Quote, who: Forgotten) -> Quote:
    ids = who.messages | who.heard.derived
    is_theirs = _is(quote.author, who) or _is(quote.forwarded_from, who) or quote.message_id in ids
    if is_theirs or (quote.author is not None and quote.author.is_agent and who.said.is_repeated_in(quote.excerpt)):
        author = NOBODY if _is(quote.author, who) else quote.author
        return Quote(message_id=quote.message_id, author=author, excerpt=ERASED)
    if quote.author is not None and quote.author.is_agent:
        left = who.said.without_names(quote.excerpt, ERASED)
        return quote if left == quote.excerpt else quote.model_copy(update={"excerpt": left})
    return quote


def _edit(edit: Edit, who: Forgotten) -> Edit:
    is_made_of_theirs = is_made_of(edit.elsewhere, who.person)
    is_repeating = is_made_of_theirs or (edit.author.is_agent and who.said.is_repeated_in(edit.text, at=edit.at))
    if not who.wrote(edit) and not is_repeating:
        left = who.said.without_names(edit.text, ERASED, edit.at) if edit.author.is_agent else edit.text
        return edit if left == edit.text else edit.model_copy(update={"text": left, "entities": ()})
    author = NOBODY if who.wrote(edit) else edit.author
    kept = {name: getattr(edit, name) for name in ("seq", "at", "updates", "message_id", "decision", "holds_outside")}
    return Edit(**kept, author=author, text=ERASED)


def _described(told: Described, who: Forgotten) -> Described:
    if told.unique_id not in who.files and not who.messages.issuperset(told.message_ids):
        return told
    gone = Description(outcome=Outcome.PERMANENT_FAILURE, why="its sender was forgotten")
    return told.model_copy(update={"description": gone, "unique_id": "", "message_ids": ()})


def _is(author: Author | None, who: Forgotten) -> bool:
    return author is not None and author.id == who.person
