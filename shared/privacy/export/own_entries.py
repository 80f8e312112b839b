"""Theirs: which entries of a transcript are a person's to take out, and how much of each.

In their private chat everything is: whatever is said there is said by them or to them. In a group it is what they wrote
and did and, while they were there, the agent's answers to them and what others said to them: in reply to a message of
theirs, or naming them. Of what others said to each other they get nothing, not even as a quote in a message of their
own. Where nobody can say that somebody still is in a group, they were until the last thing that they did there. Where
it was told that they came and not that they had left, they were away since the last thing that they did before.
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
from shared.values.message import AnyEntry, Author, Edit, Event, MediaDescribed, Message, Press, Quote, Reaction

_EVER: Final = datetime.min.replace(tzinfo=UTC)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
#: by which it is found whose words of other chats were used: ids of other people
OF_OTHERS: Final = frozenset({"elsewhere", "shown_of"})


@dataclass(frozen=True)
class GroupPresence:
    """The times in which somebody was not in a group, each from its first moment to the one after its last."""

    absences: tuple[tuple[datetime, datetime], ...] = ()
    #: until when it was found out
    until: datetime = _NEVER

    def covers(self, at: datetime) -> bool:
        """Return whether they are known to have been in the group at a moment."""
        return at <= self.until and not any(left <= at < back for left, back in self.absences)

    @property
    def is_over(self) -> bool:
        """Whether they have not come back."""
        return any(back == _NEVER for _, back in self.absences)


#: of a chat that nobody has left
ALWAYS: Final = GroupPresence()


class GroupPresenceFinder:
    """Finds when somebody was in a group, from their memberships of it and from what they did there."""

    def __init__(self, person: int, memberships: Iterable[Membership], at: datetime) -> None:
        """`memberships`: under each chat id of the group, and of each agent in it; `at`: when they asked."""
        known = sorted(memberships, key=lambda one: one.seen_at)
        self._person = person
        self._left = sorted({moment for one in known for moment in one.left_at})
        self._back = [_NEVER] * len(self._left)
        self._joined = sorted({moment for one in known for moment in one.joined_at})
        #: of each time that they came, the last thing that they did before
        self._before = [_EVER] * len(self._joined)
        word = _last_word(known)
        self._is_sure = word is not None and word.is_sure(at)
        self._until = min(at, word.checked_at or at) if word is not None else at
        self._last = _EVER
        for moment in self._joined:
            self._was_there(moment)

    @property
    def needs_entries(self) -> bool:
        """Whether it depends on what they did there."""
        return bool(self._left or self._joined) or not self._is_sure

    def see(self, entry: AnyEntry) -> None:
        """Take in an entry of the group's, in any order: whoever writes or presses is there."""
        if not isinstance(entry, Message | Press) or entry.author.id != self._person or entry.author.is_agent:
            return
        self._was_there(entry.at)

    def _was_there(self, at: datetime) -> None:
        self._last = max(self._last, at)
        place = bisect_left(self._left, at) - 1  # of the last time that they left before it
        if place >= 0:
            self._back[place] = min(self._back[place], at)
        place = bisect_right(self._joined, at)  # of the next time that they came
        if place < len(self._joined):
            self._before[place] = max(self._before[place], at)

    def found(self) -> GroupPresence:
        """Return when they were there, by all that was seen."""
        back = list(accumulate(reversed(self._back), min))[::-1]  # whoever left twice came back once after both
        absences = list(zip(self._left, back, strict=True))
        absences += (stay for stay in zip(self._before, self._joined, strict=True) if not self._left_within(*stay))
        if not self._is_sure and _NEVER not in back[-1:]:
            absences.append((self._last, _NEVER))
        return GroupPresence(tuple(absences), self._until if self._is_sure else _NEVER)

    def _left_within(self, since: datetime, until: datetime) -> bool:
        place = bisect_left(self._left, since)
        return place < len(self._left) and self._left[place] < until


def _last_word(known: Sequence[Membership]) -> Membership | None:
    """What Telegram said last of whether they are in the group, to any agent, by the id that the group has now."""
    newest = [one for one in known if one.chat_id == known[-1].chat_id]
    return max(newest, key=lambda one: (one.fresh_until or _EVER, one.seen_at), default=None)


#: of others' messages and of answers to several people: what lull decided and spent is told with the person's own
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
    """The entries of one conversation that are one person's; to be asked in the transcript's order."""

    def __init__(self, person: int, *, is_private: bool, presence: GroupPresence = ALWAYS) -> None:
        """`is_private`: whether it is their own private chat with an agent; `presence`: when they were in the group."""
        self._person, self._is_private, self._presence = person, is_private, presence
        #: how the person was called, in small letters
        self._usernames: set[str] = set()
        #: the messages that are theirs to take out; and those that they wrote, with the turn of each
        self._taken: set[int] = set()
        self._written: dict[int, int] = {}
        #: the turns in which the agent was to answer them
        self._answered: set[int] = set()

    def of(self, entry: AnyEntry) -> AnyEntry | None:
        """What of an entry is theirs; none: nothing."""
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
            case Press():
                return entry if entry.author.id == self._person else None
            case MediaDescribed():
                return self._own_description(entry)
            case Event():
                return None

    def _is_missed(self, entry: AnyEntry) -> bool:
        """Return whether others wrote or did it while the person was not there; what a file shows is its sender's."""
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
        """The agent answers a message of theirs with the turn that it is of."""
        if decision is not None and decision.respond:
            self._answered.add(self._written[message_id])

    def _is_answer(self, message: Message) -> bool:
        """Whether the agent says it to the person: below a message of theirs, or to all whom it answers at once."""
        if message.reply is not None and message.reply.message_id:
            return message.reply.message_id in self._written
        return bool(message.turn) and message.turn in self._answered

    def _is_reply(self, message: Message) -> bool:
        replied = message.replied_to
        return replied is not None and _is(replied, self._person)

    def _is_named_in(self, message: Message) -> bool:
        """Whether it names them by a mention."""
        for entity in message.entities:
            if entity.type == EntityType.TEXT_MENTION and entity.user_id == self._person:
                return True
            if entity.type == EntityType.MENTION:
                named = entity.covered(message.text).removeprefix("@").lower()
                if named in self._usernames:
                    return True
        return False

    def _quote(self, quote: Quote | None) -> Quote | None:
        """What a message replies to: of a message that is not theirs to take out, its number alone."""
        if quote is None or quote.message_id in self._taken:
            return quote
        return Quote(message_id=quote.message_id)


def line_of(entry: AnyEntry, about: Mapping[str, Any]) -> dict[str, Any]:
    """The line of an entry; `about` says where it was said."""
    told = fields_of(entry)
    return {**about, **{name: value for name, value in told.items() if name not in OF_OTHERS}}


def _is(author: Author | None, person: int) -> bool:
    return author is not None and author.id == person and not author.is_agent
