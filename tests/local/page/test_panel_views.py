"""The panel's views of a chat's records."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from local.page.panel_views import SUMMARY_CHARACTERS, chat_view, file_view
from shared.base.model_call import ModelCall
from shared.tasks.names import command_task_id
from shared.tasks.notice import Notice
from shared.tasks.plan import Delivery, DeliveryState, Plan, PlannedTask, TaskState
from shared.tasks.react import React
from shared.tasks.rewrite import Rewrite
from shared.tasks.send import Send
from shared.tasks.wait import Wait
from shared.upkeep.files import InspectedFile
from shared.upkeep.reading import InspectedChat
from shared.values.chat import Chat, ChatClaim, Lease
from shared.values.chat_key import ChatKey
from shared.values.decision import Decision, DecisionTier, RecallNote
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import Author, Message
from shared.values.prepared import FileFacts
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia, StoredPart
from shared.values.tool_use import ToolUse

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
        return Chat(key=KEY, claim=ChatClaim(lease=Lease(owner="tick-1", until=until)))

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
    here = replace(records(plan=evolve(PLAN, tasks=(own,), answers=())), messages=tuple(said))
    assert chat_view(here)["plan"]["trigger_message_ids"] == [8]


def test_what_lull_says_itself_is_told_by_its_words() -> None:
    own = (Notice(id="n", query_id="q", text="Seen."), Rewrite(id="r", message_id=5, text="Chosen."))
    plan = evolve(PLAN, tasks=tuple(PlannedTask(task=task, is_own=True) for task in own))
    tasks = chat_view(records(plan=plan))["plan"]["tasks"]
    assert [(task["kind"], task["summary"]) for task in tasks] == [("notice", "Seen."), ("rewrite", "Chosen.")]


def test_a_plan_tells_of_its_calls_of_tools_and_from_where_on_it_was_tainted() -> None:
    def use(name: str, outside: str = "") -> ToolUse:
        return ToolUse(name=name, arguments='{"q": 1}', answer="found", outside=outside, seconds=1.5, asked_by=1)

    uses = (use("weather"), use("search", "what was found"), use("search", "what was found"))
    clean = evolve(PLAN, uses=uses[:1])
    found = evolve(PLAN, uses=uses, outside=("what was found",), waiting=("`clear-conversation`",))
    given = evolve(found, outside=("a forwarded message", "what was found"))
    views = [chat_view(records(plan=plan))["plan"] for plan in (clean, found, given)]
    assert views[0]["uses"] == [
        {"name": "weather", "arguments": '{"q": 1}', "answer": "found", "is_error": False, "outside": "", "ms": 1_500.0}
        | {"asked_by": 1}
    ]
    waiting = ["`clear-conversation`"]
    assert [view["taint"] for view in views] == [
        None,
        {"after": 1, "seen": ["what was found"], "waiting": waiting},
        {"after": None, "seen": ["a forwarded message"], "waiting": waiting},
    ]


def test_what_the_agent_wrote_after_words_from_outside_is_named() -> None:
    agent, ann = Author(id=7, name="lull", is_bot=True, is_agent=True), Author(id=5, name="Ann")
    said = tuple(
        Message(at=NOW, message_id=number, author=author, text="x", holds_outside=is_held)
        for number, author, is_held in ((1, ann, True), (2, agent, False), (3, agent, True))
    )
    assert chat_view(replace(records(), messages=said))["holding_outside"] == [3]


VOICE = MediaRef(kind=MediaKind.VOICE, file_id="f", unique_id="u", mime_type="audio/ogg", size=900, duration_s=3)
SAID = Description(
    outcome=DescriptionOutcome.DESCRIBED,
    shows="a person in a hurry",
    says="come now",
    source="gemini-3.5-flash-lite",
    call=ModelCall(model="gemini-3.5-flash-lite", prompt_tokens=100, output_tokens=10, ms=600),
)


def test_a_file_is_told_with_its_chain_its_words_and_its_cost() -> None:
    parts = (StoredPart(path="secret/path", mime_type="audio/mp3", size=800),)
    kept = StoredMedia(
        unique_id="u",
        kind=VOICE.kind,
        description=SAID,
        tries=2,
        parts=parts,
        facts=FileFacts(type="audio/opus"),
        updated_at=NOW,
    )
    reference = FileReference(ref=VOICE, agent="lull", chat=KEY.id, person=5, message_ids=(7,), at=NOW, try_at=NOW)
    view = file_view(InspectedFile(ref=VOICE, kept=kept, reference=reference))
    assert [link["answer"] for link in view["chain"]] == ["nothing", "nothing", "nothing", "known"]
    assert (view["outcome"], view["says"], view["shows"]) == ("described", "come now", "a person in a hurry")
    assert (view["is_own_words"], view["is_settled"], view["tries"], view["next_try_at"]) == (True, True, 2, None)
    assert (view["mime_type"], view["duration_s"], view["call"]["ms"]) == ("audio/opus", 3, 600)
    assert view["cost"] == 0.000055
    assert view["parts"] == [{"mime_type": "audio/mp3", "size": 800}]
    assert (view["reference"]["message_ids"], view["reference"]["is_open"]) == ([7], True)


def test_a_file_that_nobody_asked_about_is_told_by_what_telegram_says() -> None:
    view = file_view(InspectedFile(ref=VOICE))
    assert (view["outcome"], view["chain"], view["call"], view["cost"], view["reference"]) == (
        None,
        [],
        None,
        0.0,
        None,
    )
    assert (view["mime_type"], view["shows"], view["why"]) == ("audio/ogg", "", "")


def test_a_decision_tells_what_recalling_took() -> None:
    note = RecallNote(is_asked=True, why="it looks back", found=3, matches=9, reads=12, ms=40)
    decision = Decision(respond=True, reason="so", tier=DecisionTier.CHAT, recall=note)
    said = Message(at=NOW, message_id=7, author=Author(id=5, name="Ann"), decision=decision)
    (told,) = chat_view(replace(records(), messages=(said,)))["decisions"]
    assert (told["recall"]["found"], told["recall"]["reads"], told["recall"]["why"]) == (3, 12, "it looks back")


def test_of_a_message_that_waited_for_its_file_the_later_decision_counts() -> None:
    def decided(respond: bool, tier: DecisionTier) -> Decision:
        return Decision(respond=respond, reason="so", tier=tier)

    waited, other = (
        Message(at=NOW, message_id=n, author=Author(id=5, name="Ann"), decision=decided(False, tier))
        for n, tier in ((7, DecisionTier.WAIT), (8, DecisionTier.NONE))
    )
    then = dict.fromkeys((7, 8), decided(True, DecisionTier.EXPLICIT))
    late, plain = chat_view(replace(records(), messages=(waited, other), decided=then))["decisions"]
    assert (late["respond"], late["tier"], late["has_waited"]) == (True, "explicit", True)
    assert (plain["respond"], plain["tier"], plain["has_waited"]) == (False, "none", False)
    (early,) = chat_view(replace(records(), messages=(waited,)))["decisions"]
    assert (early["respond"], early["tier"]) == (False, "wait")


def test_what_is_known_of_files_is_told_for_the_whole_conversation() -> None:
    failed = Description(outcome=DescriptionOutcome.UNSUPPORTED, why="too large")
    assert chat_view(replace(records(), known={"u": SAID, "v": failed}))["known"] == {"u": "a person in a hurry"}


def test_a_call_of_a_model_costs_what_its_price_was_then() -> None:
    dear = ModelCall(model="gemini-3.5-flash-lite", prompt_tokens=1_000_000)
    calls = chat_view(records(plan=evolve(PLAN, calls=(dear, *PLAN.calls))))["plan"]["calls"]
    assert [call["cost"] for call in calls] == [0.3, None]
