"""A chat's records as the JSON that the side panel reads. Moments are epoch seconds."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from local.page.chat_records import ChatRecords, Document
from shared.models.chat import Chat
from shared.models.decision import Decision
from shared.models.message import Message
from shared.models.usage import ModelCall
from shared.tasks.plan import Delivery, Plan, PlannedTask
from shared.tasks.task import own_task_id

#: longer texts are cut in the panel; the whole text is in the chat itself
SUMMARY_CHARACTERS = 400

Json = dict[str, Any]


def records_view(records: ChatRecords) -> Json:
    """All that the panel shows of a chat; `plan` and `update` are null while there is none."""
    chat = records.chat
    return {
        "agent": records.key.agent,
        "chat": records.key.id,
        "generation": chat.generation if chat else 0,
        "lease": _lease_view(chat),
        "window_seq": records.window_seq,
        "update": _update_view(records.update),
        "decisions": [_decision_view(one, one.decision) for one in records.messages if one.decision],
        "plan": _plan_view(records.plan, records.messages) if records.plan else None,
    }


def _seconds(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment else None


def _lease_view(chat: Chat | None) -> Json | None:
    if chat is None or chat.lease is None or not chat.is_held(datetime.now(chat.lease.until.tzinfo)):
        return None
    return {"owner": chat.lease.owner, "until": _seconds(chat.lease.until)}


def _update_view(update: Document | None) -> Json | None:
    if update is None:
        return None
    named = {name: update.get(name) for name in ("update_id", "kind", "read", "trace")}
    return named | {"received_at": _seconds(update.get("received_at"))}


def _decision_view(message: Message, decision: Decision) -> Json:
    return {
        "message_id": message.message_id,
        "respond": decision.respond,
        "reason": decision.reason,
        "tier": decision.tier.value,
    }


def _plan_view(plan: Plan, messages: Iterable[Message]) -> Json:
    own = {task.task.id for task in plan.tasks if task.is_own}
    commands = [m.message_id for m in messages if not own.isdisjoint(map(own_task_id, m.updates))]
    return {
        "id": plan.id,
        "state": "open" if plan.is_open else "closed",
        "created_at": _seconds(plan.created_at),
        "trigger_message_ids": [*plan.answers, *commands],
        "tasks": [_task_view(task) for task in plan.tasks],
        "calls": [_call_view(call, plan.trace) for call in plan.calls],
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


def _call_view(call: ModelCall, trace: str) -> Json:
    return call.model_dump(mode="json") | {"trace": trace}
