"""Replying: from what was said to a plan, or to an honest sentence when there is none to be had."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

from ulid import ULID

from shared.executing.graph import planned
from shared.executing.runner import recipient_of
from shared.guarding.guard import Watch, watch_over
from shared.guarding.review import review
from shared.logs import current_trace, log
from shared.models.agent import Agent, Codec
from shared.models.chat import Chat, ChatKind
from shared.models.message import AnyEntry
from shared.models.prompt import CompressionSummary, PromptFormat
from shared.models.retry import Budgets
from shared.planning.planner import Drafted, Terms, draft_plan
from shared.planning.reply import ParsedReply, ReplyProblem
from shared.planning.schema import spelling
from shared.ports.chats import Compressions
from shared.ports.outside import Model
from shared.preview.drafts import Drafting
from shared.preview.first_message import first_text
from shared.preview.visible import glimpse
from shared.prompting.assemble import Scene, assemble, room_in
from shared.prompting.budget import learned
from shared.prompting.compression import due_up_to
from shared.prompting.scene import CONTEXT_MAX_TOKENS
from shared.session.session import Session
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.registry import usable
from shared.tasks.send import Send
from shared.tools.toolbox import tools_named
from shared.turn.batch import Batch

#: asks the model; people may be shown what is told of its reply meanwhile
Ask: TypeAlias = Callable[[Callable[[str], None] | None], Awaitable[Drafted]]

#: a conversation of so few entries is never summarised
SHORT = 20

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
    budgets: Budgets = field(default=Budgets())
    #: where summaries of long conversations are; none: they are cut instead
    compressions: Compressions | None = None

    def mind_of(self, chat: Chat) -> Mind:
        """The model that a conversation uses."""
        return self.choices.get(chat.model) or next(iter(self.choices.values()))

    async def draft(
        self, hold: Session, batch: Batch, pending: Sequence[PlannedTask], *, is_put_off: bool = False
    ) -> Drafted:
        """What the model wants done about a batch. Raises ModelUnavailable.

        `is_put_off`: Telegram takes nothing in this chat just now, so nobody is shown anything of it meanwhile.
        """
        mind = self.mind_of(hold.chat)
        scene = await self._scene(hold, batch, pending)
        prompt = assemble(scene)
        if prompt.size is not None:
            size: dict[str, Any] = prompt.size.model_dump(exclude={"layers"}) | prompt.size.layers
            log("a prompt", **size)
        watch = watch_over(scene, prompt)
        tools = tools_named(self.agent.tools)

        def ask(on_text: Callable[[str], None] | None) -> Awaitable[Drafted]:
            terms = Terms(
                clock=self.clock,
                codec=self._codec,
                tools=tools,
                budgets=self.budgets,
                on_text=on_text,
                review=partial(_reviewed, watch),
                room=room_in(scene, prompt),
                names_messages=self._names_messages,
            )
            return draft_plan(mind.model, prompt, self.agent.kinds, terms)

        drafted = await (ask(None) if is_put_off else self._shown(hold, batch, watch, ask))
        if drafted.calls:
            counted = drafted.calls[0].prompt_tokens
            hold.note_chat(characters_per_token=learned(scene.characters_per_token, prompt.characters, counted))
        return drafted

    async def _scene(self, hold: Session, batch: Batch, pending: Sequence[PlannedTask]) -> Scene:
        chat = hold.chat.model_copy(update={"kind": batch.kind, "title": batch.title or hold.chat.title})
        is_long = self.compressions is not None and chat.seq > SHORT
        seen = await self.compressions.read(chat.conversation) if self.compressions and is_long else None
        background = self.background(chat, await hold.window(), seen.summary if seen else None)
        if seen is not None and due_up_to(background, hold.window_entries):
            hold.full_after = seen.up_to_seq
        return replace(
            background,
            entries=(*background.entries, *batch.entries),
            targets=[message.message_id for message in batch.targets],
            pending=pending,
            is_start=_is_start(hold.chat, batch),
        )

    def background(self, chat: Chat, entries: Sequence[AnyEntry], summary: CompressionSummary | None) -> Scene:
        """What was said in a chat, with nothing to be answered."""
        written = (
            self.mind_of(chat).notes,
            spelling(self.agent.kinds, self._codec, names_messages=self._names_messages),
        )
        return Scene(
            agent=self.agent.only(usable(self.agent.kinds, names_messages=self._names_messages)),
            model_notes="\n\n".join(note for note in written if note),
            chat=chat,
            entries=entries,
            targets=(),
            pending=(),
            now=self.clock(),
            format=self.format,
            max_tokens=self.max_tokens,
            characters_per_token=chat.characters_per_token,
            timezone=self.agent.front.timezone,
            compression=summary,
            tools=[tool.declaration for tool in tools_named(self.agent.tools)],
        )

    async def _shown(self, hold: Session, batch: Batch, watch: Watch, ask: Ask) -> Drafted:
        """What was drafted; in a private chat people see the first message grow, without what leaks into it."""
        if self.drafting is None or batch.kind is not ChatKind.PRIVATE or not batch.targets:
            return await ask(None)

        def read(told: str) -> str:
            return glimpse(first_text(told, self._codec), watch)

        draft_id = batch.targets[-1].message_id
        async with self.drafting.answer(recipient_of(hold), draft_id, read) as draft:
            drafted = await ask(draft.offer)
        return replace(drafted, was_shown=draft.is_shown)

    @property
    def _codec(self) -> Codec:
        return self.agent.front.codec

    @property
    def _names_messages(self) -> bool:
        return self.format is PromptFormat.META

    def plan(self, drafted: Drafted, batch: Batch) -> Plan:
        """The plan for a batch: what was drafted, or one honest sentence."""
        if drafted.failure:
            log(f"no plan: {drafted.failure}")
        tasks = drafted.tasks if drafted.tasks or not drafted.failure else apology(batch, NO_PLAN)
        return Plan(
            id=str(ULID()),
            created_at=self.clock(),
            tasks=_seen_typed(planned(tasks)) if drafted.was_shown else planned(tasks),
            answers=tuple(message.message_id for message in batch.targets),
            notes=(*drafted.notes, drafted.failure) if drafted.failure else drafted.notes,
            calls=drafted.calls,
            trace=current_trace(),
        )


def _is_start(chat: Chat, batch: Batch) -> bool:
    """Whether the agent is drawn into what a group said without it."""
    is_group = batch.kind in {ChatKind.GROUP, ChatKind.SUPERGROUP}
    return is_group and bool(batch.targets) and not chat.is_active(batch.targets[0].at)


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
