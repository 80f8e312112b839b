"""Erasing words: what somebody said among others becomes a mark, and what was made of it is made again without it.

What repeats their words stands after them. So everything is gone through from the newest to the oldest: a run that is
killed leaves the words where the next one finds what repeats them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from shared.erasing.entries import without as entry_without
from shared.erasing.forgotten import NO_PERSON, Forgotten
from shared.erasing.plans import is_from_before, shown_elsewhere, unnoted, without
from shared.erasing.repeats import texts_in
from shared.flows.erase_moves import erase_former, with_moved
from shared.flows.erase_purse import erase_purse
from shared.flows.erase_run import Run
from shared.flows.erase_transcript import MadeAgain, erased, heard, made_again
from shared.models.chat import Chat
from shared.models.chat_key import ChatKey
from shared.models.erasure import ERASED
from shared.models.memory import Memory
from shared.models.message import Author
from shared.models.place import place_of
from shared.models.reminder import Reminder
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
        elsewhere = [one for one in named if _key_of(one) is not None and one.chat not in own]
        await _erase(run, Forgotten(chat_id, until=run.cut), (), elsewhere)


async def erase_repeated_of(run: Run, keys: Sequence[ChatKey], conversation: str) -> None:
    """Erase what was made of a conversation's words in others. Raises Contended, LeaseLost, a StoreError.

    `keys`: its chat, under each id that it has had.
    """
    for chat_id in dict.fromkeys(key.chat_id for key in keys):
        named = await run.by.finding.conversations_with(chat_id)
        elsewhere = [one for one in named if _key_of(one) is not None and one.conversation != conversation]
        who = Forgotten(NO_PERSON, until=run.cut, conversation=conversation, chat_id=chat_id)
        await _erase(run, who, (), elsewhere)


async def _erase(run: Run, who: Forgotten, groups: Sequence[ChatKey], outlines: Sequence[Outline]) -> None:
    """Erase somebody's words in some groups and conversations, the newest last."""
    places = dict.fromkeys((*groups, *filter(None, map(_key_of, outlines))))
    for one in outlines:
        await heard(run, who, one.conversation)
    who.look_at(one.conversation for one in outlines)
    await _Words(run, who).of_others(outlines)
    for key in places:
        who.look_at(one.conversation for one in outlines if one.chat == key.id)
        await _Words(run, who).of_chat(key)
    for one in outlines:
        await _Words(run, who).of_conversation(one)
        run.reach(through=(*run.erasure.through, one.conversation), within=None)
    run.reach(through=())


async def _groups(run: Run) -> Sequence[ChatKey]:
    """The chats of groups where they were seen, with all topics, by each id that a group has had.

    And what is kept of updates that name no chat.
    """
    groups = await run.by.finding.groups_of(run.erasure.person)
    found = [await run.by.finding.chats_of(one.chat_id, one.agent) for one in groups]
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
    others = [one for one in wanted if _key_of(one) is not None and not _is_own(one, run)]
    return sorted(others, key=lambda one: (one.conversation not in own, one.conversation), reverse=True)


def _is_own(outline: Outline, run: Run) -> bool:
    key = _key_of(outline)
    return key is not None and key.chat_id == run.erasure.person


def _key_of(outline: Outline) -> ChatKey | None:
    try:
        return ChatKey.from_id(outline.chat)
    except ValueError:
        return None


class _Words:
    """What is erased of one person in one place."""

    def __init__(self, run: Run, who: Forgotten) -> None:
        self._run, self._who = run, who

    async def of_others(self, outlines: Sequence[Outline]) -> None:
        """Erase what agents remember of others there in their words."""
        named = [(key, one.people) for one in outlines if (key := _key_of(one)) is not None]
        places = {place_of(key) for key, _ in named}
        others = {(key.agent, person) for key, people in named for person in people if person > 0}

        def is_gone(memory: Memory) -> bool:
            is_there = memory.source.place in places or self._who.is_used_in(memory.elsewhere)
            return is_there and self._is_learned(memory)

        for agent, person in sorted(others - {(agent, self._who.person) for agent, _ in others}):
            count = await self._run.by.erasing.personal_memories(agent, person, is_gone)
            await self._run.note(Counter(memories=count))

    async def of_chat(self, key: ChatKey) -> None:
        """Erase what is kept of a chat besides its conversations."""

        async def work(session: Session) -> Counter[str]:
            await erase_purse(self._run, session, self._who.person)
            counts = await self._beside(key, session.chat.ids)
            session.note_chat(**self._changes(session.chat), erased_at=self._run.by.clock())
            return counts

        if await self._run.holding(key, work) is None:  # nobody writes to it
            await self._run.note(await self._beside(key, (key.id,)))
        await erase_former(self._run, key, self._changes)

    async def _beside(self, key: ChatKey, ids: Sequence[str]) -> Counter[str]:
        erasing, run = self._run.by.erasing, self._run
        counts = Counter(memories=await erasing.chat_memories(key, self._is_learned))
        counts["documents"] += await erasing.inbox_without(key, run.cut, self._who)
        counts["documents"] += await erasing.plans_without(key, self._rest)
        if not self._who.conversation or self._who.heard.derived:
            counts["documents"] += await erasing.summaries(ids, run.late)
        counts["events"] = await erasing.reminders_without(ids, self._still_said)
        return counts

    def _still_said(self, reminder: Reminder) -> Reminder:
        """A reminder of somebody else as it is still to be said; the same one, if nothing in it is theirs.

        It comes at its time: whose it is set it. Of what was to be done then, nothing is known any more.
        """
        said, words = self._who.said, reminder.words
        if reminder.set_at > self._run.settled:
            return reminder
        if self._who.is_used_in(reminder.elsewhere) or said.is_repeated_in(words, at=reminder.set_at):
            return reminder.model_copy(update={"text": ERASED, "instruction": "", "elsewhere": ()})
        rest = said.without_names(words, ERASED, reminder.set_at)
        name = "text" if reminder.text else "instruction"
        return reminder if rest == words else reminder.model_copy(update={name: rest})

    def _is_learned(self, memory: Memory) -> bool:
        """Whether a memory is of what they said, and not from after they were forgotten."""
        is_repeating = self._who.said.is_repeated_in(memory.text, at=memory.changed_at)
        is_theirs = memory.source.person == self._who.person or self._who.is_used_in(memory.elsewhere)
        return (is_theirs or is_repeating) and memory.made_at <= self._run.settled

    def _rest(self, plan: dict[str, Any]) -> dict[str, Any] | None:
        """What a plan still has to do for others; all of it, if it is from after they were forgotten."""
        if not is_from_before(plan, self._run.settled):
            return plan
        if (answers := plan.get("answers")) and self._who.gone.issuperset(answers):
            return None
        rest, who = without(plan, self._is_theirs), self._who
        is_told = who.is_used_in(shown_elsewhere(plan)) or who.said.is_repeated_in(*texts_in(plan))
        return unnoted(plan) if rest is plan and is_told else rest

    def _is_theirs(self, task: dict[str, Any]) -> bool:
        """Whether a task is for them, or repeats what they said."""
        is_for_them = self._who.person in (task.get("people") or ()) or self._who.is_used_in(shown_elsewhere(task))
        return is_for_them or self._who.said.is_repeated_in(*texts_in(task))

    def _changes(self, chat: Chat) -> dict[str, Any]:
        said, person = self._who.said, self._who.person
        boards = [
            k
            for k in chat.keyboards
            if person in k.people or self._who.is_used_in(k.elsewhere) or said.is_repeated_in(*k.choices)
        ]
        gone = [k for k in boards if k.at <= self._run.settled]
        changes: dict[str, Any] = {"keyboards": tuple(k for k in chat.keyboards if k not in gone)}
        names = {"title": chat.title, "topic": chat.topic, "conversation_title": chat.conversation_title}
        return changes | {name: "" for name, value in names.items() if value and said.has(value)}

    async def of_conversation(self, outline: Outline) -> None:
        """Erase what a conversation tells of them, and have it made again what was made of it."""
        key = _key_of(outline)
        assert key is not None
        is_made_again = outline.conversation in self._run.erasure.changed

        async def work(session: Session) -> Counter[str]:
            is_current = session.chat.conversation == outline.conversation
            hide = partial(self._hide, outline.conversation, session if is_current else None)
            counts = await erased(self._run, self._who, outline.conversation, hide)
            if counts["entries"] or is_made_again or self._is_named_by_them(outline):
                again = await self._made_again(session.chat, outline)
                if is_current:
                    session.note_chat(segment=again.start)
                    session.note(Window(tuple(again.newest)))
            return counts

        if await self._run.holding(key, work) is None:  # nobody writes to it
            hide = partial(self._hide, outline.conversation, None)
            counts = await erased(self._run, self._who, outline.conversation, hide)
            if counts["entries"] or is_made_again or self._is_named_by_them(outline):
                await self._made_again(Chat(key=key), outline)
            await self._run.note(counts)

    async def _hide(self, conversation: str, session: Session | None) -> None:
        """Have models shown nothing any more of what is about to go. `session`: of the chat that is in it, if any."""
        await self._run.by.erasing.made_of(conversation)
        if session is not None:
            newest = await self._run.by.chats.window(session.chat, self._run.by.window_entries)
            session.note(Window(tuple(entry_without(entry, self._who) for entry in newest)))
            await session.commit()

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
