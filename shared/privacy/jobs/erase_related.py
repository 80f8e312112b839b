"""Deletes a person's data outside of conversations: in other people's memories and reminders, in updates, plans and
buttons.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from shared.chat.session import Session
from shared.privacy.deletion.forgotten import ForgottenSubject
from shared.privacy.deletion.plans import is_about, is_from_before, reword, shown_elsewhere, without, without_notes
from shared.privacy.deletion.repeats import texts_in
from shared.privacy.jobs.erase_run import DeletionRun, erase_budget, erase_former
from shared.privacy.store.deletion_lookup import ConversationOutline
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.deletion import ERASED
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.memory import Memory, MemoryOwner, MemoryScope, memories_of_chat
from shared.values.outbox import OutboxNotice
from shared.values.place import place_of
from shared.values.reminder import Reminder

#: the owner id of memories that belong to an agent, so that everybody shares them
NOBODY: Final = 0


class RelatedDataDeletion:
    """Deletes data about a person that is stored outside of the conversations in which the person occurs."""

    def __init__(self, run: DeletionRun, who: ForgottenSubject) -> None:
        """`who` must already know the conversations (`ForgottenSubject.learn`)."""
        self._run, self._who = run, who

    async def erase_memories_of_others(
        self, outlines: Sequence[ConversationOutline], groups: Sequence[ChatKey] = ()
    ) -> None:
        """Delete the memories that were made from the person's words but belong to other people or to agents.

        `groups` has each group under its current and its former ids.
        """
        named = [(key, one.people) for one in outlines if (key := key_of(one)) is not None]
        places = {place_of(key) for key in (*groups, *(key for key, _ in named))}
        others = {(key.agent, person) for key, people in named for person in people if person > 0}

        def is_gone(memory: Memory) -> bool:
            is_there = memory.source.place in places or self._who.is_used_in(memory.elsewhere)
            return is_there and self._is_learned(memory)

        def rest(memory: Memory) -> Memory:
            return self._left_of(memory) if memory.source.place in places else memory

        others |= {(key.agent, NOBODY) for key, _ in named}
        owners = [
            MemoryOwner(scope=MemoryScope.PERSON if person else MemoryScope.AGENT, agent=agent, person=person)
            for agent, person in sorted(others)
            if person != self._who.person
        ]
        for owner in await self._run.by.of_people.owners_with_memories(owners):
            count = await self._run.by.of_people.delete_memories(owner, is_gone, rest)
            await self._run.note(Counter(memories=count))

    async def erase_from_chat(self, key: ChatKey) -> None:
        """Delete the data about the person that a chat has outside of its conversations."""

        async def work(session: Session) -> Counter[str]:
            await erase_budget(self._run, session, self._who.person)
            counts = await self._erase_beside_conversations(key, session.chat.ids)
            session.note_chat(self._rest_of(session.chat))
            session.note_part(evolve(session.chat.privacy, erased_at=self._run.by.clock()))
            return counts

        if await self._run.holding(key, work) is None:  # the chat does not exist, so no tick writes to it
            await self._run.note(await self._erase_beside_conversations(key, (key.id,)))
        await erase_former(self._run, key, self._rest_of)

    async def _erase_beside_conversations(self, key: ChatKey, ids: Sequence[str]) -> Counter[str]:
        of_chats, of_people, run = self._run.by.of_chats, self._run.by.of_people, self._run
        owner = memories_of_chat(key)
        counts = Counter(memories=await of_people.delete_memories(owner, self._is_learned, self._left_of))
        counts["documents"] += await of_chats.empty_inbox_of_person(key, run.cut, self._who)
        counts["documents"] += await of_chats.reduce_plans(key, self._rest)
        counts["documents"] += await of_chats.delete_exchanges(key)
        counts["documents"] += await of_people.delete_incidents_where(key, self._who.is_in_body, run.models_cut)
        if not self._who.conversation or self._who.heard.derived:
            counts["documents"] += await of_chats.delete_summaries(ids, run.models_cut)
        counts["events"] = await of_people.erase_from_reminders(ids, self._still_said)
        return counts

    def _still_said(self, due: Reminder | OutboxNotice) -> Reminder | OutboxNotice:
        """Return another person's reminder or notice without everything that is about the forgotten person.

        If it has nothing about that person, the same object is returned. It is still sent at its time, since it belongs
        to the person who set it.
        """
        said, words = self._who.said, due.words
        if due.set_at > self._run.people_cut:
            return due
        if isinstance(due, OutboxNotice):
            is_theirs = said.is_repeated_in(words, at=due.set_at)
            rest = ERASED if is_theirs else said.without_names(words, ERASED, due.set_at)
            return evolve(due, text=rest) if rest != words else due
        return self._rest_of_reminder(due)

    def _rest_of_reminder(self, reminder: Reminder) -> Reminder:
        said, words = self._who.said, reminder.words
        if self._who.is_used_in(reminder.elsewhere) or said.is_repeated_in(words, at=reminder.set_at):
            return evolve(reminder, text=ERASED, instruction="", elsewhere=())
        changes: dict[str, Any] = {}
        if (rest := said.without_names(words, ERASED, reminder.set_at)) != words:
            changes["text" if reminder.text else "instruction"] = rest
        if (links := said.without_links(reminder.known_links)) != reminder.known_links:
            changes["known_links"] = links
        return reminder.model_copy(update=changes) if changes else reminder

    def _is_learned(self, memory: Memory) -> bool:
        """Return whether a memory was made before the deletion's time, from the person alone or the person's words."""
        person, used = self._who.person, self._who.is_used_in(memory.elsewhere)
        is_repeating = self._who.said.is_repeated_in(memory.text, at=memory.changed_at)
        is_theirs = (memory.source.person == person or is_repeating) and not set(memory.also_by) - {person}
        return (is_theirs or used) and memory.made_at <= self._run.people_cut

    def _left_of(self, memory: Memory) -> Memory:
        """Return another person's memory without the forgotten person's name, and without that person as a source."""
        if memory.changed_at > self._run.people_cut:
            return memory
        text = self._who.said.without_names(memory.text, ERASED, memory.changed_at)
        left = memory.without(self._who.person)
        return evolve(left, text=text) if text != left.text else left

    def _rest(self, plan: dict[str, Any]) -> dict[str, Any] | None:
        """Return the part of a plan that concerns others. A plan from after the deletion's time stays as it is."""
        if not is_from_before(plan, self._run.people_cut):
            return plan
        if (answers := plan.get("answers")) and self._who.erased_messages.issuperset(answers):
            return None
        rest, who = without(plan, self._is_theirs), self._who
        say = partial(who.said.without_names, instead=ERASED, at=plan.get("created_at"))
        is_told = who.is_used_in(shown_elsewhere(plan)) or who.said.is_repeated_in(*texts_in(plan))
        is_named = any(say(text) != text for name in ("uses", "notes") for text in texts_in(plan.get(name)))
        if rest is plan and (is_told or is_named):
            rest = without_notes(plan)
        return reword(rest, say) if rest is not None else None

    def _is_theirs(self, task: dict[str, Any]) -> bool:
        """Return whether a task is for the person, or repeats words of the person."""
        is_for_them = self._who.person in (task.get("people") or ()) or is_about(task, self._who.person)
        is_for_them = is_for_them or self._who.is_used_in(shown_elsewhere(task))
        return is_for_them or self._who.said.is_repeated_in(*texts_in(task))

    def _rest_of(self, chat: Chat) -> Chat:
        said, person = self._who.said, self._who.person
        boards = [
            k
            for k in chat.talk.keyboards
            if person in k.people
            or any(is_about(one, person) for one in k.effects)
            or self._who.is_used_in(k.elsewhere)
            or said.is_repeated_in(*k.choices, *texts_in(k.effects))
        ]
        gone = [k for k in boards if k.at <= self._run.people_cut]
        return evolve(
            chat,
            talk=evolve(
                chat.talk,
                keyboards=tuple(self._keyboard_without_names(k) for k in chat.talk.keyboards if k not in gone),
                conversation_title="" if said.has(chat.talk.conversation_title) else chat.talk.conversation_title,
            ),
            access=evolve(
                chat.access, direct_person=chat.access.direct_person if chat.access.direct_person != person else 0
            ),
            title="" if said.has(chat.title) else chat.title,
            topic="" if said.has(chat.topic) else chat.topic,
        )

    def _keyboard_without_names(self, board: Keyboard) -> Keyboard:
        if board.at > self._run.people_cut:
            return board
        say = partial(self._who.said.without_names, instead=ERASED, at=board.at)
        effects = tuple(reword(one, say) for one in board.effects)
        return evolve(
            board,
            choices=tuple(map(say, board.choices)),
            lines=tuple(map(say, board.lines)),
            asked_as=say(board.asked_as),
            effects=effects,
        )


def key_of(outline: ConversationOutline) -> ChatKey | None:
    """Return the key of a conversation's chat; None if the conversation belongs to no chat."""
    try:
        return ChatKey.from_id(outline.chat)
    except ValueError:
        return None
