"""The declaration of a command, its request and its response."""

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
    """The people for whom a command works."""

    #: everybody, including people whom the agent does not answer and people who are blocked
    EVERYONE = "everyone"
    #: people whom the agent answers
    ADMITTED = "admitted"
    #: in a group only administrators, since the command changes the chat for everybody
    ADMINISTRATORS = "administrators"
    #: the agent's owner
    OWNER = "owner"


class Permission(StrEnum):
    """The author's right to use a command in this chat."""

    GRANTED = "granted"
    #: only administrators or the owner may, and the author is neither
    DENIED = "denied"
    #: only administrators may, and Telegram does not say whether the author is one
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class AgentInfo:
    """The facts about an agent that commands show."""

    name: str
    #: the bot's username, without @
    username: str = ""
    #: the agent's time zone, by which days of usage are counted
    zone: tzinfo = UTC
    #: the agent's curated memories, and whether the agent remembers facts from the conversation
    curated: tuple[CuratedMemory, ...] = ()
    remembers: bool = False
    #: the models that may be chosen; the first one is used until somebody chooses
    models: tuple[str, ...]
    #: the agent's limits by the tiers of people; None: no limits
    limits: AgentLimits | None = None


@dataclass(frozen=True, kw_only=True)
class CommandRequest:
    """One use of a command: its argument, author, chat and time."""

    #: the text after the command on one line; for a press, the choice in its button
    argument: str = ""
    #: for a press, the conversation in its button
    named: str = ""
    agent: AgentInfo
    chat: Chat
    person: Author
    #: the person's language, an IETF tag; "" if unknown
    language: str = ""
    now: datetime
    #: the person's tier with the agent, and whether the agent answers them here
    trust: TrustTier = TrustTier.STRANGER
    is_admitted: bool = True
    #: the time zone of times in answers: the group's, else the agent's
    zone: tzinfo = UTC
    #: whether there is a plan, or a message that waits for an answer
    is_busy: bool = False
    #: whether buttons are offered to the person
    has_buttons: bool = False
    #: the result of the command's effect; None if the command has no effect, or if the effect did not run
    result: object = None
    #: reminders that earlier commands of the same commit changed; the effect cannot read them yet
    changed: tuple[Reminder, ...] = ()

    @property
    def words(self) -> Words:
        """The catalogue of the person's language, or of the chat's last known one."""
        return words_in(self.language, self.chat.locale.last_language)

    @property
    def model(self) -> str:
        """The model of the conversation; the default if the chosen one is no longer offered."""
        offered = self.agent.models
        return self.chat.talk.model if self.chat.talk.model in offered else offered[0]


@dataclass(frozen=True, kw_only=True)
class CommandResponse:
    """The result of a command. All texts are markdown, except a notice."""

    #: the message; for a press, the new text of the message with the button. "": send none, and change nothing
    text: Phrase = SILENCE
    buttons: tuple[Button, ...] = ()
    #: shown for a moment to the person who pressed a button, at most 200 characters
    notice: Phrase = SILENCE
    #: new values of fields of the chat
    changes: ChatChanges = field(default_factory=ChatChanges)
    #: whether its text repeats text from outside
    holds_outside: bool = False
    #: whether the response is left out of the conversation: of entries, prompts and search, and of its plan once sent
    is_apart: bool = False
    #: the export run whose progress the message shows; the message is updated as the run proceeds; else ""
    shows: str = ""
    #: reminders to be stored
    reminders: tuple[Reminder, ...] = ()
    #: notices for other chats
    notices: tuple[OutboxNotice, ...] = ()
    #: whether another conversation begins now
    begins_conversation: bool = False
    #: the conversation to which the chat returns
    resumes: ConversationInfo | None = None


#: pure: the caller sends the response and changes the chat
Respond: TypeAlias = Callable[[CommandRequest], CommandResponse]
#: reads and writes outside of the chat's document. It runs before the response, which gets its result; a tick that is
#: killed in between repeats it
Effect: TypeAlias = Callable[[CommandRequest, PortRegistry], Awaitable[object]]


def always(argument: str) -> bool:
    """Return True: the command cancels the plan whatever its argument is."""
    return True


@dataclass(frozen=True, kw_only=True)
class PlanCancellation:
    """The effect of a command on the plan and on messages that wait for an answer."""

    #: whether an argument cancels the plan
    ends: Callable[[str], bool] = always
    #: whether the command may switch the chat to another conversation: later messages are then read in that one
    changes_conversation: bool = False
    #: whether the command's argument becomes the first message of the conversation that the command begins
    says_rest: bool = False
    #: whether buttons that were offered to the author are removed as well
    withdraws_offers: bool = False


@dataclass(frozen=True, kw_only=True)
class DeepLink:
    """The code in a link to the bot, for commands that let people in."""

    #: the prefix of the code in such a link: `/start claim_CODE` is `/claim CODE`
    link_mark: str
    #: tiers that are already let in: /help does not list the command for them
    is_over_for: frozenset[TrustTier]


@dataclass(frozen=True, kw_only=True)
class ButtonHandler:
    """The handler of a press of one of a command's buttons."""

    respond: Respond
    effect: Effect | None = None
    #: whether a button works in any conversation, because the button itself names the conversation
    is_for_any_conversation: bool = False


@dataclass(frozen=True, kw_only=True)
class Command:
    """One command. The catalogues describe it (`description.<name>`)."""

    name: str
    #: the command's place in menus and in /help, ascending
    order: int
    #: whether the command takes an argument: then the catalogues have its usage (`usage.<name>`)
    takes_argument: bool = False
    scope: Scope = Scope.BOTH
    audience: Audience = Audience.ADMITTED
    #: None: the plan continues
    plan_cancellation: PlanCancellation | None = None
    #: whether a repetition before the first answer is ignored, as for a greeting
    is_said_once: bool = False
    #: whether the command ends a silence: a person may always end the silence of their own private chat
    ends_silence: bool = False
    #: None: the command lets nobody in
    deep_link: DeepLink | None = None
    respond: Respond
    effect: Effect | None = None
    #: None: the command has no buttons
    press: ButtonHandler | None = None
    #: the types of the ports that its effects get
    needs: tuple[type, ...] = ()

    def is_for(self, kind: ChatKind) -> bool:
        """Return whether the command works in chats of this kind."""
        others = {ChatKind.PRIVATE: {Scope.GROUP}, ChatKind.DIRECT: {Scope.GROUP, Scope.PRIVATE}}
        return self.scope not in others.get(kind, {Scope.PRIVATE})

    def is_named_to(self, trust: TrustTier, kind: ChatKind) -> bool:
        """Return whether to list the command for people of this tier: it works for them in this chat and is still
        useful.
        """
        is_theirs = self.audience is not Audience.OWNER or trust is TrustTier.OWNER
        is_over = self.deep_link is not None and trust in self.deep_link.is_over_for
        return is_theirs and self.is_for(kind) and not is_over

    def description(self, words: Words) -> Phrase:
        return words.say(f"description.{self.name}")

    def usage(self, words: Words) -> str:
        """Return how the command is written."""
        return words.say(f"usage.{self.name}") if self.takes_argument else f"/{self.name}"

    def ports_of(self, given: PortRegistry) -> PortRegistry:
        """Return the ports that the command needs. Raises PortMissing if one is not given."""
        return given.only(self.needs, f"/{self.name}")
