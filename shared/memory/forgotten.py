"""Forgotten facts. If somebody tells the agent to forget a fact, no model may learn it again from earlier messages.

The transcript stays unchanged. Of a forgotten fact, only hashes of its words are stored (its "mark"). The hashes do not
reveal the fact, but they identify sentences that state it. Such sentences are left out wherever a model is shown
earlier messages, until somebody states the fact again.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Final, NamedTuple

from shared.base.language.likeness import LOOSE, MarkedWord, keys_of, mark_of, marked_words, marks_of
from shared.base.language.terms import name_terms, query_terms
from shared.memory.by_owner import MemoriesByOwner
from shared.values.evolve import evolve
from shared.values.memory import Memory, MemoryOwner, MemoryScope, VisibleMemories
from shared.values.recalled import RecallHit

#: how many forgotten facts are marked for one owner; the oldest mark is dropped for a new one
MOST_FORGOTTEN: Final = 100
#: a sentence states a fact if it contains this share of the fact's words
LEAST_SHARE: Final = 0.75
_THE_PERSON: Final = frozenset({"user", "person"})
#: a sentence ends at a full stop that is followed by a space. A full stop within an address or a number does not end it
_SENTENCE: Final = re.compile(r"(?:[^.!?…。！？।\n]|[.!?…](?![\s.!?…\"”»)\]]|\Z))*[.!?…。！？।]*[\"”»)\]]*\s*")
#: the text of a message of which nothing is left
LEFT: Final = "…"
LONG_AGO: Final = datetime(1, 1, 1, tzinfo=UTC)
#: marks a hash that identifies the fact alone, without the other words
_BY_ITSELF: Final = "!"


class SpokenText(NamedTuple):
    """A text with its author and time. `person` is the author's id; 0 for the agent."""

    text: str
    person: int = 0
    at: datetime = LONG_AGO
    conversation: str = ""
    seq: int = 0


def forget_memory(owned: MemoriesByOwner, owner: MemoryOwner, memory: Memory, at: datetime) -> MemoriesByOwner:
    """Return the memories without this memory of the owner. Only a mark of it is kept: hashes of its words."""
    rest = tuple(one for one in owned.of(owner) if one.id != memory.id)
    marks = (*owned.forgotten_marks(owner), _mark_of(memory, at))[-MOST_FORGOTTEN:]
    return owned.with_own(owner, rest).with_marks(owner, marks)


def drop_marks_said_again(owned: MemoriesByOwner, owner: MemoryOwner, text: str) -> MemoriesByOwner:
    """Return the memories without the mark of each forgotten fact of the owner that `text` states again."""
    marks = owned.forgotten_marks(owner)
    left = tuple(one for one in marks if not _fact(one).is_said_in(text))
    return owned.with_marks(owner, left) if len(left) < len(marks) else owned


def _mark_of(memory: Memory, at: datetime) -> Memory:
    own, said = name_terms(memory.source.name) | _THE_PERSON, memory.source
    text = memory.text.replace(said.name, " ") if said.name else memory.text  # also where no space follows the name
    words = (one for one in query_terms(text) if not one.is_small and own.isdisjoint(one.variants))
    keys = (f"{_BY_ITSELF} {mark_of(key)}" for key in keys_of(memory.text))
    return Memory(
        id=memory.id,
        text="",
        scope=memory.scope,
        source=evolve(said, name="", title=""),
        made_at=memory.made_at,
        changed_at=at,
        forgotten_at=at,
        marks=(*(" ".join(sorted(marks_of(one.variants))) for one in words), *keys),
    )


@dataclass(frozen=True)
class _Fact:
    memory: Memory
    words: tuple[MarkedWord, ...]
    #: hashes that each identify the fact alone
    keys: MarkedWord = frozenset()

    def count_in(self, sentence: str) -> int:
        every, _ = marked_words(sentence)
        return sum(not word.isdisjoint(every) for word in self._strict)

    @cached_property
    def _strict(self) -> tuple[MarkedWord, ...]:
        return tuple(frozenset(one for one in word if one[0] != LOOSE) for word in self.words)

    def is_said_in(self, sentence: str) -> bool:
        """Return whether a sentence states the fact. It must have nearly all of the fact's words; or at least two of
        them, and at most one significant word that is not the fact's.
        """
        if self.keys and not self.keys.isdisjoint(map(mark_of, keys_of(sentence))):
            return True
        if not (found := self.count_in(sentence)):
            return False
        if found == len(self.words) or (found > 1 and found >= LEAST_SHARE * len(self.words)):
            return True
        every, telling = marked_words(sentence)
        if len(self.words) > 1 and all(not word.isdisjoint(every) for word in self.words):
            return True
        own = sum(any(not word.isdisjoint(one) for one in self._strict) for word in telling)
        return own > 1 and own >= len(telling) - 1

    @property
    def at(self) -> datetime:
        return self.memory.forgotten_at or LONG_AGO

    def is_from(self, said: SpokenText) -> bool:
        source = self.memory.source
        return said.seq > 0 and (source.conversation, source.seq) == (said.conversation, said.seq)

    def is_of(self, said: SpokenText) -> bool:
        return self.memory.scope is not MemoryScope.PERSON or self.memory.source.person in {0, said.person}


@dataclass(frozen=True)
class ForgottenFilter:
    """Removes sentences that state forgotten facts from texts, before a model sees the texts."""

    facts: tuple[_Fact, ...] = ()
    #: facts that are remembered now. A sentence that matches one of them better than the forgotten fact stays
    kept: tuple[_Fact, ...] = ()

    def remaining_texts(self, lines: Sequence[SpokenText]) -> list[str]:
        """Return each message without its forgotten facts, in order; "" for a message that has nothing else."""
        renewed, before, left = set[str](), "", list[str]()
        for said in lines:
            facts = [one for one in self.facts if self._applies(one, said, renewed)]
            left.append(self._remaining_sentences(said, facts, before) if facts else said.text)
            anew = (one for one in self.facts if said.person and said.at > one.at and one.is_of(said))
            renewed |= {one.memory.id for one in anew if one.is_said_in(said.text)}
            before = said.text or before
        return left

    def remaining_text(self, text: str) -> str:
        """Return a text that a model wrote, without its forgotten facts."""
        return self.remaining_texts([SpokenText(text)])[0]

    def is_shown(self, text: str) -> bool:
        """Return whether a text that a model wrote contains no forgotten fact."""
        return self.remaining_text(text).strip() == text.strip()

    def _applies(self, fact: _Fact, said: SpokenText, renewed: set[str]) -> bool:
        """Return whether a forgotten fact must be removed from a message.

        In a person's message, it is removed if the message was written before the fact was forgotten. In a message of
        the agent, it is removed unless a person has stated it again earlier (`renewed` has the ids of such facts).
        """
        if not said.person:
            return fact.memory.id not in renewed
        return said.at <= fact.at and fact.is_of(said)

    def _remaining_sentences(self, said: SpokenText, facts: Sequence[_Fact], before: str) -> str:
        sentences = _SENTENCE.findall(said.text)
        kept = [one for one in sentences if not any(self._is_hidden(fact, one, said, before) for fact in facts)]
        sources = [one for one in facts if one.is_from(said)]
        if sources and len(kept) == len(sentences):  # the memory's wording differs from that of its message
            counts = [max(one.count_in(sentence) for one in sources) for sentence in sentences]
            kept = [one for one, count in zip(sentences, counts, strict=True) if count < max(counts)]
        return "".join(kept).strip()

    def _is_hidden(self, fact: _Fact, sentence: str, said: SpokenText, before: str) -> bool:
        found = fact.count_in(sentence)
        if any(one.count_in(sentence) > found for one in self.kept):
            return False
        # the agent's answer may state the fact only in connection with the message before it
        is_answer = not said.person and found and fact.is_said_in(f"{before}\n{sentence}")
        return bool(is_answer) or fact.is_said_in(sentence)

    def filter_hit(self, finding: RecallHit) -> RecallHit | None:
        """Return a search result without its forgotten facts; None if it has nothing else.

        All messages of the result's segment are examined. A short answer may state a forgotten fact only together with
        the question before it, and the result may not contain the question.
        """
        if not self.facts:
            return finding
        where, every = finding.source.conversation, finding.messages
        said = [SpokenText(m.text, 0 if m.is_agent else m.author, m.at, where, m.seq) for m in every]
        left = self.remaining_texts(said)
        told = [pair for pair in zip(every, left, strict=True) if pair[0] not in finding.left_out]
        if not any(text for _, text in told):
            return None
        is_whole = all(one.text == text for one, text in told)
        lines = zip(finding.text.split("\n"), told, strict=True) if finding.text and not is_whole else ()
        kept = (f"{line.removesuffix(_flat(one.text))}{_flat(text)}" for line, (one, text) in lines if text)
        text = finding.text if is_whole else "\n".join(kept)
        noted = tuple(one for one in finding.notes if self.is_shown(one.text))
        topics = tuple(filter(self.is_shown, finding.topics))
        rest = replace(finding, text=text, notes=noted, topics=topics, snippet=finding.snippet if is_whole else text)
        return rest if self.is_shown(finding.source.title) else replace(rest, source=replace(rest.source, title=""))


def _flat(text: str) -> str:
    """Return a text on one line, as in search results."""
    return " ".join(text.split())


def forgotten_filter(known: VisibleMemories) -> ForgottenFilter:
    """Return the filter for a chat in which the memories in `known` are visible."""
    kept = tuple(_Fact(one, marked_words(one.text)[1]) for one in known.listed) if known.forgotten else ()
    return ForgottenFilter(tuple(map(_fact, known.forgotten)), kept)


def _fact(memory: Memory) -> _Fact:
    marks = [frozenset(mark.split()) for mark in memory.marks]
    keys = frozenset[str]().union(*(one for one in marks if _BY_ITSELF in one)) - {_BY_ITSELF}
    return _Fact(memory, tuple(one for one in marks if _BY_ITSELF not in one), keys)
