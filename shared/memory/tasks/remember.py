"""The task `remember`: stores or changes a fact. It takes effect when the plan is accepted."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from shared.base.wording.words import Phrase, Words
from shared.chat.effect import EffectContext, EffectTask
from shared.tasks.plan import Plan
from shared.tasks.task import TaskForm, TaskNote
from shared.tasks.traits import OnFailure, TaskNeeds, TaskTraits
from shared.values.evolve import evolve
from shared.values.memory import LONGEST_MEMORY, MemoryScope, MemoryWish

#: the most facts that one plan may store
MOST_PER_PLAN: Final = 8


class Remember(EffectTask):
    """Keep a fact that somebody told you and that will matter later, or correct one that you keep."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        order=81,
        is_seen=False,
        uses=TaskNeeds(memories=True, most_per_plan=MOST_PER_PLAN),
        on_failure=OnFailure(is_incident=False, is_alone=True),
    )
    forms: ClassVar[tuple[TaskForm, ...]] = (TaskForm(("text",), ("memory", "scope", "is_for_groups", "message_id")),)

    kind: Literal["remember"] = "remember"
    text: str = Field(
        default="",
        max_length=LONGEST_MEMORY,
        description="The fact, in one sentence that makes sense on its own; empty to forget the memory that is named.",
    )
    memory: str | None = Field(
        default=None,
        max_length=20,
        description="The id of an existing memory, to change it.",
        examples=["m7k2q"],
    )
    scope: Literal["person", "chat", "agent"] = Field(
        default="person",
        description="Whom it concerns: the person who said it (default), this whole chat, or everyone everywhere.",
        examples=["chat"],
    )
    is_for_groups: bool | None = Field(
        default=None,
        description="True only if the person says that groups may know it.",
        examples=["true"],
    )
    message_id: int | None = Field(
        default=None, description="The message with the fact, if you answer several people at once."
    )

    #: set by lull: the text of the memory to change, for the question above the button
    said: Annotated[str | None, SkipJsonSchema()] = None
    #: set by lull: the id of the memory that is forgotten to make room for this one; "" if this one is not stored after
    #: all
    instead_of: Annotated[str | None, SkipJsonSchema()] = None

    def naming(self, names: Mapping[str, str]) -> Self:
        """Return the task with the text of the memory to change, and without `instead_of`, which no model may set."""
        return evolve(self, said=names.get(self._memory_id), instead_of=None)

    @property
    def _memory_id(self) -> str:
        return (self.memory or "").strip().lower()

    @property
    def memory_wish(self) -> MemoryWish | None:
        """The wish to store or change the fact; None if the person chose not to store it."""
        if self.instead_of == "":
            return None
        return MemoryWish(
            instead_of=self.instead_of or "",
            text=self.text,
            memory=self._memory_id,
            scope=MemoryScope(self.scope),
            is_for_groups=self.is_for_groups,
            message_id=self.message_id or 0,
        )

    def asked_for(self, words: Words) -> Phrase:
        """Return the question that is shown above the confirmation button."""
        text = " ".join(self.text.split())
        if self.instead_of is not None:
            old = self.said or self.instead_of
            given_up = words.say("memories.keep_all")
            return words.say("confirm.remember_instead", text=text, old=old) if self.instead_of else given_up
        if self.memory and not text:
            return words.say("confirm.forget", text=self.said or self.memory)
        if self.memory:
            return words.say("confirm.remember_instead", text=text, old=self.said or self.memory)
        if self.scope == "agent":
            return words.say("confirm.remember_agent", text=text)
        if self.scope == "chat":
            return words.say("confirm.remember_chat", text=text)
        if self.is_for_groups:
            return words.say("confirm.remember_groups", text=text)
        return words.say("confirm.remember", text=text)

    async def take_effect(self, context: EffectContext) -> Plan:
        """Store the fact after the button was pressed. If the person chose not to store it, only end the task."""
        from shared.memory.wishes import apply_tapped_wish  # imported only after a press

        return await apply_tapped_wish(context) if self.memory_wish is not None else context.plan_with_task_done()

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        return TaskNote("remember", self.text)

    def summary(self) -> str:
        return ", ".join(filter(None, (self.scope, self.memory, self.text)))


TASK = Remember
