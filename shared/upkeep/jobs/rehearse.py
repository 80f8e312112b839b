"""Rehearsals: the agent plans again what to answer at an earlier point of a conversation, called a moment.

The prompt is assembled again from the transcript. Nothing is sent or stored, tools do not run, and files are not
fetched. Memories, the persona and the summary of older messages are not in the transcript. Their current state is used,
and the result says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from shared.base.errors import ModelUnavailable
from shared.llm.cost_bounds import cost_at_most
from shared.memory.loaded import LoadedMemories
from shared.memory.prompt_memories import has_memory, with_memories
from shared.memory.visible import MemoryAudience
from shared.planning.format.schema import plan_schema
from shared.planning.guard.guard import leak_guard_for
from shared.planning.options import PlanningOptions
from shared.planning.planner import PlanResult, make_plan
from shared.planning.prompt.assemble import assemble_prompt, headroom_for, scene_and_prompt
from shared.planning.prompt.estimate import with_estimate
from shared.planning.prompt.scene import AnswerTargets, Scene
from shared.turn.consulting import PlanReviewer
from shared.turn.replier import Replier
from shared.turn.talk import kinds_beside, language_name
from shared.upkeep.store.recorded_pages import FirestoreRecordedPages, RecordedPage
from shared.values.agent import Codec
from shared.values.budget import ChatBudget
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Message
from shared.values.money import Amount
from shared.values.prompt import CompressionSummary, Prompt, PromptTurn, ToolAnswer, ToolCall, TurnRole
from shared.values.prompt_format import PromptFormat
from shared.values.rehearsal import (
    FormatSize,
    RebuiltPrompt,
    RebuiltTurn,
    Rehearsal,
    RehearsalOrder,
    RehearsalStep,
    RehearsedPlan,
    RehearsedTask,
)
from shared.values.retry import RetryBudget, RetryBudgets
from shared.values.tool_use import ToolUse
from shared.values.usage import ModelUse, Purpose, cost_of, payer_of

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats
    from shared.chat.tick_record import RecordedPlan

#: pages that are read to assemble a prompt again; a page has the entries of one tick
MOST_PAGES: Final = 80
#: replies and rounds of tools of one rehearsal; together they are the most calls of the model
BUDGETS: Final = RetryBudgets(reply=RetryBudget(tries=2), tools=RetryBudget(tries=2))
MOST_CALLS: Final = BUDGETS.reply.tries + BUDGETS.tools.tries
#: the answer to a call of a tool that the plan of that moment had not called
NOT_RUN: Final = "Tools do not run now. Answer with the plan, from what you know."
FORMATS: Final = (PromptFormat.META, PromptFormat.FULL, PromptFormat.COMPACT)


@dataclass(frozen=True, kw_only=True)
class Rehearser:
    """The dependencies of rehearsals: the stores, an agent's replier, and the largest number of entries in a prompt."""

    chats: FirestoreChats
    pages: FirestoreRecordedPages
    replier: Replier
    window_entries: int


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A point of a conversation: the chat and its entries then, the answered messages, and the recorded plan."""

    chat: Chat
    entries: Sequence[AnyEntry]
    asked: Sequence[Message]
    plan: RecordedPlan | None

    @property
    def at(self) -> datetime:
        """The time when the answer was planned or, if nothing was planned, when the last message was written."""
        return self.plan.created_at if self.plan is not None else self.asked[-1].at

    @property
    def people(self) -> tuple[int, ...]:
        """The people who are answered, each once, in the order of their first messages."""
        return tuple(dict.fromkeys(one.author.id for one in self.asked))


async def rehearse(rehearser: Rehearser, order: RehearsalOrder) -> Rehearsal:
    """Rebuild the prompt of a moment and, if ordered, plan again. Raises StoreUnavailable or StoreRefused."""
    replier = rehearser.replier
    if order.model and order.model not in replier.offered_models:
        return Rehearsal(problem="unknown_model")
    moment = await _moment(rehearser, order)
    if moment is None:
        return Rehearsal(problem="unknown_moment")
    replier = _as_ordered(replier, order, moment)
    scene, memories = await _scene(replier, moment)
    scene, prompt = scene_and_prompt(scene)
    model = replier.model_of(moment.chat)
    is_planned = order.step is RehearsalStep.PLAN
    return Rehearsal(
        prompt=_prompt_view(scene, prompt, model, (*_differences(moment, scene),)),
        plan=await _plan(replier, order, moment, (scene, prompt, memories)) if is_planned else None,
        at_most=_at_most(scene, prompt, model),
        models=tuple(rehearser.replier.offered_models),
        persona=rehearser.replier.agent.instructions,
    )


async def _moment(rehearser: Rehearser, order: RehearsalOrder) -> Moment | None:
    found = await rehearser.pages.conversation(order.conversation)
    if found is None or found.agent != order.agent:
        return None
    last = max(order.asked)
    pages = await rehearser.pages.pages_up_to(order.conversation, last, MOST_PAGES)
    entries = list(_entries_until_answer(pages, last))[-rehearser.window_entries :]
    asked = [one for one in entries if isinstance(one, Message) and one.seq in order.asked]
    if not asked:
        return None
    chat = (await rehearser.chats.see(found.key)).chat
    plan = _recorded_plan(pages, asked)
    return Moment(chat=_chat_then(chat, order, entries, plan), entries=entries, asked=asked, plan=plan)


def _entries_until_answer(pages: Sequence[RecordedPage], last: int) -> Iterator[AnyEntry]:
    """Yield all entries before the first message of the agent whose number is above `last`."""
    for entry in (entry for page in pages for entry in page.entries):
        if entry.seq > last and isinstance(entry, Message) and entry.author.is_agent:
            return
        yield entry


def _recorded_plan(pages: Sequence[RecordedPage], asked: Sequence[Message]) -> RecordedPlan | None:
    """Return the plan that answered the messages, if a tick recorded it."""
    ids = {one.message_id for one in asked}
    plans = [plan for page in pages if page.tick is not None for plan in page.tick.plans]
    return next((one for one in reversed(plans) if ids & set(one.answers)), None)


def _chat_then(chat: Chat, order: RehearsalOrder, entries: Sequence[AnyEntry], plan: RecordedPlan | None) -> Chat:
    """Return the chat as it was at that moment, with the requested model, and without spending limits."""
    recorded = plan.prompt if plan is not None else None
    talk, planning = evolve(chat.talk, seq=entries[-1].seq, unpaged=(), keyboards=()), chat.planning
    talk = evolve(talk, model=order.model or (recorded.model if recorded is not None else talk.model))
    if recorded is not None:
        planning = evolve(planning, characters_per_token=recorded.characters_per_token)
    return evolve(chat, conversation=order.conversation, talk=talk, planning=planning, budget=ChatBudget())


def _as_ordered(replier: Replier, order: RehearsalOrder, moment: Moment) -> Replier:
    recorded = moment.plan.prompt if moment.plan is not None else None
    known = next((one for one in PromptFormat if recorded is not None and one.value == recorded.format), replier.format)
    agent = evolve(replier.agent, instructions=order.persona) if order.persona else replier.agent
    return replace(replier, agent=agent, format=order.format or known)


async def _scene(replier: Replier, moment: Moment) -> tuple[Scene, LoadedMemories]:
    """Return the moment's scene (all that the prompt is made from), and the agent's memories as they are now."""
    summary = await _summary(replier, moment)
    scene = replier.background(moment.chat, moment.entries, summary, payer_of(moment.people))
    targets = [one.message_id for one in moment.asked]
    language = language_name(moment.asked[-1], moment.chat.locale.chosen_language)
    scene = replace(scene, now=moment.at, answering=AnswerTargets(targets=targets, language=language))
    if replier.lookup is not None:
        scene = await replier.lookup.complete(scene)
    if replier.memory_loader is not None:
        memories = await replier.memory_loader.of(scene, moment.people, None)
    else:
        here = MemoryAudience(key=scene.chat.key, people=moment.people)
        memories = LoadedMemories(here=here, curated=scene.agent.memories)
    return with_estimate(with_memories(scene, memories)), memories


async def _summary(replier: Replier, moment: Moment) -> CompressionSummary | None:
    """Return the summary of older messages; None if it also covers the answered messages."""
    if replier.compressions is None:
        return None
    found = (await replier.compressions.read(moment.chat.conversation)).summary
    return found if found is not None and found.up_to_seq < moment.asked[0].seq else None


def _differences(moment: Moment, scene: Scene) -> Iterator[str]:
    """Yield the reasons why the prompt may differ from the original one, as keys of the console's texts."""
    recorded = moment.plan.prompt if moment.plan is not None else None
    summary = scene.earlier.compression
    yield "persona_now"
    if has_memory(scene.agent):
        yield "memories_now"
    if recorded is None:
        yield "not_recorded"
    elif recorded.summarized_seq != (summary.up_to_seq if summary is not None else 0):
        yield "other_summary"
    if any(one.decision is not None and one.decision.recall and one.decision.recall.found for one in moment.asked):
        yield "without_recalled"
    if recorded is not None and recorded.attached:
        yield "without_files"


def _prompt_view(scene: Scene, prompt: Prompt, model: str, differences: tuple[str, ...]) -> RebuiltPrompt:
    return RebuiltPrompt(
        model=model,
        format=scene.format.value,
        system=prompt.system,
        turns=tuple(RebuiltTurn(role=turn.role.value, parts=turn.parts) for turn in prompt.turns),
        tools=tuple(tool.name for tool in scene.tools),
        sizes=tuple(_sizes(scene)),
        characters_per_token=scene.room.characters_per_token,
        differences=differences,
    )


def _sizes(scene: Scene) -> Iterator[FormatSize]:
    """Yield the size of the prompt in each format that the scene's model accepts."""
    for one in (PromptFormat.PLAIN,) if scene.codec is Codec.TEXT else FORMATS:
        size = assemble_prompt(replace(scene, format=one)).size
        if size is not None:
            yield FormatSize(format=one.value, **size.model_dump(exclude={"texts_shortened", "attached"}))


def _at_most(scene: Scene, prompt: Prompt, model: str) -> float | None:
    """Return the most US dollars that a rehearsal may cost, if every call has the longest possible prompt; None if the
    price is unknown.
    """
    headroom = headroom_for(scene, prompt)
    longest = prompt.with_turns(PromptTurn(role=TurnRole.USER, parts=("字" * headroom.most,)))
    nano_usd = cost_at_most(longest, model, scene.now, plan_schema(scene.offer.kinds, names_messages=True))
    return None if nano_usd is None else Amount(nano_usd=nano_usd * MOST_CALLS).usd


async def _plan(
    replier: Replier, order: RehearsalOrder, moment: Moment, made: tuple[Scene, Prompt, LoadedMemories]
) -> RehearsedPlan:
    scene, prompt, memories = made
    key = moment.chat.key
    use = ModelUse(purpose=Purpose.REHEARSE, chat=key, person=order.owner)
    model = replier.models.model(replier.model_of(moment.chat), use)
    uses = moment.plan.uses if moment.plan is not None else ()
    guard = leak_guard_for(scene, prompt)
    options = PlanningOptions(
        clock=replier.clock,
        codec=scene.codec,
        tools=scene.tools,
        answers_to=lambda calls, _: _known_answers(calls, uses),
        budgets=BUDGETS,
        review=PlanReviewer(guard=guard, scene=scene, loaded_memories=memories, answered=moment.asked),
        headroom=headroom_for(scene, prompt),
        names_messages=scene.offer.names_messages,
    )
    try:
        result = await make_plan(model, prompt, kinds_beside((), scene.agent.kinds), options)
    except ModelUnavailable as error:
        calls = tuple(filter(None, [error.call]))
        result = PlanResult(calls=calls, failure=str(error))
    return _plan_view(result, replier.clock())


async def _known_answers(calls: Sequence[ToolCall], uses: Sequence[ToolUse]) -> Sequence[ToolAnswer]:
    """Answer each tool call with the recorded answer of the same tool. If the moment's plan did not use that tool, the
    answer is an error: tools do not run now.
    """
    return [_known_answer(call, uses) for call in calls]


def _known_answer(call: ToolCall, uses: Sequence[ToolUse]) -> ToolAnswer:
    same = next((one for one in uses if one.name == call.name and one.answer), None)
    if same is None:
        return ToolAnswer(call=call, text=NOT_RUN, is_error=True)
    return ToolAnswer(call=call, text=same.answer, is_error=same.is_error, outside=same.outside)


def _plan_view(result: PlanResult, now: datetime) -> RehearsedPlan:
    return RehearsedPlan(
        tasks=tuple(
            RehearsedTask(id=one.id, kind=one.kind, depends_on=one.depends_on, summary=one.summary())
            for one in result.tasks
        ),
        notes=result.notes,
        calls=result.calls,
        failure=result.failure,
        outside=result.outside,
        waiting=result.waiting,
        uses=tuple(f"{one.name} {one.arguments}" for one in result.uses),
        cost=cost_of(result.calls, now),
    )
