"""`clear-conversation`: begin another conversation in the chat."""

from typing import ClassVar, Literal

from shared.base.wording.words import Phrase, Words
from shared.chat.effect import EffectContext, EffectTask
from shared.tasks.plan import Plan
from shared.tasks.traits import OnFailure, TaskTraits


class ClearConversation(EffectTask):
    """Begin another conversation: from then on nothing of this one is shown to you."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        order=90,
        begins_conversation=True,
        is_seen=False,
        ends_preview=True,
        on_failure=OnFailure(is_incident=False, is_alone=True),
    )

    kind: Literal["clear-conversation"] = "clear-conversation"

    def asked_for(self, words: Words) -> Phrase:
        return words.say("confirm.clear")

    async def take_effect(self, context: EffectContext) -> Plan:
        """Begin another conversation, if the plan is allowed to (`shared/access/actions.py`)."""
        from shared.access.actions import AccessActionRunner  # imported only when needed

        return await AccessActionRunner.of(context).take(context.session, context.plan, context.planned)

    def summary(self) -> str:
        return "begins another conversation"


TASK = ClearConversation
