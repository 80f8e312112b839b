"""`unblock`: answer a blocked person again."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from shared.base.wording.verbatim import visible
from shared.base.wording.words import Phrase, Words
from shared.chat.effect import EffectContext, EffectTask
from shared.tasks.plan import Plan
from shared.tasks.traits import OnFailure, TaskNeeds, TaskTraits
from shared.values.access_action import AccessAction, AccessActionKind
from shared.values.evolve import evolve


class UnblockPerson(EffectTask):
    """Answer somebody again whom you blocked; only if your owner asks you to, in your private chat with them."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        order=92,
        is_seen=False,
        ends_preview=True,
        uses=TaskNeeds(blocked=True),
        on_failure=OnFailure(is_incident=False, is_alone=True),
    )

    kind: Literal["unblock"] = "unblock"
    person: int = Field(description="The user_id of the blocked person.", examples=["123456789"])
    #: set by lull: the person's name, for the question above the confirmation button
    name: Annotated[str | None, SkipJsonSchema()] = None

    def naming(self, names: Mapping[str, str]) -> Self:
        """Return the task with the person's name, if it is known."""
        return evolve(self, name=names.get(str(self.person)))

    @property
    def access_action(self) -> AccessAction:
        """The access action, with the person to unblock."""
        return AccessAction(AccessActionKind.UNBLOCK, self.person)

    def asked_for(self, words: Words) -> Phrase:
        """Return the question with the person's name, since people do not recognise an id."""
        name = visible(self.name or "")
        return words.say("confirm.unblock", id=f"{name} ({self.person})" if name else self.person)

    async def take_effect(self, context: EffectContext) -> Plan:
        """Unblock the person, if the plan is allowed to (`shared/access/actions.py`)."""
        from shared.access.actions import AccessActionRunner  # imported only when needed

        return await AccessActionRunner.of(context).take(context.session, context.plan, context.planned)

    def summary(self) -> str:
        return f"unblocks {self.person}"


TASK = UnblockPerson
