"""Access actions of plans: block or unblock a person, silence the agent, or begin another conversation.

The owner gets a notice of each action in a chat other than their own. Whether a plan may act depends on the people whom
it answers, never on the model's words. A plan may block a person only if it answers nobody else. Only the owner, in
private, may unblock people or silence all chats. In a group only administrators may silence the agent or begin another
conversation. An action may be repeated: the result and the id of the notice are the same each time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from shared.access.notices import OwnerNotice
from shared.base.errors import ChannelError
from shared.base.logs import log
from shared.base.wording.verbatim import verbatim
from shared.base.wording.words import SILENCE, Phrase, Words, words_in
from shared.chat.confirming import with_confirmation
from shared.chat.session import Session
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.outbox import StoredNotice
from shared.llm.ports.world import MessagingChannel
from shared.reminders.wake_buttons import owner_wake_buttons, wake_button
from shared.tasks.graph import let_time_pass, with_failure, with_task
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.values.access_action import (
    ASKED_OWNER,
    FOREVER,
    NOT_ALLOWED,
    NOT_BLOCKED,
    NOT_OWNERS,
    AccessAction,
    AccessActionKind,
)
from shared.values.agent import Agent
from shared.values.button_data import written_id
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.message import Message
from shared.values.outbox import NoticeButton
from shared.values.trust import NOW, AccessList, AgentSilence, BlockedPerson

if TYPE_CHECKING:
    from shared.chat.effect import EffectContext

NOT_ANSWERED: Final = "a plan may block only the person whom it answers"
OWNER: Final = "nobody may block the owner"
NO_OWNER: Final = "the plan saw text from outside, so an owner would have to confirm the block, but there is no owner"
FULL: Final = "the list of blocked people is full"


@dataclass(frozen=True)
class AccessActionRunner:
    """Carries out the access actions of plans."""

    agent: Agent
    channel: MessagingChannel
    chats: FirestoreChats
    access_lists: FirestoreAccessLists
    clock: Callable[[], datetime]

    @classmethod
    def of(cls, context: EffectContext) -> AccessActionRunner:
        """Return the runner for a task's context."""
        ports = context.ports
        return cls(
            context.agent, ports[MessagingChannel], ports[FirestoreChats], ports[FirestoreAccessLists], context.clock
        )

    async def take(self, session: Session, plan: Plan, planned: PlannedTask) -> Plan:
        """Carry out an action; return the plan with the task done, or failed with a reason.

        If the chat is not the owner's own, the owner gets a notice. Raises StoreUnavailable or StoreRefused.
        """
        words = words_in(plan.language, session.chat.locale.last_language)
        access_list = await self.access_lists.access_list(session.chat.key.agent, NOW)  # permission depends on it
        case = _Case(session, plan, planned, access_list)
        if planned.task.access_action is None:
            return await self._clear_conversation(case)
        if planned.saw_outside and planned.task.traits.asks_owner and not planned.is_own:
            return await self._ask_owner(case)
        access_action = case.access_action
        match access_action.kind:
            case AccessActionKind.BLOCK:
                refused, told = await self._block(case), SILENCE
            case AccessActionKind.UNBLOCK:
                refused, told = await self._unblock(case), words.say("people.unblocked", id=access_action.person)
            case AccessActionKind.SHUTDOWN:
                refused = await self._shut_down(case)
                told = words.say("shutdown.silenced") if access_action.is_everywhere else words.say("shutdown.done")
        log("a plan requested an access action", kind=access_action.kind.value, refused=refused)
        if refused:
            return with_failure(plan, planned.task.id, refused)
        if told:
            is_silent = access_action.kind is AccessActionKind.SHUTDOWN
            wake = (wake_button(words, session.chat.conversation),) if is_silent else ()
            return with_confirmation(session, plan, planned, told, wake)
        return with_task(plan, evolve(planned, state=TaskState.DONE))

    async def _clear_conversation(self, case: _Case) -> Plan:
        """Begin another conversation; notify the owner if the chat is not their own."""
        session, plan, planned, access_list = case.session, case.plan, case.planned, case.access_list
        if not session.chat.key.is_of_one and not await self._is_administrators(case):
            return with_failure(plan, planned.task.id, NOT_ALLOWED)
        await session.note_other_conversation()
        if access_list.is_claimed and session.chat.key.chat_id != access_list.owner:
            owners = await self._owners_words(access_list)
            told = owners.say("measure.cleared", chat=await _place(session))
            word = self._notice(access_list, owners, told, of=(plan.id, planned.task.id))
            key = session.chat.key
            word = replace(word, about=key.chat_id if key.is_private else 0)
            session.note(StoredNotice(word.to_outbox(self.clock())))
        return with_task(plan, let_time_pass(planned, self.clock()))

    async def _ask_owner(self, case: _Case) -> Plan:
        """Ask the owner whether to block a person, since untrusted text may have led the model to this action."""
        refused = self._why_not_blocked(case) or ("" if case.access_list.is_claimed else NO_OWNER)
        if refused:
            return with_failure(case.plan, case.planned.task.id, refused)
        person, owners = case.access_action.person, await self._owners_words(case.access_list)
        name, why = (
            verbatim(await _name_of(case.session, person)) or str(person),
            verbatim(case.access_action.why) or "–",
        )
        told = owners.say("measure.ask_block", name=name, id=person, chat=await _place(case.session), why=why)
        block = NoticeButton(text=owners.say("people.block"), command="people", argument=f"b{written_id(person)}")
        word = replace(self._notice(case.access_list, owners, told, case.name), offers=(block,), about=person)
        case.session.note(StoredNotice(word.to_outbox(self.clock())))
        return with_task(case.plan, evolve(case.planned, state=TaskState.DONE, why=ASKED_OWNER))

    def _why_not_blocked(self, case: _Case) -> str:
        """Return the reason why the plan may not block the person; "" if it may."""
        person, access_list = case.access_action.person, case.access_list
        if access_list.is_claimed and person == access_list.owner:
            return OWNER
        # if the plan answered several people, one of them could talk the agent into blocking another
        is_answered = case.planned.people == (person,) and person != self.channel.bot_id
        return "" if is_answered else NOT_ANSWERED

    async def _block(self, case: _Case) -> str:
        """Block the person. Return "", or the reason why that was not possible."""
        person, session, access_list = case.access_action.person, case.session, case.access_list
        if refused := self._why_not_blocked(case):
            return refused
        name = await _name_of(session, person)
        entry = BlockedPerson(id=person, name=name, since=self.clock(), why=case.access_action.why)
        if not await self.access_lists.block(access_list.agent, entry):
            return FULL
        await self._ban(session, person)
        if access_list.is_claimed:
            owners = await self._owners_words(access_list)
            shown, why = verbatim(name) or str(person), verbatim(case.access_action.why) or "–"
            told = owners.say("measure.blocked", name=shown, id=person, chat=await _place(session), why=why)
            undo = NoticeButton(text=owners.say("people.unblock"), command="people", argument=f"u{written_id(person)}")
            word = replace(self._notice(access_list, owners, told, case.name), offers=(undo,), about=person)
            session.note(StoredNotice(word.to_outbox(self.clock())))
        return ""

    async def _ban(self, session: Session, person: int) -> None:
        """Also ban the person from the group, if the persona's setting `bans` is on and Telegram allows it."""
        if not self.agent.front.bans or session.chat.key.is_of_one or person < 0:
            return
        try:
            await self.channel.ban(session.chat.key.chat_id, person)
        except ChannelError as error:
            log(f"a blocked person could not be banned from the group: {error}")

    async def _unblock(self, case: _Case) -> str:
        if not case.is_owners:
            return NOT_OWNERS
        if case.access_action.person not in case.access_list.blocked:
            return NOT_BLOCKED
        await self.access_lists.unblock(case.access_list.agent, case.access_action.person)
        return ""

    async def _shut_down(self, case: _Case) -> str:
        session, access_list, now = case.session, case.access_list, self.clock()
        if case.access_action.is_everywhere:
            if not case.is_owners:
                return NOT_OWNERS
            await self.access_lists.set_silenced(access_list.agent, AgentSilence(since=now, by=access_list.owner))
            return ""
        if not session.chat.key.is_of_one and not await self._is_administrators(case):
            return NOT_ALLOWED
        session.note_part(evolve(session.chat.access, muted_until=FOREVER))
        if access_list.is_claimed and session.chat.key.chat_id != access_list.owner:
            owners = await self._owners_words(access_list)
            place, key = await _place(session), session.chat.key
            is_private = key.is_private
            told = (
                owners.say("measure.shut_down_private", name=place)
                if is_private
                else owners.say("measure.shut_down", chat=place)
            )
            word = replace(
                self._notice(access_list, owners, told, case.name),
                offers=owner_wake_buttons(owners, key),
                about=key.chat_id if is_private else 0,
            )
            session.note(StoredNotice(word.to_outbox(now)))
        return ""

    async def _is_administrators(self, case: _Case) -> bool:
        """Return whether all people whom the plan answers may silence the agent in their group."""
        chat_id = case.session.chat.key.chat_id
        for person in case.planned.people:
            # an administrator who stays anonymous writes in the group's own name (core.telegram.org/bots/api#message)
            if person in {case.access_list.owner, chat_id}:
                continue
            try:
                if not await self.channel.is_administrator(chat_id, person):
                    return False
            except ChannelError as error:
                log(f"the group's administrators could not be read: {error}")
                return False
        return bool(case.planned.people)

    async def _owners_words(self, access_list: AccessList) -> Words:
        # the id of a private chat is the person's id (core.telegram.org/bots/api#chat)
        key = ChatKey(agent=self.agent.id, chat_id=access_list.owner)
        return words_in((await self.chats.see(key)).chat.locale.last_language)

    def _notice(self, access_list: AccessList, words: Words, text: Phrase, of: tuple[str, ...]) -> OwnerNotice:
        return OwnerNotice(
            agent=self.agent.id, owner=access_list.owner, of=("measure", *of), text=text, language=words.language
        )


@dataclass(frozen=True)
class _Case:
    """One access action of a plan."""

    session: Session
    plan: Plan
    planned: PlannedTask
    access_list: AccessList

    @property
    def access_action(self) -> AccessAction:
        """The action that the plan's task requests."""
        found = self.planned.task.access_action
        assert found is not None
        return found

    @property
    def name(self) -> tuple[str, str]:
        """The ids of the plan and the task. They identify the notice, so that a repeated action sends no second one."""
        return self.plan.id, self.planned.task.id

    @property
    def is_owners(self) -> bool:
        """True if the plan answers only the owner, in private."""
        return (
            self.session.chat.key.is_private
            and self.access_list.is_claimed
            and self.planned.people == (self.access_list.owner,)
        )


async def _name_of(session: Session, person: int) -> str:
    said = (e.author.name for e in reversed(await session.window()) if isinstance(e, Message) and e.author.id == person)
    return next(said, "")


async def _place(session: Session) -> str:
    """Return the chat's title, or the name of the person whose private chat it is."""
    chat = session.chat
    return verbatim(chat.title) or verbatim(await _name_of(session, chat.key.chat_id)) or str(chat.key.chat_id)
