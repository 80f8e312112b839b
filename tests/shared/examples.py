"""The values that the tests of the domain are made of: one moment, one chat, a few people."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from shared.tasks.plan import Delivery, DeliveryState, Plan, PlannedTask
from shared.tasks.react import React
from shared.tasks.send import Send
from shared.tasks.task import Task
from shared.tasks.wait import Wait
from shared.telegram.inbound.envelope import read_envelope
from shared.values.agent import Agent, FrontMatter, ReplyPace, RolePrompt
from shared.values.chat_key import ChatKey
from shared.values.media import MediaKind, MediaRef
from shared.values.message import Author, Message
from shared.values.update import InboxUpdate, Json
from shared.values.wake import Wake

#: settings of generated examples: no time limit, as machines may be slow, and no files
PROPERTY = settings(deadline=None, database=None, max_examples=40, suppress_health_check=list(HealthCheck))

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
#: reads the wake in the body of a task
WAKE = TypeAdapter(Wake)
BOT_ID = 7_000_000_001
KEY = ChatKey(agent="lull", chat_id=1_100_000_001)
GROUP_KEY = ChatKey(agent="lull", chat_id=-1_002_000_000_001)
ANN = Author(id=1_100_000_001, name="Ann", username="ann_a")
BOB = Author(id=1_100_000_002, name="Bob")
ME = Author(id=BOT_ID, name="lull", username="lull_bot", is_bot=True, is_agent=True)

#: the characters that end a line in Unicode or in Python
LINE_ENDS = ("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")

#: any JSON value, with those that have broken such code: huge numbers, lone surrogates, NUL, odd nesting
ODD_TEXTS = st.sampled_from(
    ["", "\ud83d", "a\udc00b", "\x00", "private", "message", "mention", "bot_command", *LINE_ENDS]
)
JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8) | ODD_TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6) | ODD_TEXTS, inner, max_size=3),
    max_leaves=8,
)


def said(text: str, author: Author = ANN, message_id: int = 1, **fields: Any) -> Message:
    """Make a message."""
    usual: dict[str, Any] = {"at": NOW, "message_id": message_id, "author": author, "text": text}
    return Message(**usual | fields)


def photos(*file_ids: str) -> tuple[MediaRef, ...]:
    """Make references to photos."""
    return tuple(MediaRef(kind=MediaKind.PHOTO, file_id=one) for one in file_ids)


def send(task_id: str = "1", text: str = "Hello.", after: tuple[str, ...] = (), reply_to: int | None = None) -> Send:
    """Make a task that sends."""
    return Send(id=task_id, text=text, depends_on=after, reply_to=reply_to)


def wait(task_id: str = "2", seconds: int = 60, after: tuple[str, ...] = ()) -> Wait:
    """Make a task that waits."""
    return Wait(id=task_id, seconds=seconds, depends_on=after)


def react(task_id: str = "3", after: tuple[str, ...] = ()) -> React:
    """Make a task that reacts."""
    return React(id=task_id, emoji="👍", message_id=1, depends_on=after)


def plan_of(*tasks: Task, plan_id: str = "p1") -> Plan:
    """Make a plan that has not begun."""
    return Plan(id=plan_id, created_at=NOW, tasks=tuple(PlannedTask(task=task) for task in tasks))


def begun(task: Task, *states: DeliveryState) -> PlannedTask:
    """Make a task with deliveries in these states."""
    deliveries = tuple(Delivery(part=n, method="sendMessage", state=state) for n, state in enumerate(states))
    return PlannedTask(task=task, deliveries=deliveries)


def update_of(raw: Json, agent: str = "lull", at: datetime = NOW) -> InboxUpdate:
    """Wrap a raw update as the webhook stores it."""
    envelope = read_envelope(agent, raw)
    assert envelope is not None
    return InboxUpdate(envelope=envelope, raw=raw, received_at=at)


def user(author: Author) -> Json:
    """Make Telegram's User of an author."""
    return {"id": author.id, "is_bot": author.is_bot, "first_name": author.name, "username": author.username}


def private_chat(author: Author = ANN) -> Json:
    """Make the private chat of a person with the agent."""
    return {"id": author.id, "type": "private", "first_name": author.name}


GROUP = {"id": GROUP_KEY.chat_id, "type": "supergroup", "title": "Garden"}


def message_update(update_id: int, text: str = "hi", author: Author = ANN, **fields: Any) -> Json:
    """Make the raw update of a message; `chat` is by default a private chat."""
    message = {"message_id": update_id, "from": user(author), "chat": private_chat(author), "date": 1_772_366_400}
    return {"update_id": update_id, "message": message | {"text": text} | fields}


def agent(pace: ReplyPace = ReplyPace.INSTANT, **fields: Any) -> Agent:
    """Make the agent of tests."""
    front = FrontMatter(name="lull", username="lull_bot", pace=pace)
    roles = (RolePrompt(name="chat", text="Answer with a plan.", unlocks=("send", "wait", "react")),)
    usual: dict[str, Any] = {"id": "lull", "front": front, "instructions": "You are lull.", "roles": roles}
    return Agent(**usual | fields)
