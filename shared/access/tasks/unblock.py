"""`unblock`: answer somebody again who was blocked."""

from collections.abc import Mapping
from datetime import timedelta
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
    person: int = Field(description="The user_id of who is blocked.", examples=["123456789"])
    #: lull's own: what they are called, for the button that asks for it
    name: Annotated[str | None, SkipJsonSchema()] = None

    def naming(self, names: Mapping[str, str]) -> Self:
        """With what they are called, if that is known."""
        return evolve(self, name=names.get(str(self.person)))

    @property
    def measure(self) -> AccessAction:
        """Whom."""
        return AccessAction(AccessActionKind.UNBLOCK, self.person)

    def asked_for(self, words: Words) -> Phrase:
        """Whom: an id alone tells nobody whether it is who they mean."""
        name = visible(self.name or "")
        return words.say("confirm.unblock", id=f"{name} ({self.person})" if name else self.person)

    async def take_effect(self, context: EffectContext) -> Plan:
        """Unblock them, if the plan may."""
        from shared.access.actions import AccessActionRunner  # only who takes one pays for it

        return await AccessActionRunner.of(context).take(context.session, context.plan, context.planned)

    def pause(self) -> timedelta:
        """None: it is over once it is done."""
        return timedelta()

    def summary(self) -> str:
        """Whom."""
        return f"unblocks {self.person}"


TASK = UnblockPerson
