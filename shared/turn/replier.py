"""The replier: it asks the model about a batch, and turns the model's reply into a plan."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from ulid import ULID

from shared.base.logs import current_trace, log
from shared.chat.session import Session
from shared.llm.ports.world import LanguageModel, ModelProvider
from shared.memory.loaded import LoadedMemories
from shared.memory.prompt_memories import MemoryLoader, with_memories
from shared.memory.visible import MemoryAudience
from shared.planning.guard.guard import leak_guard_for
from shared.planning.options import PlanningOptions
from shared.planning.planner import PlanResult, make_plan
from shared.planning.preview import Draft, DraftSender, first_text, safe_preview
from shared.planning.prompt.assemble import headroom_for, record_prompt, scene_and_prompt
from shared.planning.prompt.attaching import VisibleFile, attach_files, visible_files
from shared.planning.prompt.compression import due_up_to
from shared.planning.prompt.estimate import FEWEST_TOKENS, text_tokens, updated_estimate, with_estimate
from shared.planning.prompt.origins import is_derived
from shared.planning.prompt.scene import (
    CONTEXT_MAX_TOKENS,
    AnswerTargets,
    PromptBackground,
    PromptRoom,
    Scene,
    Zones,
)
from shared.recall.prompt_recall import PromptRecall
from shared.reminders.times.zones import first_zone
from shared.tasks.graph import initial_tasks
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.task import Task
from shared.tools.toolbox import Toolbox
from shared.turn.activity import with_preview
from shared.turn.batch import InboxBatch, people_of
from shared.turn.consulting import PlanConsultation, PlannedReply, PlanQuestion
from shared.turn.keeping import with_keeping
from shared.turn.language import words_for
from shared.turn.lookup import SceneLookup
from shared.turn.talk import (
    TALK_KINDS,
    kinds_beside,
    language_name,
    own_part,
)
from shared.turn.web import browsing_of, without_made_up_links
from shared.values.agent import Agent, Codec, ModelNotes
from shared.values.capabilities import capabilities_of, prompt_tokens_at_most
from shared.values.chat import Chat
from shared.values.chat_key import ChatKind
from shared.values.decision import RecallNote
from shared.values.evolve import evolve
from shared.values.message import AnyEntry
from shared.values.prepared import PreparedFile
from shared.values.prompt import CompressionSummary, Prompt
from shared.values.prompt_format import REPLY_TOKENS, PromptFormat
from shared.values.retry import RetryBudgets
from shared.values.showing import FileLimits
from shared.values.usage import ModelUse, Purpose, cheapest_model, payer_of

if TYPE_CHECKING:
    from shared.chat.store.conversations import FirestoreCompressions
    from shared.media.media_files import MediaFiles

#: the largest id of a draft, a number of 32 bits; updates that lull makes itself have larger ids
LARGEST_DRAFT = 2**31 - 1
#: the number of entries up to which a conversation is never summarised
SHORT = 20


@dataclass(frozen=True, kw_only=True)
class ShownFileSource:
    """The source of the files that a model is shown, and the limits of what is shown."""

    #: the stored files; None if the model only gets the files' descriptions
    source: MediaFiles | None = None
    limits: FileLimits = field(default=FileLimits())


@dataclass(frozen=True, kw_only=True)
class Replier:
    """The services and settings with which one agent replies."""

    models: ModelProvider
    #: the notes on each model that can be chosen, by the model's name; the first model is the default
    offered_models: Mapping[str, ModelNotes]
    agent: Agent
    toolbox: Toolbox
    format: PromptFormat
    clock: Callable[[], datetime]
    max_tokens: int = CONTEXT_MAX_TOKENS
    reply_tokens: int = REPLY_TOKENS
    drafting: DraftSender | None = None
    budgets: RetryBudgets = field(default=RetryBudgets())
    #: the summaries of long conversations; if None, the oldest messages of a long conversation are left out
    compressions: FirestoreCompressions | None = None
    #: looks up the values of template variables; if None, the values stay unknown
    lookup: SceneLookup | None = None
    #: loads the agent's memories; None if the agent has no memories
    memory_loader: MemoryLoader | None = None
    #: recalls older messages; None if recall is off
    prompt_recall: PromptRecall | None = None
    files: ShownFileSource = field(default=ShownFileSource())

    def model_of(self, chat: Chat, person: int = 0) -> str:
        """Return the name of a conversation's model: the chosen one, or the cheapest if a soft limit is exceeded.

        `person`: the id of the person who is answered. 0 means a private chat's only person, and nobody in other chats.
        """
        chosen = chat.talk.model if chat.talk.model in self.offered_models else next(iter(self.offered_models))
        person = person or (chat.key.chat_id if chat.key.is_private else 0)
        is_soft = chat.budget.is_soft(person, self.clock())
        return cheapest_model(self.offered_models, chosen, self.clock()) if is_soft else chosen

    def agent_for(self, chat: Chat, person: int = 0) -> Agent:
        """Return the agent, limited to what the model that answers this person can do."""
        return agent_for_model(self.agent, self.offered_models[self.model_of(chat, person)])

    def model_for(
        self, chat: Chat, purpose: Purpose, people: Sequence[int] = (), writers: Mapping[int, int] | None = None
    ) -> LanguageModel:
        """Return the model for a purpose. The last of `people` pays for its calls. If `writers` is given (shares by
        person id), these people pay in proportion.
        """
        use = ModelUse(purpose=purpose, chat=chat.key, person=payer_of(people), writers=writers or {})
        return self.models.model(self.model_of(chat, use.person), use)

    async def ask(self, session: Session, question: PlanQuestion) -> PlannedReply:
        """Ask the model about a batch. Raises ModelUnavailable."""
        batch, pending = question.batch, question.pending
        scene, compress_after = await self._scene(session, batch, pending)
        remembered = asyncio.ensure_future(self._recollection(scene, question))
        (scene, recall), loaded_memories = await asyncio.gather(self._recall(scene, batch, remembered), remembered)
        scene, prompt = scene_and_prompt(with_memories(scene, loaded_memories))
        _log_size(prompt)
        guard = leak_guard_for(scene, prompt)
        model = self.model_for(session.chat, Purpose.PLAN, people_of(batch))
        model = await with_keeping(model, session, batch, self.lookup.access_lists if self.lookup else None)
        browsing, kinds = browsing_of(scene.entries), kinds_beside(pending, scene.agent.kinds)
        asked = PlanConsultation(
            scene=scene, batch=batch, toolbox=self.toolbox, browsing=browsing, loaded_memories=loaded_memories
        )
        options = PlanningOptions(
            clock=self.clock,
            codec=scene.codec,
            tools=scene.tools,
            answers_to=lambda calls, saw_outside: asked.answers_to(calls, saw_outside, self.clock()),
            budgets=self.budgets,
            review=asked.reviewer(guard),
            headroom=headroom_for(scene, prompt),
            names_messages=scene.offer.names_messages,
        )

        def visible(written: str) -> str:
            shown = safe_preview(first_text(written, scene.codec), guard)
            return without_made_up_links(shown, browsing)

        async with self._preview(session, batch, visible, is_put_off=question.is_put_off) as preview:
            options = with_preview(options, preview, scene, batch) if preview else options
            own = await own_part(model, scene, batch, prompt, options)
            result = own.whole or own.with_words(await make_plan(model, prompt, kinds, options))
        _note_shown(session, batch, scene, prompt, result if own.plan is None else PlanResult())
        is_shown = preview is not None and preview.is_shown
        recorded = record_prompt(scene, prompt, self.model_of(session.chat, payer_of(people_of(batch))))
        result = replace(result, was_shown=is_shown, prompt=recorded)
        return replace(asked.reply(prompt, result, self.clock()), compress_after=compress_after, recall=recall)

    async def _recall(
        self, scene: Scene, batch: InboxBatch, remembered: Awaitable[LoadedMemories]
    ) -> tuple[Scene, RecallNote | None]:
        return (
            await self.prompt_recall.about(scene, batch.question, remembered)
            if self.prompt_recall is not None
            else (scene, None)
        )

    async def _recollection(self, scene: Scene, question: PlanQuestion) -> LoadedMemories:
        if self.memory_loader is not None:
            return await self.memory_loader.of(scene, people_of(question.batch), question.known)
        here = MemoryAudience(key=scene.chat.key, people=people_of(question.batch))
        return LoadedMemories(here=here, curated=scene.agent.memories)

    @asynccontextmanager
    async def _preview(
        self, session: Session, batch: InboxBatch, visible: Callable[[str], str], *, is_put_off: bool
    ) -> AsyncIterator[Draft | None]:
        """Yield a draft that shows the first message while the model writes it; None outside of private chats."""
        if is_put_off or self.drafting is None or batch.kind is not ChatKind.PRIVATE or not batch.targets:
            yield None
            return
        draft_id = abs(batch.targets[-1].message_id) % LARGEST_DRAFT
        words = words_for(batch.targets, batch.languages, session.chat)
        async with self.drafting.answer(session.recipient, draft_id, visible, session.is_ours, words) as draft:
            yield draft

    async def _scene(
        self, session: Session, batch: InboxBatch, pending: Sequence[PlannedTask]
    ) -> tuple[Scene, int | None]:
        """Return the scene for a batch, and the number of the last summarized entry if another summary is due."""
        chat = evolve(batch.chat_after(session.chat), kind=batch.kind)
        is_long = self.compressions is not None and chat.talk.seq > SHORT
        seen = await self.compressions.read(chat.conversation) if self.compressions and is_long else None
        person = payer_of(people_of(batch))
        background = self.background(chat, await session.window(), seen.summary if seen else None, person)
        is_due = seen is not None and due_up_to(background, session.window_entries) > 0
        scene = replace(
            background,
            room=replace(background.room, characters_per_token=chat.planning.characters_per_token),
            entries=(*background.entries, *batch.entries),
            answering=AnswerTargets(
                targets=[message.message_id for message in batch.targets],
                pending=pending,
                is_start=_is_start(session.chat, batch),
                language=language_name(batch.targets[-1], chat.locale.chosen_language) if batch.targets else "",
            ),
        )
        scene = await self.lookup.complete(scene) if self.lookup is not None else scene
        scene = await with_shown_files(scene, self.model_of(chat, person), self.files.source, self.files.limits)
        return with_estimate(scene), seen.up_to_seq if seen is not None and is_due else None

    def background(
        self, chat: Chat, entries: Sequence[AnyEntry], summary: CompressionSummary | None, person: int = 0
    ) -> Scene:
        """Return the scene for a prompt without messages to answer, for the model that would answer `person`."""
        model = self.model_of(chat, person)
        notes, agent = self.offered_models[model], self.agent_for(chat, person)
        scene = Scene(
            agent=agent,
            notes=notes,
            chat=chat,
            entries=entries,
            now=self.clock(),
            format=PromptFormat.PLAIN if self._codec_of(notes) is Codec.TEXT else self.format,
            room=PromptRoom(
                max_tokens=prompt_tokens_at_most(model, self.max_tokens, self.reply_tokens),
                reply_tokens=self.reply_tokens,
                characters_per_token=chat.planning.characters_per_token,
            ),
            zones=Zones(timezone=first_zone(chat.locale.group_zone, agent.front.timezone)),
            earlier=PromptBackground(compression=summary),
            tools=self.toolbox.declarations_of(agent.tools),
        )
        return with_estimate(scene)

    def _codec_of(self, notes: ModelNotes) -> Codec:
        return notes.codec or self.agent.front.codec

    def plan(self, result: PlanResult, batch: InboxBatch) -> Plan:
        return plan_for(result, batch, self.clock())


def agent_for_model(agent: Agent, notes: ModelNotes) -> Agent:
    """Return the agent with only those kinds of task and tools that the model can handle according to its notes."""
    is_text = (notes.codec or agent.front.codec) is Codec.TEXT
    if notes.calls_functions and not notes.withholds and not is_text:
        return agent
    kinds = [kind for kind in agent.kinds if kind not in notes.withholds]
    kinds = [kind for kind in kinds if kind in TALK_KINDS] if is_text else kinds
    return agent.only(kinds, agent.tools if notes.calls_functions else ())


def _note_shown(session: Session, batch: InboxBatch, scene: Scene, prompt: Prompt, result: PlanResult) -> None:
    """Record up to which entry the model was shown the chat, and update the estimated characters per token."""
    chat = session.chat
    chat = chat.with_part(evolve(chat.talk, shown_seq=chat.talk.seq + len(batch.entries)))
    counted = text_tokens(prompt, result.calls[0]) if result.calls else 0
    if counted >= FEWEST_TOKENS:
        characters = updated_estimate(scene.room.characters_per_token, prompt.characters, counted)
        chat = chat.with_part(evolve(chat.planning, characters_per_token=characters))
    session.note_chat(chat)


def _log_size(prompt: Prompt) -> None:
    if prompt.size is not None:
        size: dict[str, Any] = prompt.size.model_dump(exclude={"layers"}) | prompt.size.layers
        log("a prompt", **size)


def _is_start(chat: Chat, batch: InboxBatch) -> bool:
    """Return whether the agent is addressed in a group in which it has not been active."""
    is_group = batch.kind in {ChatKind.GROUP, ChatKind.SUPERGROUP}
    return is_group and bool(batch.targets) and not chat.is_active(batch.targets[0].at)


#: the maximum seconds to wait for all the files of a plan; files that arrive later are left out
LONGEST_S: Final = 10.0
#: the maximum seconds to wait until cancelled downloads end
_END_S: Final = 1.0


async def with_shown_files(
    scene: Scene, model: str, files: MediaFiles | None, limits: FileLimits, longest_s: float = LONGEST_S
) -> Scene:
    """Return the scene with the files that this model is shown; unchanged if there are none. Never raises."""
    takes = capabilities_of(model)
    wanted = visible_files(scene, takes, limits) if files is not None else ()
    if files is None or not wanted:
        return scene
    found = await _fetch_files(files, wanted, longest_s)
    return replace(scene, attached=attach_files(found, takes, sound_s=limits.sound_s))


async def _fetch_files(
    files: MediaFiles, wanted: Sequence[VisibleFile], longest_s: float
) -> Sequence[tuple[VisibleFile, PreparedFile]]:
    """Return the prepared files in order. Files that do not arrive in time are left out."""
    tasks = [asyncio.create_task(files.prepared_file(one.ref)) for one in wanted]
    try:
        await asyncio.wait(tasks, timeout=longest_s)
        there = [(one, task.result()) for one, task in zip(wanted, tasks, strict=True) if _is_there(task)]
        return [(one, found) for one, found in there if found is not None]
    finally:
        await _cancel_late([task for task in tasks if not task.done()])


async def _cancel_late(late: Sequence[asyncio.Task[PreparedFile | None]]) -> None:
    if late:
        log("the plan is made without files that did not arrive in time", count=len(late))
        for task in late:
            task.cancel()
        await asyncio.wait(late, timeout=_END_S)


def _is_there(task: asyncio.Task[PreparedFile | None]) -> bool:
    """Return whether a file was fetched. Only the type of an error is logged, since the plan works without the file."""
    if not task.done():
        return False
    failure = task.exception()
    if failure is not None:
        log(f"a file cannot be shown to the model ({type(failure).__name__})")
    return failure is None


def plan_for(result: PlanResult, batch: InboxBatch, now: datetime) -> Plan:
    """Return a new plan made from the model's result for a batch. If the model failed, the plan's notes say why."""
    if result.failure:
        log(f"no plan: {result.failure}")
    tasks = result.tasks
    if batch.thread:
        tasks = _as_comment(tasks, batch.targets[-1].quotable)
    started = _seen_typed(initial_tasks(tasks)) if result.was_shown else initial_tasks(tasks)
    of_this_plan = {
        "people": people_of(batch),
        "saw_outside": bool(result.outside),
        "is_derived": is_derived(result.outside),
        "unseen": result.unseen,
    }
    return Plan(
        id=str(ULID()),
        created_at=now,
        tasks=tuple(
            t.model_copy(
                update={**of_this_plan, "known_links": _links_in(t.task, result), "elsewhere": elsewhere or ()}
            )
            for t, elsewhere in zip_longest(started, result.derived[: len(started)])
        ),
        answers=tuple(message.message_id for message in batch.targets),
        notes=(*result.notes, result.failure) if result.failure else result.notes,
        calls=result.calls,
        uses=result.uses,
        outside=result.outside,
        waiting=result.waiting,
        elsewhere=result.elsewhere,
        prompt=result.prompt,
        trace=current_trace(),
        thread=batch.thread,
    )


def _links_in(task: Task, result: PlanResult) -> tuple[str, ...]:
    """Return the known addresses that occur in this task.

    A task does not store all known addresses, since the plan would then exceed the document's maximum size.
    """
    written = task.model_dump_json() if result.known_links else ""
    return tuple(one for one in result.known_links if one in written)


def _as_comment(tasks: Sequence[Task], message_id: int | None) -> tuple[Task, ...]:
    """Return the tasks. If their first text does not reply to a message yet, it replies to the comment with this id."""
    first = next((task for task in tasks if task.traits.is_text), None)
    return tuple(task.replying_to(message_id) if task is first and message_id is not None else task for task in tasks)


def _seen_typed(tasks: tuple[PlannedTask, ...]) -> tuple[PlannedTask, ...]:
    """Return the tasks, with the first message marked as typed: people saw in the draft that it was being written."""
    first = next((t for t in tasks if t.task.traits.is_text), None)
    return tuple(evolve(t, is_typed=True) if t is first else t for t in tasks)
