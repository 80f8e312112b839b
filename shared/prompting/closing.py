"""The closing part of a prompt, which changes with every plan: time and place, what is planned, what to answer."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from shared.models.chat import ChatKind
from shared.models.message import Message
from shared.prompting.escaping import clean_name, escaped
from shared.prompting.history import album_heads
from shared.prompting.known import iso_time
from shared.prompting.messages import short_name, shortened
from shared.prompting.scene import Scene, meanings
from shared.tasks.plan import DeliveryState, PlannedTask

#: messages to be answered that are named; of more, the last ones
MOST_NAMED = 10
#: of what is still planned, as much as the agent needs to plan it again
MOST_PENDING = 10
PENDING_CHARACTERS = 300


def closing_part(scene: Scene) -> str:
    """The last part of the last turn, between two marks that nobody else can write."""
    return "\n".join(("[now]", *_lines(scene), "[RESPOND]"))


def _lines(scene: Scene) -> Iterator[str]:
    chat = (
        f'the {scene.chat.kind.value} chat "{clean_name(scene.chat.title)}"' if scene.chat.title else "a private chat"
    )
    zone = "" if scene.timezone == "UTC" else f" in {scene.timezone}"
    now = f"{iso_time(scene.now, scene.zone, 'seconds')}{zone}, {scene.now.astimezone(scene.zone):%A}"
    yield f"It is {now}. You are {scene.agent.front.name} in {chat}."
    known = meanings(scene)
    if known:
        said = ((name, json.dumps(value or "not known", ensure_ascii=False)) for name, value in known.items())
        yield f"In your instructions, {', '.join(f'{{{name}}} is {value}' for name, value in said)}."
    if scene.pending:
        yield (
            "Still planned from before, and replaced by your new plan; plan again what should still happen: "
            + "; ".join(_pending(scene.pending, scene.now))
        )
    if scene.targets:
        yield from _asked(scene)


def _asked(scene: Scene) -> Iterator[str]:
    """Which messages to answer. The compact format names authors instead, and nobody in a private chat."""
    if scene.format.names_messages:
        heads = album_heads(scene.entries)
        names = [str(message_id) for message_id in dict.fromkeys(heads.get(one, one) for one in scene.targets)]
        yield f"Consider responding to message {_list(names)}."
    elif scene.chat.kind is not ChatKind.PRIVATE:
        wanted = set(scene.targets)
        authors = [m.author for m in scene.entries if isinstance(m, Message) and m.message_id in wanted]
        if authors:
            yield f"Consider responding to {_list(list(dict.fromkeys(short_name(author) for author in authors)))}."


def _list(names: Sequence[str]) -> str:
    more = f", and the {len(names) - MOST_NAMED} before them" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[-MOST_NAMED:])}{more}"


def _pending(pending: Sequence[PlannedTask], now: datetime) -> Iterator[str]:
    yield from (_one(planned, now) for planned in pending[:MOST_PENDING])
    if len(pending) > MOST_PENDING:
        yield f"and {len(pending) - MOST_PENDING} more tasks"


def _one(planned: PlannedTask, now: datetime) -> str:
    """What of a task is still to be done. A part that left counts as sent, even if its outcome is unknown."""
    gone = sum(delivery.state is not DeliveryState.PLANNED for delivery in planned.deliveries)
    told = planned.task.pending(gone, planned.not_before - now if planned.not_before else None)
    return told.what if told.text is None else f"{told.what} {_short(told.text)}"


def _short(text: str) -> str:
    return repr(shortened(escaped(text), PENDING_CHARACTERS))
