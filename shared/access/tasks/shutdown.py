"""`shutdown`: stop answering in a chat until an authorised person undoes it; in all chats if the owner asks."""

from typing import ClassVar, Literal

from pydantic import Field

from shared.base.wording.words import Phrase, Words
from shared.chat.effect import EffectContext, EffectTask
from shared.tasks.plan import Plan
from shared.tasks.task import TaskForm
from shared.tasks.traits import OnFailure, TaskTraits
from shared.values.access_action import AccessAction, AccessActionKind


class Shutdown(EffectTask):
    """Answer nothing in this chat any more until /wake; only if whoever you answer asks for it and may."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        order=93, is_seen=False, ends_preview=True, on_failure=OnFailure(is_incident=False, is_alone=True)
    )
    forms: ClassVar[tuple[TaskForm, ...]] = (TaskForm((), ("everywhere",)),)

    kind: Literal["shutdown"] = "shutdown"
    everywhere: bool = Field(
        default=False, description="True only if your owner asks you to answer nobody at all.", examples=["true"]
    )

    @property
    def access_action(self) -> AccessAction:
        """The access action: to silence the agent here, or everywhere."""
        return AccessAction(AccessActionKind.SHUTDOWN, is_everywhere=self.everywhere)

    def asked_for(self, words: Words) -> Phrase:
        return words.say("confirm.shutdown_everywhere") if self.everywhere else words.say("confirm.shutdown")

    async def take_effect(self, context: EffectContext) -> Plan:
        """Silence the agent, if the plan is allowed to (`shared/access/actions.py`)."""
        from shared.access.actions import AccessActionRunner  # imported only when needed

        return await AccessActionRunner.of(context).take(context.session, context.plan, context.planned)

    def summary(self) -> str:
        return "answers nobody" if self.everywhere else "answers nothing here"


TASK = Shutdown
