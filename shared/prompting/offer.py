"""What one request offers the model: everything that the sentences of its prompt may speak of follows from it."""

from dataclasses import dataclass
from functools import cached_property

from shared.agents.template import FUNCTIONS, own_fields
from shared.models.agent import Codec
from shared.models.capabilities import Made
from shared.models.prompt_format import PromptFormat
from shared.spelling.schema import spelling
from shared.tasks.registry import traits_of, unlockable, usable, waiting
from shared.tasks.task import MESSAGE_FIELDS


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What a request offers, as its schema and its declarations do."""

    codec: Codec
    format: PromptFormat
    #: the kinds of task that are unlocked
    unlocked: tuple[str, ...]
    #: the names of the tools that are declared
    tools: tuple[str, ...]

    @property
    def names_messages(self) -> bool:
        """Whether the prompt names messages by their ids, so that a task may."""
        return self.format.names_messages

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of task that a plan may have."""
        return usable(self.unlocked, names_messages=self.names_messages)

    @cached_property
    def waiting(self) -> tuple[str, ...]:
        """What of a plan waits for a tap once text from outside was seen."""
        return waiting(self.kinds)

    @property
    def schedules(self) -> bool:
        """Whether a plan may promise something for a day and a time."""
        return any(traits_of(kind).takes_times for kind in self.kinds)

    @property
    def sends_stickers(self) -> bool:
        """Whether a plan may send a sticker, so that the prompt lists them."""
        return any(traits_of(kind).needs_stickers for kind in self.kinds)

    @property
    def names_blocked(self) -> bool:
        """Whether a plan may name somebody who is blocked, so that the owner's prompt lists them."""
        return any(traits_of(kind).names_blocked for kind in self.kinds)

    @property
    def speaks(self) -> str:
        """The kind of task by which a plan may say something aloud; empty: it may not."""
        return next((kind for kind in self.kinds if traits_of(kind).makes is Made.SPEECH), "")

    @property
    def sends_photos(self) -> bool:
        """Whether a plan may send a photo, so that the prompt lists those of the persona."""
        return any(traits_of(kind).sends_photos for kind in self.kinds)

    @cached_property
    def words(self) -> frozenset[str]:
        """The conditions that hold in the texts of its prompt."""
        known = unlockable()
        models = [known[kind] for kind in self.kinds if kind in known]
        fields = frozenset(name for model in models for name in own_fields(model))
        functions = {FUNCTIONS, *self.tools} if self.tools else set()
        headed = {PromptFormat.META.value} if self.names_messages else set()
        hidden = () if self.names_messages else MESSAGE_FIELDS
        spelled = {self.codec.value, self.format.value, *headed}
        return frozenset({*spelled, *self.kinds, *functions, *fields.difference(hidden)})

    @property
    def spelling(self) -> str:
        """How to write a plan, where no schema tells."""
        return spelling(self.kinds, self.codec, names_messages=self.names_messages)
