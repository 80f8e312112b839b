"""The memories that are loaded for an answer, and how a plan changes them."""

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

#: number of letters and digits after the `m` of an id. 25 bits are enough for some hundred memories, and a model can
#: copy so short an id
_ID_LETTERS: Final = 5


def new_id(*parts: str) -> str:
    """Return the id of a memory, computed from `parts`: the same parts always give the same id."""
    return f"m{b32encode(hashlib.sha256(chr(10).join(parts).encode()).digest()).decode().lower()[:_ID_LETTERS]}"


@dataclass(frozen=True, kw_only=True)
class PlanContext:
    """A plan's id and time, the owner of its agent, and whether the plan's model was shown words of other people."""

    plan: str
    now: datetime
    outside: str = ""
    #: whether the model was shown other people's words or tool results
    is_mixed: bool = False
    #: id of the agent's owner; 0 if unknown
    owner: int = 0


@dataclass(frozen=True, kw_only=True)
class LoadedMemories:
    """The memories as they were read (`before`), and after the plan's changes (`after`)."""

    here: MemoryAudience
    before: MemoriesByOwner = field(default_factory=MemoriesByOwner)
    after: MemoriesByOwner = field(default_factory=MemoriesByOwner)
    curated: tuple[CuratedMemory, ...] = ()
    #: title of the group; "" for a private chat
    title: str = ""
    most: int = MOST_MEMORIES

    @property
    def known(self) -> VisibleMemories:
        """The memories that may be shown in this chat."""
        return visible_memories(self.after, self.here, self.curated)

    @property
    def texts(self) -> Mapping[str, str]:
        """The text of each memory that a plan may name, by the memory's id."""
        known = self.known
        return {one.id: one.text for one in (*known.listed, *known.quoted)}

    def is_full(self, scope: MemoryScope) -> bool:
        """Return whether one of the owners of this scope has no room for another fact."""
        of = (owner for owner in self.here.owners if owner.scope is scope)
        return any(sum(not one.outside for one in self.after.of(owner)) >= self.most for owner in of)

    def room_for(self, wish: MemoryWish, answered: Sequence[Message]) -> tuple[int, tuple[Memory, ...]]:
        """Return the id of the person who may give up a memory for a new one, and the memories to choose from.

        These are the memories visible in this chat, the longest unused first; () if a new memory has room. If nobody
        can be asked, (0, ()) is returned.
        """
        message = _said_in(wish, answered)
        if message is None:
            return 0, ()
        person, shown = message.author.id, {one.id for one in self.known.listed}
        found = self.with_wish(wish, answered, "", PlanContext(plan="", now=message.at, owner=person))
        return person, tuple(one for one in found.kept if one.id in shown) if isinstance(found, MemoryFull) else ()

    def is_said(self, wish: MemoryWish, answered: Sequence[Message]) -> bool:
        """Return whether a wish needs no confirmation: it is a new fact about its author, in the author's own words."""
        message = _said_in(wish, answered)
        is_new = wish.scope is MemoryScope.PERSON and not wish.memory and not wish.is_for_groups
        return is_new and message is not None and is_in_own_words(wish.text, message)

    def with_wish(
        self, wish: MemoryWish, answered: Sequence[Message], task_id: str, told: PlanContext
    ) -> "LoadedMemories | RefusedMemory":
        """Return the memories after a task's wish was carried out, or the reason for refusing the wish.

        `answered` are the messages that the plan answers. `told` describes the plan.
        """
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

    def with_use(self, answer: str, asked: str, touched: frozenset[str], now: datetime) -> "LoadedMemories":
        """Return a copy that marks as used the memories that an answer used or that the model looked up (`touched`)."""
        known = self.known
        looked_up = {
            one.id for one in (*known.listed, *known.quoted) if one.id in touched and is_use_worth_saving(one, now)
        }
        ids = used_memories(known.listed, answer, asked, now) | looked_up
        return replace(self, after=self.after.with_use(ids, now)) if ids else self

    def _source(self, message: Message) -> MemorySource:
        """Return the source of a memory that comes from this message.

        The message's position in the transcript is added once the message is in the transcript.
        """
        return MemorySource(
            message_id=message.quotable or 0,
            place=place_of(self.here.key),
            person=message.author.id if not message.author.is_bot else 0,
            name=message.author.name,
            title=self.title,
            topic_id=self.here.key.topic_id,
        )


def brings_outside_text(message: Message) -> bool:
    """Return whether a message brings text from outside into the chat: a forward, a file, or a quote of such text."""
    quoted = message.reply
    is_quote = quoted is not None and (quoted.holds_outside or quoted.forwarded_from is not None)
    return message.holds_outside or message.is_of_others_words or holds_text(message) or is_quote


def _said_in(wish: MemoryWish, answered: Sequence[Message]) -> Message | None:
    """Return the message that a wish names or, if one person wrote all of them, the last message; None otherwise."""
    named = next((one for one in answered if wish.message_id and one.message_id == wish.message_id), None)
    people = {one.author.id for one in answered}
    return named or (answered[-1] if len(people) == 1 else None)


#: the number of letters that a significant word has at least, and the number of letters in its stem
LEAST_LETTERS: Final = 4
STEM: Final = 5
#: a memory counts as used if so many of its words occur in an answer; if it has fewer words, all of them must occur
LEAST_SHARED: Final = 2
#: the use of a memory is stored at most this often
AGAIN: Final = timedelta(days=1)


def used_memories(memories: Iterable[Memory], answer: str, asked: str, now: datetime) -> frozenset[str]:
    """Return the ids of memories that an answer used. A memory counts as used if its words occur in the answer, but not
    in `asked`, the text that is answered.

    A memory is left out if a use of it was stored recently.
    """
    said = _word_stems(answer) - _word_stems(asked)
    return frozenset(one.id for one in memories if is_use_worth_saving(one, now) and _is_used(one, said))


def is_use_worth_saving(memory: Memory, now: datetime) -> bool:
    """Return whether the last stored use is so long ago that storing a new use is worth a write."""
    return now - memory.useful_at >= AGAIN


def _is_used(memory: Memory, said: frozenset[str]) -> bool:
    stems = _word_stems(memory.text)
    return bool(stems) and len(stems & said) >= min(LEAST_SHARED, len(stems))


def _word_stems(text: str) -> frozenset[str]:
    return frozenset(word[:STEM] for word in words_of(text) if len(word) >= LEAST_LETTERS)


#: the words for the person in a fact, whatever the person's name
_THE_PERSON: Final = frozenset({"user", "person"})
#: negations: with one of them, a fact says the opposite of a message that has none
_NEGATIONS: Final = frozenset(
    {
        "not", "no", "never", "without", "nicht", "kein", "keine", "keinen", "nie", "ohne", "pas", "ne", "jamais",
        "sans", "nunca", "jamás", "sin", "não", "nem", "sem", "non", "mai", "senza", "не", "ні", "ни", "нет", "немає",
        "без", "ніколи", "никогда", "bez", "nigdy", "değil", "yok", "hiç", "bukan", "tidak", "emas", "yo‘q", "नहीं",
        "لا", "ليس", "لم", "نه", "不", "没", "沒", "안", "못",
    }
)  # fmt: skip
#: contractions that negate: "I don't" becomes "Ann doesn't", "I can't" becomes "Ann cannot"
_CONTRACTION: Final = re.compile(r"(?:(?<=can)|n)['’]t\b|(?<=\bcan)not\b")
#: the end of a clause: a "not" has no effect beyond it
_CLAUSE_END: Final = re.compile(r"[.!?;:,\n。！？；：，、]|\b(?:but|aber|mais|pero|però|mas|але|но)\b")


def is_in_own_words(fact: str, message: Message) -> bool:
    """Return whether the person's own message states a fact: each significant word of the fact is in the message or is
    the person's name, and the fact and the message agree in negations.

    Transcribed speech counts as the person's words. Forwards and text from outside do not count. The caption of a
    picture counts, even if the picture contains text.
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
    return is_said and not _drops_negation(claimed, said, frozenset(v for one in asked for v in one.variants))


def _drops_negation(claimed: str, said: str, telling: frozenset[str]) -> bool:
    """Return whether `claimed` has no negation, but a clause of the message with one of these terms has one."""
    if not _NEGATIONS.isdisjoint(words_of(claimed)):
        return False
    clauses = (one for one in _CLAUSE_END.split(said) if not _NEGATIONS.isdisjoint(words_of(one)))
    return any(not telling.isdisjoint(_terms(one)) for one in clauses)


def _terms(text: str) -> frozenset[str]:
    """Return the terms of a text, for each language that the text may be in."""
    asked = (variant for one in query_terms(text) for variant in one.variants)
    return frozenset((*terms_of(text), *asked))
