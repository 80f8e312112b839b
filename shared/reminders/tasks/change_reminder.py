"""The task `change-reminder`: puts an open reminder off, changes it or cancels it."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from shared.base.wording.words import Phrase, Words
from shared.chat.effect import EffectContext, EffectTask
from shared.reminders.times.civil import NIGHT_ENDS, civil_of, instant_of
from shared.tasks.plan import Plan
from shared.tasks.task import TaskNote
from shared.tasks.traits import OnFailure, TaskNeeds, TaskTraits
from shared.values.agent import parse_zone
from shared.values.evolve import evolve
from shared.values.reminder import LONGEST_TEXT, ReminderChange, ReminderSpec

NO_TIME: Final = "To put a reminder off it takes a time: `after`, a span from now, or `at`, a day and time to come."
NOTHING: Final = "A `change` needs what changes: `text` or `instruction`, or `at`, `after` or `every`."
NOT_ONCE: Final = (
    "That reminder repeats. Write `every` with the whole new rule, or `at` with the new time of day (HH:MM); "
    "to move the next time only, `what` is put-off."
)
#: the time of day with which a new rule is checked if the model gave none
_ANY_TIME: Final = "09:00"


class ChangeReminder(EffectTask):
    """Put a reminder that is still to come off, change its words or times for good, or cancel it."""

    # without `stays_in_chat`, since the reminder may be somebody else's, or from long ago
    traits: ClassVar[TaskTraits] = TaskTraits(
        order=4, is_seen=False, ends_preview=True, uses=TaskNeeds(times=True), on_failure=OnFailure(is_incident=False)
    )

    kind: Literal["change-reminder"] = "change-reminder"
    what: Literal["put-off", "change", "cancel"] = Field(
        description="put-off: a new time; if it repeats, only for the next time. change, cancel: permanently."
    )
    reminder: str = Field(max_length=80, description="Its id, or words that only this reminder contains.")
    after: str | None = Field(
        default=None, description="How long from now, or how much later.", examples=["10 minutes"]
    )
    at: str | None = Field(
        default=None, description="The new day and time, or time of day.", examples=["2026-11-27T17:00", "17:00"]
    )
    every: str | None = Field(default=None, description="The new RRULE.", examples=["FREQ=WEEKLY;BYDAY=MO"])
    until: str | None = Field(default=None, description="The last day.", examples=["2026-12-31"])
    count: int | None = Field(default=None, ge=1, description="How many times, if it ends.")
    text: str | None = Field(default=None, max_length=LONGEST_TEXT, description="The new text.")
    instruction: str | None = Field(
        default=None, max_length=LONGEST_TEXT, description="Your new task at that time, instead of a text."
    )
    #: set by lull; a value written by the model is discarded
    resolved: Annotated[ReminderChange | None, SkipJsonSchema()] = None

    @property
    def reminder_change(self) -> Self:
        return self

    def at_instants(self, now: datetime, zone: str) -> Self | str:
        """Return the task with the time and zone of the request, or a sentence about the problem with its times.

        The times are resolved later, when the reminder is known.
        """
        problem = self._problem(now, zone)
        return problem or evolve(self, resolved=ReminderChange(asked_at=now, asked_zone=zone))

    def _problem(self, now: datetime, zone: str) -> str:
        if self.what == "cancel":
            return ""
        if self.what == "put-off":
            found = self._times(now, zone, None, self.at) if self.at or self.after else NO_TIME
        elif self.at or self.after or self.every:
            found = self._times(now, zone, self.every, self.at or (_ANY_TIME if not self.after else None))
        else:
            says = self.until or self.count or (self.text or "").strip() or (self.instruction or "").strip()
            found = {} if says else NOTHING
        return found if isinstance(found, str) else ""

    def _times(self, now: datetime, zone: str, every: str | None, at: str | None) -> Mapping[str, Any] | str:
        """Return the times as fields of a spec, or a sentence about the problem with them."""
        from shared.reminders.times.problem import (
            ScheduleProblem,  # loaded only when needed
        )
        from shared.reminders.times.proposal import TimeProposal, resolve_time

        bounds = {"until": self.until, "count": self.count} if every else {}
        when = resolve_time(TimeProposal(at=at, after=self.after, every=every, **bounds), now, zone)
        if isinstance(when, ScheduleProblem):
            return when.hint
        rule = when.recurrence.rule if when.recurrence is not None else ""
        return {"first_at": when.first, "zone": when.zone, "start": when.start.isoformat(), "rule": rule}

    def apply_to(self, before: ReminderSpec, change: ReminderChange) -> ReminderSpec | str | None:
        """Return the changed spec, None to cancel, or a sentence for the model about the problem."""
        if self.what == "cancel":
            return None
        said = self._new_words if self.what == "change" else {}
        times = self._new_times(before, change)
        if isinstance(times, str):
            return times
        after = before.model_copy(update={**said, **times, "is_zone_guessed": self._is_zone_guessed(before, change)})
        if not said:
            return after
        from shared.reminders.times.trimming import without_when  # loaded only when needed

        return without_when(after, change.asked_at)

    def with_words(self, words: str) -> Self:
        """Return the task with `words` as its text or, if it has no text, as its instruction."""
        return self.model_copy(update={"text" if self.text else "instruction": words})

    @property
    def _new_words(self) -> Mapping[str, str]:
        if (self.text or "").strip():
            return {"text": self.text or "", "instruction": ""}
        is_told = (self.instruction or "").strip()
        return {"text": "", "instruction": self.instruction or ""} if is_told else {}

    def _new_times(self, before: ReminderSpec, change: ReminderChange) -> Mapping[str, Any] | str:
        """Return the new times; {} if they do not change; or a sentence about the problem with them."""
        from shared.reminders.times.changes import is_of_last  # loaded only when needed

        is_sent = self.what == "put-off" and is_of_last(before, change.asked_at)
        is_once = self.what == "put-off" or not (before.rule or self.every)
        if is_once and not is_sent and (self.at or self.after):
            return self._moved_times(before, change)
        if is_sent:  # it was sent just now, and must be sent again
            return self._times(change.asked_at, change.asked_zone, None, self.at)
        if not any((self.at, self.after, self.every, self.until, self.count)):
            return {}
        every, at = self.every or before.rule or None, self.at
        if before.rule and not self.every and self.after:
            return NOT_ONCE
        if every and not (at or self.after):
            at = f"{datetime.fromisoformat(before.start):%H:%M}"
        zone = change.asked_zone if self.at or self.after else before.zone
        return self._times(change.asked_at, zone, every, at or (None if self.after else before.start))

    def _is_zone_guessed(self, before: ReminderSpec, change: ReminderChange) -> bool:
        """Return whether the new times depend on a guessed zone. A span from now does not: it is equal in any zone."""
        if not (self.at or self.after):
            return before.is_zone_guessed
        return change.is_zone_guessed and (not self.after or bool(self.every))

    def _moved_times(self, before: ReminderSpec, change: ReminderChange) -> Mapping[str, Any] | str:
        """Return the new times of a one-time reminder, or of the next time of a repeating one, or a sentence about the
        problem with them.

        To put a reminder off by a span, the span is added to the reminder's own time, or to the time of the request if
        the reminder's time has passed.

        If only a time of day is given, the reminder keeps its day, unless the new time on that day has passed. If the
        old or the new time is at night, the new time is set to the day on which it is nearest to the old one, since
        people think of the hours after midnight as part of the evening before.
        """
        from shared.reminders.times.proposal import is_time_of_day

        asked_at, zone = change.asked_at, change.asked_zone
        if self.after or not is_time_of_day(self.at or ""):
            asked_at = max(asked_at, before.first_at) if self.what == "put-off" and self.after else asked_at
            return self._times(asked_at, zone, None, self.at)
        old = civil_of(before.first_at, parse_zone(zone))
        day, nearest = (
            self._times(max(asked_at, instant_of(since, parse_zone(zone))), zone, None, self.at)
            for since in (datetime.combine(old, time()) - timedelta(seconds=1), old - timedelta(hours=12))
        )
        is_at_night = not isinstance(day, str) and datetime.fromisoformat(day["start"]).hour < NIGHT_ENDS
        return nearest if is_at_night or old.hour < NIGHT_ENDS else day

    def loses(self, before: ReminderSpec, after: ReminderSpec | None) -> bool:
        """Return whether the change removes something that is not shown anywhere else: a rule, or text.

        The confirmation shows the old time beside the new one, so the time is not lost.
        """
        if after is None or self.what == "put-off":
            return after is None and bool(before.rule)
        is_reworded = (before.text, before.instruction) != (after.text, after.instruction)
        return is_reworded or bool(before.rule or after.rule)

    def asked_for(self, words: Words) -> Phrase:
        """Return the question that is shown above the confirmation button."""
        from shared.reminders.times.reminder_text import spec_time_text

        change = self.resolved
        if change is None or change.before is None:
            raise ValueError("the change is not resolved; call ReminderEditor.resolve_changes first")
        when, text = spec_time_text(words, change.before), _words_of(change.before, change.whose)
        if change.after is None:
            return words.say("confirm.cancel_reminder", when=when, text=text)
        later = spec_time_text(words, change.after)
        if self.what == "put-off":
            return words.say("confirm.put_off", when=later, text=text, before=when)
        return words.say("confirm.change_reminder", before=when, old=text, when=later, text=_words_of(change.after))

    async def take_effect(self, context: EffectContext) -> Plan:
        """Change the reminder, if it has not changed since the plan was made."""
        from shared.reminders.editor import ReminderEditor  # loaded only when needed

        editor = ReminderEditor.of(context.ports, context.clock)
        return await editor.change(context.session, context.plan, context.planned)

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        return TaskNote(f"{self.what} reminder {self.reminder}")

    def summary(self) -> str:
        return f"{self.what} {self.reminder}"


def _words_of(arranged: ReminderSpec, whose: str = "") -> str:
    """Return the text or instruction of a spec, followed by the owner's name `whose` unless that is ""."""
    said = arranged.text or arranged.instruction
    return f"{said} ({whose})" if whose else said


TASK = ChangeReminder
