import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.snapshots import LATEST, SaveFailed, Snapshots
from tests.local.test_firestore import emulator


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with emulator(None, tmp_path_factory.mktemp("emulator") / "log") as (number, _):
        yield number


def test_nothing_saved_means_nothing_to_import(tmp_path: Path) -> None:
    assert Snapshots(tmp_path / "new", "p").latest() is None


def test_the_newest_whole_export_counts_and_older_ones_go(tmp_path: Path, port: int) -> None:
    snapshots = Snapshots(tmp_path, "p")
    (tmp_path / "export-1").mkdir()
    snapshots.save(port)
    first = snapshots.latest()
    snapshots.save(port)
    second = snapshots.latest()
    assert first is not None
    assert second is not None
    assert second.is_file()
    assert not first.exists()
    assert [kept.name for kept in tmp_path.glob("export-*")] == [second.parent.name]


def test_a_refused_export_leaves_the_one_before(tmp_path: Path, port: int) -> None:
    folder = tmp_path / "kept"
    snapshots = Snapshots(folder, "p")
    shutil.rmtree(folder)
    folder.touch()  # an export needs a folder, not a file
    with pytest.raises(SaveFailed, match="must be a directory"):
        snapshots.save(port)
    folder.unlink()
    (folder / "export-1").mkdir(parents=True)
    (folder / LATEST).write_text("export-1")
    with pytest.raises(SaveFailed, match="could not be saved"):
        snapshots.save(1)  # no server listens there
    assert snapshots.latest() == folder / "export-1" / "export-1.overall_export_metadata"
    assert (folder / "export-1").exists()
