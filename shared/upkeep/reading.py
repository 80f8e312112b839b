"""Reads what the operator's pages show about a chat: its state, one of its messages, and that message's turn.

Functions that read may raise StoreUnavailable or StoreRefused. Those that read a plan may also raise PlanUnreadable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shared.base.model_call import ModelCall
from shared.tasks.names import apology_task_id, command_task_id
from shared.tasks.plan import Delivery, Plan
from shared.telegram.inbound.envelope import about_message
from shared.upkeep.files import InspectedFile, files_of, known_in
from shared.upkeep.store.inspection import InspectedUpdate
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.decision import Decision
from shared.values.media import Description
from shared.values.message import AnyEntry, MediaDescribed, Message
from shared.values.usage import cost_of

if TYPE_CHECKING:
    from shared.upkeep.store.inspection import FirestoreInspection


@dataclass(frozen=True, kw_only=True)
class InspectedTurn:
    """A turn: the people's messages and the answer. `plan` is None if nothing was planned or it is not stored now."""

    number: int
    messages: tuple[Message, ...]
    plan: Plan | None = None

    @property
    def why(self) -> Decision | None:
        """The decision to answer or, if the turn was not answered, the decision on its last message."""
        decisions = [message.decision for message in self.messages if message.decision is not None]
        return next((one for one in decisions if one.respond), decisions[-1] if decisions else None)

    @property
    def plan_id(self) -> str:
        """The id of the plan with which the agent's messages were sent; "" until the agent has sent one."""
        return next((message.plan for message in self.messages if message.plan), "")

    @property
    def agent_messages(self) -> tuple[Message, ...]:
        """The messages of the agent."""
        return tuple(message for message in self.messages if message.author.is_agent)

    def asked_by(self, message: Message) -> Message:
        """Return the last message of a person before an agent's message. A person's message is returned unchanged."""
        before = [one for one in self.messages if not one.author.is_agent and one.seq < message.seq]
        return before[-1] if message.author.is_agent and before else message

    @property
    def deliveries(self) -> tuple[Delivery, ...]:
        """The calls to Telegram that the turn's plan made or will make; () if the plan is unknown."""
        return tuple(delivery for task in (self.plan.tasks if self.plan else ()) for delivery in task.deliveries)

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The model calls for the decision and for the answer.

        Until the answer is sent, the calls for the answer are those of the plan.
        """
        judging = [call for message in self.messages if message.decision for call in message.decision.calls]
        answering = [call for message in self.messages for call in message.calls]
        return (*judging, *(answering or (self.plan.calls if self.plan else ())))

    @property
    def cost(self) -> float | None:
        """The cost in US dollars of the turn's model calls; None if a price is not known."""
        return cost_of(self.calls, self.messages[0].at)


def turns_of(entries: Iterable[AnyEntry], plan: Plan | None = None) -> tuple[InspectedTurn, ...]:
    """Return the turns of a conversation, in order.

    `plan` is the chat's plan. The turn that this plan answers is returned with the plan.
    """
    messages: dict[int, list[Message]] = {}
    for entry in entries:
        if isinstance(entry, Message) and entry.turn:
            messages.setdefault(entry.turn, []).append(entry)
    turns = (InspectedTurn(number=number, messages=tuple(said)) for number, said in messages.items())
    return tuple(with_plan(turn, plan) for turn in turns)


def commands_around(asked: Message, entries: Iterable[AnyEntry]) -> tuple[Message, ...]:
    """Return a command with its answer. `asked` is the command or the answer.

    The answers to several commands in a row follow after the last command. If there are as many answers as commands,
    the first answer belongs to the first command, and so on. Otherwise all of these commands and answers are returned.
    """
    run: list[Message] = []
    for entry in entries:
        if not isinstance(entry, Message) or not entry.is_command:
            continue
        if run and run[-1].author.is_agent and not entry.author.is_agent:
            if asked in run:
                break
            run = []
        run.append(entry)
    written, said = ([one for one in run if one.author.is_agent is own] for own in (False, True))
    pairs = zip(written, said, strict=True) if len(written) == len(said) else [tuple(run)]
    return next((some for some in pairs if asked in some), (asked,))


def with_plan(turn: InspectedTurn, plan: Plan | None) -> InspectedTurn:
    """Return the turn with the plan, if the plan answers the turn; else return it unchanged."""
    if plan is None or (turn.plan_id != plan.id and not set(answered_by(plan, turn.messages))):
        return turn
    return InspectedTurn(number=turn.number, messages=turn.messages, plan=plan)


def answered_by(plan: Plan, messages: Iterable[Message]) -> tuple[int, ...]:
    """Return the ids of the messages that a plan answers, either by a reply of the model or by a text of lull's own."""
    own = {task.task.id for task in plan.tasks if task.is_own}
    return tuple(
        message.message_id
        for message in messages
        if message.message_id in plan.answers
        or any(own & {command_task_id(one), apology_task_id(one)} for one in message.updates)
    )


#: how many of the newest updates are searched for an update that has not been read
NEWEST_UPDATES = 30


@dataclass(frozen=True, kw_only=True)
class InspectedChat:
    """All known facts about a chat and one of its messages. Unknown parts are None or empty."""

    key: ChatKey
    chat: Chat | None = None
    #: the update with the message
    update: InspectedUpdate | None = None
    #: the messages of the window, and those of the requested message's turn
    messages: tuple[Message, ...] = ()
    #: the files of the requested message
    files: tuple[InspectedFile, ...] = ()
    #: the descriptions in the conversation, by unique id of the file
    known: Mapping[str, Description] = field(default_factory=dict)
    #: decisions on messages that waited for a description of their files, by message id
    decided: Mapping[int, Decision] = field(default_factory=dict)
    #: the number of the newest entry in the window
    window_seq: int = 0
    #: the turn of the requested message; None if there is no such message
    turn: InspectedTurn | None = None
    #: the plan that answers or sent the requested message, if it is still stored; else the chat's newest
    plan: Plan | None = None


async def inspect_chat(store: FirestoreInspection, key: ChatKey, message_id: int | None) -> InspectedChat:
    """Return all that is known about a chat and one of its messages."""
    chat, window = await store.chat(key), await store.window(key)
    entries, messages = window.entries, _messages(window.entries)
    asked = _by_id(messages, message_id)
    if chat is not None and chat.conversation and message_id and asked is None:
        entries = (*await store.newest_entries(chat.conversation), *chat.talk.unpaged)
        asked = _by_id(_messages(entries), message_id)
    newest = await store.plan(key)
    turn = await _turn_with_plan(store, key, entries, asked, newest)
    return InspectedChat(
        key=key,
        chat=chat,
        update=await _update_of(store, key, turn, asked, message_id),
        messages=(*messages, *(one for one in (turn.messages if turn else ()) if one not in messages)),
        files=await files_of(store, key.id, asked, entries) if asked is not None else (),
        known=known_in(entries),
        decided=_decisions(entries),
        window_seq=window.seq,
        turn=turn,
        plan=turn.plan if turn is not None and turn.plan is not None else newest,
    )


async def agent_in(store: FirestoreInspection, chat_id: int, topic_id: int, bot_id: int | None) -> str | None:
    """Return the agent whose bot is in a chat; None if no agent is known there.

    The ids alone do not identify the agent, since a person's private chats with two agents have the same id. So this
    is the agent whose messages the bot sent or, if there is none, an agent that has written nothing there yet.
    """
    keys = [key for key in await store.keys(chat_id) if key.topic_id == topic_id]
    bots = {key.agent: await _bot_of(store, key) for key in keys}
    sure = (agent for agent, bot in bots.items() if bot is not None and bot_id in (None, bot))
    silent = (agent for agent, bot in bots.items() if bot is None)
    return next(sure, None) or next(silent, None)


async def _bot_of(store: FirestoreInspection, key: ChatKey) -> int | None:
    """Return the id of the agent's bot in this chat, or None if the agent has written nothing there."""
    said = _messages((await store.window(key)).entries)
    return next((message.author.id for message in said if message.author.is_agent), None)


async def _turn_with_plan(
    store: FirestoreInspection, key: ChatKey, entries: tuple[AnyEntry, ...], asked: Message | None, newest: Plan | None
) -> InspectedTurn | None:
    """Return the turn of a message, with its plan if the plan is still stored.

    A message outside of any turn gets a turn with number 0: a command with its answer, or a single message by lull.
    """
    if asked is None:
        return None
    found = next((turn for turn in turns_of(entries, newest) if asked in turn.messages), None)
    turn = found or with_plan(InspectedTurn(number=0, messages=commands_around(asked, entries)), newest)
    if turn.plan is not None or not turn.plan_id:
        return turn
    return with_plan(turn, await store.past_plan(key, turn.plan_id))


async def _update_of(
    store: FirestoreInspection, key: ChatKey, turn: InspectedTurn | None, asked: Message | None, message_id: int | None
) -> InspectedUpdate | None:
    """Return the update that brought a message or, for the agent's message, the last press of a button below it.

    If no button was pressed, return the update of the message that the agent's message answers.
    """
    found = await _update(store, key, asked, message_id)
    if found is not None or turn is None or asked is None or not asked.author.is_agent:
        return found
    answered = turn.asked_by(asked)
    return await _update(store, key, answered, answered.message_id)


async def _update(
    store: FirestoreInspection, key: ChatKey, asked: Message | None, message_id: int | None
) -> InspectedUpdate | None:
    """Return the update of a message or, if the message is unknown, the newest update about `message_id`."""
    if asked is not None and asked.updates:
        return await store.update(key, asked.updates[-1])
    newest = await store.newest_updates(key, NEWEST_UPDATES)
    return next((one for one in newest if message_id in (None, about_message(one.update))), None)


def _decisions(entries: tuple[AnyEntry, ...]) -> dict[int, Decision]:
    """Return the newest decision on each message that waited for a description of its files."""
    told = (one for one in entries if isinstance(one, MediaDescribed))
    return {id_: one.decision for one in told if one.decision is not None for id_ in one.message_ids}


def _messages(entries: tuple[AnyEntry, ...]) -> tuple[Message, ...]:
    return tuple(entry for entry in entries if isinstance(entry, Message))


def _by_id(messages: tuple[Message, ...], message_id: int | None) -> Message | None:
    return next((message for message in messages if message.message_id == message_id), None)
