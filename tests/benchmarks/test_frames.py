"""Frames are counted on the stack and across tasks, also for a real message."""

import asyncio
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.frames import Stacks, depths_in
from benchmarks.structure import LIMITS, OF_A_RUN
from tests.stories.play import Sandbox

SOURCE = """
import asyncio

async def generate():
    return 1

async def held(call):
    return await asyncio.ensure_future(call())

async def straight():
    return await generate()

async def through_a_task():
    return await held(lambda: generate())

async def through_many():
    return await asyncio.gather(straight(), through_a_task())
"""


@pytest.fixture
def deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Yield a module whose frames count."""
    (tmp_path / "deep_calls.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield import_module("deep_calls")
    del sys.modules["deep_calls"]


@pytest.mark.parametrize(
    ("entry", "way"),
    [
        ("straight", ["straight", "generate"]),
        # the lambda has ended when the task runs, but the function that awaits the task has not
        ("through_a_task", ["through_a_task", "held", "generate"]),
        ("through_many", ["through_many", "through_a_task", "held", "generate"]),
    ],
)
async def test_a_task_goes_on_from_the_stack_of_whoever_made_it(
    deep: ModuleType, tmp_path: Path, entry: str, way: list[str]
) -> None:
    stacks = Stacks(lambda frame: frame.f_code.co_name == "generate", [str(tmp_path)])
    with stacks.watching():
        await getattr(deep, entry)()
    assert [place.rpartition(":")[2] for place in stacks.deepest] == way


async def test_nothing_is_looked_at_after_the_block(deep: ModuleType, tmp_path: Path) -> None:
    stacks = Stacks(lambda frame: frame.f_code.co_name == "generate", [str(tmp_path)])
    with stacks.watching():
        pass
    await deep.straight()
    assert stacks.deepest == []
    assert asyncio.get_running_loop().get_task_factory() is None


async def test_a_message_goes_no_deeper_than_it_went(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    await sandbox.private(ann)
    await sandbox.model.will({"text": json.dumps({"tasks": [{"kind": "send", "text": "Hello."}]})})
    found = await depths_in(sandbox.cloud, ann.id)
    assert found["way_to_model"][0] == "functions/tick/main.py:tick"
    assert found["way_to_store"][0] == "functions/webhook/main.py:webhook"
    assert {name: found[name] for name in OF_A_RUN if found[name] > LIMITS[name]} == {}, found
