"""A task: one act on the world in a plan. The base class of every kind, with what a kind tells about itself."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import BaseModel, ConfigDict

from shared.base.model_call import ModelCall
from shared.base.wording.words import Phrase, Words
from shared.llm.ports.world import MessagingChannel
from shared.tasks.traits import TaskTraits
from shared.values.access_action import AccessAction
from shared.values.agent import OwnPhoto
from shared.values.channel import Button, Recipient
from shared.values.export import ExportPartRef
from shared.values.memory import MemoryWish
from shared.values.message import AnyEntry, Author, PlannedMessage
from shared.values.outgoing import FileRequest, GeneratedFile
from shared.values.reminder import ChangesReminder, ReminderRef, ReminderSpec
from shared.values.stickers import SetSticker, StickerRequest

#: the fields by which a task names a message; where a kind has both, the first is the one that a heading names
MESSAGE_FIELDS: Final = ("reply_to", "message_id")
#: the fields that every task has: what it is, and how it hangs together with others
COMMON_FIELDS: Final = ("kind", "id", "depends_on")
#: what stands in the place of words that no plan keeps once they are said
TOLD: Final = "(told)"


@dataclass(frozen=True, kw_only=True)
class AvailableMedia:
    """The media that a task can send."""

    #: the sticker that the task wants, if it was found; and what was made for it
    sticker: SetSticker | None = None
    made: GeneratedFile | None = None
    #: those of the persona
    photos: tuple[OwnPhoto, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DeliveryContext:
    """What one part of a task is delivered and recorded with."""

    channel: MessagingChannel
    to: Recipient
    #: the agent, as the author of what it sends
    author: Author
    clock: Callable[[], datetime]
    #: the newest entries of the conversation
    entries: Sequence[AnyEntry] = ()
    #: below the last message of a text, one in a row
    buttons: tuple[Button, ...] = ()
    #: the plan that the task is of
    plan_id: str = ""
    #: the model calls that the plan took, for its first message
    calls: tuple[ModelCall, ...] = ()
    #: the channel's post among whose comments it goes; 0: none. There goes what quotes the post or another comment
    thread: int = 0
    #: whether what it says counts as text from outside, since its plan was shown such a text
    is_marked: bool = False
    #: the addresses in its words that people had written, or that a tool had found
    known_links: tuple[str, ...] = ()
    #: how long the plan waited before it, and what the plan is to say after a wait
    waited_s: int = 0
    later: tuple[PlannedMessage, ...] = ()
    #: whether words are sent without entities and preview, since Telegram refused those
    is_plain: bool = False
    media: AvailableMedia = field(default=AvailableMedia())

    def quoted(self, reply_to: int | None) -> int | None:
        """The message that a message quotes: the one that it is to quote, or what takes it to its comments."""
        return reply_to if reply_to is not None else self.thread or None


@dataclass(frozen=True, kw_only=True)
class DeliveryResult:
    """What a delivered part leaves behind: the entries that record it, and the ids of the messages that it made."""

    entries: tuple[AnyEntry, ...] = ()
    message_ids: tuple[int, ...] = ()


class TaskForm(NamedTuple):
    """One way to write a task of a kind, for models that are held to a schema: some of its own fields."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()


class TaskNote(NamedTuple):
    """Something said of a task, and the text of it that is quoted behind that, if any."""

    what: str
    text: str | None = None


class Task(BaseModel):
    """What every task has: its name in the graph, the tasks that must be done before it, and its kind.

    A kind is a subclass with its own `kind`, its `traits`, and the methods in which it differs. The first line of its
    docstring, and the descriptions of its fields, are read by the model.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    traits: ClassVar[TaskTraits]
    #: none: all of its fields, those without a default demanded
    forms: ClassVar[tuple[TaskForm, ...]] = ()

    id: str = ""
    depends_on: tuple[str, ...] = ()
    kind: str

    @classmethod
    def kind_name(cls) -> str:
        """The one value of `kind`."""
        return str(cls.model_fields["kind"].default)

    @classmethod
    def must_name_message(cls) -> bool:
        """Whether no task of this kind can do without a message's id."""
        return any(name in MESSAGE_FIELDS and field.is_required() for name, field in cls.model_fields.items())

    @classmethod
    def is_usable(cls, *, names_messages: bool) -> bool:
        """Whether a prompt may lead to a task of this kind, which names messages or not."""
        return names_messages or not cls.must_name_message()

    @classmethod
    def waiting(cls) -> str:
        """What of its kind waits for a tap once text from outside was seen, as the model is told; empty: nothing."""
        return "" if cls.traits.stays_in_chat else f"`{cls.kind_name()}`"

    @property
    def reaches_further(self) -> bool:
        """Whether its effect lasts, or leaves the chat: after text from outside that waits for a tap."""
        return not self.traits.stays_in_chat

    def without_message(self) -> Self | None:
        """The task where it can name no message; None: without one there is nothing left of it."""
        if self.must_name_message():
            return None
        return self.model_copy(update=dict.fromkeys(type(self).model_fields.keys() & MESSAGE_FIELDS))

    def unquoted(self) -> Self | None:
        """The task without the message that it quotes, since that is gone; None: there is nothing left of it."""
        return self.without_message()

    def problem_in(self, entries: Sequence[AnyEntry], photos: Sequence[OwnPhoto]) -> str:
        """What it names that is neither among what was said nor among the persona's photos, for the model; or empty."""
        return ""

    def replying_to(self, message_id: int) -> Self:
        """The task as a reply to a message, if it can be one and is no other's."""
        can_reply = "reply_to" in type(self).model_fields and getattr(self, "reply_to", None) is None
        return self.model_copy(update={"reply_to": message_id}) if can_reply else self

    @property
    def words(self) -> str:
        """The markdown that people read of it; empty: none."""
        return ""

    def with_words(self, words: str) -> Self:
        """The task with other words, for a kind whose trait `is_text` is set."""
        return self.model_copy(update={"text": words})

    @property
    def offered(self) -> tuple[str, ...]:
        """The choices that it offers below what it writes, as buttons; none for most kinds."""
        return ()

    def is_for_everyone(self) -> bool:
        """Whether anybody may press them, and not only whoever is answered."""
        return False

    def offering(self, choices: tuple[str, ...]) -> Self:
        """The task with other choices, for a kind that offers some."""
        return self

    def at_instants(self, now: datetime, zone: str) -> "Self | str":
        """The task with the times that a model proposed, in a zone (IANA), as instants; or what is wrong with them."""
        return self

    def naming(self, names: Mapping[str, str]) -> "Self | str":
        """The task with what an id of its stands for: a memory's words, somebody's name; or what is wrong with it."""
        return self

    @property
    def memory_wish(self) -> MemoryWish | None:
        """What is to be remembered or forgotten; none for most kinds."""
        return None

    def with_resolved(self, resolved: object) -> Self:
        """The task with what was found for it, for a kind with the field `resolved`."""
        return self.model_copy(update={"resolved": resolved})

    @property
    def reminder_spec(self) -> ReminderSpec | None:
        """What is stored for later, instead of being delivered now; none for most kinds."""
        return None

    @property
    def reminder_change(self) -> ChangesReminder | None:
        """Itself, if it changes a reminder that is kept; none for most kinds."""
        return None

    @property
    def reminder_ref(self) -> ReminderRef | None:
        """The reminder that it says; none for most kinds."""
        return None

    @property
    def export_part(self) -> ExportPartRef | None:
        """The part of an export that it sends; none for most kinds."""
        return None

    @property
    def effects(self) -> tuple[dict[str, Any], ...]:
        """The tasks that are done when somebody presses what it offers, as they are stored; none: a choice is words."""
        return ()

    def asked_for(self, words: Words) -> Phrase:
        """What is done when somebody has it done by a button, in full; for what reaches further than the chat."""
        raise NotImplementedError(f"nobody is asked whether to do a task of the kind {self.kind}")

    @property
    def sticker_request(self) -> StickerRequest | None:
        """The sticker that is to be found before it is delivered; none for most kinds."""
        return None

    @property
    def file_request(self) -> FileRequest | None:
        """What is to be made before it is delivered; none for most kinds."""
        return None

    def with_file_words(self, words: str) -> Self:
        """The task with other words in what is to be made, where those are not the words that people read."""
        return self

    def with_generated_file(self, made: GeneratedFile) -> Self:
        """The task as it is delivered with what was made for it."""
        return self

    def in_words(self) -> "Task | None":
        """The task, of the same id, that says the same in words if Telegram does not take it; None: there is none."""
        return None

    def unsent(self, why: str = "") -> str:
        """That it could not be sent, and what was sent instead, for the model; empty: nothing is said of it."""
        return ""

    @property
    def measure(self) -> AccessAction | None:
        """What is to be done about who is answered; none for most kinds."""
        return None

    @property
    def takes_back(self) -> str:
        """The id of the promise that a new plan takes back with it; empty: none."""
        return ""

    @property
    def told_zone(self) -> str:
        """The time zone that the person said, which is to be kept with them; empty: none."""
        return ""

    def parts(self) -> int:
        """How many calls deliver it; 0: there is nothing to be delivered."""
        return 1

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Have one part leave, 0 being the first: one call, which is the last thing here that may fail.

        Raises ChannelError.
        """
        raise NotImplementedError(f"a task of the kind {self.kind} is not delivered")

    def pause(self) -> timedelta:
        """How long it lasts, for a kind that elapses."""
        return timedelta()

    def typing_time(self) -> timedelta:
        """How long an agent with a human pace is seen typing before it."""
        return timedelta()

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        """What of it is still planned, for the model that plans anew.

        `gone`: how many parts left already. `left`: the time until it may go on; None: it waits for no moment.
        """
        return TaskNote(self.kind)

    def in_doubt(self, part: int) -> TaskNote:
        """That nobody knows whether a part was delivered, for the model; asked where `on_failure.is_told`."""
        return TaskNote(f"a task of yours ({self.kind}) may or may not have been done")

    def loss(self) -> str:
        """That it will not be delivered, for the model; empty: what is said of its plan is enough."""
        return ""

    def told(self) -> Self:
        """The task as its plan keeps it once it is over; as it is, for most kinds."""
        return self

    def summary(self) -> str:
        """The task in a few words, for whoever looks into a chat."""
        fields = self.model_dump(exclude=set(COMMON_FIELDS), exclude_none=True)
        return ", ".join(f"{name} {value}" for name, value in fields.items())
