"""Data classes of a command: its declaration, one use of it, and the response."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import TypeAlias

from shared.base.wording.verbatim import quoted as quoted
from shared.base.wording.verbatim import verbatim as verbatim
from shared.base.wording.verbatim import visible as visible
from shared.base.wording.words import SILENCE, Phrase, Words, words_in
from shared.llm.ports.world import PortRegistry
from shared.values.agent import CuratedMemory
from shared.values.channel import Button
from shared.values.chat import Chat, ChatChanges, ConversationInfo
from shared.values.chat_key import ChatKind
from shared.values.message import Author
from shared.values.money import AgentLimits
from shared.values.outbox import OutboxNotice
from shared.values.reminder import Reminder
from shared.values.trust import TrustTier


class Scope(StrEnum):
    """The kinds of chat in which a command works."""

    PRIVATE = "private"
    GROUP = "group"
    BOTH = "both"


class Audience(StrEnum):
    """The people who may use a command."""

    #: everybody, including people whom the agent does not answer, and people who are blocked
    EVERYONE = "everyone"
    #: people whom the agent answers
    ADMITTED = "admitted"
    #: in a group only administrators, since the command changes the chat for everybody
    ADMINISTRATORS = "administrators"
    #: the agent's owner
    OWNER = "owner"


class Permission(StrEnum):
    """The result of checking whether the author may use a command in this chat; UNKNOWN if it could not be checked."""

    GRANTED = "granted"
    #: the command is for administrators or for the owner, and the author is neither
    DENIED = "denied"
    #: the command is for administrators, and Telegram does not tell whether the author is one
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class AgentInfo:
    """Facts about an agent that commands show."""

    name: str
    #: the bot's username, without @
    username: str = ""
    #: the agent's time zone, in which the days of usage are counted
    zone: tzinfo = UTC
    #: the agent's curated memories; and below, whether the agent remembers facts from conversations
    curated: tuple[CuratedMemory, ...] = ()
    remembers: bool = False
    #: the models that may be chosen; the first one is used until somebody chooses another
    models: tuple[str, ...]
    #: the agent's limits for each tier of people; None if there are no limits
    limits: AgentLimits | None = None


@dataclass(frozen=True, kw_only=True)
class CommandRequest:
    """One use of a command: its argument, author, chat and time."""

    #: the text after the command, on one line; for a button press, the choice in the button's data
    argument: str = ""
    #: for a button press, the id of the conversation in the button's data
    named: str = ""
    agent: AgentInfo
    chat: Chat
    person: Author
    #: the person's language as an IETF tag; "" if unknown
    language: str = ""
    now: datetime
    #: the person's tier with the agent; and below, whether the agent answers the person in this chat
    trust: TrustTier = TrustTier.STRANGER
    is_admitted: bool = True
    #: the time zone of the times in answers: the group's, else the agent's
    zone: tzinfo = UTC
    #: whether the owner gives the command in the console
    is_order: bool = False
    #: whether there is a plan, or a message that waits for an answer
    is_busy: bool = False
    #: whether this person has been offered buttons that are still open
    has_buttons: bool = False
    #: the result of the command's effect; None if the command has no effect, or the effect did not run
    result: object = None
    #: reminders that earlier commands changed in the same commit, which the effect cannot read yet
    changed: tuple[Reminder, ...] = ()

    @property
    def words(self) -> Words:
        """lull's texts in the person's language; if it is unknown, in the language that was last used in the chat."""
        return words_in(self.language, self.chat.locale.last_language)

    @property
    def model(self) -> str:
        """The model of the conversation; the default model if the chosen one is no longer offered."""
        offered = self.agent.models
        return self.chat.talk.model if self.chat.talk.model in offered else offered[0]


@dataclass(frozen=True, kw_only=True)
class CommandResponse:
    """The response to a command. All its texts are markdown, except the notice."""

    #: the text of the message; for a button press, the new text of the message with the button. If it is "", no message
    #: is sent or changed
    text: Phrase = SILENCE
    buttons: tuple[Button, ...] = ()
    #: a text of at most 200 characters that is shown for a moment to the person who pressed a button
    notice: Phrase = SILENCE
    #: the new values of fields of the chat
    changes: ChatChanges = field(default_factory=ChatChanges)
    #: whether the text repeats text from outside
    holds_outside: bool = False
    #: whether the response is kept out of the conversation: it gets no entry, no prompt or search finds it, and the
    #: plan drops its text once it is sent
    is_apart: bool = False
    #: the id of the export run whose progress the message shows and is updated with; else ""
    shows: str = ""
    #: reminders that are to be stored
    reminders: tuple[Reminder, ...] = ()
    #: notices that are to be sent to other chats
    notices: tuple[OutboxNotice, ...] = ()
    #: whether another conversation begins with this response
    begins_conversation: bool = False
    #: the conversation that the chat resumes; None if it resumes none
    resumes: ConversationInfo | None = None


#: the function that makes the response. It is pure: its caller sends the response and changes the chat
Respond: TypeAlias = Callable[[CommandRequest], CommandResponse]
#: the function that reads and writes outside of the chat's document. It runs before the response, which gets its
#: result. If a tick is killed between the two, the effect runs again
Effect: TypeAlias = Callable[[CommandRequest, PortRegistry], Awaitable[object]]


def always(argument: str) -> bool:
    """Return True, so that the command cancels the plan with any argument."""
    return True


@dataclass(frozen=True, kw_only=True)
class PlanCancellation:
    """The effect of a command on the plan, and on messages that wait for an answer."""

    #: a function that returns whether the command cancels the plan with this argument
    ends: Callable[[str], bool] = always
    #: whether the command may switch the chat to another conversation; later messages then belong to that conversation
    changes_conversation: bool = False
    #: whether the command's argument becomes the first message of the conversation that the command begins
    says_rest: bool = False
    #: whether buttons that were offered to the author are removed as well
    withdraws_offers: bool = False


@dataclass(frozen=True, kw_only=True)
class DeepLink:
    """A link to the bot that runs a command, such as /claim, with a code by which people gain access."""

    #: the mark before the code in such a link: `/start claim_CODE` means `/claim CODE`
    link_mark: str
    #: tiers of people who are already let in, for whom /help does not list the command
    is_over_for: frozenset[TrustTier]


@dataclass(frozen=True, kw_only=True)
class ButtonHandler:
    """Handles presses of a command's buttons: runs `effect`, if there is one, and then makes the response."""

    respond: Respond
    effect: Effect | None = None
    #: whether a button works in any conversation, since the button itself names its conversation
    is_for_any_conversation: bool = False


@dataclass(frozen=True, kw_only=True)
class Command:
    """The declaration of a command. lull's texts contain its description (`description.<name>`) in every language."""

    name: str
    #: the position of the command in menus and in /help, ascending
    order: int
    #: whether the command takes an argument; if so, the catalogues describe it (`usage.<name>`)
    takes_argument: bool = False
    scope: Scope = Scope.BOTH
    audience: Audience = Audience.ADMITTED
    #: what the command does to the plan; None if the plan continues
    plan_cancellation: PlanCancellation | None = None
    #: whether the command is ignored if it is repeated before its first answer, like a greeting
    is_said_once: bool = False
    #: whether the command ends a silence; a person may always end the silence of their own private chat
    ends_silence: bool = False
    #: the code by which the command lets people in; None if it lets nobody in
    deep_link: DeepLink | None = None
    respond: Respond
    effect: Effect | None = None
    #: the handler for the command's buttons; None if it has no buttons
    press: ButtonHandler | None = None
    #: the types of the ports that the command's effects get
    needs: tuple[type, ...] = ()

    def is_for(self, kind: ChatKind) -> bool:
        """Return whether the command works in chats of this kind."""
        others = {ChatKind.PRIVATE: {Scope.GROUP}, ChatKind.DIRECT: {Scope.GROUP, Scope.PRIVATE}}
        return self.scope not in others.get(kind, {Scope.PRIVATE})

    def is_named_to(self, trust: TrustTier, kind: ChatKind) -> bool:
        """Return whether to list the command here: people of this tier may use it, and do not yet have the access it
        gives.
        """
        is_theirs = self.audience is not Audience.OWNER or trust is TrustTier.OWNER
        is_over = self.deep_link is not None and trust in self.deep_link.is_over_for
        return is_theirs and self.is_for(kind) and not is_over

    def description(self, words: Words) -> Phrase:
        return words.say(f"description.{self.name}")

    def usage(self, words: Words) -> str:
        """Return the command as people write it, with its argument."""
        return words.say(f"usage.{self.name}") if self.takes_argument else f"/{self.name}"

    def ports_of(self, given: PortRegistry) -> PortRegistry:
        """Return those of the `given` ports (stores and services) that the command needs. Raises PortMissing."""
        return given.only(self.needs, f"/{self.name}")
