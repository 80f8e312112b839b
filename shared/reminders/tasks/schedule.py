"""The task `schedule`: reminds somebody at a time, or has the agent do something then; once or repeatedly."""

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

    # with `stays_in_chat`, since a fixed text that is sent once is no more than a later `send`
    traits: ClassVar[TaskTraits] = TaskTraits(
        order=3, stays_in_chat=True, ends_preview=True, uses=TaskNeeds(times=True)
    )

    # small models leave out optional fields, so each form requires the fields that it needs
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
        description="The text of the reminder, word for word, without its time.",
    )
    instruction: str | None = Field(
        default=None,
        max_length=LONGEST_TEXT,
        description="Instead of a text: your task at that time, if something has to be looked up or written only then.",
        examples=["Look up the weather and tell us."],
    )
    after: str | None = Field(default=None, description="How long from now.", examples=["10 minutes"])
    at: str | None = Field(
        default=None,
        description="The local day and time of the person who asks.",
        examples=["2026-11-27T17:00"],
    )
    every: str | None = Field(
        default=None,
        description="The repetition as an RRULE; `at` is the first time.",
        examples=["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
    )
    until: str | None = Field(default=None, description="The last day.", examples=["2026-12-31"])
    count: int | None = Field(default=None, ge=1, description="How many times, if it ends.")
    zone: str | None = Field(
        default=None, description="The time zone, only if the person names a different one.", examples=["Europe/Berlin"]
    )
    #: set by lull; a value written by the model is discarded
    resolved: Annotated[ReminderSpec | None, SkipJsonSchema()] = None

    def at_said_time(self, *, at: str | None, after: str | None, every: str | None) -> Self:
        return evolve(self, at=at, after=after, every=every, until=None, count=None, zone=None)

    def at_instants(self, now: datetime, zone: str) -> Self | str:
        """Return the task with its resolved times, or a sentence about the problem with them."""
        if not self._words.strip():
            return NO_WORDS
        # loaded only when needed
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
        """Return the names of this task's variants that need a button press after the model has seen untrusted text."""
        return "`schedule` with `instruction` or `every`"

    @property
    def reaches_further(self) -> bool:
        """Return whether the task repeats, or has an instruction for the agent instead of a text."""
        return not self.text or bool(self.every or (self.resolved is not None and self.resolved.rule))

    def asked_for(self, words: Words) -> Phrase:
        """Return the question that is shown above the confirmation button."""
        from shared.reminders.times.reminder_text import spec_time_text

        if self.resolved is None:
            raise ValueError("the time is not resolved; call `at_instants` first")
        when, text = spec_time_text(words, self.resolved), self._words
        if self.resolved.text:
            return words.say("confirm.remind", when=when, text=text)
        return words.say("confirm.instruct", when=when, text=text)

    @property
    def reminder_spec(self) -> ReminderSpec | None:
        return self.resolved

    @property
    def _words(self) -> str:
        return self.text or self.instruction or ""

    def with_words(self, words: str) -> Self:
        """Return the task with `words` as its text or, if it has no text, as its instruction."""
        said = {"text" if self.text else "instruction": words}
        resolved = self.resolved.model_copy(update=said) if self.resolved is not None else None
        return self.model_copy(update={**said, "resolved": resolved})

    async def take_effect(self, context: EffectContext) -> Plan:
        from shared.reminders.scheduler import ReminderScheduler  # loaded only when needed

        scheduler = ReminderScheduler.of(context.ports, context.clock)
        return await scheduler.schedule(context.session, context.plan, context.planned)

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        return TaskNote("schedule", self._words)

    def summary(self) -> str:
        when = f"{self.resolved.first_at:%Y-%m-%d %H:%M} UTC" if self.resolved else ""
        return ", ".join(filter(None, (when, self.resolved.rule if self.resolved else "", self._words)))


TASK = Schedule
