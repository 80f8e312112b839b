"""Consulting the model about a batch: what it is asked with, what helps it meanwhile, and what came of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from shared.executing.remembering import remembered
from shared.guarding.guard import LeakGuard
from shared.memory.recollection import Recollection, Told
from shared.models.agent import zone_named
from shared.models.decision import RecallNote
from shared.models.described import unseen_before
from shared.models.media import MediaRef
from shared.models.memory import MemoryScope
from shared.models.message import Message
from shared.models.origin import NOT_YET_SEEN, UNSEEN, ShownElsewhere, merged
from shared.models.prompt import Prompt, ToolAnswer, ToolCall
from shared.models.usage import payer_of
from shared.planning.planner import PlanResult
from shared.ports.chats import Owners
from shared.prompting.attaching import holds_no_text
from shared.prompting.origins import is_derived
from shared.prompting.scene import Scene
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.task import Task
from shared.tools.tool import ToolContext
from shared.tools.toolbox import Toolbox
from shared.tools.web.browsing import Browsing
from shared.turn.batch import Batch, people_of
from shared.turn.deriving import derived
from shared.turn.recollecting import is_mixed
from shared.turn.reviewing import Reviewer
from shared.turn.web import harmless, known_links, with_shown_links


@dataclass(frozen=True, kw_only=True)
class Question:
    """What the model is asked about."""

    batch: Batch
    #: what is still planned
    pending: Sequence[PlannedTask] = ()
    #: what an earlier reply about the batch left remembered; none: it is the first
    known: Recollection | None = None
    #: whether Telegram takes nothing in this chat for now, so that no preview is shown
    is_put_off: bool = False


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came of asking the model about a batch."""

    result: PlanResult
    #: what was remembered for it; none: no model answered
    recollection: Recollection | None = None
    #: whether it saw the words of others than whom it answers, or what a tool found
    is_mixed: bool = True
    #: the entry after which the conversation is to be summarised: where its last summary ends; none: no summary is due
    compress_after: int | None = None
    #: what was recalled for it; none: nothing ever is here
    recall: RecallNote | None = None
    #: files of which nobody had looked whether text stands in them, that it was shown or had written of before
    unseen: tuple[MediaRef, ...] = ()
    #: whether no model answers, and none is tried any more
    is_given_up: bool = False

    @property
    def waits_for_unseen(self) -> bool:
        """Whether what its plan may do depends on such files alone; what it says is marked until they are seen."""
        is_alone = bool(self.unseen) and NOT_YET_SEEN.issuperset(self.result.outside)
        return is_alone and not all(map(_is_talk, self.result.tasks))

    def having_seen(self, refs: Sequence[MediaRef]) -> "Reply":
        """The reply, now that somebody may have looked at those files: what holds no text marks nothing."""
        if not all(map(holds_no_text, refs)):
            return self
        outside = tuple(what for what in self.result.outside if what not in NOT_YET_SEEN)
        return replace(self, result=replace(self.result, outside=outside, unseen=()), unseen=())

    async def remembered(
        self, plan: Plan, answered: Sequence[Message], owners: Owners | None, now: datetime
    ) -> tuple[Plan, Recollection | None]:
        """The plan that was made of it, its wishes of memories done, and what is remembered then.

        Raises StoreUnavailable.
        """
        if self.recollection is None:
            return plan, None
        wishes = [wish for planned in plan.tasks if (wish := planned.task.memory_wish) is not None]
        # asked anew, since a right depends on it
        needs_owner = any(wish.memory or wish.scope is MemoryScope.AGENT for wish in wishes)
        agent = self.recollection.here.key.agent
        owner = await owners.owner(agent) if owners is not None and needs_owner else None
        outside = ", ".join(plan.outside)
        told = Told(plan=plan.id, now=now, outside=outside, is_mixed=self.is_mixed, owner=owner or 0)
        return remembered(plan, self.recollection, answered, told)


@dataclass(frozen=True, kw_only=True)
class Consultation:
    """One question while it is answered: its scene, and what is known of the web and of people meanwhile."""

    scene: Scene
    batch: Batch
    toolbox: Toolbox
    browsing: Browsing
    recollection: Recollection
    #: the ids of the memories that the model looked up
    touched: set[str] = field(default_factory=set)
    #: what the model was shown of other conversations by its tools
    shown: list[ShownElsewhere] = field(default_factory=list)

    async def answers_to(self, calls: Sequence[ToolCall], saw_outside: bool, now: datetime) -> Sequence[ToolAnswer]:
        """What the agent's tools answer to whoever is being answered."""
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
            zone=zone_named(scene.said_zone),
            saw_outside=saw_outside,
            is_asked=all(message.reminder is None for message in batch.targets),
            browsing=self.browsing,
            remembered=self.recollection.known,
            touched=self.touched,
            shown=self.shown,
        )
        self.browsing.begin_round()
        return [harmless(answer) for answer in await self.toolbox.answers_to(calls, scene.agent.tools, context)]

    def reviewer(self, guard: LeakGuard) -> Reviewer:
        """Who reviews the reply."""
        return Reviewer(guard=guard, scene=self.scene, recollection=self.recollection, answered=self.batch.targets)

    def reply(self, prompt: Prompt, result: PlanResult, now: datetime) -> Reply:
        """What came of it, with the links that people are shown."""
        links, tasks = tuple(known_links(result.tasks, self.browsing)), with_shown_links(result.tasks, self.browsing)
        words, asked = _words(tasks), _words(self.batch.targets)
        shown = (*self.scene.elsewhere, *(replace(one, is_looked_up=True) for one in self.shown))
        elsewhere = merged(one.where for one in shown)
        used = derived(tasks, asked, shown, self.scene.entries, self.scene.chat.last_language)
        unseen = tuple(file.unseen for file in self.scene.attached if file.unseen is not None)
        result = replace(result, tasks=tasks, known_links=links, elsewhere=elsewhere, derived=used)
        if is_derived(what for what in result.outside if what != UNSEEN):  # nothing else marks what it says
            result = replace(result, unseen=tuple(one.unique_id for one in unseen))
        return Reply(
            result=result,
            recollection=self.recollection.used(words, asked, frozenset(self.touched), now),
            unseen=(*unseen, *unseen_before(self.scene.entries)),
            is_mixed=is_mixed(prompt.sources, result.uses, people_of(self.batch)),
        )


def _is_talk(task: Task) -> bool:
    """Whether a task does nothing but show people something now, with no buttons."""
    traits = task.traits
    return traits.stays_in_chat and traits.is_seen and not (traits.takes_times or task.offered)


def _words(said: Iterable[Task | Message]) -> str:
    """The words of tasks, or of messages."""
    return " ".join(one.words if isinstance(one, Task) else one.text for one in said)
