"""A chat's records as the panel reads them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from local.page.panel_views import SUMMARY_CHARACTERS, chat_view
from shared.inspecting.reading import InspectedChat
from shared.models.chat import Chat, Lease
from shared.models.chat_key import ChatKey
from shared.models.message import Author, Message
from shared.models.tool_use import ToolUse
from shared.models.usage import ModelCall
from shared.tasks.names import command_task_id
from shared.tasks.notice import Notice
from shared.tasks.plan import Delivery, DeliveryState, Plan, PlannedTask, TaskState
from shared.tasks.react import React
from shared.tasks.rewrite import Rewrite
from shared.tasks.send import Send
from shared.tasks.wait import Wait

KEY = ChatKey(agent="lull", chat_id=5)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
REFUSED = Delivery(part=0, method="setMessageReaction", state=DeliveryState.REFUSED, why="REACTION_INVALID")
PLAN = Plan(
    id="plan-1",
    created_at=NOW,
    answers=(1, 2),
    trace="t" * 32,
    notes=("A task was left out.",),
    calls=(ModelCall(model="small", prompt_tokens=12, ms=340),),
    tasks=(
        PlannedTask(task=Send(id="a", text="x" * 1_000), state=TaskState.DONE),
        PlannedTask(task=Wait(id="b", seconds=30, depends_on=("a",)), not_before=NOW),
        PlannedTask(task=React(id="c", emoji="👍", message_id=9), state=TaskState.FAILED, deliveries=(REFUSED,)),
    ),
)


def records(chat: Chat | None = None, plan: Plan | None = None) -> InspectedChat:
    return InspectedChat(key=KEY, chat=chat, update=None, messages=(), window_seq=0, plan=plan)


def test_a_chat_without_documents_is_a_chat_at_its_beginning() -> None:
    view = chat_view(records())
    assert (view["agent"], view["generation"], view["lease"], view["update"], view["plan"]) == (
        "lull",
        0,
        None,
        None,
        None,
    )


def test_only_a_lease_that_still_runs_is_shown() -> None:
    def lease(until: datetime) -> Chat:
        return Chat(key=KEY, lease=Lease(owner="tick-1", until=until))

    now = datetime.now(UTC)
    held = chat_view(records(lease(now + timedelta(minutes=1))))["lease"]
    assert held["owner"] == "tick-1"
    assert chat_view(records(lease(now - timedelta(minutes=1))))["lease"] is None


def test_tasks_are_told_in_a_few_words() -> None:
    send, wait, react = chat_view(records(plan=PLAN))["plan"]["tasks"]
    assert send["summary"] == "x" * SUMMARY_CHARACTERS
    assert (wait["summary"], wait["depends_on"], wait["not_before"]) == ("for 0:00:30", ["a"], NOW.timestamp())
    assert react["summary"] == "👍 on message 9"
    assert react["deliveries"] == [
        {"id": "c.0", "method": "setMessageReaction", "state": "refused", "message_ids": [], "why": "REACTION_INVALID"}
    ]


def test_each_model_call_leads_to_its_prompt() -> None:
    plan = chat_view(records(plan=PLAN))["plan"]
    assert plan["state"] == "open"
    assert plan["trigger_message_ids"] == [1, 2]
    assert [(call["model"], call["ms"], call["trace"]) for call in plan["calls"]] == [("small", 340, PLAN.trace)]


def test_a_command_is_what_lulls_own_words_answer() -> None:
    author = Author(id=5, name="Ann")
    said = [Message(at=NOW, message_id=n, author=author, text="/whoami", updates=(100 + n,)) for n in (7, 8)]
    own = PlannedTask(task=Send(id=command_task_id(108), text="You are Ann."), is_own=True)
    here = replace(records(plan=PLAN.model_copy(update={"tasks": (own,), "answers": ()})), messages=tuple(said))
    assert chat_view(here)["plan"]["trigger_message_ids"] == [8]


def test_what_lull_says_itself_is_told_by_its_words() -> None:
    own = (Notice(id="n", query_id="q", text="Seen."), Rewrite(id="r", message_id=5, text="Chosen."))
    plan = PLAN.model_copy(update={"tasks": tuple(PlannedTask(task=task, is_own=True) for task in own)})
    tasks = chat_view(records(plan=plan))["plan"]["tasks"]
    assert [(task["kind"], task["summary"]) for task in tasks] == [("notice", "Seen."), ("rewrite", "Chosen.")]


def test_a_plan_tells_of_its_calls_of_tools_and_from_where_on_it_was_tainted() -> None:
    def use(name: str, outside: str = "") -> ToolUse:
        return ToolUse(name=name, arguments='{"q": 1}', answer="found", outside=outside, seconds=1.5, asked_by=1)

    uses = (use("weather"), use("search", "what was found"), use("search", "what was found"))
    clean = PLAN.model_copy(update={"uses": uses[:1]})
    found = PLAN.model_copy(update={"uses": uses, "outside": ("what was found",), "lost": ("clear-conversation",)})
    given = found.model_copy(update={"outside": ("a forwarded message", "what was found")})
    views = [chat_view(records(plan=plan))["plan"] for plan in (clean, found, given)]
    assert views[0]["uses"] == [
        {"name": "weather", "arguments": '{"q": 1}', "answer": "found", "is_error": False, "outside": "", "ms": 1_500.0}
        | {"asked_by": 1}
    ]
    lost = ["clear-conversation"]
    assert [view["taint"] for view in views] == [
        None,
        {"after": 1, "seen": ["what was found"], "lost": lost},
        {"after": None, "seen": ["a forwarded message"], "lost": lost},
    ]


def test_what_the_agent_wrote_after_words_from_outside_is_named() -> None:
    agent, ann = Author(id=7, name="lull", is_bot=True, is_agent=True), Author(id=5, name="Ann")
    said = tuple(
        Message(at=NOW, message_id=number, author=author, text="x", holds_outside=is_held)
        for number, author, is_held in ((1, ann, True), (2, agent, False), (3, agent, True))
    )
    assert chat_view(replace(records(), messages=said))["holding_outside"] == [3]
