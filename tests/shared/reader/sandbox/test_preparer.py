"""Files in separate processes: a hostile one is stopped, and the next is still prepared."""

import asyncio

from shared.reader.decode.sentences import BUSY, TOO_MUCH
from shared.reader.sandbox.preparer import SandboxedPreparer, decoders
from tests.shared.reader.decode import files


async def test_several_files_take_their_turns() -> None:
    preparer = SandboxedPreparer()
    found = await asyncio.gather(*(preparer.prepare("photo", "", files.photo(10 * n, 10)) for n in range(1, 5)))
    assert [one.facts.width for one in found] == [10, 20, 30, 40]
    assert len(preparer.pool.idle) == 1
    await preparer.aclose()


async def test_a_file_that_takes_too_much_leaves_the_next_one_alone() -> None:
    preparer = SandboxedPreparer(decoders(memory_bytes=24 * 1_048_576))
    assert (await preparer.prepare("photo", "", files.photo(5_000, 4_000, format="PNG"))).problem == TOO_MUCH
    (process,) = preparer.pool.idle
    assert (await preparer.prepare("photo", "", files.photo())).problem == ""
    process.kill()
    await process.wait()
    assert (await preparer.prepare("photo", "", files.photo())).problem == ""
    await preparer.aclose()


async def test_a_file_that_gets_no_turn_may_be_tried_again() -> None:
    found = await SandboxedPreparer(decoders(at_once=0, whole_s=0.05)).prepare("photo", "", files.photo())
    assert (found.problem, found.may_retry) == (BUSY, True)
