"""The base class of all kinds of task. A task is one step of a plan, such as sending a message or waiting."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final, NamedTuple, Self

from shared.base.model_call import ModelCall
from shared.base.wording.words import Phrase, Words
from shared.llm.ports.world import MessagingChannel
from shared.tasks.traits import TaskTraits
from shared.values.access_action import AccessAction
from shared.values.agent import OwnPhoto
from shared.values.channel import Button, Recipient
from shared.values.evolve import FrozenModel
from shared.values.export import ExportPartRef
from shared.values.memory import MemoryWish
from shared.values.message import AnyEntry, Author, PlannedMessage
from shared.values.outgoing import FileRequest, GeneratedFile
from shared.values.reminder import ChangesReminder, ReminderRef, ReminderSpec
from shared.values.stickers import SetSticker, StickerRequest

#: fields with a message id; if a kind has both fields, the first one is written in a markdown heading
MESSAGE_FIELDS: Final = ("reply_to", "message_id")
#: the fields of all tasks: the kind, the id and the dependencies
COMMON_FIELDS: Final = ("kind", "id", "depends_on")
#: replaces a text that its plan no longer stores once it was sent
TOLD: Final = "(told)"


@dataclass(frozen=True, kw_only=True)
class AvailableMedia:
    """The files that a task may need for its delivery."""

    #: the sticker that was found for the task, and the file that was made for the task
    sticker: SetSticker | None = None
    made: GeneratedFile | None = None
    #: the persona's photos
    photos: tuple[OwnPhoto, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DeliveryContext:
    """The inputs for delivering one part of a task and for recording the delivery."""

    channel: MessagingChannel
    to: Recipient
    #: the agent, as the author of the messages
    author: Author
    clock: Callable[[], datetime]
    #: the newest entries of the conversation
    entries: Sequence[AnyEntry] = ()
    #: buttons below the last message of a text, each in a row of its own
    buttons: tuple[Button, ...] = ()
    #: the id of the task's plan
    plan_id: str = ""
    #: the model calls that made the plan, recorded with its first message
    calls: tuple[ModelCall, ...] = ()
    #: the channel's post on which the task comments; 0: none. A message is a comment if it quotes the post or another
    #: comment
    thread: int = 0
    #: whether the task's text counts as text from outside, since its plan was shown such text
    is_marked: bool = False
    #: the addresses in the task's words that people had written or that a tool had found
    known_links: tuple[str, ...] = ()
    #: seconds that the plan waited before the task, and the texts that the plan will send after waits
    waited_s: int = 0
    later: tuple[PlannedMessage, ...] = ()
    #: whether text is sent without entities and preview, since Telegram refused the text with them
    is_plain: bool = False
    media: AvailableMedia = field(default=AvailableMedia())

    def quote_target(self, reply_to: int | None) -> int | None:
        """Return the id of the message to quote; None if there is none. It is `reply_to`, or if that is None, the
        channel's post (`thread`), since a message is a comment on a post only if it quotes the post.
        """
        return reply_to if reply_to is not None else self.thread or None


@dataclass(frozen=True, kw_only=True)
class DeliveryResult:
    """The result of a delivered part: the entries that record it, and the ids of its messages."""

    entries: tuple[AnyEntry, ...] = ()
    message_ids: tuple[int, ...] = ()


class TaskForm(NamedTuple):
    """One way to write a task of a kind, for models that get a schema. A form has only some of the kind's fields."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()


class TaskNote(NamedTuple):
    """A note to the model about one task, and the text that the note quotes."""

    what: str
    text: str | None = None


class Task(FrozenModel):
    """The common fields and methods of tasks.

    A kind is a subclass with its own `kind`, `traits` and overridden methods. The model reads the first line of the
    subclass's docstring, and the descriptions of its fields.
    """

    traits: ClassVar[TaskTraits]
    #: (): one form with all fields, of which those without a default are required
    forms: ClassVar[tuple[TaskForm, ...]] = ()

    id: str = ""
    depends_on: tuple[str, ...] = ()
    kind: str

    @classmethod
    def kind_name(cls) -> str:
        """Return the kind's name, which is the default of the field `kind`."""
        return str(cls.model_fields["kind"].default)

    @classmethod
    def must_name_message(cls) -> bool:
        """Return whether tasks of this kind need a message's id."""
        return any(name in MESSAGE_FIELDS and field.is_required() for name, field in cls.model_fields.items())

    @classmethod
    def is_usable(cls, *, names_messages: bool) -> bool:
        """Return whether a prompt may offer this kind. `names_messages` tells whether the prompt has message ids."""
        return names_messages or not cls.must_name_message()

    @classmethod
    def waiting(cls) -> str:
        """Return a text that tells the model which effects of this kind wait for a button press once the model has seen
        untrusted text; "" if none do.
        """
        return "" if cls.traits.stays_in_chat else f"`{cls.kind_name()}`"

    @property
    def reaches_further(self) -> bool:
        """True if the effect lasts or leaves the chat. If the model saw untrusted text, people must confirm it."""
        return not self.traits.stays_in_chat

    def without_message(self) -> Self | None:
        """Return the task without message ids; None if the task needs a message id."""
        if self.must_name_message():
            return None
        return self.model_copy(update=dict.fromkeys(type(self).model_fields.keys() & MESSAGE_FIELDS))

    def without_quote(self) -> Self | None:
        """Return the task without its quote, since the quoted message is gone; None if it needs the quote."""
        return self.without_message()

    def problem_in(self, entries: Sequence[AnyEntry], photos: Sequence[OwnPhoto]) -> str:
        """Return an error for the model if the task names an unknown message or photo; else ""."""
        return ""

    def replying_to(self, message_id: int) -> Self:
        """Return the task as a reply to a message.

        A task that is a reply already, or whose kind cannot reply, is returned unchanged.
        """
        can_reply = "reply_to" in type(self).model_fields and getattr(self, "reply_to", None) is None
        return self.model_copy(update={"reply_to": message_id}) if can_reply else self

    @property
    def words(self) -> str:
        """The markdown that people read; "" if there is none."""
        return ""

    def with_words(self, words: str) -> Self:
        """Return the task with another text, for kinds with the trait `is_text`."""
        return self.model_copy(update={"text": words})

    @property
    def offered(self) -> tuple[str, ...]:
        """The choices that the task offers as buttons."""
        return ()

    def is_for_everyone(self) -> bool:
        """Return whether anybody may press the task's buttons, not only the people whom the plan answers."""
        return False

    def offering(self, choices: tuple[str, ...]) -> Self:
        """Return the task with other choices, for kinds that offer choices."""
        return self

    def at_said_time(self, *, at: str | None, after: str | None, every: str | None) -> Self:
        """Return the task with its time replaced by one that a person wrote; unchanged if its kind has no time."""
        return self

    def at_instants(self, now: datetime, zone: str) -> "Self | str":
        """Return the task with exact times in place of the local times that the model wrote; or an error text for the
        model. `zone` is the IANA name of the local time zone.
        """
        return self

    def naming(self, names: Mapping[str, str]) -> "Self | str":
        """Return the task with the name or text of what its id refers to, such as a memory; or an error text for the
        model. `names` maps ids to names or texts.
        """
        return self

    @property
    def memory_wish(self) -> MemoryWish | None:
        """The request to remember or forget something, for tasks that make one; None for most kinds."""
        return None

    def with_resolved(self, resolved: object) -> Self:
        """Return the task with this value of its field `resolved`, such as the change to make to a reminder."""
        return self.model_copy(update={"resolved": resolved})

    @property
    def reminder_spec(self) -> ReminderSpec | None:
        """The reminder to store instead of a delivery now; None for most kinds."""
        return None

    @property
    def reminder_change(self) -> ChangesReminder | None:
        """The task itself if its kind changes a stored reminder; None for most kinds."""
        return None

    @property
    def reminder_ref(self) -> ReminderRef | None:
        """The reminder that the task delivers; None for most kinds."""
        return None

    @property
    def export_part(self) -> ExportPartRef | None:
        """The part of an export that the task sends; None for most kinds."""
        return None

    @property
    def effects(self) -> tuple[dict[str, Any], ...]:
        """The tasks that a press of each button carries out, as JSON; () if the choices are only text."""
        return ()

    def asked_for(self, words: Words) -> Phrase:
        """Return the full description of the task, by which a person decides whether to confirm it. Implemented by the
        kinds whose tasks may wait for a button press.
        """
        raise NotImplementedError(f"the task kind {self.kind} must implement asked_for")

    @property
    def sticker_request(self) -> StickerRequest | None:
        """The request by which a sticker is found before delivery; None for most kinds."""
        return None

    @property
    def file_request(self) -> FileRequest | None:
        """The request by which a model makes the task's file before delivery; None for most kinds."""
        return None

    def with_file_words(self, words: str) -> Self:
        """Return the task with another prompt for the file that a model makes for it. If people read the prompt too,
        the task is returned unchanged.
        """
        return self

    def with_generated_file(self, made: GeneratedFile) -> Self:
        """Return the task with the file that a model made for it."""
        return self

    def in_words(self) -> "Task | None":
        """Return a task with the same id that says the same as text, to be sent if Telegram refuses this task; None if
        there is none.
        """
        return None

    def unsent(self, why: str = "") -> str:
        """Return a note that tells the model that the task could not be sent, and which text was sent instead; "" if no
        note is needed.
        """
        return ""

    @property
    def access_action(self) -> AccessAction | None:
        """The access action that the task wants, such as blocking a person; None for most kinds."""
        return None

    @property
    def takes_back(self) -> str:
        """The id of the promised message's task that this task revokes; "" if it revokes none."""
        return ""

    @property
    def told_zone(self) -> str:
        """The time zone that a person mentioned and that lull is to store; "" for most kinds."""
        return ""

    def parts(self) -> int:
        """Return the number of calls that deliver the task; 0 if nothing is delivered."""
        return 1

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Deliver one part, counted from 0, by one call to Telegram. Code after the call must not fail. Raises
        ChannelError.
        """
        raise NotImplementedError(f"the task kind {self.kind} must implement deliver")

    def pause(self) -> timedelta:
        """Return the duration of the task, for kinds in which time passes."""
        return timedelta()

    def typing_time(self) -> timedelta:
        """Return the time for which typing is shown before the task, for agents with a human pace."""
        return timedelta()

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        """Return a note for the model on the part of the task that is still to be done. `gone` is the number of parts
        that were sent. `left` is the time until the task may continue; None if it need not wait.
        """
        return TaskNote(self.kind)

    def in_doubt(self, part: int) -> TaskNote:
        """Return a note that tells the model that a part may not have arrived. Unused without `on_failure.is_told`."""
        return TaskNote(f"a task of yours ({self.kind}) may or may not have been done")

    def loss(self) -> str:
        """Return a note that tells the model that the task is lost; "" if lull's general note is enough."""
        return ""

    def without_text(self) -> Self:
        """Return the task in the form in which a plan stores ended tasks. Some kinds drop the text."""
        return self

    def summary(self) -> str:
        """Return the task in a few words, for operators."""
        fields = self.model_dump(exclude=set(COMMON_FIELDS), exclude_none=True)
        return ", ".join(f"{name} {value}" for name, value in fields.items())
