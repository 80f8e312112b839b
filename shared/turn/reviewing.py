"""Reviewing: a valid reply is cleaned of what leaked of its prompt, and what it names and promises is checked."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from shared.guarding.guard import LeakGuard
from shared.guarding.promising import promises_to_remember
from shared.guarding.review import review
from shared.memory.recollection import Recollection, Told
from shared.memory.upsert import FULL, Full, Refused
from shared.models.message import Message
from shared.prompting.scene import Scene
from shared.spelling.raw_task import ReplyProblem
from shared.spelling.reply import ParsedReply
from shared.tasks.registry import traits_of
from shared.tasks.task import Task

#: small models answer a correction with what it asks for alone
AGAIN = "Write the whole plan again."
PROMISED = (
    "You say that you will remember something, but your plan keeps nothing: words alone are forgotten. "
    "Write the whole plan again, with a `remember` for it; or, if there is nothing to keep, without saying so."
)


@dataclass(frozen=True, kw_only=True)
class Reviewer:
    """What a reply is held against: the prompt's secrets, the conversation, and what is remembered."""

    guard: LeakGuard
    scene: Scene
    recollection: Recollection
    #: the messages that are answered
    answered: Sequence[Message]

    def __call__(self, parsed: ParsedReply, may_send_back: bool) -> ParsedReply | ReplyProblem:
        """The plan without leaks, its times and memories resolved; or what to tell the model."""
        reviewed = review(parsed.tasks, self.guard, may_send_back=may_send_back)
        if isinstance(reviewed, ReplyProblem):
            return reviewed
        tasks = self._resolved(reviewed.tasks)
        if isinstance(tasks, ReplyProblem):
            return tasks
        problem = self._problem_of_memories(tasks) if may_send_back else ""
        return ReplyProblem(problem) if problem else ParsedReply(tasks, (*parsed.notes, *reviewed.notes))

    def _resolved(self, tasks: Sequence[Task]) -> tuple[Task, ...] | ReplyProblem:
        """The tasks with their times resolved, behind one that tells a zone in that zone; and what they name."""
        scene, zone, timed = self.scene, self.scene.said_zone, list[Task]()
        is_guess = scene.is_zone_guessed
        names = {**{str(one.id): one.name for one in scene.blocked}, **self.recollection.texts}
        for task in self._without_odd_reactions(tasks):
            found = self._problem_of(task) or task.at_instants(scene.now, zone)
            found = found if isinstance(found, str) else found.naming(names)
            if isinstance(found, str):
                return ReplyProblem(f"{found} {AGAIN}")
            is_guess, zone = is_guess and not found.told_zone, found.told_zone or zone
            timed.append(_with_zone(found, zone, is_guess=is_guess))
        return tuple(timed)

    def _without_odd_reactions(self, tasks: Sequence[Task]) -> Sequence[Task]:
        """The tasks; without reactions that nobody can make where others say something, which must not be lost."""
        odd = [one for one in tasks if one.traits.is_worded_alone and self._problem_of(one)]
        return without(tasks, odd) if any(task.words for task in tasks if task not in odd) else tasks

    def _problem_of(self, task: Task) -> str:
        return task.problem_in(self.scene.entries, self.scene.agent.photos)

    def _problem_of_memories(self, tasks: Sequence[Task]) -> str:
        """Why something is not remembered as it should be, or that something is promised and not kept; or empty.

        What is refused here is refused again when the plan is taken, by what it had seen then.
        """
        is_full, found, told = False, self.recollection, Told(plan="", now=self.scene.now, owner=self.scene.owner)
        for task in tasks:
            wish = task.memory_wish
            after = found.wished(wish, self.answered, task.id, told) if wish is not None else found
            if isinstance(after, Full):  # that is asked, unless words say that it is kept
                is_full = True
            elif isinstance(after, Refused):
                return f"{after.why} {AGAIN}"
            else:
                found = after
        kinds = {task.kind for task in tasks}
        can = any(traits_of(kind).remembers for kind in self.scene.offer.kinds)
        is_kept = any(traits_of(kind).remembers or traits_of(kind).takes_times for kind in kinds)
        said = " ".join(task.words for task in tasks if task.traits.is_text)
        if is_full and promises_to_remember(said):
            return f"{FULL} Write the whole plan again, without saying that you remember it."
        return PROMISED if can and not is_kept and promises_to_remember(said) else ""


def without(tasks: Sequence[Task], dropped: Collection[Task]) -> tuple[Task, ...]:
    """The other tasks; what waited for a dropped one waits for what that waited for."""
    kept, instead = list[Task](), dict[str, tuple[str, ...]]()
    for task in tasks:  # dependencies stand before what depends on them
        needed = tuple(dict.fromkeys(later for one in task.depends_on for later in instead.get(one, (one,))))
        if task in dropped:
            instead[task.id] = needed
        else:
            kept.append(task.model_copy(update={"depends_on": needed}))
    return tuple(kept)


def _with_zone(task: Task, zone: str, *, is_guess: bool) -> Task:
    """The task, with whether its time is meant in a zone that was told, or by the clock in one that is a guess."""
    wanted, change = task.arrangement, task.reminder_change
    if change is not None and change.resolved is not None:
        return task.model_copy(update={"resolved": change.resolved.model_copy(update={"is_zone_guessed": is_guess})})
    if wanted is None or wanted.zone != zone:
        return task
    marks = {"is_zone_guessed": is_guess and wanted.is_by_clock, "is_zone_told": not is_guess}
    return task.model_copy(update={"resolved": wanted.model_copy(update=marks)})
