"""The task `keep-zone`: stores the time zone of a person who mentioned where they live."""

from datetime import datetime, timedelta
from typing import ClassVar, Final, Literal, Self

from pydantic import Field

from shared.base.wording.words import Phrase, Words
from shared.chat.effect import EffectContext, EffectTask
from shared.tasks.plan import Plan
from shared.tasks.task import TaskNote
from shared.tasks.traits import OnFailure, TaskTraits
from shared.values.evolve import evolve

NO_ZONE: Final = "The `zone` of a `keep-zone` is the name of one time zone, such as Europe/Berlin."


class KeepZone(EffectTask):
    """Keep in which time zone whoever you answer lives, when they say of themselves where they are."""

    # without `stays_in_chat`, since the zone is used in all of the person's chats
    traits: ClassVar[TaskTraits] = TaskTraits(
        order=80, is_seen=False, ends_preview=True, on_failure=OnFailure(is_incident=False, is_alone=True)
    )

    kind: Literal["keep-zone"] = "keep-zone"
    zone: str = Field(max_length=60, description="The IANA name, such as Europe/Berlin.")

    def at_instants(self, now: datetime, zone: str) -> Self | str:
        """Return the task with the zone's IANA name, or a sentence about the problem with it."""
        from shared.reminders.times.zones import zones_like  # loaded only when needed

        found = zones_like(self.zone, now)
        return evolve(self, zone=found[0]) if len(found) == 1 else NO_ZONE

    @property
    def told_zone(self) -> str:
        return self.zone

    def asked_for(self, words: Words) -> Phrase:
        """Return the question that is shown above the confirmation button."""
        return words.say("confirm.keep_zone", zone=self.zone)

    async def take_effect(self, context: EffectContext) -> Plan:
        """Store the zone, and move the reminders whose zone was guessed."""
        from shared.reminders.said_zone import keep_zone  # loaded only when needed

        return await keep_zone(context) if self.zone else context.plan_with_task_done()

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        return TaskNote("keep-zone", self.zone)

    def summary(self) -> str:
        return self.zone


TASK = KeepZone
