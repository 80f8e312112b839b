"""`schedule`: remind somebody at a time, or do something then; once, or again and again."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from shared.base.wording.words import Phrase, Words
from shared.chat.effect import EffectContext, EffectTask
from shared.tasks.plan import Plan
from shared.tasks.task import TaskForm, TaskNote
from shared.tasks.traits import TaskNeeds, TaskTraits
from shared.values.evolve import evolve
from shared.values.reminder import LONGEST_TEXT, ReminderSpec

NO_WORDS = "A `schedule` needs a `text` to be said then, or an `instruction` for what you are to do then."


class Schedule(EffectTask):
    """Remind somebody later, or wake yourself: with `text`, or with `instruction`; `at`, `after`, or `every`."""

    # a fixed text that is said once is no more than a later `send`
    traits: ClassVar[TaskTraits] = TaskTraits(
        order=3, stays_in_chat=True, ends_preview=True, uses=TaskNeeds(times=True)
    )

    # a small model leaves out whatever it may, so each form demands what it takes
    forms: ClassVar[tuple[TaskForm, ...]] = tuple(
        TaskForm((said, *when), more)
        for said in ("text", "instruction")
        for when, more in (
            (("after",), ()),
            (("every",), ("at", "until", "count", "zone")),
            (("at",), ("zone",)),
        )
    )

    kind: Literal["schedule"] = "schedule"
    text: str | None = Field(
        default=None,
        max_length=LONGEST_TEXT,
        description="What to say then, word for word, without when; to a person who is reminded.",
    )
    instruction: str | None = Field(
        default=None,
        max_length=LONGEST_TEXT,
        description="Instead of a text: what you are to do then, if it has to be found out or written only then.",
        examples=["Look up the weather and tell us."],
    )
    after: str | None = Field(default=None, description="How long from now.", examples=["10 minutes"])
    at: str | None = Field(
        default=None,
        description="The day and time by the clock of whoever asks.",
        examples=["2026-11-27T17:00"],
    )
    every: str | None = Field(
        default=None,
        description="How it repeats, as an RRULE; `at` is the first time.",
        examples=["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
    )
    until: str | None = Field(default=None, description="The last day of it.", examples=["2026-12-31"])
    count: int | None = Field(default=None, ge=1, description="How often, if it ends.")
    zone: str | None = Field(
        default=None, description="The time zone, only if somebody names another.", examples=["Europe/Berlin"]
    )
    #: lull's own: what a model writes here is thrown away
    resolved: Annotated[ReminderSpec | None, SkipJsonSchema()] = None

    def at_instants(self, now: datetime, zone: str) -> Self | str:
        """With what is resolved of it."""
        if not self._said.strip():
            return NO_WORDS
        # only who schedules pays for what reads times
        from shared.reminders.times.problem import ScheduleProblem
        from shared.reminders.times.proposal import TimeProposal, resolve_time
        from shared.reminders.times.trimming import without_when

        proposal = TimeProposal(**self.model_dump(include={"at", "after", "every", "until", "count", "zone"}))
        when = resolve_time(proposal, now, zone)
        if isinstance(when, ScheduleProblem):
            return when.hint
        wanted = ReminderSpec(
            text=self.text or "",
            instruction="" if self.text else self.instruction or "",
            first_at=when.first,
            zone=when.zone,
            start=when.start.isoformat(),
            rule=when.recurrence.rule if when.recurrence is not None else "",
            is_by_clock=bool(self.at or self.every),
        )
        found = without_when(wanted, now)
        return evolve(self, resolved=found).with_words(found.text or found.instruction)

    @classmethod
    def waiting(cls) -> str:
        """What repeats, and what has the model asked again."""
        return "`schedule` with `instruction` or `every`"

    @property
    def reaches_further(self) -> bool:
        """Whether it repeats, or has the model asked again."""
        return not self.text or bool(self.every or (self.resolved is not None and self.resolved.rule))

    def asked_for(self, words: Words) -> Phrase:
        """When it is due, and what is said or done then."""
        from shared.reminders.times.reminder_text import spec_time_text

        if self.resolved is None:
            raise ValueError("nobody is asked about a time that is not resolved; call `at_instants` before")
        when, text = spec_time_text(words, self.resolved), self._said
        if self.resolved.text:
            return words.say("confirm.remind", when=when, text=text)
        return words.say("confirm.instruct", when=when, text=text)

    @property
    def arrangement(self) -> ReminderSpec | None:
        """What is resolved of it."""
        return self.resolved

    @property
    def _said(self) -> str:
        return self.text or self.instruction or ""

    def with_words(self, words: str) -> Self:
        """With another text to be said then, or another instruction, whichever it has."""
        said = {"text" if self.text else "instruction": words}
        resolved = self.resolved.model_copy(update=said) if self.resolved is not None else None
        return self.model_copy(update={**said, "resolved": resolved})

    async def take_effect(self, context: EffectContext) -> Plan:
        """Store the reminder."""
        from shared.reminders.scheduler import ReminderScheduler  # only who schedules pays for it

        scheduler = ReminderScheduler.of(context.ports, context.clock)
        return await scheduler.arrange(context.session, context.plan, context.planned)

    def pause(self) -> timedelta:
        """None: it is over once it is stored."""
        return timedelta()

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        """What is to be said or done."""
        return TaskNote("schedule", self._said)

    def summary(self) -> str:
        """When, and what."""
        when = f"{self.resolved.first_at:%Y-%m-%d %H:%M} UTC" if self.resolved else ""
        return ", ".join(filter(None, (when, self.resolved.rule if self.resolved else "", self._said)))


TASK = Schedule
