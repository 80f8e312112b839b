"""Replying: from what was said to a plan, or to an honest sentence when there is none to be had."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from ulid import ULID

from shared.executing.drafting import Drafting
from shared.executing.graph import planned
from shared.executing.runner import recipient_of
from shared.flows.batch import Batch
from shared.logs import current_trace, log
from shared.models.agent import Agent, Codec
from shared.models.chat import ChatKind
from shared.models.plan import Plan, PlannedTask, Send
from shared.models.prompt import PromptFormat
from shared.planning.partial import first_text
from shared.planning.planner import Drafted, Terms, draft_plan
from shared.planning.reply import ParsedReply, ReplyProblem
from shared.planning.spelling import spelling
from shared.ports import Model
from shared.prompting.assemble import Scene, assemble
from shared.prompting.leaks import review
from shared.prompting.scene import CONTEXT_MAX_TOKENS
from shared.prompting.tokens import learned
from shared.prompting.watch import Watch, watch_over
from shared.ticking.holding import Holding

NO_PLAN = "Sorry, I could not put an answer together just now. Please ask me again."
NO_MODEL = "Sorry, I cannot reach the model that I think with right now. Please ask me again in a while."


@dataclass(frozen=True, kw_only=True)
class Mind:
    """A model that a conversation may use, and the prompt that belongs to it."""

    model: Model
    notes: str


@dataclass(frozen=True, kw_only=True)
class Replier:
    """What replying needs: the agent, and by name the models that may be chosen, the usual one first."""

    choices: Mapping[str, Mind]
    agent: Agent
    format: PromptFormat
    clock: Callable[[], datetime]
    max_tokens: int = CONTEXT_MAX_TOKENS
    drafting: Drafting | None = None

    async def draft(self, hold: Holding, batch: Batch, pending: Sequence[PlannedTask]) -> Drafted:
        """What the model wants done about a batch. Raises ModelUnavailable."""
        mind = self.choices.get(hold.chat.model) or next(iter(self.choices.values()))
        scene = await self._scene(hold, batch, pending, mind.notes)
        prompt = assemble(scene)
        if prompt.size is not None:
            size: dict[str, Any] = prompt.size.model_dump(exclude={"layers"}) | prompt.size.layers
            log("a prompt", **size)
        watch = watch_over(scene, prompt)

        def ask(on_text: Callable[[str], None] | None) -> Awaitable[Drafted]:
            terms = Terms(codec=self._codec, on_text=on_text, review=partial(_reviewed, watch))
            return draft_plan(mind.model, prompt, self.agent.kinds, terms)

        drafted = await self._shown(hold, batch, ask)
        if drafted.calls:
            counted = drafted.calls[0].prompt_tokens
            hold.note_chat(characters_per_token=learned(scene.characters_per_token, prompt.characters, counted))
        return drafted

    async def _scene(self, hold: Holding, batch: Batch, pending: Sequence[PlannedTask], notes: str) -> Scene:
        written = (notes, spelling(self.agent.kinds, self._codec))
        return Scene(
            agent=self.agent,
            model_notes="\n\n".join(note for note in written if note),
            chat=hold.chat.model_copy(update={"kind": batch.kind, "title": batch.title or hold.chat.title}),
            entries=(*await hold.window(), *batch.entries),
            targets=[message.message_id for message in batch.targets],
            pending=pending,
            now=self.clock(),
            format=self.format,
            max_tokens=self.max_tokens,
            characters_per_token=hold.chat.characters_per_token,
            timezone=self.agent.front.timezone,
        )

    async def _shown(
        self, hold: Holding, batch: Batch, ask: Callable[[Callable[[str], None] | None], Awaitable[Drafted]]
    ) -> Drafted:
        """What was drafted; in a private chat people see the first message grow."""
        if self.drafting is None or batch.kind is not ChatKind.PRIVATE or not batch.targets:
            return await ask(None)
        read = partial(first_text, codec=self._codec)
        draft_id = batch.targets[-1].message_id
        async with self.drafting.answer(recipient_of(hold), draft_id, read) as draft:
            drafted = await ask(draft.offer)
        return replace(drafted, was_shown=draft.is_shown)

    @property
    def _codec(self) -> Codec:
        return self.agent.front.codec

    def plan(self, drafted: Drafted, batch: Batch) -> Plan:
        """The plan for a batch: what was drafted, or one honest sentence."""
        if drafted.failure:
            log(f"no plan: {drafted.failure}")
        tasks = drafted.tasks if not drafted.failure else apology(batch, NO_PLAN)
        return Plan(
            id=str(ULID()),
            created_at=self.clock(),
            tasks=_seen_typed(planned(tasks)) if drafted.was_shown else planned(tasks),
            answers=tuple(message.message_id for message in batch.targets),
            notes=(*drafted.notes, drafted.failure) if drafted.failure else drafted.notes,
            calls=drafted.calls,
            trace=current_trace(),
        )


def apology(batch: Batch, text: str) -> tuple[Send, ...]:
    """One sentence to whoever is waiting for an answer; in a group as a reply, so that nobody else wonders."""
    target = batch.targets[-1].message_id if batch.targets and batch.kind is not ChatKind.PRIVATE else None
    return (Send(id="1", text=text, reply_to=target),)


def _reviewed(watch: Watch, parsed: ParsedReply, may_send_back: bool) -> ParsedReply | ReplyProblem:
    """The plan without what leaked of the prompt into it, or what to tell the model."""
    found = review(parsed.tasks, watch, may_send_back=may_send_back)
    return found if isinstance(found, ReplyProblem) else ParsedReply(found.tasks, (*parsed.notes, *found.notes))


def _seen_typed(tasks: tuple[PlannedTask, ...]) -> tuple[PlannedTask, ...]:
    """The tasks, the first message of which was seen growing already."""
    first = next((t for t in tasks if isinstance(t.task, Send)), None)
    return tuple(t.model_copy(update={"is_typed": True}) if t is first else t for t in tasks)
