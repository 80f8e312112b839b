"""A recollection: what an agent remembers where it answers somebody, and what a plan changes of that."""

import hashlib
import re
from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from shared.base.language.likeness import words_of
from shared.base.language.terms import name_terms, query_terms, terms_of
from shared.memory.by_owner import MemoriesByOwner
from shared.memory.upsert import MOST_MEMORIES, NOBODY, NOT_SENT, MemoryFull, RefusedMemory, WishContext, apply_wish
from shared.memory.visible import MemoryAudience, visible_memories
from shared.values.agent import CuratedMemory
from shared.values.described import holds_text, spoken_text
from shared.values.memory import Memory, MemoryScope, MemorySource, MemoryWish, VisibleMemories
from shared.values.message import Message
from shared.values.place import place_of

#: letters and digits of an id behind its `m`: 25 bits among some hundred, and short enough for a model to copy
_ID_LETTERS: Final = 5


def new_id(*parts: str) -> str:
    """The id of a memory: the same for the same parts."""
    return f"m{b32encode(hashlib.sha256(chr(10).join(parts).encode()).digest()).decode().lower()[:_ID_LETTERS]}"


@dataclass(frozen=True, kw_only=True)
class PlanContext:
    """What a plan had seen, and who may have had a word in it."""

    plan: str
    now: datetime
    outside: str = ""
    #: whether it saw other people's words, or what a tool found
    is_mixed: bool = False
    #: the id of the agent's owner; 0: nobody's is known
    owner: int = 0


@dataclass(frozen=True, kw_only=True)
class LoadedMemories:
    """The memories as they were read, and as they are now."""

    here: MemoryAudience
    before: MemoriesByOwner = field(default_factory=MemoriesByOwner)
    after: MemoriesByOwner = field(default_factory=MemoriesByOwner)
    curated: tuple[CuratedMemory, ...] = ()
    #: what the group is called; empty: it is a private chat
    title: str = ""
    most: int = MOST_MEMORIES

    @property
    def known(self) -> VisibleMemories:
        """What may be shown."""
        return visible_memories(self.after, self.here, self.curated)

    @property
    def texts(self) -> Mapping[str, str]:
        """What each memory that a plan may name says, by its id."""
        known = self.known
        return {one.id: one.text for one in (*known.listed, *known.quoted)}

    def is_full(self, scope: MemoryScope) -> bool:
        """Whether there is no room for another fact of a scope, of somebody who is answered or of the chat."""
        of = (owner for owner in self.here.owners if owner.scope is scope)
        return any(sum(not one.outside for one in self.after.of(owner)) >= self.most for owner in of)

    def room_for(self, wish: MemoryWish, answered: Sequence[Message]) -> tuple[int, tuple[Memory, ...]]:
        """Who may give up one of some memories here for a new one, and those: what was of no use for longest first."""
        message = _said_in(wish, answered)
        if message is None:
            return 0, ()
        person, shown = message.author.id, {one.id for one in self.known.listed}
        found = self.wished(wish, answered, "", PlanContext(plan="", now=message.at, owner=person))
        return person, tuple(one for one in found.kept if one.id in shown) if isinstance(found, MemoryFull) else ()

    def is_said(self, wish: MemoryWish, answered: Sequence[Message]) -> bool:
        """Whether it is a new fact of who asked for it, and stands in their own words: so it waits for no tap."""
        message = _said_in(wish, answered)
        is_new = wish.scope is MemoryScope.PERSON and not wish.memory and not wish.is_for_groups
        return is_new and message is not None and is_in_own_words(wish.text, message)

    def wished(
        self, wish: MemoryWish, answered: Sequence[Message], task_id: str, told: PlanContext
    ) -> "LoadedMemories | RefusedMemory":
        """The recollection after what a task of a plan wants; or why it is not done. `answered`: what the plan does."""
        message = _said_in(wish, answered)
        if message is None:
            return RefusedMemory(NOBODY)
        outside = "" if is_in_own_words(wish.text, message) else told.outside
        if outside and not self.here.key.is_private and not brings_outside_text(message):
            return RefusedMemory(NOT_SENT)
        saying = WishContext(
            source=self._source(message),
            now=told.now,
            new_id=new_id(told.plan, task_id),
            owner=told.owner,
            outside=outside,
            is_mixed=told.is_mixed,
            most=self.most,
        )
        after = apply_wish(self.after, self.here, wish, saying)
        return after if isinstance(after, RefusedMemory) else replace(self, after=after)

    def used(self, answer: str, asked: str, touched: frozenset[str], now: datetime) -> "LoadedMemories":
        """With those marked that were of use: their words came up in an answer, or the model looked them up."""
        known = self.known
        looked_up = {
            one.id for one in (*known.listed, *known.quoted) if one.id in touched and is_use_worth_saving(one, now)
        }
        ids = used_memories(known.listed, answer, asked, now) | looked_up
        return replace(self, after=self.after.used(ids, now)) if ids else self

    def _source(self, message: Message) -> MemorySource:
        """Where a message is; its place in the transcript is known once it is noted there."""
        return MemorySource(
            message_id=message.quotable or 0,
            place=place_of(self.here.key),
            person=message.author.id if not message.author.is_bot else 0,
            name=message.author.name,
            title=self.title,
            topic_id=self.here.key.topic_id,
        )


def brings_outside_text(message: Message) -> bool:
    """Whether a message brings text from outside itself: a forward, a file, a quote; then its author sent that."""
    quoted = message.reply
    is_quote = quoted is not None and (quoted.holds_outside or quoted.forwarded_from is not None)
    return message.holds_outside or message.is_of_others_words or holds_text(message) or is_quote


def _said_in(wish: MemoryWish, answered: Sequence[Message]) -> Message | None:
    """The message that wants it; none: it may be one of several people's."""
    named = next((one for one in answered if wish.message_id and one.message_id == wish.message_id), None)
    people = {one.author.id for one in answered}
    return named or (answered[-1] if len(people) == 1 else None)


#: letters of a word that tells something, and of its beginning, which endings leave as it is
LEAST_LETTERS: Final = 4
STEM: Final = 5
#: of such words as many have to come up again, or all there are
LEAST_SHARED: Final = 2
#: that a memory was of use is written once in so long
AGAIN: Final = timedelta(days=1)


def used_memories(memories: Iterable[Memory], answer: str, asked: str, now: datetime) -> frozenset[str]:
    """The ids of those whose words the answer brings up by itself, and that are not known to be of use lately.

    `asked`: what was answered; words that it brought up tell nothing.
    """
    said = _word_stems(answer) - _word_stems(asked)
    return frozenset(one.id for one in memories if is_use_worth_saving(one, now) and _is_used(one, said))


def is_use_worth_saving(memory: Memory, now: datetime) -> bool:
    """Whether it is worth a write that it was of use."""
    return now - memory.useful_at >= AGAIN


def _is_used(memory: Memory, said: frozenset[str]) -> bool:
    stems = _word_stems(memory.text)
    return bool(stems) and len(stems & said) >= min(LEAST_SHARED, len(stems))


def _word_stems(text: str) -> frozenset[str]:
    return frozenset(word[:STEM] for word in words_of(text) if len(word) >= LEAST_LETTERS)


#: a fact calls its person so, whatever they are called
_THE_PERSON: Final = frozenset({"user", "person"})
#: a fact that says the opposite of a message has all its words, and one of these
_NEGATIONS: Final = frozenset(
    {
        "not", "no", "never", "without", "nicht", "kein", "keine", "keinen", "nie", "ohne", "pas", "ne", "jamais",
        "sans", "nunca", "jamás", "sin", "não", "nem", "sem", "non", "mai", "senza", "не", "ні", "ни", "нет", "немає",
        "без", "ніколи", "никогда", "bez", "nigdy", "değil", "yok", "hiç", "bukan", "tidak", "emas", "yo‘q", "नहीं",
        "لا", "ليس", "لم", "نه", "不", "没", "沒", "안", "못",
    }
)  # fmt: skip
#: "I don't" becomes "Ann doesn't", and "I can't" "Ann cannot"
_CONTRACTION: Final = re.compile(r"(?:(?<=can)|n)['’]t\b|(?<=\bcan)not\b")
#: what a "not" is said of goes no further
_CLAUSE_END: Final = re.compile(r"[.!?;:,\n。！？；：，、]|\b(?:but|aber|mais|pero|però|mas|але|но)\b")


def is_in_own_words(fact: str, message: Message) -> bool:
    """Whether each telling word of a fact stands in a message of the person's own, spoken ones too, or is their name.

    False for what they forward, and for words from outside; what they write below a picture of such words is theirs.
    """
    is_of_files = holds_text(message) and not message.is_worded_elsewhere
    if message.is_of_others_words or (message.holds_outside and not is_of_files):
        return False
    said, claimed = (_CONTRACTION.sub(" not", text) for text in (f"{message.text}\n{spoken_text(message)}", fact))
    person = name_terms(message.author.name) | _THE_PERSON
    asked = [one for one in query_terms(claimed) if not one.is_small and person.isdisjoint(one.variants)]
    negations = _NEGATIONS.intersection(words_of(claimed)).difference(words_of(said))
    told = _terms(said)
    is_said = bool(asked) and not negations and not any(told.isdisjoint(one.variants) for one in asked)
    return is_said and not _is_turned_round(claimed, said, frozenset(v for one in asked for v in one.variants))


def _is_turned_round(claimed: str, said: str, telling: frozenset[str]) -> bool:
    """Whether a fact has no "not", and what has its telling words was said with one."""
    if not _NEGATIONS.isdisjoint(words_of(claimed)):
        return False
    clauses = (one for one in _CLAUSE_END.split(said) if not _NEGATIONS.isdisjoint(words_of(one)))
    return any(not telling.isdisjoint(_terms(one)) for one in clauses)


def _terms(text: str) -> frozenset[str]:
    """The terms of a text, in each language that it may be in."""
    asked = (variant for one in query_terms(text) for variant in one.variants)
    return frozenset((*terms_of(text), *asked))
