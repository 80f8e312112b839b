"""A command: what it is called and for whom, what it does, and what it is asked and says."""

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
    """The kinds of chat that a command is for."""

    PRIVATE = "private"
    GROUP = "group"
    BOTH = "both"


class Audience(StrEnum):
    """For whom a command works."""

    #: whoever writes, also to an agent that does not answer them, and who is blocked
    EVERYONE = "everyone"
    #: whom the agent answers
    ADMITTED = "admitted"
    #: of these, in a group, its administrators: it changes the chat for everybody
    ADMINISTRATORS = "administrators"
    #: whose the agent is
    OWNER = "owner"


class Permission(StrEnum):
    """Whether somebody may use a command where they wrote it."""

    GRANTED = "granted"
    #: only administrators may, or the owner, and who wrote it is none
    DENIED = "denied"
    #: only administrators may, and Telegram does not say whether who wrote it is one
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class AgentInfo:
    """The agent of a command, as far as commands tell of it."""

    name: str
    #: its bot's, without @
    username: str = ""
    #: its own, by which days are told on which something was used
    zone: tzinfo = UTC
    #: what it knows always, and whether it remembers what people tell
    curated: tuple[CuratedMemory, ...] = ()
    remembers: bool = False
    #: the models that may be chosen; the first one is used until somebody chooses
    models: tuple[str, ...]
    #: how much may be used of it, by the tiers of people; none: nothing is limited
    limits: AgentLimits | None = None


@dataclass(frozen=True, kw_only=True)
class CommandRequest:
    """What somebody asks of a command: what stands behind it; who writes it, where and when."""

    #: on one line; of a press, the choice that its button carries
    argument: str = ""
    #: of a press, the conversation that its button names
    named: str = ""
    agent: AgentInfo
    chat: Chat
    person: Author
    #: the person's, as an IETF tag; empty: not known
    language: str = ""
    now: datetime
    #: how far the agent trusts the person, and whether it answers them here
    trust: TrustTier = TrustTier.STRANGER
    is_admitted: bool = True
    #: the group's, else the agent's, in which times are told
    zone: tzinfo = UTC
    #: whether something is planned, or waits to be answered
    is_busy: bool = False
    #: whether buttons are offered to the person
    has_buttons: bool = False
    #: what the command's effect returned; none if it has none, or if it did not run
    result: object = None
    #: the reminders that commands before it have changed, which the effect does not know: they are stored with it
    changed: tuple[Reminder, ...] = ()

    @property
    def words(self) -> Words:
        """What people are told with, in the person's language; in the chat's last known one if theirs is not known."""
        return words_in(self.language, self.chat.locale.last_language)

    @property
    def model(self) -> str:
        """The model that the conversation uses; one that is not offered any more is not used either."""
        offered = self.agent.models
        return self.chat.talk.model if self.chat.talk.model in offered else offered[0]


@dataclass(frozen=True, kw_only=True)
class CommandResponse:
    """What lull does about a command. All texts are markdown, but for a notice."""

    #: the message; of a press, what the message with the button says from now on. Empty: none is sent, and what
    #: is there stays as it is
    text: Phrase = SILENCE
    buttons: tuple[Button, ...] = ()
    #: what who pressed a button is shown for a moment, at most 200 characters
    notice: Phrase = SILENCE
    #: new values of the chat's fields
    changes: ChatChanges = field(default_factory=ChatChanges)
    #: whether its text says again what was written from text from outside
    holds_outside: bool = False
    #: whether it is said apart from the conversation: no entry, no prompt and no search has it, and its plan forgets it
    is_apart: bool = False
    #: the run of the export of which the message tells how far it is: it is written anew as that goes on; else empty
    shows: str = ""
    #: reminders as they are from now on
    reminders: tuple[Reminder, ...] = ()
    #: what somebody is told elsewhere
    notices: tuple[OutboxNotice, ...] = ()
    #: whether another conversation begins now
    begins_conversation: bool = False
    #: the conversation to which the chat goes back
    resumes: ConversationInfo | None = None


#: pure: whoever calls it sends the response, and changes the chat
Respond: TypeAlias = Callable[[CommandRequest], CommandResponse]
#: what is read or written outside of the chat's document; it precedes the response, which is told what it returned. A
#: tick that dies in between repeats it
Effect: TypeAlias = Callable[[CommandRequest, PortRegistry], Awaitable[object]]


def always(argument: str) -> bool:
    """Return True: whatever stands behind a command, it ends what is planned."""
    return True


@dataclass(frozen=True, kw_only=True)
class PlanCancellation:
    """How a command ends what was planned, and what still waits for an answer."""

    #: whether it does, told from what stands behind it
    ends: Callable[[str], bool] = always
    #: whether the chat may have another conversation behind it, a new one or an earlier one: what was written after it
    #: is read in that one
    changes_conversation: bool = False
    #: whether what stands behind it is said to the agent, as the first message of the conversation that it begins
    says_rest: bool = False
    #: whether the buttons that were offered to who gives it go as well; /mute silences, and takes nothing away
    withdraws_offers: bool = False


@dataclass(frozen=True, kw_only=True)
class DeepLink:
    """How a command lets somebody in: by a code, which a link to the bot may carry."""

    #: what stands before the code in such a link: `/start claim_CODE` is `/claim CODE`
    link_mark: str
    #: the tiers of those who are in: /help does not name it to them
    is_over_for: frozenset[TrustTier]


@dataclass(frozen=True, kw_only=True)
class ButtonHandler:
    """What a press of one of a command's buttons does."""

    respond: Respond
    effect: Effect | None = None
    #: whether a button may be pressed in any conversation: the one that it names is its choice
    is_for_any_conversation: bool = False


@dataclass(frozen=True, kw_only=True)
class Command:
    """One command. The catalogues say what it is for (`description.<name>`)."""

    name: str
    #: its place in menus and in /help; smaller comes first
    order: int
    #: whether something may stand behind it: then the catalogues say how it is written (`usage.<name>`)
    takes_argument: bool = False
    scope: Scope = Scope.BOTH
    audience: Audience = Audience.ADMITTED
    #: none: what is planned goes on
    plan_ending: PlanCancellation | None = None
    #: whether one answer is enough for a person who gives it again before that answer has come, as of a greeting
    is_said_once: bool = False
    #: whether it ends a silence: whoever could silence the agent in their private chat may end that in any case
    ends_silence: bool = False
    #: none: it lets nobody in
    entrance: DeepLink | None = None
    respond: Respond
    effect: Effect | None = None
    #: none: it has no buttons
    press: ButtonHandler | None = None
    #: the types of the ports that its effects use; they are given no other
    needs: tuple[type, ...] = ()

    def is_for(self, kind: ChatKind) -> bool:
        """Whether it works in such a chat."""
        others = {ChatKind.PRIVATE: {Scope.GROUP}, ChatKind.DIRECT: {Scope.GROUP, Scope.PRIVATE}}
        return self.scope not in others.get(kind, {Scope.PRIVATE})

    def is_named_to(self, trust: TrustTier, kind: ChatKind) -> bool:
        """Whether somebody of a tier is told of it in such a chat: it works there for them, and is not over."""
        is_theirs = self.audience is not Audience.OWNER or trust is TrustTier.OWNER
        is_over = self.entrance is not None and trust in self.entrance.is_over_for
        return is_theirs and self.is_for(kind) and not is_over

    def description(self, words: Words) -> Phrase:
        """What it is for."""
        return words.say(f"description.{self.name}")

    def usage(self, words: Words) -> str:
        """How it is written."""
        return words.say(f"usage.{self.name}") if self.takes_argument else f"/{self.name}"

    def ports_of(self, given: PortRegistry) -> PortRegistry:
        """Those of the given ports that its effects get. Raises PortMissing if it needs another."""
        return given.only(self.needs, f"/{self.name}")
