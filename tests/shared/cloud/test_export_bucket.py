"""The bucket of exports, through the emulator."""

from secrets import token_bytes, token_hex

import pytest

from shared.base.errors import ExportsUnavailable
from shared.cloud.bucket import PIECE
from shared.cloud.export_bucket import StorageExports
from tests.shared.exports import ExportHarness


async def read(bucket: StorageExports, path: str, size: int) -> list[bytes]:
    return [piece async for piece in bucket.pieces(path, size)]


async def test_a_part_is_written_and_read_piece_by_piece(export_harness: ExportHarness) -> None:
    run, content = token_hex(8), token_bytes(3 * PIECE + 17)
    async with export_harness.bucket.writing(f"{run}/1.zip") as writer:
        for first in range(0, len(content), 100_000):
            await writer.write(content[first : first + 100_000])
    pieces = await read(export_harness.bucket, f"{run}/1.zip", len(content))
    assert b"".join(pieces) == content
    assert max(map(len, pieces)) == PIECE
    assert await export_harness.bucket.size(f"{run}/1.zip") == len(content)


async def test_of_a_writing_that_fails_nothing_is_there(export_harness: ExportHarness) -> None:
    run = token_hex(8)
    with pytest.raises(RuntimeError):
        await _half_written(export_harness.bucket, f"{run}/1.zip")
    assert await export_harness.bucket.size(f"{run}/1.zip") is None
    with pytest.raises(ExportsUnavailable, match="there is no such bucket"):
        await read(export_harness.bucket, f"{run}/1.zip", 5)


async def _half_written(bucket: StorageExports, path: str) -> None:
    async with bucket.writing(path) as writer:
        await writer.write(token_bytes(2 * PIECE))
        raise RuntimeError


async def test_one_export_is_cleared_and_no_other(export_harness: ExportHarness) -> None:
    one, other = token_hex(8), token_hex(8)
    for path in (f"{one}/1.zip", f"{one}/2.zip", f"{other}/1.zip", f"{one}x/1.zip"):
        async with export_harness.bucket.writing(path) as writer:
            await writer.write(b"zip")
    await export_harness.bucket.clear(one)
    await export_harness.bucket.clear(one)
    assert (export_harness.left(one), len(export_harness.left(other)), len(export_harness.left(f"{one}x"))) == (
        [],
        1,
        1,
    )
