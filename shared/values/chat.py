"""A chat: one place on the channel, and the document that says who may act for it."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, Self, TypeAlias, TypedDict

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer, model_validator

from shared.values.budget import ChatBudget
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.export import ExportProgressMessage
from shared.values.keyboard import Keyboard
from shared.values.message import EntriesAsText
from shared.values.origin import MarkedMessages
from shared.values.place import place_of
from shared.values.segment import SegmentStart


class Lease(BaseModel):
    """The right of one tick to act for a chat until a moment."""

    model_config = ConfigDict(frozen=True)

    owner: str
    until: datetime


class ChatPartBase(BaseModel):
    """A part of a chat, which belongs to one feature. Its fields lie beside the others in the chat's document."""

    model_config = ConfigDict(frozen=True)


class ChatClaim(ChatPartBase):
    """The right of one tick to act for the chat, and what orders the wakes that name it."""

    #: how often it was claimed or given back; a task named for an older generation can't swallow a newer update
    generation: int = 0
    lease: Lease | None = None
    #: how many ticks in a row claimed the chat and wrote nothing: what they met may be what kills them
    starts: int = 0
    #: the update that last asked to stop; whoever holds the chat looks into the inbox when it changes
    stop: int = 0


class SupergroupMigration(ChatPartBase):
    """The chat ids of a group that became a supergroup."""

    #: the group's new chat id, once it became a supergroup; this document only points there from then on
    moved_to: int = 0
    #: the id that the group had before it was a supergroup; 0: it has always had this one
    moved_from: int = 0
    #: the number of the last entry that came under another chat id: of a group before it was a supergroup
    moved_seq: int = 0


class CurrentConversation(ChatPartBase):
    """The current conversation: how far it came, and what it offers."""

    #: the number of the newest entry in the transcript; the window is good while it ends there
    seq: int = 0
    #: the number of the newest entry that a model was shown: what is told of an older one is told below it
    shown_seq: int = 0
    #: the number of the current conversation's last entry that counts as no text from outside, as its person wants it
    unmarked_seq: int = 0
    #: the number of the conversation's newest turn, and whether the agent has spoken in it
    turn: int = 0
    is_answered: bool = False
    #: whether entries were committed that neither the window nor the conversation's document tells of yet
    is_behind: bool = False
    #: the transcript's newest entries while no page of it holds them: the commit that gives the chat back adds one
    unpaged: EntriesAsText = ()
    #: which of the agent's messages are marked, in whatever conversation
    own_marks: MarkedMessages = MarkedMessages()
    #: the update with `/new` that began the conversation and whose other words are its first message; 0: none has
    begun_by: int = 0
    #: whether there was another conversation before
    has_past: bool = False
    #: the model that somebody chose for the current conversation; empty: the one that the settings name
    model: str = ""
    #: what a person called the current conversation; empty: nobody did
    conversation_title: str = ""
    #: what the agent offers in the current conversation, oldest first
    keyboards: tuple[Keyboard, ...] = ()


class PlanningState(ChatPartBase):
    """What planning goes by in the chat."""

    #: until when the agent counts as taking part in what is being said here
    active_until: datetime | None = None
    #: when messages that wait to be told what their files say have waited long enough; none: none waits
    waits_until: datetime | None = None
    #: why the model gave no answer when it was asked last, while it is to be asked again; empty: nothing is the matter
    model_failure: str = ""
    #: learned from what the model reported of this chat's prompts; 0: nothing yet
    characters_per_token: float = 0.0


class ChatAccess(ChatPartBase):
    """Who is answered in the chat."""

    #: until when nobody is answered here
    muted_until: datetime | None = None
    #: whether the person of a private chat has blocked the agent: what comes due waits until they unblock it
    is_blocked: bool = False
    #: when the owner was asked to let in who writes here; none: nobody waits. And whether nobody here has an answer
    asked_access_at: datetime | None = None
    is_turned_away: bool = False
    #: whether the owner has the next message of the person answered, and none after it
    may_ask_once: bool = False
    #: whose direct messages to a channel it holds; 0: it holds no such, or nobody's id is known
    direct_person: int = 0


class Locale(ChatPartBase):
    """The languages and the time zone of the chat."""

    #: in which lull speaks to who wrote last, an IETF tag; empty: nobody's is known
    last_language: str = ""
    #: the one that somebody set; and in a private chat the one in which its person writes. Empty: none is known
    chosen_language: str = ""
    spoken_language: str = ""
    #: the name of the time zone that a group's administrator set; empty: none
    group_zone: str = ""


class RecallState(ChatPartBase):
    """Where the conversation's open segment begins, and when the conversation rests."""

    #: where the current conversation's open segment begins
    segment: SegmentStart = SegmentStart()
    #: when the current conversation counts as resting, unless more is said; and since when it has not rested
    rests_at: datetime | None = None
    busy_since: datetime | None = None


class PrivacyState(ChatPartBase):
    """What is being exported, and was erased."""

    #: where it is told how far its person's export is; none: nowhere
    shown_takeout: ExportProgressMessage | None = None
    #: when something of it was forgotten last: what an instance knows of it from before is read anew; none: nothing was
    erased_at: datetime | None = None


#: a part of a chat, by which `with_part` knows where it goes
ChatPart: TypeAlias = (
    ChatClaim
    | SupergroupMigration
    | CurrentConversation
    | PlanningState
    | ChatAccess
    | Locale
    | RecallState
    | PrivacyState
)


#: the name of `Chat.budget` in stored documents
_STORED_BUDGET: Final = "purse"


class Chat(BaseModel):
    """The chat's document, written by ticks only."""

    model_config = ConfigDict(frozen=True)

    key: ChatKey
    kind: ChatKind = ChatKind.NONE
    title: str = ""
    #: what the topic is called; empty: it is no topic, or its name is not known yet
    topic: str = ""
    conversation: str = ""
    #: when the standing plan wants to go on; none: no plan is standing
    due_at: datetime | None = None
    claim: ChatClaim = ChatClaim()
    moves: SupergroupMigration = SupergroupMigration()
    talk: CurrentConversation = CurrentConversation()
    planning: PlanningState = PlanningState()
    access: ChatAccess = ChatAccess()
    locale: Locale = Locale()
    recall: RecallState = RecallState()
    privacy: PrivacyState = PrivacyState()
    #: its budget leases, and what it has used; stored as `purse`
    budget: ChatBudget = ChatBudget()

    @model_validator(mode="before")
    @classmethod
    def _with_parts(cls, data: object) -> object:
        """Gather the fields of a document that belong to parts."""
        if not isinstance(data, Mapping):
            return data
        fields = dict(data)
        if _STORED_BUDGET in fields:
            fields["budget"] = fields.pop(_STORED_BUDGET)
        for name, part in parts_of_chat().items():
            if own := {field: fields.pop(field) for field in part.model_fields if field in fields}:
                before = fields.get(name)
                fields[name] = own if before is None else {**dict(before), **own}
        return fields

    @model_serializer(mode="wrap")
    def _without_parts(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Lay the fields of the parts beside the others."""
        parts, fields = parts_of_chat(), dump(self)
        laid = {name: value for name, value in fields.items() if name not in parts}
        if "budget" in laid:
            laid[_STORED_BUDGET] = laid.pop("budget")
        for name in parts:
            laid |= fields.get(name, {})
        return laid

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its documents, now and before the group became a supergroup: conversations name one of them."""
        before = ChatKey(agent=self.key.agent, chat_id=self.moves.moved_from)
        return (self.key.id, before.id) if self.moves.moved_from else (self.key.id,)

    @property
    def places(self) -> tuple[str, ...]:
        """The place that it is, and the one that it was before the group became a supergroup."""
        before = ChatKey(agent=self.key.agent, chat_id=self.moves.moved_from)
        return (place_of(self.key), place_of(before)) if self.moves.moved_from else (place_of(self.key),)

    def with_part(self, part: ChatPart) -> Self:
        """The chat with another part, which takes the place of its own of that type."""
        return self.model_copy(update={_field_of(type(part)): part})

    def with_changes(self, changes: "ChatChanges") -> Self:
        """The chat with what a command changed of it."""
        chat = self
        for name, part in parts_of_chat().items():
            if own := {field: value for field, value in changes.items() if field in part.model_fields}:
                chat = chat.model_copy(update={name: getattr(chat, name).model_copy(update=own)})
        return chat

    def is_muted(self, now: datetime) -> bool:
        """Whether nobody is answered here, whatever is said."""
        return self.access.muted_until is not None and self.access.muted_until > now

    def is_active(self, at: datetime) -> bool:
        """Whether the agent counts as taking part in what is being said here."""
        return self.planning.active_until is not None and self.planning.active_until > at

    def is_held(self, now: datetime) -> bool:
        """Whether some tick's lease still runs."""
        return self.claim.lease is not None and self.claim.lease.until > now


@cache
def parts_of_chat() -> Mapping[str, type[ChatPartBase]]:
    """The parts of a chat by the names of its fields."""
    fields = Chat.model_fields.items()
    return {
        name: kind
        for name, one in fields
        if isinstance(kind := one.annotation, type) and issubclass(kind, ChatPartBase)
    }


@cache
def _field_of(kind: type[ChatPartBase]) -> str:
    """The field of a chat that holds its part of a type."""
    return next(name for name, one in parts_of_chat().items() if one is kind)


class ChatChanges(TypedDict, total=False):
    """What a command may change of a chat, by the names of its parts' fields."""

    asked_access_at: datetime | None
    chosen_language: str
    conversation_title: str
    group_zone: str
    model: str
    muted_until: datetime | None


class ConversationInfo(BaseModel):
    """A conversation that a chat had, or has now."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    #: the id of the chat's document that it belonged to when it was last written to
    chat: str
    #: empty: it has none; and whether a person gave it that one
    title: str = ""
    manually_named: bool = False
    #: the first words that a person said in it
    opening: str = ""
    model: str = ""
    #: how many entries its transcript has, and up to which they came under another chat id
    entries: int = 0
    moved_seq: int = 0
    turns: int = 0
    #: where its open segment begins
    segment: SegmentStart = SegmentStart()
    updated_at: datetime | None = None

    @property
    def name(self) -> str:
        """Its title, or what stands for one until it has one; empty: nobody has said anything in it."""
        return self.title or self.opening
