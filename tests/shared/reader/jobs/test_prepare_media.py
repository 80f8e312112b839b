"""Files on their way to the decoder: limited in size, and never logged."""

from collections.abc import AsyncIterator

import pytest

from shared.reader.jobs.prepare_media import prepare_media
from shared.reader.sandbox.preparer import SandboxedPreparer
from shared.values.prepared import MOST_FILE_BYTES, TOO_LARGE
from tests.shared.reader.decode import files


async def pieces(content: bytes, size: int = 1_000) -> AsyncIterator[bytes]:
    for begin in range(0, len(content), size):
        yield content[begin : begin + size]


async def test_a_file_is_prepared_and_its_size_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    preparer, content = SandboxedPreparer(), files.photo(300, 200)
    found = await prepare_media(preparer, "photo", "image/secret-type", pieces(content))
    await preparer.aclose()
    assert (found.problem, found.facts.width) == ("", 300)
    (record,) = [record for record in caplog.records if record.name == "lull"]
    assert record.getMessage() == "a file was prepared"
    assert "secret" not in str(vars(record))


async def test_more_than_a_file_may_have_is_not_kept() -> None:
    preparer = SandboxedPreparer()
    found = await prepare_media(preparer, "photo", "", pieces(bytes(MOST_FILE_BYTES + 1), 1_048_576))
    assert found.problem == TOO_LARGE
    assert preparer.pool.idle == []
