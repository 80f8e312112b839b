"""An inspected chat as JSON for the side panel. Times are epoch seconds."""

from datetime import datetime
from typing import Any

from shared.base.model_call import ModelCall
from shared.tasks.plan import Delivery, Plan, PlannedTask
from shared.upkeep.files import InspectedFile
from shared.upkeep.reading import InspectedChat, InspectedTurn, answered_by
from shared.upkeep.store.inspection import InspectedUpdate
from shared.values.chat import Chat
from shared.values.decision import DecisionTier
from shared.values.media import SPOKEN
from shared.values.message import Message
from shared.values.reference import FileReference
from shared.values.stored_media import MOST_TRIES
from shared.values.tool_use import ToolUse
from shared.values.usage import cost_of

#: the panel cuts longer texts; the whole text is in the chat itself
SUMMARY_CHARACTERS = 400

Json = dict[str, Any]


def chat_view(inspected: InspectedChat) -> Json:
    """Return everything that the panel shows of a chat; `plan` and `update` are null if there are none."""
    chat = inspected.chat
    return {
        "agent": inspected.key.agent,
        "chat": inspected.key.id,
        "generation": chat.claim.generation if chat else 0,
        "lease": _lease_view(chat),
        "model_failure": chat.planning.model_failure if chat else "",
        "window_seq": inspected.window_seq,
        "update": _update_view(inspected.update),
        "decisions": [_decision_view(one, inspected) for one in inspected.messages if one.decision],
        "known": {id_: words for id_, one in inspected.known.items() if (words := one.visible_content or one.says)},
        "files": [file_view(one) for one in inspected.files],
        "holding_outside": [one.message_id for one in inspected.messages if one.author.is_agent and one.holds_outside],
        "choices": [_choice_view(one) for one in inspected.messages if _is_choice(one)],
        "turn": _turn_view(inspected.turn, inspected.update) if inspected.turn else None,
        "plan": _plan_view(inspected.plan, inspected) if inspected.plan else None,
    }


def _turn_view(turn: InspectedTurn, update: InspectedUpdate | None) -> Json:
    """Return the ids of a turn's messages, and the turn's model calls. The calls are stored with the agent's messages,
    so they remain known after the turn's plan was deleted.
    """
    trace, at = update.trace if update else "", turn.messages[0].at
    return {
        "asked": [one.message_id for one in turn.messages if not one.author.is_agent],
        "said": [one.message_id for one in turn.agent_messages],
        "calls": [
            call.model_dump(mode="json") | {"trace": trace, "cost": cost_of([call], at)}
            for one in turn.agent_messages
            for call in one.calls
        ],
    }


def _seconds(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment else None


def _lease_view(chat: Chat | None) -> Json | None:
    if chat is None or chat.claim.lease is None or not chat.is_held(datetime.now(chat.claim.lease.until.tzinfo)):
        return None
    return {"owner": chat.claim.lease.owner, "until": _seconds(chat.claim.lease.until)}


def _update_view(stored: InspectedUpdate | None) -> Json | None:
    if stored is None:
        return None
    return {
        "update_id": stored.update.envelope.update_id,
        "kind": stored.update.envelope.kind,
        "read": stored.is_read,
        "trace": stored.trace,
        "received_at": _seconds(stored.update.received_at),
    }


def _decision_view(message: Message, inspected: InspectedChat) -> Json:
    """Return the decision whether to answer the message. If lull decided twice, because the message first had to wait
    until its file was described, return the second decision.
    """
    decision = inspected.decided.get(message.message_id) if _has_waited(message) else None
    decision = decision or message.decision
    assert decision is not None
    return {
        "has_waited": decision is not message.decision,
        "message_id": message.message_id,
        "respond": decision.respond,
        "reason": decision.reason,
        "tier": decision.tier.value,
        "recall": decision.recall.model_dump(mode="json") if decision.recall else None,
    }


def _has_waited(message: Message) -> bool:
    return message.decision is not None and message.decision.tier is DecisionTier.WAIT


def file_view(file: InspectedFile) -> Json:
    """Return a file of a message: the model that described it, the result, and the time and cost."""
    ref, known, kept, reference = file.ref, file.description, file.kept, file.reference
    return {
        "kind": ref.kind.value,
        "unique_id": ref.unique_id,
        "mime_type": (kept.facts.type if kept else "") or ref.mime_type,
        **ref.model_dump(mode="json", include={"size", "width", "height", "duration_s", "emoji", "set_name"}),
        "chain": [{"link": link.value, "answer": answer.value} for link, answer in file.chain],
        "is_settled": file.is_settled,
        "outcome": known.outcome.value if known else None,
        "shows": known.visible_content if known else "",
        **{name: getattr(known, name, "") for name in ("says", "why", "source")},
        "is_own_words": ref.kind in SPOKEN,
        "call": file.call.model_dump(mode="json") if file.call else None,
        "cost": file.cost,
        "tries": kept.tries if kept else 0,
        "most_tries": MOST_TRIES,
        "next_try_at": _seconds(kept.next_try_at) if kept else None,
        "at_work_until": _seconds(kept.claimed_until) if kept else None,
        "parts": [part.model_dump(include={"mime_type", "size"}) for part in kept.parts] if kept else [],
        "reference": _reference_view(reference) if reference else None,
    }


def _reference_view(reference: FileReference) -> Json:
    return {
        "id": reference.id,
        "is_open": reference.is_open,
        "is_awaited": reference.is_awaited,
        "message_ids": list(reference.message_ids),
        "try_at": _seconds(reference.try_at),
    }


def _is_choice(message: Message) -> bool:
    """Return whether the message records that a person pressed the button of an offered choice. The id of such a
    message is the negated id of its update (shared/turn/choosing.py).
    """
    return message.reply is not None and message.message_id in {-update for update in message.updates}


def _choice_view(message: Message) -> Json:
    """Return a press of an offered choice; `of` is the id of the message with the buttons."""
    return {
        "message_id": message.message_id,
        "of": message.reply.message_id if message.reply else None,
        "who": message.author.name,
        "said": message.text,
        "at": _seconds(message.at),
    }


def _plan_view(plan: Plan, inspected: InspectedChat) -> Json:
    answered = answered_by(plan, inspected.messages)
    return {
        "id": plan.id,
        "state": "open" if plan.is_open else "closed",
        "created_at": _seconds(plan.created_at),
        "trigger_message_ids": [*plan.answers, *(one for one in answered if one not in plan.answers)],
        "tasks": [_task_view(task) for task in plan.tasks],
        "calls": [_call_view(call, plan) for call in plan.calls],
        "uses": [_use_view(use) for use in plan.uses],
        "taint": _taint_view(plan) if plan.outside else None,
        "notes": list(plan.notes),
    }


def _task_view(planned: PlannedTask) -> Json:
    task = planned.task
    return {
        "id": task.id,
        "kind": task.kind,
        "state": planned.state.value,
        "depends_on": list(task.depends_on),
        "summary": task.summary()[:SUMMARY_CHARACTERS],
        "tries": planned.tries,
        "not_before": _seconds(planned.not_before),
        "why": planned.why,
        "deliveries": [_delivery_view(task.id, delivery) for delivery in planned.deliveries],
    }


def _delivery_view(task: str, delivery: Delivery) -> Json:
    return {
        "id": f"{task}.{delivery.part}",
        "method": delivery.method,
        "state": delivery.state.value,
        "message_ids": list(delivery.message_ids),
        "why": delivery.why,
    }


def _use_view(use: ToolUse) -> Json:
    """Return a use of a tool. `asked_by` is the index of the model call that requested the use."""
    return use.model_dump(mode="json", exclude={"seconds", "is_retold"}) | {"ms": use.seconds * 1_000}


def _taint_view(plan: Plan) -> Json:
    """Return when the plan's model first saw text from outside (text that no participant wrote). `after` is the index
    of the tool use whose result contained the text; null if the prompt contained it.
    """
    found = [use.outside for use in plan.uses]
    in_prompt = [one for one in plan.outside if one not in found]
    after = None if plan.outside[0] in in_prompt else found.index(plan.outside[0])
    return {"after": after, "seen": in_prompt if after is None else [found[after]], "waiting": list(plan.waiting)}


def _call_view(call: ModelCall, plan: Plan) -> Json:
    """Return a model call; `cost` is in US dollars, null if the price is not known."""
    return call.model_dump(mode="json") | {"trace": plan.trace, "cost": cost_of([call], plan.created_at)}
