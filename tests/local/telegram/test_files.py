from pathlib import Path

import pytest

from local.telegram.files import FileStore, StoredFile, file_id_for
from local.telegram.messages import MessageField
from local.telegram.store import WorldStore

PHOTO = StoredFile(
    unique_id="", kind=MessageField.PHOTO, size=0, name="a.PNG", mime_type="image/png", width=1, height=1
)


@pytest.fixture
def files() -> FileStore:
    return FileStore(WorldStore(None), None)


def test_a_file_is_known_by_its_content(files: FileStore) -> None:
    first, again, other = files.add(PHOTO, b"abc"), files.add(PHOTO, b"abc"), files.add(PHOTO, b"abd")
    assert first.unique_id == again.unique_id != other.unique_id
    assert first.size == 3
    assert first.path == f"photos/{first.unique_id}.png"
    assert files.content(first.unique_id) == b"abc"
    assert files.content("nothing") is None


def test_a_file_id_opens_only_for_its_account(files: FileStore) -> None:
    file = files.add(PHOTO, b"abc")
    mine, yours = file_id_for(file, 1), file_id_for(file, 2)
    assert mine != yours
    assert files.find(mine, 1) == file
    assert files.find(yours, 1) is None


@pytest.mark.parametrize("file_id", ["", "x", "AgACAgIA", "AgACAgIA????", "AgACAgIA_w", "AgACAgIAYWJj"])
def test_any_other_id_finds_nothing(files: FileStore, file_id: str) -> None:
    assert files.find(file_id, 1) is None


def test_files_lie_beside_the_store(tmp_path: Path) -> None:
    store = WorldStore(tmp_path)
    file = FileStore(store, tmp_path).add(PHOTO, b"abc")
    store.close()
    again = WorldStore(tmp_path)
    files = FileStore(again, tmp_path)
    assert files.get(file.unique_id) == file
    assert files.content(file.unique_id) == b"abc"
    again.close()
