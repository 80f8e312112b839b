"""Consult the model about a batch: ask the question, answer its tool calls, review its plan, and return the reply."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from shared.base.language.terms import telling_terms
from shared.deciding.names import script_of
from shared.memory.loaded import LoadedMemories, PlanContext
from shared.memory.prompt_memories import has_other_sources
from shared.memory.upsert import FULL, MemoryFull, RefusedMemory
from shared.memory.wishes import apply_memory_wishes
from shared.planning.format.raw_task import ReplyProblem
from shared.planning.format.reply import ParsedReply
from shared.planning.guard.guard import LeakGuard
from shared.planning.guard.promising import promises_to_remember
from shared.planning.guard.review import review_tasks
from shared.planning.planner import PlanResult
from shared.planning.prompt.attaching import holds_no_text
from shared.planning.prompt.origins import is_derived
from shared.planning.prompt.scene import Scene
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.registry import traits_of
from shared.tasks.task import Task
from shared.tools.browsing import Browsing
from shared.tools.tool import ToolContext
from shared.tools.toolbox import Toolbox
from shared.turn.batch import InboxBatch, people_of
from shared.turn.web import escape_answer, known_links, with_shown_links
from shared.values.agent import parse_zone
from shared.values.decision import RecallNote
from shared.values.described import files_without_description
from shared.values.evolve import evolve
from shared.values.media import MediaRef
from shared.values.memory import MemoryScope
from shared.values.message import AnyEntry, Message
from shared.values.origin import NOT_YET_SEEN, UNSEEN, ConversationSpan, ShownSpan, merge_spans
from shared.values.prompt import Prompt, ToolAnswer, ToolCall
from shared.values.usage import payer_of

if TYPE_CHECKING:
    from shared.chat.store.bots import FirestoreOwners

#: without this sentence, small models answer a correction with only the corrected part
AGAIN = "Write the whole plan again."
PROMISED = (
    "You say that you will remember something, but your plan keeps nothing: words alone are forgotten. "
    "Write the whole plan again, with a `remember` for it; or, if there is nothing to keep, without saying so."
)


@dataclass(frozen=True, kw_only=True)
class PlanReviewer:
    """Reviews a plan: finds leaks of the prompt, and checks the tasks against the conversation and the memories."""

    guard: LeakGuard
    scene: Scene
    loaded_memories: LoadedMemories
    #: the messages that the plan answers
    answered: Sequence[Message]

    def __call__(self, parsed: ParsedReply, may_send_back: bool) -> ParsedReply | ReplyProblem:
        """Return the plan without leaks, with times and memories checked; or a problem that the model must solve."""
        reviewed = review_tasks(parsed.tasks, self.guard, may_send_back=may_send_back)
        if isinstance(reviewed, ReplyProblem):
            return reviewed
        tasks = self._resolve_tasks(reviewed.tasks)
        if isinstance(tasks, ReplyProblem):
            return tasks
        problem = self._problem_of_memories(tasks) if may_send_back else ""
        return ReplyProblem(problem) if problem else ParsedReply(tasks, (*parsed.notes, *reviewed.notes))

    def _resolve_tasks(self, tasks: Sequence[Task]) -> tuple[Task, ...] | ReplyProblem:
        """Return the tasks with their times resolved. A time zone that a task sets also applies to later tasks."""
        scene, zone, timed = self.scene, self.scene.said_zone, list[Task]()
        is_guess = scene.zones.is_zone_guessed
        names = {**{str(one.id): one.name for one in scene.people.blocked}, **self.loaded_memories.texts}
        for task in self._without_odd_reactions(tasks):
            found = self._problem_of(task) or task.at_instants(scene.now, zone)
            found = found if isinstance(found, str) else found.naming(names)
            if isinstance(found, str):
                return ReplyProblem(f"{found} {AGAIN}")
            is_guess, zone = is_guess and not found.told_zone, found.told_zone or zone
            timed.append(_with_zone(found, zone, is_guess=is_guess))
        return tuple(timed)

    def _without_odd_reactions(self, tasks: Sequence[Task]) -> Sequence[Task]:
        """Return the tasks without impossible reactions. If no text would remain, return all tasks."""
        odd = [one for one in tasks if one.traits.on_failure.is_worded_alone and self._problem_of(one)]
        return without(tasks, odd) if any(task.words for task in tasks if task not in odd) else tasks

    def _problem_of(self, task: Task) -> str:
        return task.problem_in(self.scene.entries, self.scene.agent.photos)

    def _problem_of_memories(self, tasks: Sequence[Task]) -> str:
        """Return what is wrong with the memory tasks, or that a promised one is missing; "" if nothing is wrong.

        A memory task that passes here may still be refused when the plan is made, since the model may have seen
        untrusted text by then.
        """
        is_full, found = False, self.loaded_memories
        told = PlanContext(plan="", now=self.scene.now, owner=self.scene.people.owner)
        for task in tasks:
            wish = task.memory_wish
            after = found.with_wish(wish, self.answered, task.id, told) if wish is not None else found
            if isinstance(
                after, MemoryFull
            ):  # then lull asks which memory to remove, unless a text claims that the new memory is stored
                is_full = True
            elif isinstance(after, RefusedMemory):
                return f"{after.why} {AGAIN}"
            else:
                found = after
        kinds = {task.kind for task in tasks}
        can = any(traits_of(kind).uses.memories for kind in self.scene.offer.kinds)
        is_kept = any(traits_of(kind).uses.memories or traits_of(kind).uses.times for kind in kinds)
        said = " ".join(task.words for task in tasks if task.traits.is_text)
        if is_full and promises_to_remember(said):
            return f"{FULL} Write the whole plan again, without saying that you remember it."
        return PROMISED if can and not is_kept and promises_to_remember(said) else ""


def without(tasks: Sequence[Task], dropped: Collection[Task]) -> tuple[Task, ...]:
    """Return the tasks that are not dropped. A task that depended on a dropped task gets that task's dependencies."""
    kept, instead = list[Task](), dict[str, tuple[str, ...]]()
    for task in tasks:  # every task follows its dependencies
        needed = tuple(dict.fromkeys(later for one in task.depends_on for later in instead.get(one, (one,))))
        if task in dropped:
            instead[task.id] = needed
        else:
            kept.append(evolve(task, depends_on=needed))
    return tuple(kept)


def _with_zone(task: Task, zone: str, *, is_guess: bool) -> Task:
    """Return the task. If its time depends on the zone, note whether the zone was stated or guessed."""
    wanted, change = task.reminder_spec, task.reminder_change
    if change is not None and change.resolved is not None:
        return task.with_resolved(evolve(change.resolved, is_zone_guessed=is_guess))
    if wanted is None or wanted.zone != zone:
        return task
    is_guessed = is_guess and wanted.is_by_clock
    return task.with_resolved(evolve(wanted, is_zone_guessed=is_guessed, is_zone_told=not is_guess))


@dataclass(frozen=True, kw_only=True)
class PlanQuestion:
    """The question to the model: the batch to be answered, and the tasks that are still planned."""

    batch: InboxBatch
    #: the tasks that are still planned
    pending: Sequence[PlannedTask] = ()
    #: the memories after the reply to an earlier version of the batch; None for the first reply
    known: LoadedMemories | None = None
    #: whether Telegram refuses messages to this chat at the moment; then no preview is shown
    is_put_off: bool = False


@dataclass(frozen=True, kw_only=True)
class PlannedReply:
    """The reply to a batch: the model's plan, or an apology, with what was loaded and found for it."""

    result: PlanResult
    #: the memories that were loaded for the question; None if no model answered
    loaded_memories: LoadedMemories | None = None
    #: whether the model saw texts of people whom it does not answer, or results of a tool
    is_mixed: bool = True
    #: the number of the last entry that the conversation's newest summary covers, if another summary is due; else None
    compress_after: int | None = None
    #: a note on the passages that were recalled for the question; None if recall is off
    recall: RecallNote | None = None
    #: files without a description that the model was shown, or about which it had written before
    unseen: tuple[MediaRef, ...] = ()
    #: whether no model answered, and none will be asked again
    is_given_up: bool = False

    @property
    def waits_for_unseen(self) -> bool:
        """Whether the plan does more than talk, and is untrusted only because some files are not described yet."""
        is_alone = bool(self.unseen) and NOT_YET_SEEN.issuperset(self.result.outside)
        return is_alone and not all(map(_is_talk, self.result.tasks))

    def having_seen(self, refs: Sequence[MediaRef]) -> PlannedReply:
        """Return the reply after the descriptions of its files, `refs`, were looked up again. If none of these files
        contains text, the reply no longer counts as untrusted because of them.
        """
        if not all(map(holds_no_text, refs)):
            return self
        outside = tuple(what for what in self.result.outside if what not in NOT_YET_SEEN)
        return replace(self, result=replace(self.result, outside=outside, unseen=()), unseen=())

    async def apply_memory_wishes(
        self, plan: Plan, answered: Sequence[Message], owners: FirestoreOwners | None, now: datetime
    ) -> tuple[Plan, LoadedMemories | None]:
        """Return the plan and the memories after the plan's memory tasks were carried out. Raises StoreUnavailable."""
        if self.loaded_memories is None:
            return plan, None
        wishes = [wish for planned in plan.tasks if (wish := planned.task.memory_wish) is not None]
        # the owner is read anew, since whether a task is permitted depends on who the owner is
        needs_owner = any(wish.memory or wish.scope is MemoryScope.AGENT for wish in wishes)
        agent = self.loaded_memories.here.key.agent
        owner = await owners.owner(agent) if owners is not None and needs_owner else None
        outside = ", ".join(plan.outside)
        told = PlanContext(plan=plan.id, now=now, outside=outside, is_mixed=self.is_mixed, owner=owner or 0)
        return apply_memory_wishes(plan, self.loaded_memories, answered, told)


@dataclass(frozen=True, kw_only=True)
class PlanConsultation:
    """A question that the model is working on: its scene, and the web addresses and memories known so far."""

    scene: Scene
    batch: InboxBatch
    toolbox: Toolbox
    browsing: Browsing
    loaded_memories: LoadedMemories
    #: the ids of the memories that the model looked up
    touched: set[str] = field(default_factory=set)
    #: the messages of other conversations that tools showed the model
    shown: list[ShownSpan] = field(default_factory=list)

    async def answers_to(self, calls: Sequence[ToolCall], saw_outside: bool, now: datetime) -> Sequence[ToolAnswer]:
        """Carry out the model's tool calls, and return the tools' answers."""
        scene, batch = self.scene, self.batch
        people = {message.author.id: message.author for message in batch.targets}
        context = ToolContext(
            asker=next(iter(people.values())) if len(people) == 1 else None,
            payer=payer_of(people_of(batch)),
            chat=scene.chat.key,
            kind=batch.kind,
            places=scene.chat.places,
            conversation=scene.chat.conversation,
            now=now,
            zone=parse_zone(scene.said_zone),
            saw_outside=saw_outside,
            is_asked=all(message.reminder is None for message in batch.targets),
            browsing=self.browsing,
            remembered=self.loaded_memories.known,
            touched=self.touched,
            shown=self.shown,
        )
        self.browsing.begin_round()
        return [escape_answer(answer) for answer in await self.toolbox.answers_to(calls, scene.agent.tools, context)]

    def reviewer(self, guard: LeakGuard) -> PlanReviewer:
        """Return the reviewer for the replies to this question."""
        return PlanReviewer(
            guard=guard, scene=self.scene, loaded_memories=self.loaded_memories, answered=self.batch.targets
        )

    def reply(self, prompt: Prompt, result: PlanResult, now: datetime) -> PlannedReply:
        """Return the reply. In its texts, the host of each address that the model invented is added after the link."""
        links, tasks = tuple(known_links(result.tasks, self.browsing)), with_shown_links(result.tasks, self.browsing)
        words, asked = _words(tasks), _words(self.batch.targets)
        shown = (*self.scene.earlier.elsewhere, *(replace(one, is_looked_up=True) for one in self.shown))
        elsewhere = merge_spans(one.where for one in shown)
        used = derived_spans(tasks, asked, shown, self.scene.entries, self.scene.chat.locale.last_language)
        unseen = tuple(file.unseen for file in self.scene.attached if file.unseen is not None)
        result = replace(result, tasks=tasks, known_links=links, elsewhere=elsewhere, derived=used)
        if is_derived(
            what for what in result.outside if what != UNSEEN
        ):  # untrusted text of another kind would mark the plan's texts anyway
            result = replace(result, unseen=tuple(one.unique_id for one in unseen))
        return PlannedReply(
            result=result,
            loaded_memories=self.loaded_memories.with_use(words, asked, frozenset(self.touched), now),
            unseen=(*unseen, *files_without_description(self.scene.entries)),
            is_mixed=has_other_sources(prompt.sources, result.uses, people_of(self.batch)),
        )


def _is_talk(task: Task) -> bool:
    """Return whether a task only shows something to people now, without buttons."""
    traits = task.traits
    return traits.stays_in_chat and traits.is_seen and not (traits.uses.times or task.offered)


def _words(said: Iterable[Task | Message]) -> str:
    return " ".join(one.words if isinstance(one, Task) else one.text for one in said)


def derived_spans(
    tasks: Sequence[Task],
    asked: str,
    shown: Sequence[ShownSpan],
    entries: Iterable[AnyEntry],
    language: str = "",
) -> tuple[tuple[ConversationSpan, ...], ...]:
    """Return, for each task, the messages of other conversations on which its texts may be based.

    `shown`: the messages of other conversations that the model was shown. `asked`: the text that the plan answers; its
    words are ignored, since an answer repeats them anyway. `entries`: the plan's own conversation. If a task shares
    words with an earlier answer there, the messages on which that answer may be based are included.
    """
    earlier = [entry for entry in entries if isinstance(entry, Message) and entry.elsewhere]
    if not shown and not earlier:
        return ()
    asked_terms = telling_terms(asked, language)
    used = [telling_terms(" ".join(_texts(task)), language) - asked_terms for task in tasks]
    known = [(one.where, [(person, telling_terms(text, language)) for person, text in one.said]) for one in shown]
    found = [list(filter(None, (_used_of(where, said, terms) for where, said in known))) for terms in used]
    if not any(found):
        written = _scripts(text for task in tasks for text in _texts(task))
        maybe = [one.where for one in shown if one.is_looked_up or not written & _scripts(text for _, text in one.said)]
        found = [[] if task.memory_wish is not None else list(maybe) for task in tasks]
    answers = [(entry.elsewhere, telling_terms(entry.text, language)) for entry in earlier]
    for own, terms in zip(found, used, strict=True):
        own += [where for elsewhere, said in answers if terms & said for where in elsewhere]
    return tuple(map(merge_spans, found))


def _texts(task: Task) -> Iterable[str]:
    """Return every text of a task that people will read, now or later."""
    wish, arranged, file = task.memory_wish, task.reminder_spec or task.reminder_change, task.file_request
    later = (arranged.text or "", arranged.instruction or "") if arranged is not None else ()
    return (task.words, *task.offered, wish.text if wish else "", *later, file.words if file else "")


def _scripts(texts: Iterable[str]) -> set[str]:
    return {script_of(letter) for text in texts for letter in set(text) if letter.isalpha()}


def _used_of(
    where: ConversationSpan, said: Sequence[tuple[int, frozenset[str]]], used: frozenset[str]
) -> ConversationSpan | None:
    """Return the span, reduced to the people whose words were used.

    The whole span is returned if the agent's own words were used, and None if no words of the span were used.
    """
    people = {person for person, terms in said if used & terms}
    if not people or 0 in people:
        return where if people else None
    return evolve(where, people=tuple(one for one in where.people if one in people))
