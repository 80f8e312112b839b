"""One more tool is two files: its module, here in the folder of the feature that it uses, and its test."""

from tests.growth.scratch import Changes, Growth, Scratch

MODULE = '''
"""`weekday`: which day it is where the agent is."""

from collections.abc import Mapping
from typing import Final

from shared.base.errors import ToolFailed
from shared.reminders.store import FirestoreReminders
from shared.tools.tool import Tool, ToolContext


async def _weekday(arguments: Mapping[str, object], context: ToolContext) -> str:
    if arguments:
        raise ToolFailed("It takes nothing.")
    kept = await context.ports[FirestoreReminders].open_of_chat([context.chat.id], 9)
    day = f"{context.now.astimezone(context.zone):%A} in chat {context.chat.chat_id}"
    return f"{day}, {len(kept)} reminders are open"


TOOL: Final = Tool(
    name="weekday",
    description="Which day of the week it is.",
    parameters={"type": "object", "properties": {}},
    run=_weekday,
    needs=(FirestoreReminders,),
    stays_in_chat=True,
)
'''
TEST = '''
"""The weekday is the agent's."""

from shared.reminders.tools.weekday import TOOL


def test_it_is_declared_by_its_name() -> None:
    assert TOOL.declaration.name == "weekday"
'''
#: an agent whose role prompt unlocks the tool gets its declaration; a call knows its person, chat and time
PROBE = """
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from infra.bundle import ROOT
from infra.imports import imported_files
from shared.chat.store.chats import FirestoreChats
from shared.llm.ports.world import PortRegistry
from shared.planning.personas.load import load_agents
from shared.reminders.store import FirestoreReminders
from shared.reminders.tools.weekday import TOOL
from shared.tools.tool import ToolContext
from shared.tools.toolbox import Toolbox
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.prompt import ToolCall


def test_a_role_prompt_unlocks_it_for_an_agent(tmp_path: Path) -> None:
    for path, text in {
        "prompts/days.md": "---\\nunlocks: [send, weekday]\\n---\\nYou know the day.\\n",
        "pia/agent.md": "---\\nname: Pia\\nusername: pia_bot\\nprompts: [days]\\n---\\nYou are Pia.\\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert load_agents([tmp_path])["pia"].tools == ("weekday",)


async def test_it_is_declared_and_answers(chats: FirestoreChats) -> None:
    ports = PortRegistry({FirestoreReminders: FirestoreReminders(chats.client)})
    box = Toolbox(tools={TOOL.name: TOOL}, ports=ports)
    assert [one.name for one in box.declarations_of(["weekday"])] == ["weekday"]
    context = ToolContext(
        asker=None,
        chat=ChatKey(agent="pia", chat_id=7),
        kind=ChatKind.PRIVATE,
        conversation="conv-1",
        now=datetime(2026, 11, 22, 23, 30, tzinfo=UTC),
        zone=ZoneInfo("Europe/Kyiv"),
    )
    answers = await box.answers_to([ToolCall(name="weekday", arguments={})], ["weekday"], context)
    assert [(one.text, one.is_error) for one in answers] == [("Monday in chat 7, 0 reminders are open", False)]


def test_the_tick_ships_it_and_the_webhook_does_not() -> None:
    module = ROOT / "shared" / "reminders" / "tools" / "weekday.py"
    assert module in imported_files(ROOT / "functions" / "tick" / "main.py", ROOT)
    assert module not in imported_files(ROOT / "functions" / "webhook" / "main.py", ROOT)
"""


#: the tests of everything that makes a toolbox of all tools
TESTS = (
    "tests/shared/tools/test_toolbox.py",
    "tests/shared/turn/test_replier.py",
    "tests/shared/wiring/test_tick.py",
)


def _add(scratch: Scratch) -> None:
    scratch.adds("shared/reminders/tools/weekday.py", MODULE)
    scratch.adds("tests/shared/reminders/tools/test_weekday.py", TEST)


GROWTH = Growth(add=_add, path="tests/shared/tools/test_probe.py", probe=PROBE, tests=TESTS)


def test_a_tool_is_its_module_and_its_test(changes: Changes) -> None:
    assert changes[GROWTH.path] == ["shared/reminders/tools/weekday.py", "tests/shared/reminders/tools/test_weekday.py"]
