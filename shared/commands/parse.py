"""Which messages and which presses of buttons are commands of lull's."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from shared.base.text import Entity, utf16_length
from shared.commands.command import Audience, Command, Permission, PlanCancellation, visible
from shared.commands.registry import commands, commands_by_name
from shared.deciding.access_policy import STRANGER, AccessPolicy
from shared.deciding.addressing import is_for_agent, written_command
from shared.deciding.circumstances import DecisionContext
from shared.values.button_data import read_button
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, ButtonPress, Message
from shared.values.trust import TrustTier

#: what opening a link to the bot sends, the link's parameter behind it (core.telegram.org/bots/features#deep-linking)
LINK_COMMAND = "start"

#: what ends a sentence, or leads on, right behind a command: /help! or /title: Tea
_ENDING = re.compile(r"\A[.,:;!?…]+(?=\s|\Z)")


@dataclass(frozen=True, kw_only=True)
class PressedButton:
    """What was pressed: the query that waits for an answer, below which message, and for which conversation."""

    query_id: str
    message_id: int
    conversation: str


@dataclass(frozen=True)
class CommandInvocation:
    """A use of a command: its name and what stands behind it; of a press, what its button carried.

    A name that no command has is one that somebody made up, or of a button that is older than the commands.
    """

    name: str
    argument: str = ""
    permission: Permission = Permission.GRANTED
    #: of who wrote it, as an IETF tag; empty: not known
    language: str = ""
    button: PressedButton | None = None

    @property
    def command(self) -> Command | None:
        """The command that is used; none if there is none of that name."""
        return commands_by_name().get(self.name)

    def is_heard(self, person: int, access: AccessPolicy, *, is_muted: bool = False) -> bool:
        """Whether it counts of somebody: also of who has no answer, if it is for everyone; of the owner any does.

        A stranger by now is heard where they end the silence of their private chat (`is_muted`).
        """
        command = self.command
        if command is not None and command.audience is Audience.EVERYONE:
            return True
        if access.tier_of(person) is TrustTier.OWNER or not access.refusal(person):
            return True
        ends_silence = is_muted and command is not None and command.ends_silence
        return ends_silence and person == access.chat_id and access.refusal(person) == STRANGER

    @property
    def ends_plan(self) -> bool:
        """Whether what was planned ends with it."""
        return self.plan_ending is not None

    @property
    def plan_ending(self) -> PlanCancellation | None:
        """How it ends what was planned; None if it does not."""
        ending = self.command.plan_ending if self.command is not None else None
        is_meant = ending is not None and self.permission is Permission.GRANTED and ending.ends(self.argument)
        return ending if is_meant else None

    @property
    def says_rest(self) -> bool:
        """Whether what stands behind it is said to the agent once it has run."""
        return self.plan_ending is not None and self.plan_ending.says_rest and bool(self.argument)

    @property
    def changes_conversation(self) -> bool:
        """Whether the chat may have another conversation behind it."""
        return self.plan_ending is not None and self.plan_ending.changes_conversation

    @property
    def is_for_administrators(self) -> bool:
        """Whether in a group it is its administrators' alone."""
        return self.command is not None and self.command.audience is Audience.ADMINISTRATORS

    @property
    def carries_code(self) -> bool:
        """Whether a link to the bot may stand for it, with a code that lets somebody in."""
        return self.command is not None and self.command.entrance is not None

    @property
    def withdraws_offers(self) -> bool:
        """Whether the buttons that were offered to who gives it go."""
        return self.plan_ending is not None and self.plan_ending.withdraws_offers


def command_of(message: Message, given: DecisionContext) -> CommandInvocation | None:
    """The command that a person's message is; none when it is something else, or not the agent's (`is_for_agent`).

    An unknown one is a command all the same where nobody else would answer it, in a private chat or with the agent's
    username, if nothing but a blank follows.
    """
    written = written_command(message) if not (message.author.is_bot or message.is_post) else None
    if written is None or not is_for_agent(written, message, given):
        return None
    if written.name not in commands_by_name() and not (written.rest == "" or written.rest[0].isspace()):
        return None
    argument = visible(_ENDING.sub("", written.rest))
    linked = _linked(argument) if written.name == LINK_COMMAND else None
    return linked or CommandInvocation(written.name, argument)


def _linked(parameter: str) -> CommandInvocation | None:
    """The command that a link to the bot stands for."""
    marks = {command.entrance.link_mark: command.name for command in commands() if command.entrance is not None}
    mark = next((mark for mark in marks if parameter.startswith(mark)), None)
    return CommandInvocation(marks[mark], parameter.removeprefix(mark)) if mark else None


def command_pressed(press: ButtonPress) -> CommandInvocation:
    """The command that the press of a button is."""
    name, conversation, argument = read_button(press.data)
    button = PressedButton(query_id=press.query_id, message_id=press.message_id, conversation=conversation)
    return CommandInvocation(name, argument, button=button)


def marked_command(entry: AnyEntry, commands: Mapping[int, bool]) -> AnyEntry:
    """The entry; a message whose id is one of those of commands says that it is one.

    By id it is told whether a command carries the code of a link: no transcript keeps that, and no model reads it.
    """
    if not isinstance(entry, Message) or entry.message_id not in commands:
        return entry
    kept = command_alone(entry) if commands[entry.message_id] else entry
    return evolve(kept, is_command=True)


def command_alone(message: Message) -> Message:
    """The message without what stands behind its command: that belongs to the conversation which begins."""
    rest = _rest(message)
    text = message.text[: len(message.text) - len(rest)].rstrip()
    entities = tuple(entity for entity in message.entities if entity.end <= utf16_length(text))
    return evolve(message, text=text, entities=entities, media="", media_refs=())


def rest_alone(message: Message) -> Message:
    """The message without its command."""
    rest = _ENDING.sub("", _rest(message)).lstrip()
    gone = utf16_length(message.text[: len(message.text) - len(rest)])
    entities = tuple(_moved(entity, gone) for entity in message.entities if entity.offset >= gone)
    return evolve(message, text=rest, entities=entities)


def _rest(message: Message) -> str:
    written = written_command(message)
    return written.rest if written is not None else ""


def _moved(entity: Entity, gone: int) -> Entity:
    return replace(entity, offset=entity.offset - gone)
