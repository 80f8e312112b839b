"""One more kind of task is two files: its module, and its test."""

from tests.growth.scratch import Changes, Growth, Scratch

MODULE = '''
"""`poke`: nudge somebody."""

from typing import ClassVar, Literal

from pydantic import Field

from shared.base.text import FormattedText
from shared.tasks.task import DeliveryResult, DeliveryContext, Task
from shared.tasks.traits import TaskTraits


class Poke(Task):
    """Nudge somebody who has not answered."""

    traits: ClassVar[TaskTraits] = TaskTraits(order=50, method="sendMessage", stays_in_chat=True, is_awaited=True)

    kind: Literal["poke"] = "poke"
    whom: str = Field(min_length=1, description="The name of the person.")

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Say the name."""
        sent = await context.channel.send_text(context.to, FormattedText(text=f"{self.whom}?"), None, ())
        return DeliveryResult(message_ids=(sent.message_id,))

    def summary(self) -> str:
        """The name."""
        return self.whom


TASK = Poke
'''
TEST = '''
"""A poke names somebody."""

import pytest
from pydantic import ValidationError

from shared.tasks.poke import Poke


def test_a_poke_needs_a_name() -> None:
    with pytest.raises(ValidationError):
        Poke(whom="")
    assert Poke(whom="Ann").summary() == "Ann"
'''
#: the kind is in the schema, unlocked by a role prompt, parsed, delivered and recorded by the runner, and shipped
PROBE = """
import json
from pathlib import Path

from infra.bundle import ROOT
from infra.imports import imported_files
from shared.chat.store.chats import ReadUpdates
from shared.planning.format.reply import parse_reply
from shared.planning.format.schema import plan_schema, format_instructions
from shared.planning.personas.load import load_agents
from shared.tasks.plan import DeliveryState, Plan, TaskState
from shared.values.agent import Codec
from tests.shared.examples import plan_of
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session, deliveries, runner_of


def test_a_role_prompt_unlocks_it_for_an_agent(tmp_path: Path) -> None:
    for path, text in {
        "prompts/poking.md": "---\\nunlocks: [send, poke]\\n---\\nYou may poke.\\n",
        "pia/agent.md": "---\\nname: Pia\\nusername: pia_bot\\nprompts: [poking]\\n---\\nYou are Pia.\\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert "poke" in load_agents([tmp_path])["pia"].kinds


def test_it_is_in_the_schema_and_parsed() -> None:
    assert "The name of the person." in json.dumps(plan_schema(["send", "poke"]))
    assert "poke" in format_instructions(["send", "poke"], Codec.MARKDOWN)
    reply = json.dumps({"tasks": [{"kind": "poke", "whom": "Ann"}]})
    parsed = parse_reply(reply, ("send", "poke"), Codec.JSON)
    assert [(task.kind, task.whom) for task in parsed.tasks] == [("poke", "Ann")]


async def test_it_is_delivered_and_recorded(harness: ChatHarness) -> None:
    from shared.tasks.poke import Poke

    await harness.writes("hi")
    hold = await claimed_session(harness)
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    plan = (await runner_of(harness).run(hold, plan_of(Poke(id="1", whom="Ann")), is_final_plan=False)).plan
    assert [task.state for task in plan.tasks] == [TaskState.DONE]
    assert deliveries(plan) == [[DeliveryState.CONFIRMED]]
    assert await harness.said() == ["Ann?"]
    assert Plan.model_validate_json(plan.model_dump_json()) == plan


def test_the_tick_ships_it_and_the_webhook_does_not() -> None:
    module = ROOT / "shared" / "tasks" / "poke.py"
    assert module in imported_files(ROOT / "functions" / "tick" / "main.py", ROOT)
    assert module not in imported_files(ROOT / "functions" / "webhook" / "main.py", ROOT)
"""


TESTS = ("tests/shared/tasks", "tests/shared/planning/format/test_schema.py", "tests/docs")


def _add(scratch: Scratch) -> None:
    scratch.adds("shared/tasks/poke.py", MODULE)
    scratch.adds("tests/shared/tasks/test_poke.py", TEST)


GROWTH = Growth(add=_add, path="tests/shared/turn/test_probe_of_a_task.py", probe=PROBE, tests=TESTS)


def test_a_kind_of_task_is_its_module_and_its_test(changes: Changes) -> None:
    assert changes[GROWTH.path] == ["shared/tasks/poke.py", "tests/shared/tasks/test_poke.py"]
