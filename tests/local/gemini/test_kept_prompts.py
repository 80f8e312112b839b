import os
from pathlib import Path

import pytest

from local.gemini.kept_prompts import HASH_BYTES, KeptPrompts, model_hash

STATE = b"what the engine had in its memory"


def kept_files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def test_a_state_comes_back_for_the_same_model_and_tokens_alone(tmp_path: Path) -> None:
    kept = KeptPrompts(tmp_path / "read", "a model")
    kept.put((1, 2, 3), STATE)
    assert kept.get((1, 2, 3)) == STATE
    assert kept.get((1, 2)) is None
    assert KeptPrompts(tmp_path / "read", "another model").get((1, 2, 3)) is None


@pytest.mark.parametrize("damage", ["cut", "changed", "empty"])
def test_a_damaged_file_is_passed_over_and_written_again(tmp_path: Path, damage: str) -> None:
    kept = KeptPrompts(tmp_path, "a model")
    kept.put((1,), STATE)
    [file] = kept_files(tmp_path)
    whole = file.read_bytes()
    file.write_bytes({"cut": whole[:-3], "changed": whole[:-1] + b"?", "empty": b""}[damage])
    assert kept.get((1,)) is None
    kept.put((1,), STATE)
    assert kept.get((1,)) == STATE


def test_what_was_not_used_for_longest_goes_when_there_is_too_much(tmp_path: Path) -> None:
    kept = KeptPrompts(tmp_path, "a model", max_bytes=2 * (HASH_BYTES + len(STATE)))
    for age, token in ((300, 1), (200, 2)):
        kept.put((token,), STATE)
        newest = max(kept_files(tmp_path), key=lambda file: file.stat().st_mtime_ns)
        long_ago = newest.stat().st_mtime - age
        os.utime(newest, (long_ago, long_ago))
    assert kept.get((1,)) == STATE  # this counts as a use
    kept.put((3,), STATE)
    assert [kept.get((token,)) is not None for token in (1, 2, 3)] == [True, False, True]
    assert len(kept_files(tmp_path)) == 2


def test_a_folder_that_cannot_be_written_is_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept = KeptPrompts(tmp_path / "file", "a model")
    kept.put((1,), STATE)
    assert kept.get((1,)) is None


def test_models_of_one_size_are_told_apart(tmp_path: Path) -> None:
    one, other, same = (tmp_path / name for name in ("one", "other", "same"))
    content = bytes(3_000_000)
    one.write_bytes(content)
    same.write_bytes(content)
    other.write_bytes(content[:-1] + b"x")
    assert model_hash(one) == model_hash(same)
    assert len({model_hash(file) for file in (one, other, same)}) == 2
