"""Decides which entries of a transcript a person may export, and which parts of each entry.

In the private chat with an agent, the person may export everything. In a group, the person may export everything that
they wrote and did. For the time in which they were members, they may also export the agent's answers to them, and other
people's messages to them, that is, replies and mentions. Messages between other people are left out, even if the
person's own message quotes them.

If it is unknown whether the person is still in a group, their membership ends with their last activity in the group. If
somebody joined again and it is unknown when they left, they count as absent from their last activity before the join
until the join.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any, Final

from shared.base.text import EntityType
from shared.chat.lines import fields_of
from shared.recall.store.memberships import Membership
from shared.values.decision import Decision
from shared.values.evolve import evolve
from shared.values.message import (
    AnyEntry,
    Author,
    ButtonPress,
    Edit,
    Event,
    MediaDescribed,
    Message,
    QuotedMessage,
    Reaction,
)

_EVER: Final = datetime.min.replace(tzinfo=UTC)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
#: fields with ids of other people
OF_OTHERS: Final = frozenset({"elsewhere", "shown_of"})


@dataclass(frozen=True)
class GroupPresence:
    """The times in which a person was absent from a group, each as [start, end)."""

    absences: tuple[tuple[datetime, datetime], ...] = ()
    #: the presence is known up to this time
    until: datetime = _NEVER

    def covers(self, at: datetime) -> bool:
        """Return whether the person is known to have been in the group at the time `at`."""
        return at <= self.until and not any(left <= at < back for left, back in self.absences)

    @property
    def is_over(self) -> bool:
        """True if the person left and has not come back."""
        return any(back == _NEVER for _, back in self.absences)


#: presence in a chat that nobody can leave
ALWAYS: Final = GroupPresence()


class GroupPresenceFinder:
    """Finds out when a person was in a group, from the person's memberships and entries."""

    def __init__(self, person: int, memberships: Iterable[Membership], at: datetime) -> None:
        """`memberships`: one for each chat id of the group and each agent in the group. `at`: when the export was
        requested.
        """
        known = sorted(memberships, key=lambda one: one.seen_at)
        self._person = person
        self._left = sorted({moment for one in known for moment in one.left_at})
        self._back = [_NEVER] * len(self._left)
        self._joined = sorted({moment for one in known for moment in one.joined_at})
        #: the time of the person's last activity before each join
        self._before = [_EVER] * len(self._joined)
        word = _last_word(known)
        self._is_sure = word is not None and word.is_sure(at)
        self._until = min(at, word.checked_at or at) if word is not None else at
        self._last = _EVER
        for moment in self._joined:
            self._was_there(moment)

    @property
    def needs_entries(self) -> bool:
        """True if the person's entries in the group have to be read to know the result."""
        return bool(self._left or self._joined) or not self._is_sure

    def see(self, entry: AnyEntry) -> None:
        """Take an entry of the group into account; the order does not matter. A person who writes or presses a button
        is a member.
        """
        if not isinstance(entry, Message | ButtonPress) or entry.author.id != self._person or entry.author.is_agent:
            return
        self._was_there(entry.at)

    def _was_there(self, at: datetime) -> None:
        self._last = max(self._last, at)
        place = bisect_left(self._left, at) - 1  # the last time of leaving before `at`
        if place >= 0:
            self._back[place] = min(self._back[place], at)
        place = bisect_right(self._joined, at)  # the next time of joining
        if place < len(self._joined):
            self._before[place] = max(self._before[place], at)

    def result(self) -> GroupPresence:
        """Return when the person was absent from the group. Call `see` with all needed entries first."""
        back = list(accumulate(reversed(self._back), min))[::-1]  # after two leaves in a row there is one return
        absences = list(zip(self._left, back, strict=True))
        absences += (stay for stay in zip(self._before, self._joined, strict=True) if not self._left_within(*stay))
        if not self._is_sure and _NEVER not in back[-1:]:
            absences.append((self._last, _NEVER))
        return GroupPresence(tuple(absences), self._until if self._is_sure else _NEVER)

    def _left_within(self, since: datetime, until: datetime) -> bool:
        place = bisect_left(self._left, since)
        return place < len(self._left) and self._left[place] < until


def _last_word(known: Sequence[Membership]) -> Membership | None:
    """Return the newest membership under the group's current chat id, of any agent; None if none is known."""
    newest = [one for one in known if one.chat_id == known[-1].chat_id]
    return max(newest, key=lambda one: (one.fresh_until or _EVER, one.seen_at), default=None)


#: Fields that are cleared in messages of others and in answers to several people. The person's own messages keep them.
_OTHERS_OWN = {
    "decision": None,
    "calls": (),
    "confirms": "",
    "task": "",
    "later": (),
    "known_links": (),
    "looked_up": (),
}


class ExportableEntries:
    """Selects the entries of one conversation that a person may export. Entries must be given in the transcript's
    order.
    """

    def __init__(self, person: int, *, is_private: bool, presence: GroupPresence = ALWAYS) -> None:
        """`is_private`: the conversation is in the person's private chat with an agent. `presence`: when the person was
        in the group.
        """
        self._person, self._is_private, self._presence = person, is_private, presence
        #: the person's usernames, in lower case
        self._usernames: set[str] = set()
        #: messages that the person may export; and the messages that the person wrote, with the turn of each
        self._taken: set[int] = set()
        self._written: dict[int, int] = {}
        #: turns in which the agent had to answer the person
        self._answered: set[int] = set()

    def of(self, entry: AnyEntry) -> AnyEntry | None:
        """Return the part of an entry that the person may export; None if there is none."""
        if self._is_private:
            return entry
        return None if self._is_missed(entry) else self._in_group(entry)

    def _in_group(self, entry: AnyEntry) -> AnyEntry | None:
        match entry:
            case Message():
                return self._message(entry)
            case Edit():
                return self._edit(entry)
            case Reaction():
                is_theirs = entry.message_id in self._written or _is(entry.author, self._person)
                return entry if is_theirs else None
            case ButtonPress():
                return entry if entry.author.id == self._person else None
            case MediaDescribed():
                return self._own_description(entry)
            case Event():
                return None

    def _is_missed(self, entry: AnyEntry) -> bool:
        """Return whether somebody else wrote the entry while the person was not in the group.

        The description of a file never counts as missed: it belongs to the message with the file.
        """
        is_others = not isinstance(entry, MediaDescribed | Event) and not _is(entry.author, self._person)
        return is_others and not self._presence.covers(entry.at)

    def _message(self, message: Message) -> Message | None:
        if _is(message.author, self._person):
            return self._own(message)
        if message.author.is_agent:
            is_theirs = self._is_answer(message)
        else:
            is_theirs = not message.is_service and (self._is_reply(message) or self._is_named_in(message))
        if not is_theirs:
            return None
        self._taken.add(message.message_id)
        return message.model_copy(update={**_OTHERS_OWN, "reply": self._quote(message.reply)})

    def _own(self, message: Message) -> Message:
        if message.author.username:
            self._usernames.add(message.author.username.lower())
        self._taken.add(message.message_id)
        self._written[message.message_id] = message.turn
        self._note_answered(message.decision, message.message_id)
        return evolve(message, reply=self._quote(message.reply))

    def _edit(self, edit: Edit) -> Edit | None:
        if not _is(edit.author, self._person):
            return evolve(edit, decision=None) if edit.message_id in self._taken else None
        self._taken.add(edit.message_id)
        self._written.setdefault(edit.message_id, 0)
        self._note_answered(edit.decision, edit.message_id)
        return edit

    def _own_description(self, told: MediaDescribed) -> MediaDescribed | None:
        theirs = tuple(one for one in told.message_ids if one in self._written)
        if not theirs:
            return None
        self._note_answered(told.decision, theirs[-1])
        return evolve(told, message_ids=theirs, conversations=())

    def _note_answered(self, decision: Decision | None, message_id: int) -> None:
        """If the agent answers this message of the person, record the turn of the message as answered."""
        if decision is not None and decision.respond:
            self._answered.add(self._written[message_id])

    def _is_answer(self, message: Message) -> bool:
        """Return whether this message answers the person: as a reply to them, or in a turn that the agent answers."""
        if message.reply is not None and message.reply.message_id:
            return message.reply.message_id in self._written
        return bool(message.turn) and message.turn in self._answered

    def _is_reply(self, message: Message) -> bool:
        replied = message.replied_to
        return replied is not None and _is(replied, self._person)

    def _is_named_in(self, message: Message) -> bool:
        """Return whether a message mentions the person, by account or by one of the person's usernames."""
        for entity in message.entities:
            if entity.type == EntityType.TEXT_MENTION and entity.user_id == self._person:
                return True
            if entity.type == EntityType.MENTION:
                named = entity.text_in(message.text).removeprefix("@").lower()
                if named in self._usernames:
                    return True
        return False

    def _quote(self, quote: QuotedMessage | None) -> QuotedMessage | None:
        """Return the quote in a message. If the person may not export the quoted message, only its id stays."""
        if quote is None or quote.message_id in self._taken:
            return quote
        return QuotedMessage(message_id=quote.message_id)


def line_of(entry: AnyEntry, about: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an entry's line in the export, with the fields in `about` added."""
    told = fields_of(entry)
    return {**about, **{name: value for name, value in told.items() if name not in OF_OTHERS}}


def _is(author: Author | None, person: int) -> bool:
    return author is not None and author.id == person and not author.is_agent
