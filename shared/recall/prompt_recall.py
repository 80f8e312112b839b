"""Adds passages of earlier conversations to a prompt, if the question refers to something that the prompt does not
show.
"""

import asyncio
import re
from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from shared.base.errors import LullError
from shared.base.language.terms import name_terms, query_terms, terms_of
from shared.base.logs import log, log_failure
from shared.memory.forgotten import forgotten_filter
from shared.memory.loaded import LoadedMemories
from shared.planning.prompt.scene import Scene
from shared.recall.decision import NamedDays, decide_recall
from shared.recall.matching.dates import periods_in
from shared.recall.matching.periods import newest_of
from shared.recall.matching.questions import asks_of_days, asks_of_now
from shared.recall.service import RecallService
from shared.values.agent import parse_zone
from shared.values.decision import RecallNote
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Message
from shared.values.origin import Passage, TextOrigin, TextSource
from shared.values.place import Asker
from shared.values.recalled import RecallHit, RecallQuery, ShownEntries
from shared.values.segment import SegmentNote

#: the largest number of passages in one prompt, and the least score (0 to 1) of a passage
MOST: Final = 6
LEAST_SCORE: Final = 0.3
#: how well a passage must fit on its own (0 to 1): even the best of several bad results is a bad result
LEAST_FIT: Final = 0.25
#: the search may take this many seconds; after that, the answer is written without its results
LONGEST_S: Final = 6.0
#: label for words of other people that were said in another chat
ELSEWHERE: Final = "what others said in another chat"


@dataclass(frozen=True, kw_only=True)
class PromptRecall:
    """Searches earlier conversations for a prompt."""

    recall: RecallService

    async def about(
        self, scene: Scene, question: Message | None, remembered: Awaitable[LoadedMemories]
    ) -> tuple[Scene, RecallNote | None]:
        """Return the scene with recalled passages, and a record of the search to store with the message's decision.

        If the search fails, no error is raised, and the scene is returned unchanged. The record is None if there is no
        question or nothing to search. `remembered` returns the memories. They include the facts that the agent was
        told to forget; these facts are left out of the passages.
        """
        if question is None or not (scene.chat.talk.has_past or scene.chat.talk.turn > 1 or scene.chat.key.is_private):
            return scene, None
        language = scene.chat.locale.last_language
        text = _asked_by(question, scene.agent.front.username)
        terms = query_terms(text, language)
        days = cache(lambda: _days_asked(scene, text))
        pointing = decide_recall(question.text, terms, lambda: _terms(scene.entries, language), days=days)
        if not pointing.is_outside:
            return scene, RecallNote(is_asked=False, why=pointing.why)
        began = asyncio.get_running_loop().time()
        note = RecallNote(is_asked=True, why=pointing.why)
        try:
            async with asyncio.timeout(LONGEST_S):
                found = await self.recall.search(_asker(scene, question), _search_request(scene, text, days()))
        except TimeoutError:
            return scene, evolve(note, trouble=f"no answer within {LONGEST_S:g} seconds")
        except LullError as failure:
            log_failure(failure)
            return scene, evolve(note, trouble="it could not be searched")
        hidden = forgotten_filter((await remembered).known)
        fitting = (one for one in found.found if one.score >= LEAST_SCORE and one.fit >= LEAST_FIT)
        best = list(filter(None, map(hidden.filter_hit, fitting)))
        ms = int(1000 * (asyncio.get_running_loop().time() - began))
        log("recalled", found=len(best), reads=found.reads, ms=ms, why=pointing.why)
        passages, shown = tuple(_passages(best, scene)), tuple(one.shown for one in best)
        note = evolve(note, found=len(best), matches=found.total, reads=found.reads, ms=ms, trouble=found.trouble)
        return replace(scene, earlier=replace(scene.earlier, recalled=passages, elsewhere=shown)), note


def _asked_by(question: Message, username: str) -> str:
    """Return the message's text without mentions of the agent, since a search for its name finds useless passages."""
    return re.sub(rf"@{re.escape(username)}\b", " ", question.text, flags=re.IGNORECASE) if username else question.text


def _terms(entries: Sequence[AnyEntry], language: str) -> frozenset[str]:
    """Return the terms of the messages that the prompt shows besides the question."""
    texts = "\n".join(entry.text for entry in entries if isinstance(entry, Message) and entry.seq)
    return frozenset(terms_of(texts, language))


def _days_asked(scene: Scene, question: str) -> NamedDays:
    """Return SHOWN or UNSHOWN if the question is only about days that the prompt shows, or does not show; else NONE."""
    zone = parse_zone(scene.said_zone)
    today = scene.now.astimezone(zone).date()
    authors = (one.author.name for one in scene.entries if isinstance(one, Message))
    names = frozenset[str]().union(*map(name_terms, authors))
    if not asks_of_days(question, scene.chat.locale.last_language, today, names):
        return NamedDays.NONE
    first = _shown_from(scene)
    shown = next((one.at.astimezone(zone).date() for one in scene.entries if one.seq >= first), today)
    is_shown = scene.format.tells_days and all(shown < one.first for one in newest_of(periods_in(question, today)))
    is_of_now = asks_of_now(question, scene.chat.locale.last_language, today)
    # the prompt contains today's date
    return NamedDays.SHOWN if is_shown or is_of_now else NamedDays.UNSHOWN


def _shown_from(scene: Scene) -> int:
    """Return the number of the first entry that the prompt quotes in full. Earlier entries, which it only summarizes,
    are searched.
    """
    after = scene.earlier.compression.up_to_seq if scene.earlier.compression else 0
    return max(after + 1, scene.entries[0].seq if scene.entries else 1)


def _asker(scene: Scene, question: Message) -> Asker:
    return Asker(chat=scene.chat.key, places=scene.chat.places, person=question.author.id)


def _search_request(scene: Scene, question: str, days: NamedDays) -> RecallQuery:
    here = scene.chat.conversation
    # if the prompt shows messages without their days, a question about days must be searched
    is_known = bool(here) and (scene.format.tells_days or days is NamedDays.NONE)
    shown = ShownEntries(conversation=here, from_seq=_shown_from(scene)) if is_known else None
    return RecallQuery(
        query=question,
        now=scene.now,
        zone=parse_zone(scene.said_zone),
        limit=MOST,
        language=scene.chat.locale.last_language,
        shown=shown,
    )


def _passages(findings: Sequence[RecallHit], scene: Scene) -> Iterator[Passage]:
    for one in findings:
        chat = " ".join(one.source.chat_title.split()) if one.source.chat != scene.chat.key.id else ""
        where = f' in "{chat}"' if chat else ""
        day = f"{one.at.astimezone(scene.zone):%a %Y-%m-%d}"
        notes = (note for note in one.notes if not note.outside)
        noted = (f"\n(noted: {' '.join(note.text.split())}{_until(note)})" for note in notes)
        said = "\n    ".join((one.text or one.snippet).splitlines())
        text = f"{day}{where}, conversation {one.source.conversation}:\n{said}{''.join(noted)}"
        yield Passage(text=text, source=_source(one, scene))


def _until(note: SegmentNote) -> str:
    return f"; no longer so since {note.superseded_on:%Y-%m-%d}" if note.superseded_on else ""


def _source(one: RecallHit, scene: Scene) -> TextSource:
    """Return the source of a passage: untrusted text, the agent, its owner or another person.

    Any passage of another chat counts as untrusted text.
    """
    marks = one.outside if one.source.place in scene.chat.places else (*one.outside, ELSEWHERE)
    if marks:
        return TextSource(origin=TextOrigin.OUTSIDE, what=", ".join(marks))
    if not one.people:
        return TextSource(origin=TextOrigin.AGENT)
    # if several people wrote the passage, one who is not the owner counts as its author
    person = next((someone for someone in one.people if someone != scene.people.owner), one.people[0])
    return TextSource(origin=TextOrigin.OWNER if person == scene.people.owner else TextOrigin.PERSON, person=person)
