"""Parsing processes: dead ones are replaced, and misbehaving ones are killed."""

import asyncio

import pytest

from shared.base.errors import ParserBusy, ParserFailed
from shared.reader.sandbox.media_process import MEMORY_BYTES, SOUND_S
from shared.reader.sandbox.worker_pool import WorkerPool
from tests.shared.reader.decode import files

DECODERS = ("shared.reader.sandbox.media_process", str(MEMORY_BYTES), str(SOUND_S))
PHOTO = {"kind": "photo", "mime_type": ""}


async def test_one_process_answers_again_and_again() -> None:
    children = WorkerPool(command=DECODERS, at_once=1, whole_s=30, most_head=10_000, most_body=100_000)
    first, second = [await children.answer(PHOTO, files.photo()) for _ in range(2)]
    assert first == second
    assert first[1][:2] == b"\xff\xd8"
    assert len(children.idle) == 1
    await children.aclose()
    assert children.idle == []


async def test_an_answer_that_is_too_long_ends_its_process() -> None:
    children = WorkerPool(command=DECODERS, at_once=1, whole_s=30, most_head=10_000, most_body=10)
    with pytest.raises(ParserFailed):
        await children.answer(PHOTO, files.photo())
    assert children.idle == []


async def test_a_process_that_does_not_begin_is_no_answer() -> None:
    children = WorkerPool(command=("shared.no_such_module",), at_once=1, whole_s=30, most_head=10)
    with pytest.raises(ParserFailed):
        await children.answer({}, b"")


async def test_who_waits_too_long_has_no_turn_and_who_gives_up_leaves_no_process() -> None:
    children = WorkerPool(command=DECODERS, at_once=1, whole_s=30, most_head=10_000, most_body=100_000)
    waiting = asyncio.create_task(children.answer(PHOTO, files.photo()))
    await asyncio.sleep(0)
    children.whole_s = 0.01
    with pytest.raises(ParserBusy):
        await children.answer(PHOTO, files.photo())
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert children.idle == []
