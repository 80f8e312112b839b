"""The person, group or conversation to forget, and what is known about the person's part in conversations."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeGuard

from shared.privacy.deletion.participation import DeletionStage, Participation
from shared.privacy.deletion.repeats import PersonWords, plain_name, texts_in
from shared.privacy.deletion.updates import carries_message, hidden_forwards, tells_of, told_by_bots, without_words
from shared.values.message import ID_BITS, AnyEntry, Author, Edit, MediaDescribed, Message
from shared.values.origin import ConversationSpan, is_made_in, is_made_of
from shared.values.transcript import authors_in, hidden_in

#: a number that stands for no person: it is neither the id of a person or chat nor the hash of a name
NO_PERSON: Final = -(1 << ID_BITS)


@dataclass
class ForgottenSubject:
    """The person, group or conversation to forget, and the words by which texts about it are recognised."""

    #: id of a person or a group; `NO_PERSON` for a conversation
    person: int
    said: PersonWords = field(default_factory=PersonWords)
    #: unique ids of files that nobody else sent
    files: frozenset[str] = frozenset()
    #: Messages that the person wrote after this time stay. None: all messages are erased.
    until: datetime | None = None
    #: if one conversation is forgotten: its id, and the id of its chat
    conversation: str = ""
    chat_id: int = 0
    #: the person's part in the current conversation
    heard: Participation = field(default_factory=Participation)
    _known: dict[str, Participation] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Store the person's id in `said` (0 if there is no person), so that `said` finds the id in texts."""
        self.said.person = max(self.person, 0)

    @property
    def erased_messages(self) -> set[int]:
        """The ids of the current conversation's messages that are erased as a whole.

        They are the person's messages, and other people's messages that are made of the person's words.
        """
        return self.heard.messages | self.heard.derived

    def begin(self, conversation: str) -> Participation:
        """Make this conversation the current one, and return what `learn` has found out in it so far."""
        self.heard = self._known.setdefault(conversation, Participation())
        self._look_among([self.heard])
        return self.heard

    def look_at(self, conversations: Iterable[str]) -> None:
        """Prepare for erasing data that is stored outside of these conversations but may repeat what was said in them.

        Call `learn` with the conversations' entries first. The names of other people in the conversations will be kept.
        """
        known = [self._known.get(one, Participation()) for one in conversations]
        self.heard = Participation()
        for one in known:
            self.heard.messages |= one.messages
            self.heard.derived |= one.derived
            self.heard.others |= one.others
            self.heard.languages += one.languages
        self._look_among(known)

    def _look_among(self, known: Sequence[Participation]) -> None:
        hidden = {name for one in known for name in one.hidden if not self.said.is_called(name)}
        self.said.set_surroundings({name for one in known for name in one.others} | hidden, self.heard.language)

    def learn(self, entries: Iterable[AnyEntry]) -> None:
        """Learn what the person said in the current conversation, before anything in it is erased.

        Call this with some entries at a time, the oldest first.
        """
        for entry in entries:
            self._learn(entry)
            self.heard.stages.add(self.stage_of(entry))
            if _is_own_word(entry) and entry.author.id != self.person and entry.message_id not in self.heard.forwards:
                self.said.add_others_text(entry.text)
            self.heard.others |= {
                _name_without_signature(one) for one in authors_in(entry) if one.id not in {0, self.person}
            } - {""}
            self.heard.hidden |= {one.name for one in hidden_in(entry)}
            if isinstance(entry, Message):
                self.heard.note_language(entry.text)
                if not self.is_of(entry.author) and not self.is_of(entry.forwarded_from):
                    self.said.add_others_words(entry.text, entry.at)
        self._look_among([self.heard])

    def settle(self) -> None:
        """Decide which forwards from hidden accounts are the person's. Call this once, after all calls of `learn`."""
        is_news = True
        while is_news:
            is_news = False
            for conversation, heard in self._undecided_forwards():
                self.begin(conversation)
                theirs = [one for one in heard.undecided if self.is_passed_on(one.forwarded_from, one.text, one.at)]
                for message in theirs:
                    self._learn_passed_on(message)
                    heard.derived |= heard.answers.get(message.turn, set()) if message.turn else set()
                heard.undecided = [one for one in heard.undecided if one not in theirs]
                is_news = is_news or bool(theirs)
        self.said.settle()
        for _, heard in self._undecided_forwards():
            heard.turns.of_others |= {one.turn for one in heard.undecided}

    def _undecided_forwards(self) -> Sequence[tuple[str, Participation]]:
        return [(conversation, heard) for conversation, heard in self._known.items() if heard.undecided]

    def learn_private(self, entries: Iterable[AnyEntry]) -> None:
        """Learn the person's names and messages in a private chat."""
        for entry in entries:
            if isinstance(entry, Message) and self.wrote(entry):
                self.said.add_names(entry.author.name, entry.author.username, at=entry.at)
                self.said.add_private_text(entry.text, entry.at)

    def _learn(self, entry: AnyEntry) -> None:
        if isinstance(entry, Message | Edit) and self.is_used_in(entry.elsewhere):
            self.heard.derived.add(entry.message_id)
        if self.wrote(entry):
            self._learn_own(entry)
        elif isinstance(entry, Message):
            self._learn_of_others(entry)
        elif isinstance(entry, MediaDescribed) and self.goes(entry):
            self.heard.note_own(entry)
            self.said.add_text(entry.description.says, entry.at)
            self.said.add_text(entry.description.visible_content, entry.at)

    def _learn_own(self, entry: AnyEntry) -> None:
        author = getattr(entry, "author", None)
        assert isinstance(author, Author)
        self.said.add_names(author.name, author.username, at=entry.at)
        for text in texts_in(entry.model_dump(include={"text", "media", "emojis", "media_refs"})):
            self.said.add_text(text, entry.at)
        if isinstance(entry, Message | Edit):
            self.heard.note_own(entry)
        if isinstance(entry, Message) and entry.is_service:  # the group's new title, or the message that they pinned
            self.said.add_text(entry.text.partition(": ")[2], entry.at)

    def _learn_of_others(self, message: Message) -> None:
        origin = message.forwarded_from
        if message.author.is_agent:
            self.heard.note_answer(message)
        else:
            self.heard.note_others(message, is_theirs=self.is_of(origin))
        if self.is_of(origin):
            self._learn_passed_on(message)
        elif origin is not None and not origin.id:
            self.heard.undecided.append(message)
            self.heard.answers.setdefault(message.turn, set())
        elif self.is_answered_by(message):
            self.heard.derived.add(message.message_id)
        elif not message.author.is_agent:
            self.heard.turns.of_others.add(message.turn)
        elif message.turn in self.heard.answers:
            self.heard.answers[message.turn].add(message.message_id)

    def _learn_passed_on(self, message: Message) -> None:
        origin = message.forwarded_from
        if origin is not None and origin.id:
            self.said.add_names(origin.name, origin.username, at=message.at)
        self.said.add_text(message.text, message.at)
        self.heard.derived.add(message.message_id)
        self.heard.turns.passed_on.add(message.turn)
        self.heard.stages.add(DeletionStage.PASSED_ON)

    def is_answered_by(self, message: Message) -> bool:
        """Return whether a message is the agent's answer to the person, or to a turn in which others only forwarded
        the person's words.
        """
        return message.author.is_agent and self.heard.is_answer(message)

    def is_passed_on(self, origin: Author | None, text: str, at: datetime | None = None) -> bool:
        """Return whether the person wrote a forwarded text. If the original author's account is hidden, the name and
        the text decide.

        The person's full name is enough if nobody else has it. A first name, or a full name that others have, is enough
        only in conversations in which the person writes and nobody else has that name. Otherwise the text must repeat
        the person's words; if the name is not the person's, the text must equal one of the person's texts.
        """
        if origin is None or origin.id:
            return self.is_of(origin)
        if at is not None and self.until is not None and at > self.until:
            return False
        if self.said.is_called(origin.name, at):
            is_whole = len(origin.name.split()) > 1 and not self._is_shared(origin.name)
            if (is_whole or self.heard.messages) and origin.name not in self.heard.others:
                return True
            if self.said.is_repeated_in(text, at=at) or self.said.has(text):
                return True
        return self.said.is_whole(text, at)

    def _is_shared(self, name: str) -> bool:
        """Return whether somebody else has this name in any conversation that `learn` has read."""
        wanted = plain_name(name)
        return any(plain_name(one) == wanted for heard in self._known.values() for one in heard.others)

    def goes(self, told: MediaDescribed) -> bool:
        """Return whether a file's description is erased, which is the case if all messages with the file are erased."""
        return self.erased_messages.issuperset(told.message_ids)

    def stage_of(self, entry: AnyEntry) -> DeletionStage:
        """Return the stage in which an entry is erased, if it is erased at all."""
        if self.wrote(entry):
            return DeletionStage.OWN
        if isinstance(entry, MediaDescribed):  # the messages with the file tell whose the description is
            is_passed_on = not self.heard.derived.isdisjoint(entry.message_ids)
            is_theirs = self.goes(entry) or entry.unique_id in self.files
            return (
                DeletionStage.OWN
                if is_theirs and not is_passed_on
                else DeletionStage.PASSED_ON
                if is_theirs
                else DeletionStage.MADE
            )
        if isinstance(entry, Message) and self.is_passed_on(entry.forwarded_from, entry.text, entry.at):
            return DeletionStage.PASSED_ON
        return DeletionStage.MADE

    def is_used_in(self, elsewhere: Sequence[ConversationSpan]) -> bool:
        """Return whether a text made from messages of other conversations (`elsewhere`) may repeat the person's words.

        If a group or conversation is forgotten, return whether the text may be based on anything that was said there.
        """
        if self.conversation:
            return is_made_in(elsewhere, self.chat_id, self.conversation)
        return is_made_of(elsewhere, self.person)

    def is_of(self, author: Author | None) -> bool:
        """Return whether the author's id is that of the person to forget."""
        return author is not None and author.id == self.person

    def wrote(self, entry: AnyEntry) -> bool:
        """Return whether the person wrote an entry, and did so at or before `self.until` (if that is set).

        False if a group is forgotten (its id is below 0): what it posts in another chat belongs to that chat.
        """
        author = getattr(entry, "author", None)
        is_theirs = isinstance(author, Author) and author.id == self.person > 0
        return is_theirs and (self.until is None or entry.at <= self.until)

    def is_in_update(self, raw: object) -> bool:
        """Return whether a raw update of the chat contains the person's id, the person's words, or a message made of
        these words.
        """
        is_told = tells_of(raw, self.person) or self.said.is_repeated_in(*texts_in(raw))
        is_carried = is_told or carries_message(raw, self.heard.derived)
        is_carried = is_carried or any(self.said.without_names(one, "") != one for one in told_by_bots(raw))
        return is_carried or any(self._is_hidden_forward(*one) for one in hidden_forwards(raw))

    def is_in_body(self, body: str) -> bool:
        """Return whether the body of an incident is about the person.

        The body is an update, a plan, or a part of one of these.
        """
        try:
            told = json.loads(body)
        except ValueError:
            return self.said.is_repeated_in(body)
        is_update = isinstance(told, dict) and "update_id" in told
        is_named = not is_update and any(self.said.without_names(one, "") != one for one in texts_in(told))
        return is_named or self.is_in_update(told)

    def _is_hidden_forward(self, name: str, text: str) -> bool:
        return bool(name) and self.is_passed_on(Author(id=0, name=name), text)

    def update_without(self, raw: Mapping[str, Any]) -> str | None:
        """Return an unread update as JSON without the person's data; None if the person wrote its message."""
        return without_words(raw, self.person, self.heard.derived, self._is_hidden_forward)


def _name_without_signature(author: Author) -> str:
    """Return the name of an author. The signature that follows a channel's name is removed."""
    return re.sub(r"(?<=\S) \([^()]*\)$", "", author.name) if author.id < 0 else author.name


def _is_own_word(entry: AnyEntry) -> TypeGuard[Message | Edit]:
    """Return whether a person typed the entry, that is, whether it is not a forward, a chosen option or a reminder."""
    if not isinstance(entry, Message | Edit) or entry.author.is_agent or entry.author.is_bot:
        return False
    if isinstance(entry, Edit):
        return True
    is_typed = entry.message_id > 0 and not entry.is_service and entry.reminder is None
    return is_typed and entry.forwarded_from is None
