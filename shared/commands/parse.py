"""Finds the commands in messages and in button presses."""

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
from shared.values.console_order import ConsoleOrder
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, ButtonPress, Message
from shared.values.trust import TrustTier

#: the command that opening a link to the bot sends, with a parameter (core.telegram.org/bots/features#deep-linking)
LINK_COMMAND = "start"

#: punctuation directly after a command: `/help!` or `/title: Tea`
_ENDING = re.compile(r"\A[.,:;!?…]+(?=\s|\Z)")


@dataclass(frozen=True, kw_only=True)
class PressedButton:
    """A pressed button: the query to answer, the message with the button, and the conversation in the button's data."""

    query_id: str
    message_id: int
    conversation: str


@dataclass(frozen=True)
class CommandInvocation:
    """One use of a command: its name and argument, or the data of a pressed button.

    The name may be unknown, if a person invented it or a button is from an older version.
    """

    name: str
    argument: str = ""
    permission: Permission = Permission.GRANTED
    #: the author's language as an IETF tag; "" if unknown
    language: str = ""
    button: PressedButton | None = None
    #: the owner's order from the console; None if somebody wrote the command or pressed the button in the chat
    order: ConsoleOrder | None = None

    @property
    def command(self) -> Command | None:
        """The command, or None if the name is unknown."""
        return commands_by_name().get(self.name)

    def is_heard(self, person: int, access: AccessPolicy, *, is_muted: bool = False) -> bool:
        """Return whether to run the command for this person.

        True if the agent answers the person, if the person owns the agent, or if the command is for everyone. Strangers
        may also unmute their own private chat (`is_muted`).
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
        """Whether the command cancels the plan."""
        return self.plan_cancellation is not None

    @property
    def plan_cancellation(self) -> PlanCancellation | None:
        """The command's effect on the plan; None if it has no effect."""
        ending = self.command.plan_cancellation if self.command is not None else None
        is_meant = ending is not None and self.permission is Permission.GRANTED and ending.ends(self.argument)
        return ending if is_meant else None

    @property
    def says_rest(self) -> bool:
        """Whether the argument is a message that the agent gets after the command has run."""
        return self.plan_cancellation is not None and self.plan_cancellation.says_rest and bool(self.argument)

    @property
    def changes_conversation(self) -> bool:
        """Whether the command may switch the chat to another conversation."""
        return self.plan_cancellation is not None and self.plan_cancellation.changes_conversation

    @property
    def is_for_administrators(self) -> bool:
        """Whether only administrators may use the command in a group."""
        return self.command is not None and self.command.audience is Audience.ADMINISTRATORS

    @property
    def carries_code(self) -> bool:
        """Whether a link to the bot can run the command, with an access code as its argument."""
        return self.command is not None and self.command.deep_link is not None

    @property
    def withdraws_offers(self) -> bool:
        """Whether the command removes the buttons that were offered to its author."""
        return self.plan_cancellation is not None and self.plan_cancellation.withdraws_offers


def command_of(message: Message, given: DecisionContext) -> CommandInvocation | None:
    """Return the command in a person's message; None if the message has no command for this agent (`is_for_agent`).

    An unknown name also counts as a command if no other bot would answer it (in a private chat, or with the agent's
    username), and if a space or the end of the text follows it.
    """
    written = written_command(message) if not (message.author.is_bot or message.is_post) else None
    if written is None or not is_for_agent(written, message, given):
        return None
    if written.name not in commands_by_name() and not (written.rest == "" or written.rest[0].isspace()):
        return None
    argument = visible(_ENDING.sub("", written.rest))
    linked = _command_of_link(argument) if written.name == LINK_COMMAND else None
    return linked or CommandInvocation(written.name, argument)


def _command_of_link(parameter: str) -> CommandInvocation | None:
    """Return the command that a link's parameter names, such as `claim_CODE`; None if it names none."""
    marks = {command.deep_link.link_mark: command.name for command in commands() if command.deep_link is not None}
    mark = next((mark for mark in marks if parameter.startswith(mark)), None)
    return CommandInvocation(marks[mark], parameter.removeprefix(mark)) if mark else None


def command_pressed(press: ButtonPress) -> CommandInvocation:
    """Return the command to which a pressed button belongs."""
    name, conversation, argument = read_button(press.data)
    button = PressedButton(query_id=press.query_id, message_id=press.message_id, conversation=conversation)
    return CommandInvocation(name, argument, button=button)


def command_ordered(order: ConsoleOrder, conversation: str) -> CommandInvocation:
    """Return the command that the owner gave in the console. `conversation` is the chat's current conversation."""
    pressed = PressedButton(query_id="", message_id=0, conversation=order.conversation or conversation)
    return CommandInvocation(
        order.command,
        order.argument if order.is_press else visible(order.argument),
        language=order.language,
        button=pressed if order.is_press else None,
        order=order,
    )


def marked_command(entry: AnyEntry, commands: Mapping[int, bool]) -> AnyEntry:
    """Return the entry. If it is a message whose id is in `commands`, it is marked as a command.

    If the value for the id is True, the command's argument is an access code, and is removed, so that no transcript
    contains the code and no model reads it.
    """
    if not isinstance(entry, Message) or entry.message_id not in commands:
        return entry
    kept = command_alone(entry) if commands[entry.message_id] else entry
    return evolve(kept, is_command=True)


def command_alone(message: Message) -> Message:
    """Return the message without the command's argument, which may be a code or belong to a new conversation."""
    rest = _rest(message)
    text = message.text[: len(message.text) - len(rest)].rstrip()
    entities = tuple(entity for entity in message.entities if entity.end <= utf16_length(text))
    return evolve(message, text=text, entities=entities, media="", media_refs=())


def rest_alone(message: Message) -> Message:
    """Return the message with only the text after the command."""
    rest = _ENDING.sub("", _rest(message)).lstrip()
    gone = utf16_length(message.text[: len(message.text) - len(rest)])
    entities = tuple(_shift(entity, gone) for entity in message.entities if entity.offset >= gone)
    return evolve(message, text=rest, entities=entities)


def _rest(message: Message) -> str:
    written = written_command(message)
    return written.rest if written is not None else ""


def _shift(entity: Entity, gone: int) -> Entity:
    return replace(entity, offset=entity.offset - gone)
