"""`block`: stop answering a person, everywhere, until the owner unblocks them."""

from typing import ClassVar, Literal

from pydantic import Field

from shared.chat.effect import EffectContext, EffectTask
from shared.tasks.plan import Plan
from shared.tasks.task import TaskForm
from shared.tasks.traits import OnFailure, TaskTraits
from shared.values.access_action import AccessAction, AccessActionKind

#: the longest reason, in characters; the owner reads it
LONGEST_WHY = 80


class BlockPerson(EffectTask):
    """Answer somebody no more, in no chat, until your owner unblocks them."""

    # once there is text from outside, the owner is asked to confirm, not the person to be blocked
    traits: ClassVar[TaskTraits] = TaskTraits(
        order=91,
        is_seen=False,
        ends_preview=True,
        asks_owner=True,
        on_failure=OnFailure(is_incident=False, is_alone=True),
    )
    forms: ClassVar[tuple[TaskForm, ...]] = (TaskForm(("person", "why")),)

    kind: Literal["block"] = "block"
    person: int = Field(description="The user_id of a person you answer.", examples=["123456789"])
    why: str = Field(default="", max_length=LONGEST_WHY, description="The reason in a few words, for your owner.")

    @property
    def access_action(self) -> AccessAction:
        """The access action: whom to block, and why."""
        return AccessAction(AccessActionKind.BLOCK, self.person, self.why)

    async def take_effect(self, context: EffectContext) -> Plan:
        """Block the person, if the plan is allowed to (`shared/access/actions.py`)."""
        from shared.access.actions import AccessActionRunner  # imported only when needed

        return await AccessActionRunner.of(context).take(context.session, context.plan, context.planned)

    def summary(self) -> str:
        return f"blocks {self.person}"


TASK = BlockPerson
