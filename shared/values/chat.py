"""A chat: a private chat, group, topic or console conversation. Its document records which tick holds its lease."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, Self, TypeAlias, TypedDict

from pydantic import SerializerFunctionWrapHandler, model_serializer, model_validator

from shared.values.budget import ChatBudget
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import FrozenModel
from shared.values.export import ExportProgressMessage
from shared.values.keyboard import Keyboard
from shared.values.message import EntriesAsText
from shared.values.origin import MarkedMessages
from shared.values.place import place_of
from shared.values.segment import SegmentStart


class Lease(FrozenModel):
    """The exclusive right of one tick to act for a chat, up to the time `until`."""

    owner: str
    until: datetime


class ChatPartBase(FrozenModel):
    """A part of a chat for one feature. Its fields are stored at the top level of the chat's document."""


class ChatClaim(ChatPartBase):
    """The lease of a chat, how often ticks have claimed or released the chat, and the last update that says "stop"."""

    #: how often the chat was claimed or released. The names of tasks contain this number, so that an old task's name
    #: cannot suppress a new wake
    generation: int = 0
    lease: Lease | None = None
    #: how many ticks in a row claimed the chat and wrote nothing: something in the chat's inbox may kill the ticks
    starts: int = 0
    #: the id of the last update that asked to stop; when this field changes, the tick that holds the chat reads the
    #: inbox
    stop: int = 0


class SupergroupMigration(ChatPartBase):
    """The other chat ids of a group that became a supergroup."""

    #: the id of the supergroup that the group became; this document then only points there
    moved_to: int = 0
    #: the group's id before it was a supergroup; 0 if it never changed
    moved_from: int = 0
    #: the number of the last entry from before the group was a supergroup
    moved_seq: int = 0


class CurrentConversation(ChatPartBase):
    """The state of the current conversation, such as the numbers of its newest entry and turn, and its keyboards."""

    #: the number of the newest entry in the transcript; the window is current if it ends with this entry
    seq: int = 0
    #: the number of the newest entry that a model was shown. What becomes known later about older entries is placed
    #: after it
    shown_seq: int = 0
    #: the number of the last entry from which a person removed the mark "text from outside"
    unmarked_seq: int = 0
    #: the number of the newest turn, and whether the agent has answered in it
    turn: int = 0
    is_answered: bool = False
    #: whether entries that are committed are still missing in the window and in the conversation's document
    is_behind: bool = False
    #: the newest entries that are in no page yet: the commit that releases the chat adds a page
    unpaged: EntriesAsText = ()
    #: the agent's messages that are marked as text from outside, of all conversations
    own_marks: MarkedMessages = MarkedMessages()
    #: the update with the `/new` whose argument is the conversation's first message; 0 if none
    begun_by: int = 0
    #: whether there was an earlier conversation
    has_past: bool = False
    #: the model that somebody chose; "": the default
    model: str = ""
    #: the title by a person; "" if none
    conversation_title: str = ""
    #: the agent's offers with buttons, oldest first
    keyboards: tuple[Keyboard, ...] = ()


class PlanningState(ChatPartBase):
    """Values that planning in this chat carries over from one tick to the next."""

    #: until when the agent counts as a participant of the talk
    active_until: datetime | None = None
    #: until when messages wait for the descriptions of their files; None if no message waits
    waits_until: datetime | None = None
    #: why the model's last call failed, if it will be retried; else ""
    model_failure: str = ""
    #: measured from the model's token counts of this chat's prompts; 0 before the first measurement
    characters_per_token: float = 0.0


class ChatAccess(ChatPartBase):
    """The state that decides whether people in the chat are answered: muted, blocked, or waiting for the owner."""

    #: until when nobody is answered here
    muted_until: datetime | None = None
    #: whether the person of a private chat has blocked the agent: due reminders wait until they unblock it
    is_blocked: bool = False
    #: when the owner was asked about this chat, None if nobody waits; and whether the agent answers nobody here
    asked_access_at: datetime | None = None
    is_turned_away: bool = False
    #: whether the owner allowed an answer to the person's next message only
    may_ask_once: bool = False
    #: for a topic of a channel's direct messages: the person who writes them; 0 for any other chat, or if the person is
    #: unknown
    direct_person: int = 0


class Locale(ChatPartBase):
    """The languages and the time zone of the chat."""

    #: the language of the last author's app, in which lull's own texts are written, as an IETF tag; "" if unknown
    last_language: str = ""
    #: the language that somebody set, and the language in which a private chat's person writes; "" if unknown
    chosen_language: str = ""
    spoken_language: str = ""
    #: the time zone that a group's administrator set; "" if none
    group_zone: str = ""


class RecallState(ChatPartBase):
    """The start of the current conversation's last segment, and when the conversation counts as at rest or busy."""

    #: where the current conversation's open segment begins
    segment: SegmentStart = SegmentStart()
    #: when the conversation will be at rest unless more is said; and since when it has been busy
    rests_at: datetime | None = None
    busy_since: datetime | None = None


class PrivacyState(ChatPartBase):
    """The message that shows the progress of the person's export, and the time of the last deletion in the chat."""

    #: the message that shows the progress of the person's export; None if there is none
    shown_takeout: ExportProgressMessage | None = None
    #: the time of the last deletion: anything that was cached earlier is read again; None if there was no deletion
    erased_at: datetime | None = None


#: any part of a chat, for `with_part`
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
STORED_BUDGET: Final = "purse"


class Chat(FrozenModel):
    """The chat's document. Only ticks write it."""

    key: ChatKey
    kind: ChatKind = ChatKind.NONE
    title: str = ""
    #: the topic's name; "" if it is no topic, or not known yet
    topic: str = ""
    conversation: str = ""
    #: when the current plan continues; None without a plan
    due_at: datetime | None = None
    claim: ChatClaim = ChatClaim()
    moves: SupergroupMigration = SupergroupMigration()
    talk: CurrentConversation = CurrentConversation()
    planning: PlanningState = PlanningState()
    access: ChatAccess = ChatAccess()
    locale: Locale = Locale()
    recall: RecallState = RecallState()
    privacy: PrivacyState = PrivacyState()
    #: the budget leases of the chat, and the amounts that it has used; stored as `purse`
    budget: ChatBudget = ChatBudget()

    @model_validator(mode="before")
    @classmethod
    def _with_parts(cls, data: object) -> object:
        """Move a stored document's fields into their parts."""
        if not isinstance(data, Mapping):
            return data
        fields = dict(data)
        if STORED_BUDGET in fields:
            fields["budget"] = fields.pop(STORED_BUDGET)
        for name, part in parts_of_chat().items():
            if own := {field: fields.pop(field) for field in part.model_fields if field in fields}:
                before = fields.get(name)
                fields[name] = own if before is None else {**dict(before), **own}
        return fields

    @model_serializer(mode="wrap")
    def _without_parts(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Move the fields of all parts to the top level."""
        parts, fields = parts_of_chat(), dump(self)
        laid = {name: value for name, value in fields.items() if name not in parts}
        if "budget" in laid:
            laid[STORED_BUDGET] = laid.pop("budget")
        for name in parts:
            laid |= fields.get(name, {})
        return laid

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the chat's documents, now and before the group became a supergroup.

        Each conversation names one of these ids.
        """
        before = ChatKey(agent=self.key.agent, chat_id=self.moves.moved_from)
        return (self.key.id, before.id) if self.moves.moved_from else (self.key.id,)

    @property
    def places(self) -> tuple[str, ...]:
        """The chat's place (`place_of`), followed by the place of the former group if it became a supergroup."""
        before = ChatKey(agent=self.key.agent, chat_id=self.moves.moved_from)
        return (place_of(self.key), place_of(before)) if self.moves.moved_from else (place_of(self.key),)

    def with_part(self, part: ChatPart) -> Self:
        """Return the chat with its part of the same type replaced by `part`."""
        return self.model_copy(update={_field_of(type(part)): part})

    def with_changes(self, changes: "ChatChanges") -> Self:
        """Return the chat with a command's changes."""
        chat = self
        for name, part in parts_of_chat().items():
            if own := {field: value for field, value in changes.items() if field in part.model_fields}:
                chat = chat.model_copy(update={name: getattr(chat, name).model_copy(update=own)})
        return chat

    def is_muted(self, now: datetime) -> bool:
        """Return whether the agent is muted in this chat. A muted agent answers nobody."""
        return self.access.muted_until is not None and self.access.muted_until > now

    def is_active(self, at: datetime) -> bool:
        """Return whether the agent still counts as a participant of the talk. It does for a while after each answer."""
        return self.planning.active_until is not None and self.planning.active_until > at

    def is_held(self, now: datetime) -> bool:
        """Return whether a tick holds the chat, that is, has a lease that is still valid."""
        return self.claim.lease is not None and self.claim.lease.until > now


@cache
def parts_of_chat() -> Mapping[str, type[ChatPartBase]]:
    """Return the classes of a chat's parts, by the name of the field in `Chat`."""
    fields = Chat.model_fields.items()
    return {
        name: kind
        for name, one in fields
        if isinstance(kind := one.annotation, type) and issubclass(kind, ChatPartBase)
    }


@cache
def _field_of(kind: type[ChatPartBase]) -> str:
    return next(name for name, one in parts_of_chat().items() if one is kind)


class ChatChanges(TypedDict, total=False):
    """The fields of a chat that a command may change. They have the same names in the chat's parts."""

    asked_access_at: datetime | None
    chosen_language: str
    conversation_title: str
    group_zone: str
    model: str
    muted_until: datetime | None


class ConversationInfo(FrozenModel):
    """A conversation of a chat, current or earlier."""

    id: str
    #: the id of the document of the chat that last wrote to it
    chat: str
    #: the title, "" if there is none; and whether a person chose it
    title: str = ""
    manually_named: bool = False
    #: the first words that a person said in it
    opening: str = ""
    model: str = ""
    #: the number of its entries, and the number of the last entry from before the group was a supergroup
    entries: int = 0
    moved_seq: int = 0
    turns: int = 0
    #: where the conversation's open segment begins
    segment: SegmentStart = SegmentStart()
    updated_at: datetime | None = None
    #: Firestore's update time, if it was read with one
    version: Any = None

    @property
    def name(self) -> str:
        """The title, or the conversation's first words until it has a title; "" if nobody has said anything."""
        return self.title or self.opening
