"""Notes on one person's part in a conversation, taken before anything of it is erased."""

from collections import Counter
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from shared.base.language.terms import telling_terms
from shared.privacy.deletion.text_groups import language_of
from shared.privacy.deletion.word_runs import words_in
from shared.values.decision import Decision, DecisionTier
from shared.values.message import Edit, MediaDescribed, Message

#: messages that tell which language is spoken in a conversation
TELLING: Final = 300


class DeletionStage(IntEnum):
    """Which texts go at once, in this order everywhere: a text by which others are told goes after them.

    So a deletion that goes on later finds everything by which it knows what is left.
    """

    MADE = 0  #: what was made of their words, what quotes them, and their name
    PASSED_ON = 1  #: what others passed on of theirs
    OWN = 2  #: what they wrote themselves


@dataclass
class ParticipationTurns:
    """The turns of a conversation, by one person's part in them."""

    #: in which something of theirs was to be answered, and in which they spoke
    asked: set[int] = field(default_factory=set)
    spoken: set[int] = field(default_factory=set)
    #: in which others passed on something of theirs, and in which others said something else
    passed_on: set[int] = field(default_factory=set)
    of_others: set[int] = field(default_factory=set)


@dataclass
class CurrentTurn:
    """The turn that is heard now: what they said in it, and what others did."""

    number: int = 0
    theirs: list[str] = field(default_factory=list)
    of_others: list[str] = field(default_factory=list)


@dataclass
class Participation:
    """One person's part in a conversation. Numbers of messages and turns are that conversation's own."""

    messages: set[int] = field(default_factory=set)
    turns: ParticipationTurns = field(default_factory=ParticipationTurns)
    #: others' messages that go whole: answers to them, forwards of theirs, what may be made of their words elsewhere
    derived: set[int] = field(default_factory=set)
    #: others' messages that are forwards: an edit of one is no word of theirs either
    forwards: set[int] = field(default_factory=set)
    #: forwards by a name alone that may still turn out to be theirs, and the agent's answers in their turns
    undecided: list[Message] = field(default_factory=list)
    answers: dict[int, set[int]] = field(default_factory=dict)
    #: whether there is something of these stages
    stages: set[DeletionStage] = field(default_factory=lambda: {DeletionStage.MADE})
    #: the page that was heard last, by the number of its first entry
    up_to: int = 0
    #: what others are called there; and those whose words are passed on, and who hid their account
    others: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)
    #: languages, with how many messages tell each
    languages: Counter[str] = field(default_factory=Counter)
    #: the agent's answers to others in turns in which they spoke, by the number of the entry and the message's id
    beside: set[tuple[int, int]] = field(default_factory=set)
    _now: CurrentTurn = field(default_factory=CurrentTurn)
    #: the turns of messages of theirs that nobody was to answer
    _unasked: dict[int, int] = field(default_factory=dict)

    def note_language(self, text: str) -> None:
        """Take in what a message is written in, of so many as tell."""
        if self.languages.total() < TELLING and (language := language_of(words_in(text))):
            self.languages[language] += 1

    @property
    def language(self) -> str:
        """The one that is mostly spoken; empty: it is not known."""
        return max(self.languages, key=lambda one: self.languages[one], default="")

    def note_own(self, entry: Message | Edit | MediaDescribed) -> None:
        """Take in what they wrote, in the transcript's order, and whether it is to be answered."""
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
        """Take in what somebody else said; `is_theirs`: they only passed it on."""
        if message.turn:
            self._goes_on(message)
            (self._now.theirs if is_theirs else self._now.of_others).append(message.text)
        if message.forwarded_from is not None:
            self.forwards.add(message.message_id)

    def _goes_on(self, message: Message) -> None:
        if message.turn != self._now.number:
            self._now = CurrentTurn(number=message.turn)

    def note_answer(self, message: Message) -> None:
        """Take in what the agent says: in a turn in which they spoke it may answer others, and by none of their words.

        Where nothing of theirs was to be answered, or where it quotes somebody else.
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
        """Whether the agent says it to them, or to their words alone, which somebody passed on."""
        if message.is_command:
            return self._quotes_them(message)
        is_theirs = message.turn in self.turns.spoken and (message.seq, message.message_id) not in self.beside
        return message.turn > 0 and (is_theirs or message.turn in self.turns.passed_on - self.turns.of_others)

    def _quotes_them(self, message: Message) -> bool:
        return message.reply is not None and message.reply.message_id in self.messages


def _may_be_answered(decision: Decision | None) -> bool:
    """Whether a message is, or may still be: one that waits is decided anew."""
    return decision is None or decision.respond or decision.tier in {DecisionTier.WAIT, DecisionTier.ACCESS}
