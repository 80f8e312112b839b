"""The task `forget`: removes a fact. It takes effect when the plan is accepted."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from shared.base.wording.words import Phrase, Words
from shared.chat.effect import EffectContext, EffectTask
from shared.tasks.plan import Plan
from shared.tasks.task import TaskNote
from shared.tasks.traits import OnFailure, TaskNeeds, TaskTraits
from shared.values.evolve import evolve
from shared.values.memory import MemoryWish

NO_SUCH: Final = "There is no memory of that id: `memory` of a `forget` is an id that stands under [memory]."


class Forget(EffectTask):
    """Keep a fact no more, when somebody asks you to forget it."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        order=82, is_seen=False, uses=TaskNeeds(memories=True), on_failure=OnFailure(is_incident=False, is_alone=True)
    )

    kind: Literal["forget"] = "forget"
    memory: str = Field(max_length=20, description="Its id, as listed under [memory].")
    #: set by lull: the memory's text, for the question above the button
    said: Annotated[str | None, SkipJsonSchema()] = None

    def naming(self, names: Mapping[str, str]) -> Self | str:
        """Return the task with the text of the memory to forget, or the reason why the task is invalid."""
        found = names.get(self.memory_wish.memory)
        return evolve(self, said=found) if found is not None else NO_SUCH

    @property
    def memory_wish(self) -> MemoryWish:
        return MemoryWish(memory=self.memory.strip().lower())

    def asked_for(self, words: Words) -> Phrase:
        """Return the question that is shown above the confirmation button."""
        return words.say("confirm.forget", text=self.said or self.memory)

    async def take_effect(self, context: EffectContext) -> Plan:
        """Forget the fact after the button was pressed."""
        from shared.memory.wishes import apply_tapped_wish  # imported only after a press

        return await apply_tapped_wish(context)

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        return TaskNote("forget", self.said or self.memory)

    def summary(self) -> str:
        return self.memory


TASK = Forget
