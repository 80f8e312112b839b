"""Erasing words: what somebody said among others becomes a mark, and what was made of it is made again without it.

What repeats their words stands after them. So everything is gone through from the newest to the oldest: a run that is
killed leaves the words where the next one finds what repeats them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from shared.erasing.entries import without as entry_without
from shared.erasing.forgotten import NO_PERSON, Forgotten
from shared.flows.erase_beside import Beside, key_of
from shared.flows.erase_moves import with_moved
from shared.flows.erase_run import Run
from shared.flows.erase_transcript import MadeAgain, erased, heard, made_again
from shared.models.chat import Chat
from shared.models.chat_key import ChatKey
from shared.models.erasure import ERASED
from shared.models.message import Author
from shared.ports.erasing import Outline
from shared.records import Window
from shared.session.session import Session

#: the id of the chat under which updates are kept that name none
NO_CHAT: Final = 0


async def erase_words(run: Run) -> None:
    """Erase what a person said in groups, and what others' chats repeat. Raises Contended, LeaseLost, a StoreError."""
    who = Forgotten(run.erasure.person, files=frozenset(run.erasure.files), until=run.cut)
    await _hear_alone(run, who)
    groups = await _groups(run)
    await _erase(run, who, groups, await _outlines(run, groups, who))


async def names_of(run: Run) -> tuple[int, ...]:
    """The numbers of the whole names that they were seen with; not of single words, which many are called."""
    keys = [*await run.by.finding.chats_of(run.erasure.person), *await _groups(run)]
    found = await run.by.finding.conversations_in([key.id for key in keys])
    names = {one.names.get(run.erasure.person, "") for one in found}
    return tuple(sorted(Author(id=0, name=one).name_id for one in names if len(one.split()) > 1))


async def _hear_alone(run: Run, who: Forgotten) -> None:
    """Learn what they are called, and what they said in their private chats: others may have passed it on."""
    keys = await run.by.finding.chats_of(run.erasure.person)
    for one in await run.by.finding.conversations_in([key.id for key in keys]):
        async for page in run.by.finding.pages(one.conversation):
            who.hear_alone(entry for entry in page.entries if entry is not None)
            await run.go_on()


async def erase_repeated(run: Run, groups: Sequence[ChatKey]) -> None:
    """Erase what was made of a group's words in other chats. Raises Contended, LeaseLost, a StoreError.

    `groups`: all its chats, under each id that it has had; they go with everything in them.
    """
    own = frozenset(key.id for key in groups)
    for chat_id in dict.fromkeys(key.chat_id for key in groups):
        named = await run.by.finding.conversations_with(chat_id)
        elsewhere = [one for one in named if key_of(one) is not None and one.chat not in own]
        await _erase(run, Forgotten(chat_id, until=run.cut), (), elsewhere)


async def erase_repeated_of(run: Run, keys: Sequence[ChatKey], conversation: str) -> None:
    """Erase what was made of a conversation's words in others. Raises Contended, LeaseLost, a StoreError.

    `keys`: its chat, under each id that it has had.
    """
    for chat_id in dict.fromkeys(key.chat_id for key in keys):
        named = await run.by.finding.conversations_with(chat_id)
        elsewhere = [one for one in named if key_of(one) is not None and one.conversation != conversation]
        who = Forgotten(NO_PERSON, until=run.cut, conversation=conversation, chat_id=chat_id)
        await _erase(run, who, (), elsewhere)


async def _erase(run: Run, who: Forgotten, groups: Sequence[ChatKey], outlines: Sequence[Outline]) -> None:
    """Erase somebody's words in some groups and conversations, the newest last."""
    places = dict.fromkeys((*groups, *filter(None, map(key_of, outlines))))
    for one in outlines:
        await heard(run, who, one.conversation)
    who.look_at(one.conversation for one in outlines)
    await Beside(run, who).of_others(outlines)
    for key in places:
        who.look_at(one.conversation for one in outlines if one.chat == key.id)
        await Beside(run, who).of_chat(key)
    for one in outlines:
        await _Words(run, who).of_conversation(one)
        run.reach(through=(*run.erasure.through, one.conversation), within=None)
    run.reach(through=())


async def _groups(run: Run) -> Sequence[ChatKey]:
    """The chats of groups where they were seen, with all topics, by each id that a group has had.

    And what is kept of updates that name no chat.
    """
    groups = await run.by.finding.groups_of(run.erasure.person)
    found = [[one] if one.is_direct else await run.by.finding.chats_of(one.chat_id, one.agent) for one in groups]
    found.append(await run.by.finding.chats_of(NO_CHAT))
    return await with_moved(run, (key for keys in found for key in keys))


async def _outlines(run: Run, groups: Sequence[ChatKey], who: Forgotten) -> Sequence[Outline]:
    """The conversations there, those of other chats that tell of them, and those that an earlier run changed.

    What is elsewhere comes first, and then the newest.
    """
    there = await run.by.finding.conversations_in([key.id for key in groups])
    names = {*who.said.names, *(one.names[who.person] for one in there if who.person in one.names)}
    ids = {who.person, *(Author(id=0, name=one).name_id for one in names)}
    named = [found for one in sorted(ids) for found in await run.by.finding.conversations_with(one)]
    changed = [await run.by.finding.outline(one) for one in run.erasure.changed]
    own = {one.conversation for one in there}
    found = {one.conversation: one for one in (*named, *filter(None, changed), *there)}
    wanted = [one for one in found.values() if one.conversation not in run.erasure.through]
    others = [one for one in wanted if key_of(one) is not None and not _is_own(one, run)]
    return sorted(others, key=lambda one: (one.conversation not in own, one.conversation), reverse=True)


def _is_own(outline: Outline, run: Run) -> bool:
    key = key_of(outline)
    return key is not None and key.chat_id == run.erasure.person


class _Words:
    """What is erased of one person in one conversation."""

    def __init__(self, run: Run, who: Forgotten) -> None:
        self._run, self._who = run, who

    async def of_conversation(self, outline: Outline) -> None:
        """Erase what a conversation tells of them, and have it made again what was made of it."""
        key = key_of(outline)
        assert key is not None
        is_made_again = outline.conversation in self._run.erasure.changed

        async def work(session: Session) -> Counter[str]:
            is_current = session.chat.conversation == outline.conversation
            hide = partial(self._hide, outline.conversation, session if is_current else None)
            counts = await erased(self._run, self._who, outline.conversation, hide)
            if counts["entries"] or is_made_again or await self._is_told_of(outline):
                again = await self._made_again(session.chat, outline)
                if is_current:
                    session.note_chat(segment=again.start)
                    session.note(Window(tuple(again.newest)))
            return counts

        if await self._run.holding(key, work) is None:  # nobody writes to it
            hide = partial(self._hide, outline.conversation, None)
            counts = await erased(self._run, self._who, outline.conversation, hide)
            if counts["entries"] or is_made_again or await self._is_told_of(outline):
                await self._made_again(Chat(key=key), outline)
            await self._run.note(counts)

    async def _hide(self, conversation: str, session: Session | None) -> None:
        """Have models shown nothing any more of what is about to go. `session`: of the chat that is in it, if any."""
        await self._run.by.erasing.made_of(conversation)
        if session is not None:
            newest = await self._run.by.chats.window(session.chat, self._run.by.window_entries)
            session.note(Window(tuple(entry_without(entry, self._who) for entry in newest)))
            await session.commit()

    async def _is_told_of(self, outline: Outline) -> bool:
        """Whether they gave its group the name that it tells, or models named them in notes of it: these go then."""
        made = (*outline.notes, "" if outline.is_named_by_hand else outline.title)
        is_named = any(self._who.said.without_names(one, ERASED) != one for one in made)
        if is_named:
            await self._run.note(changed=[outline.conversation])
            await self._run.by.erasing.made_of(outline.conversation)
        return is_named or self._is_named_by_them(outline)

    def _is_named_by_them(self, outline: Outline) -> bool:
        """Whether they gave the group the name that a conversation of it tells."""
        return bool(outline.chat_title) and self._who.said.has(outline.chat_title)

    async def _made_again(self, chat: Chat, outline: Outline) -> MadeAgain:
        """Have made again what was made of a conversation."""
        kept = outline
        if not outline.is_named_by_hand or self._who.said.has(outline.title):
            kept = replace(kept, title="")
        if self._is_named_by_them(outline):
            kept = replace(kept, chat_title="")
            await self._run.note(changed=[outline.conversation])
        return await made_again(self._run, chat, kept, self._who.person)
