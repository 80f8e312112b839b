"""The probes of deleting report what is left afterwards."""

from collections.abc import Mapping

import pytest

from shared.media.blobs import StorageBlobs
from shared.upkeep.archives.folder import FolderArchive
from shared.upkeep.jobs.probe import ProbeFailed
from shared.upkeep.jobs.probe_erasing import delete_file, delete_media, erase_nothing
from shared.values.job_run import JobRun


class Erasing:
    """A deletion of nothing, and a mark that is deleted or stays."""

    def __init__(self, *, is_gone: bool) -> None:
        self.is_gone, self.erased = is_gone, list[str]()

    async def erase(self, job_run: JobRun) -> Mapping[str, int]:
        self.erased.append(job_run.deletion)
        return {}

    async def erase_mark(self) -> bool:
        return self.is_gone


async def test_a_deletion_goes_its_way_and_the_mark_has_to_be_gone() -> None:
    by = Erasing(is_gone=True)
    assert await erase_nothing(by.erase, by.erase_mark, "7") == "a mark was erased"
    assert by.erased == ["canary-7"]
    with pytest.raises(ProbeFailed, match="is still there"):
        await erase_nothing(by.erase, Erasing(is_gone=False).erase_mark, "7")


class Parts(StorageBlobs):
    """A bucket with or without the file."""

    def __init__(self, held: int) -> None:
        self.held = held

    async def delete(self, path: str) -> bool:
        assert path == "canary/7"
        return bool(self.held)


class Place(FolderArchive):
    """An archive with or without the file."""

    def __init__(self, held: int) -> None:
        self.held = held

    async def erase(self, name: str) -> int:
        assert name == "canary"
        return self.held


@pytest.mark.parametrize(("held", "said"), [(0, "there was none to delete"), (2, "it was deleted")])
async def test_what_there_was_to_delete_is_told(held: int, said: str) -> None:
    assert await delete_media(Parts(held), "7") == said
    assert await delete_file(Place(held)) == said
