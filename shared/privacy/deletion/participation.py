"""A person's part in a conversation, and other people's messages that answer or repeat the person's messages. All this
is collected before anything in the conversation is erased.
"""

from collections import Counter
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from shared.base.language.terms import telling_terms
from shared.privacy.deletion.text_groups import language_of
from shared.privacy.deletion.word_runs import words_in
from shared.values.decision import Decision, DecisionTier
from shared.values.message import Edit, MediaDescribed, Message

#: after this many messages, the language of a conversation counts as known
TELLING: Final = 300


class DeletionStage(IntEnum):
    """The stages of a deletion, in order. Each stage is finished in all conversations before the next one begins.

    Texts by which other texts are found are erased last, so that an interrupted deletion can find the rest later.
    """

    MADE = 0  #: texts based on the person's words, quotes of them, and the person's name
    PASSED_ON = 1  #: the person's messages, forwarded by others
    OWN = 2  #: messages that the person wrote


@dataclass
class ParticipationTurns:
    """The turns of a conversation, grouped by the person's part in them."""

    #: turns in which the agent had to answer the person, and turns in which the person wrote anything
    asked: set[int] = field(default_factory=set)
    spoken: set[int] = field(default_factory=set)
    #: turns in which others forwarded the person's words, and turns in which others wrote something else
    passed_on: set[int] = field(default_factory=set)
    of_others: set[int] = field(default_factory=set)


@dataclass
class CurrentTurn:
    """The current turn: the texts of the person and those of others in it."""

    number: int = 0
    theirs: list[str] = field(default_factory=list)
    of_others: list[str] = field(default_factory=list)


@dataclass
class Participation:
    """One person's participation in a conversation. Message ids and turn numbers are those of this conversation."""

    messages: set[int] = field(default_factory=set)
    turns: ParticipationTurns = field(default_factory=ParticipationTurns)
    #: Messages by others that are erased as a whole: answers to the person, forwards of the person's messages, and
    #: messages that may be based on the person's words.
    derived: set[int] = field(default_factory=set)
    #: Forwards by others. If such a message is edited, the new text does not count as typed by them either.
    forwards: set[int] = field(default_factory=set)
    #: Forwards whose original author is known only by name and may be the person, and the agent's answers in the turns
    #: of these forwards.
    undecided: list[Message] = field(default_factory=list)
    answers: dict[int, set[int]] = field(default_factory=dict)
    #: the stages in which something is erased in this conversation
    stages: set[DeletionStage] = field(default_factory=lambda: {DeletionStage.MADE})
    #: the last page that was learned, given by the number of its first entry
    up_to: int = 0
    #: names of other people in the conversation, and names of original authors of forwards who hide their account
    others: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)
    #: number of messages in each language
    languages: Counter[str] = field(default_factory=Counter)
    #: Answers of the agent to others, in turns in which the person wrote too: number of the entry, and id of the
    #: message.
    beside: set[tuple[int, int]] = field(default_factory=set)
    _now: CurrentTurn = field(default_factory=CurrentTurn)
    #: messages of the person that needed no answer, by id, and their turns
    _unasked: dict[int, int] = field(default_factory=dict)

    def note_language(self, text: str) -> None:
        """Count the language of a message, until enough messages are counted."""
        if self.languages.total() < TELLING and (language := language_of(words_in(text))):
            self.languages[language] += 1

    @property
    def language(self) -> str:
        """The main language of the conversation; "" if it is not known."""
        return max(self.languages, key=lambda one: self.languages[one], default="")

    def note_own(self, entry: Message | Edit | MediaDescribed) -> None:
        """Record an entry of the person, and whether it needs an answer. Call this in the transcript's order."""
        if isinstance(entry, Message | Edit):
            self.messages.add(entry.message_id)
        if not isinstance(entry, Message):
            of = entry.message_ids if isinstance(entry, MediaDescribed) else (entry.message_id,)
            if entry.decision is not None and entry.decision.respond:
                self.turns.asked |= {self._unasked[one] for one in of if one in self._unasked}
        elif entry.turn:
            self._goes_on(entry)
            self._now.theirs.append(f"{entry.text} {entry.media}")
            self.turns.spoken.add(entry.turn)
            if _may_be_answered(entry.decision):
                self.turns.asked.add(entry.turn)
            else:
                self._unasked[entry.message_id] = entry.turn

    def note_others(self, message: Message, *, is_theirs: bool) -> None:
        """Record a message of somebody else. `is_theirs`: the message only forwards words of the person."""
        if message.turn:
            self._goes_on(message)
            (self._now.theirs if is_theirs else self._now.of_others).append(message.text)
        if message.forwarded_from is not None:
            self.forwards.add(message.message_id)

    def _goes_on(self, message: Message) -> None:
        if message.turn != self._now.number:
            self._now = CurrentTurn(number=message.turn)

    def note_answer(self, message: Message) -> None:
        """Record a message of the agent.

        In a turn in which the person wrote, the message may answer only others. This is assumed if the message quotes
        somebody else or if the person needed no answer. But if the message contains a word that only the person used,
        the message counts as an answer to the person.
        """
        if message.turn not in self.turns.spoken or message.turn != self._now.number or self._quotes_them(message):
            return
        quoted = message.replied_to
        is_others = quoted is not None and quoted.id != 0 and not quoted.is_agent
        theirs = telling_terms(" ".join(self._now.theirs)) - telling_terms(" ".join(self._now.of_others))
        told = telling_terms(" ".join((message.text, message.media, *message.choices)))
        if (is_others or message.turn not in self.turns.asked) and not theirs & told:
            self.beside.add((message.seq, message.message_id))

    def is_answer(self, message: Message) -> bool:
        """Return whether `message` answers the person, or a turn in which others only forwarded the person's words."""
        if message.is_command:
            return self._quotes_them(message)
        is_theirs = message.turn in self.turns.spoken and (message.seq, message.message_id) not in self.beside
        return message.turn > 0 and (is_theirs or message.turn in self.turns.passed_on - self.turns.of_others)

    def _quotes_them(self, message: Message) -> bool:
        return message.reply is not None and message.reply.message_id in self.messages


def _may_be_answered(decision: Decision | None) -> bool:
    """Return whether a message was answered or may still be answered. A message that waits gets its decision later."""
    return decision is None or decision.respond or decision.tier in {DecisionTier.WAIT, DecisionTier.ACCESS}
