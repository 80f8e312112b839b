import hashlib
from pathlib import Path

import pytest

from local.model.model_file import (
    ModelFileError,
    accept,
    checked_gguf,
    discard,
    is_right,
    kept_beside,
    make_room,
    size_of,
)
from tests.local.model.model_files import CONTENT, model_file


def test_a_file_is_right_by_its_hash(tmp_path: Path) -> None:
    file = tmp_path / "tiny.gguf"
    assert not is_right(file, model_file())
    file.write_bytes(CONTENT[:-1] + b"?")
    assert not is_right(file, model_file())
    file.write_bytes(CONTENT)
    assert is_right(file, model_file())


def test_that_a_file_is_right_is_noted_until_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "tiny.gguf"
    file.write_bytes(CONTENT)
    assert is_right(file, model_file())
    note = file.with_name("tiny.gguf.verified")
    assert note.is_file()
    other = model_file(sha256=hashlib.sha256(b"other").hexdigest())
    assert not is_right(file, other)
    file.write_bytes(CONTENT[:-1] + b"?")
    assert not is_right(file, model_file())


def test_what_came_is_accepted_or_deleted(tmp_path: Path) -> None:
    file, kept = tmp_path / "tiny.gguf", kept_beside(tmp_path / "tiny.gguf")
    kept.write_bytes(CONTENT[:-1] + b"?")
    assert not accept(kept, file, model_file())
    assert (kept.exists(), file.exists()) == (False, False)
    kept.write_bytes(CONTENT)
    assert accept(kept, file, model_file())
    assert (kept.exists(), file.read_bytes()) == (False, CONTENT)


def test_a_disk_too_small_is_said_before_anything_comes(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"needs 1000000\.\d GB in .* are free.*--models"):
        make_room(tmp_path / "tiny.gguf", model_file(size=10**15))
    (tmp_path / "tiny.gguf").write_bytes(b"wrong")
    make_room(tmp_path / "tiny.gguf", model_file())
    assert not (tmp_path / "tiny.gguf").exists()


def test_a_named_file_must_be_a_gguf_file(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(CONTENT)
    (tmp_path / "b.txt").write_text("text")
    assert checked_gguf(tmp_path / "a.gguf") == (tmp_path / "a.gguf").resolve()
    with pytest.raises(ModelFileError, match="not a GGUF file"):
        checked_gguf(tmp_path / "b.txt")
    with pytest.raises(ModelFileError, match="cannot be read"):
        checked_gguf(tmp_path / "none.gguf")


def test_sizes_of_what_is_there_and_what_is_not(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert (size_of(tmp_path / "a"), size_of(tmp_path / "b"), size_of(tmp_path)) == (3, 0, 0)
    discard(tmp_path / "a")
    discard(tmp_path / "a")
    assert size_of(tmp_path / "a") == 0
