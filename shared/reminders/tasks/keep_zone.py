"""`keep-zone`: keep in which time zone somebody lives, as they said themselves."""

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

    # it follows the person into every chat
    traits: ClassVar[TaskTraits] = TaskTraits(
        order=80, is_seen=False, ends_preview=True, on_failure=OnFailure(is_incident=False, is_alone=True)
    )

    kind: Literal["keep-zone"] = "keep-zone"
    zone: str = Field(max_length=60, description="Its IANA name, such as Europe/Berlin.")

    def at_instants(self, now: datetime, zone: str) -> Self | str:
        """With the zone's own name."""
        from shared.reminders.times.zones import zones_like  # only who says a zone pays for it

        found = zones_like(self.zone, now)
        return evolve(self, zone=found[0]) if len(found) == 1 else NO_ZONE

    @property
    def told_zone(self) -> str:
        """What it says of a zone."""
        return self.zone

    def asked_for(self, words: Words) -> Phrase:
        """Which zone is kept."""
        return words.say("confirm.keep_zone", zone=self.zone)

    async def take_effect(self, context: EffectContext) -> Plan:
        """Keep the zone, and move the reminders that were set by a guess."""
        from shared.reminders.said_zone import keep_zone  # only who says one pays for it

        return await keep_zone(context) if self.zone else context.done()

    def pause(self) -> timedelta:
        """None: it is over once it is kept."""
        return timedelta()

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        """What is to be kept."""
        return TaskNote("keep-zone", self.zone)

    def summary(self) -> str:
        """The zone."""
        return self.zone


TASK = KeepZone
