"""The small model for vectors, during its download and when it cannot be downloaded."""

import asyncio
from pathlib import Path

import pytest

from local.model.calls import ApiError, Fault
from local.model.minilm import NAME, MiniLm
from local.model.minilm_files import MINILM, Files
from local.model.model_file import ModelFileError
from local.model.state import ModelState, Progress


async def never(progress: Progress) -> Files:
    progress.reached(MINILM.size // 2)
    await asyncio.Event().wait()
    raise AssertionError


async def failing(_: Progress) -> Files:
    raise ModelFileError("No network.")


async def test_while_it_comes_a_caller_is_told_how_far_it_is() -> None:
    model = MiniLm(never, patience_s=0.05)
    await model.start()
    assert model.report().state is ModelState.STARTING
    with pytest.raises(ApiError, match="being downloaded: 11 of 23 MB") as raised:
        await model.embed(["hi"], 10)
    assert raised.value.fault is Fault.UNAVAILABLE
    assert (model.report().state, model.report().done_bytes) == (ModelState.DOWNLOADING, MINILM.size // 2)
    await model.stop()


async def test_where_it_cannot_be_had_every_caller_is_told_why() -> None:
    model = MiniLm(failing, is_ahead=True)
    await model.start()
    for _ in range(2):
        with pytest.raises(ApiError, match=f"There is no {NAME} here. No network.") as raised:
            await model.embed(["hi"], 10)
        assert raised.value.fault is Fault.NOT_FOUND
    assert (model.report().state, model.report().error) == (ModelState.FAILED, "No network.")
    await model.stop()


async def test_files_that_cannot_be_loaded_are_told_too(tmp_path: Path) -> None:
    async def rubbish(_: Progress) -> Files:
        (tmp_path / "model").write_bytes(b"no model")
        return Files(tmp_path / "model", tmp_path / "model")

    model = MiniLm(rubbish)
    with pytest.raises(ApiError, match=f"There is no {NAME} here") as raised:
        await model.embed(["hi"], 10)
    assert raised.value.fault is Fault.NOT_FOUND
    await model.stop()
