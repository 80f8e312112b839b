import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from local.credentials import FILE, kept_credentials
from local.options import CannotStart
from local.own_folder import MARKER, check_usable, delete_own, has_words, is_own, take_folder
from local.up import main


def test_a_new_folder_is_marked_and_nobody_else_reads_it(tmp_path: Path) -> None:
    take_folder(tmp_path / "a" / "kept")
    assert (tmp_path / "a" / "kept").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "a" / "kept" / MARKER).is_file()
    check_usable(tmp_path / "a" / "kept")


def test_an_empty_disk_is_taken(tmp_path: Path) -> None:
    (tmp_path / "lost+found").mkdir()
    check_usable(tmp_path)
    take_folder(tmp_path, was_there=True)
    assert delete_own(tmp_path) == []
    assert [entry.name for entry in tmp_path.iterdir()] == ["lost+found"]


def test_a_folder_that_somebody_else_made_stays_empty(tmp_path: Path) -> None:
    take_folder(tmp_path / "new")
    take_folder(tmp_path / "new", was_there=True)
    take_folder(tmp_path / "mine", was_there=True)
    take_folder(tmp_path / "mine", was_there=True)
    assert (delete_own(tmp_path / "new"), delete_own(tmp_path / "mine")) == ([], [])
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine"]


def test_where_lull_never_was_nothing_is_deleted(tmp_path: Path) -> None:
    assert not is_own(tmp_path)
    assert not is_own(tmp_path / "absent")
    (tmp_path / "logs" / "deep").mkdir(parents=True)  # without any file, but still another person's
    with pytest.raises(CannotStart, match="so nothing was deleted"):
        is_own(tmp_path)


@pytest.fixture
def kept_by_another() -> Iterator[Path]:
    """Make one of lull's folders in which this process, run as `nobody` meanwhile, may not delete."""
    with TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        kept = Path(outer) / "kept"
        take_folder(kept)
        (kept / "logs").mkdir()
        (kept / "logs" / "tick.log").touch()
        (kept / "logs").chmod(0o555)
        user = os.geteuid()
        if user == 0:
            os.seteuid(65_534)
        yield kept
        os.seteuid(user)
        (kept / "logs").chmod(0o755)


@pytest.mark.parametrize(("mode", "what"), [(0o000, "read"), (0o755, "deleted")])
def test_what_the_system_forbids_is_told_in_a_sentence(kept_by_another: Path, mode: int, what: str) -> None:
    nobody = os.geteuid()
    with suppress(PermissionError):
        os.seteuid(0)
    kept_by_another.chmod(mode)
    os.seteuid(nobody)
    with pytest.raises(
        CannotStart, match=rf"{kept_by_another}.* cannot be {what} \(Permission denied\); check its owner"
    ):
        is_own(kept_by_another) and delete_own(kept_by_another)
    with suppress(PermissionError):
        os.seteuid(0)
    kept_by_another.chmod(0o755)
    os.seteuid(nobody)
    assert is_own(kept_by_another)


def test_a_folder_of_before_is_known_by_its_own_files(tmp_path: Path) -> None:
    kept_credentials(tmp_path, ["lull"])
    (tmp_path / "logs").mkdir()
    assert is_own(tmp_path)
    check_usable(tmp_path)


@pytest.mark.parametrize("name", ["thesis.txt", "logs/mine.log", "storage/box", "run.json", f"deep/{FILE}"])
def test_a_folder_of_somebody_else_is_neither_used_nor_deleted(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("mine")
    mode = tmp_path.stat().st_mode
    with pytest.raises(CannotStart, match=r"files that lull did not make.*LULL_DATA"):
        check_usable(tmp_path)
    with pytest.raises(CannotStart, match="so nothing was deleted"):
        is_own(tmp_path)
    assert (file.read_text(), tmp_path.stat().st_mode) == ("mine", mode)


@pytest.mark.parametrize("name", ["logs/mine.log", "run/mine.pid", "firestore/mine", "model/deep/mine"])
def test_another_program_s_lock_makes_its_folder_none_of_lull_s(tmp_path: Path, name: str) -> None:
    (tmp_path / "lock").touch()
    assert is_own(tmp_path)
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(CannotStart, match="so nothing was deleted"):
        is_own(tmp_path)
    with pytest.raises(CannotStart, match="files that lull did not make"):
        check_usable(tmp_path)


def test_somebody_s_own_credentials_are_not_lull_s(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"aws": "mine"}')
    with pytest.raises(CannotStart):
        is_own(tmp_path)


def test_what_a_link_in_it_leads_to_stays(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years")
    take_folder(tmp_path / "kept")
    (tmp_path / "kept" / "storage").symlink_to(tmp_path / "mine")
    assert delete_own(tmp_path / "kept") == []
    assert (tmp_path / "mine" / "thesis.txt").exists()


def test_words_are_where_people_wrote(tmp_path: Path) -> None:
    take_folder(tmp_path)
    (tmp_path / "telegram").mkdir()
    assert not has_words(tmp_path)
    (tmp_path / "telegram" / "world.db").touch()
    assert has_words(tmp_path)


def test_make_dev_starts_nothing_in_such_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.txt").touch()
    monkeypatch.setenv("LULL_DATA", str(tmp_path))
    assert main(["dev"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("command", ["dev", "up", "status", "down", "clean"])
@pytest.mark.parametrize("named", ["thesis.txt", "thesis.txt/kept", "~nobody-of-that-name/kept"])
def test_what_is_no_folder_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, named: str
) -> None:
    (tmp_path / "thesis.txt").write_text("years")
    monkeypatch.setenv("LULL_DATA", named if named.startswith("~") else str(tmp_path / named))
    assert main([command]) == 1
    said = capsys.readouterr().err
    assert (said.count("\n"), "LULL_DATA=" in said) == (1, True)
    assert (tmp_path / "thesis.txt").read_text() == "years"


@pytest.mark.parametrize("named", ["circle", "a" * 300])
def test_a_name_that_leads_nowhere_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    monkeypatch.setenv("LULL_DATA", str(tmp_path / named))
    assert main(["clean"]) == 1
    said = capsys.readouterr().err
    assert (said.count("\n"), "LULL_DATA=" in said) == (1, True)
