"""Explains why a message was answered or not, for every turn of every conversation of the owner's agents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from shared.base.model_call import ModelCall
from shared.chat.tick_record import RecordedPlan, RecordedTask, TickRecord
from shared.console.logs_link import logs_url
from shared.console.route import ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.console.turn_history import TurnHistory, history_of, plan_id_of
from shared.planning.prompt.origins import outside_of_entry, outside_of_quote
from shared.tasks.plan import Delivery
from shared.upkeep.store.recorded_pages import FirestoreRecordedPages, StoredConversation
from shared.values.message import Message
from shared.values.tool_use import ToolUse
from shared.values.usage import cost_of

Json = dict[str, Any]


def history_view(history: TurnHistory) -> Json:
    """Return the history as JSON. Money is in US dollars, and null if a price is unknown."""
    calls = (*history.judging, *history.answering)
    return {
        "subject": message_view(history.subject),
        "asked": [message_view(one) for one in history.asked],
        "said": [message_view(one) for one in history.said],
        "is_answered": history.is_answered,
        "events": list(_events(history)),
        "outside": _outside_view(history),
        "plan": plan_view(history.plan, history) if history.plan is not None else None,
        "cost": history.cost,
        "model_ms": sum(call.ms for call in calls),
        "trace": _trace(history),
    }


def _trace(history: TurnHistory) -> str:
    traces = [history.plan.trace if history.plan is not None else "", *(tick.trace for tick in history.ticks)]
    return next(filter(None, traces), "")


def moment(at: datetime | None) -> str | None:
    return at.isoformat() if at is not None else None


def message_view(message: Message) -> Json:
    """Return a message as JSON for the page."""
    decision = message.decision
    return {
        "seq": message.seq,
        "message_id": message.message_id,
        "turn": message.turn,
        "at": moment(message.at),
        "author": {"id": message.author.id, "name": message.author.name, "is_agent": message.author.is_agent},
        "text": message.text,
        "media": message.media,
        "is_command": message.is_command,
        "is_by_lull": message.is_by_lull,
        "responds": decision.respond if decision is not None else None,
        "outside": _marks(message),
    }


def _marks(message: Message) -> list[str]:
    """Return the reasons why a message counts as text from outside the chat, as English phrases; [] if it does not."""
    quoted = message.reply
    quote = outside_of_quote(quoted, message.author, is_known=False) if quoted is not None else ""
    return [one for one in (outside_of_entry(message), quote) if one]


def _events(history: TurnHistory) -> Iterator[Json]:
    """Yield the events in the order of a turn's steps: updates, decisions, model calls, the plan, deliveries."""
    stored = {one.id: one.stored_at for tick in history.ticks for one in tick.updates}
    for message in history.asked:
        times = [stored[one] for one in message.updates if one in stored]
        yield {
            "kind": "update",
            "at": moment(min(times, default=message.at)),
            "seq": message.seq,
            "updates": list(message.updates),
            "is_exact": bool(times),
        }
    for tick in history.ticks[:1]:
        yield from _tick_events(tick)
    for message in history.asked:
        yield from _decision_events(message, history)
    if history.plan is not None:
        yield from _plan_events(history.plan, history)
    elif history.answering:
        yield from (_call_event(call, n, history.subject.at) for n, call in enumerate(history.answering))
    for tick in history.ticks[1:]:
        yield from _tick_events(tick)
    yield from _delivery_events(history)


def _tick_events(tick: TickRecord) -> Iterator[Json]:
    yield {"kind": "wake", "at": moment(tick.due_at), "reason": tick.reason, "model_tries": tick.model_tries}
    yield {"kind": "claim", "at": moment(tick.claimed_at), "until": moment(tick.written_at), "trace": tick.trace}


def _decision_events(message: Message, history: TurnHistory) -> Iterator[Json]:
    first, applied = message.decision, history.decision_on(message)
    read = next((tick.read_at for tick in history.ticks if tick.read_at is not None), None)
    for decision in [first] if applied is first else [first, applied]:
        if decision is None:
            continue
        yield {
            "kind": "decision",
            "at": moment(read if decision is first else None),
            "seq": message.seq,
            "responds": decision.respond,
            "tier": decision.tier.value,
            "reason": decision.reason,
            "until": moment(decision.until),
            "ms": decision.ms,
            "recall": decision.recall.model_dump(mode="json") if decision.recall is not None else None,
        }
        yield from (_call_event(call, n, message.at, is_judge=True) for n, call in enumerate(decision.calls))


def _plan_events(plan: RecordedPlan, history: TurnHistory) -> Iterator[Json]:
    if plan.prompt is not None:
        yield {"kind": "prompt", "at": None, **plan.prompt.model_dump(mode="json", exclude={"targets"})}
    for n, call in enumerate(history.answering):
        yield _call_event(call, n, plan.created_at)
        yield from (_use_event(use) for use in plan.uses if use.asked_by == n)
    yield {
        "kind": "plan",
        "at": moment(plan.created_at),
        "id": plan.id,
        "tasks": len(plan.tasks),
        "replans": plan.replans,
        "replaced_by": plan.replaced_by,
        "notes": list(plan.notes),
    }


def _call_event(call: ModelCall, number: int, at: datetime, *, is_judge: bool = False) -> Json:
    """Return a model call as an event. Calls for the plan, and calls that judged a message, are numbered separately."""
    fields = call.model_dump(mode="json")
    return {"kind": "call", "at": None, "number": number, "is_judge": is_judge, "cost": cost_of([call], at), **fields}


def _use_event(use: ToolUse) -> Json:
    return {"kind": "tool", "at": None, **use.model_dump(mode="json", exclude={"is_retold"})}


def _delivery_events(history: TurnHistory) -> Iterator[Json]:
    """Yield the attempted deliveries in the order of their attempts."""
    tasks = history.plan.tasks if history.plan is not None else ()
    found = [(task, one) for task in tasks for one in task.deliveries if one.attempted_at is not None]
    sent = {one.message_id: one for one in history.said}
    for task, delivery in sorted(found, key=lambda each: each[1].attempted_at or history.subject.at):
        arrived = [sent[one] for one in delivery.message_ids if one in sent]
        yield {
            "kind": "delivery",
            "at": moment(delivery.attempted_at),
            "task": task.id,
            "tries": task.tries,
            "seq": arrived[0].seq if arrived else None,
            **_delivery_view(delivery),
        }
    if not found:  # of an old turn, only the messages themselves are known
        for one in history.said:
            yield {"kind": "sent", "at": moment(one.at), "seq": one.seq, "message_ids": [one.message_id]}


def _delivery_view(delivery: Delivery) -> Json:
    return delivery.model_dump(mode="json", include={"part", "method", "state", "is_plain", "message_ids", "why"})


def plan_view(plan: RecordedPlan, history: TurnHistory) -> Json:
    """Return the plan as a graph of tasks."""
    sent = {one.message_id: one.text or one.media for one in history.said}
    return {
        "id": plan.id,
        "at": moment(plan.created_at),
        "tasks": [_task_view(one, history.summaries.get(one.id, ""), sent) for one in plan.tasks],
        "outside": list(plan.outside),
        "waiting": list(plan.waiting),
    }


def _task_view(task: RecordedTask, summary: str, sent: dict[int, str]) -> Json:
    said = [sent[one] for delivery in task.deliveries for one in delivery.message_ids if one in sent]
    return {
        **task.model_dump(mode="json", exclude={"deliveries"}),
        "summary": " ".join(said) or summary,
        "deliveries": [{"id": f"{task.id}.{one.part}", **_delivery_view(one)} for one in task.deliveries],
    }


def _outside_view(history: TurnHistory) -> Json | None:
    """Return the kinds of text from outside the chat that the model saw, and tasks that therefore need approval."""
    plan = history.plan
    if plan is None or not plan.outside:
        return None
    by_tools: Sequence[str] = [use.outside for use in plan.uses if use.outside]
    return {
        "in_prompt": [one for one in plan.outside if one not in by_tools],
        "by_tools": list(dict.fromkeys(by_tools)),
        "waiting": list(plan.waiting),
        "marked": [one.seq for one in history.said if one.holds_outside],
    }


async def read_turn(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the history of a message. The path has the entry number of the message, or of an entry about it."""
    store, seq = FirestoreRecordedPages(services.client), number_in(request)
    conversation = await conversation_of(store, request)
    pages = await store.pages_around(conversation.id, seq)
    plan_id = plan_id_of(seq, pages)
    stored = await store.plan(conversation.key, plan_id) if plan_id else None
    history = history_of(seq, pages, stored)
    if history is None:
        raise NotFound
    view = history_view(history)
    logs = None if services.is_local else logs_url(services.project, view["trace"], history.subject.at)
    return {
        "conversation": conversation.id,
        "agent": conversation.agent,
        "chat": conversation.chat,
        "title": conversation.title,
        "chat_title": conversation.chat_title,
        "seq": seq,
        "logs": logs or "",
        "is_local": services.is_local,
        **view,
    }


def number_in(request: ConsoleRequest) -> int:
    """Return the entry number in the request's path. Raises BadRequest."""
    seq = request.path.get("seq", "")
    if not seq.isdecimal() or len(seq) > 9:
        raise OutdatedPage("The address must contain the number of one of the turn's entries.")
    return int(seq)


async def conversation_of(store: FirestoreRecordedPages, request: ConsoleRequest) -> StoredConversation:
    """Return the conversation in the request's path. Raises NotFound unless it belongs to an agent of the owner."""
    found = await store.conversation(request.path.get("conversation", ""))
    if found is None or found.agent not in request.agents:
        raise NotFound
    return found


ROUTES = (ConsoleRoute("GET", "/api/conversations/{conversation}/turns/{seq}", read_turn),)
