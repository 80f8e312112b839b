import asyncio
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from rich.console import Console

from local import background
from local.options import CannotStart, LocalOptions, options_from
from local.own_folder import MARKER, take_folder
from local.parts import PARTS
from local.processes import ROOT
from local.run_record import AlreadyRuns, RunRecord, State, hold_folder, read_record
from tests.local.telegram.scene import TOKEN, scene
from tests.local.watching import family_of, interruptible, is_alive, wait_until


def asked(folder: Path) -> LocalOptions:
    return options_from({"LULL_DATA": str(folder), "LULL_BACKEND": "scripted"})


def screen() -> tuple[Console, io.StringIO]:
    out = io.StringIO()
    return Console(file=out, width=160), out


def logs_of(folder: Path) -> str:
    return "".join(log.read_text() for log in folder.glob("logs/*.log"))


def record_of(options: LocalOptions) -> RunRecord:
    found = read_record(options.data)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalOptions]:
    """Run a cloud in the background for the tests of this module."""
    chosen = asked(tmp_path_factory.mktemp("kept"))
    take_folder(chosen.data)
    before = {name: os.environ.get(name) for name in ("LULL_DATA", "LULL_BACKEND")}
    os.environ.update(LULL_DATA=str(chosen.data), LULL_BACKEND="scripted")
    try:
        background.start_in_background(chosen, screen()[0])
        yield chosen
        family = family_of(record_of(chosen).pid)
        assert background.down(chosen, screen()[0]) == 0
        wait_until(lambda: not any(is_alive(pid) for pid in family))
        assert read_record(chosen.data) is None
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def test_the_page_is_there(options: LocalOptions) -> None:
    assert httpx.get(f"{record_of(options).page}/healthz", timeout=30).is_success


def test_status_shows_every_part(options: LocalOptions) -> None:
    console, out = screen()
    assert background.show_status(options, console) == 0
    rows = {line.split()[0]: line for line in out.getvalue().splitlines()}
    for part in PARTS:
        assert "running" in rows[part]
        assert "MiB" in rows[part]


def test_scheduled_jobs_run_by_the_clock(options: LocalOptions) -> None:
    jobs = httpx.get(f"{record_of(options).parts['scheduler'].url}/jobs", timeout=30).json()["jobs"]
    assert {job["name"]: job["state"] for job in jobs}.items() >= {"sweep": "ENABLED", "archive": "ENABLED"}.items()


def test_a_second_one_on_the_same_folder_says_where_the_first_is(options: LocalOptions) -> None:
    with pytest.raises(AlreadyRuns, match=record_of(options).page):
        background.start_in_background(options, screen()[0])


def test_restart_starts_one_part_again(options: LocalOptions) -> None:
    before = record_of(options)
    console, out = screen()
    assert background.restart(options, "model", console) == 0
    assert out.getvalue() == "model runs again.\n"
    after = record_of(options)
    assert after.parts["model"].pid != before.parts["model"].pid
    assert after.parts["model"].url == before.parts["model"].url
    assert after.parts["tick"].pid == before.parts["tick"].pid


def test_a_typing_mistake_is_answered_with_the_names(options: LocalOptions) -> None:
    for command in (background.restart, background.follow_logs):
        with pytest.raises(CannotStart, match=r"Unknown part tik\. Did you mean tick\? The parts are .*webhook"):
            command(options, "tik", screen()[0])


def test_a_part_that_is_killed_is_started_again(options: LocalOptions) -> None:
    before = record_of(options).parts["model"]
    os.kill(before.pid, signal.SIGKILL)
    wait_until(lambda: record_of(options).parts["model"].pid != before.pid, 60)
    wait_until(lambda: record_of(options).parts["model"].state is State.RUNNING, 60)
    assert httpx.get(f"{before.url}/healthz", timeout=30).is_success


def test_logs_are_followed_until_ctrl_c(options: LocalOptions) -> None:
    with subprocess.Popen(
        interruptible(sys.executable, "-m", "local.up", "logs", "telegram"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as following:
        assert following.stdout is not None
        try:
            line = following.stdout.readline()
            assert line.startswith("telegram     │ ")
            following.send_signal(signal.SIGINT)
            assert following.wait(60) == 0
        finally:
            following.kill()


async def test_the_link_that_makes_a_real_bots_owner_is_for_the_terminal_alone(tmp_path: Path) -> None:
    async with scene() as real:
        given = {"LULL_DATA": str(tmp_path), "LULL_BACKEND": "scripted", "TELEGRAM_BOT_TOKEN": TOKEN}
        env = {**os.environ, **given, "TELEGRAM_API_URL": real.telegram.url}
        command = [sys.executable, "-m", "local.up", "up"]
        started = await asyncio.to_thread(
            subprocess.run, command, cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )
        record = read_record(tmp_path)
        down = await asyncio.to_thread(background.down, asked(tmp_path), screen()[0])
    assert (started.returncode, down) == (0, 0), started.stderr
    assert record is not None
    assert f"The owner of a real bot opens its console at {record.parts['real_console'].url}/" in started.stdout
    before, _, code = started.stdout.strip().rpartition("claim_")
    assert before.endswith("To become its owner, open this in Telegram: https://t.me/marvin_test_bot?start=")
    logs = await asyncio.to_thread(logs_of, tmp_path)
    assert "lull is running" in logs
    assert code not in logs


def test_nothing_running_is_said(tmp_path: Path) -> None:
    console, out = screen()
    assert background.show_status(asked(tmp_path), console) == 3
    assert background.down(asked(tmp_path), console) == 0
    assert out.getvalue() == f"{background.NOT_RUNNING}\n" * 2
    with pytest.raises(CannotStart, match="is not running here"):
        background.restart(asked(tmp_path), "tick", console)


def test_clean_forgets_everything(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    take_folder(kept)
    (kept / "firestore").mkdir()
    console, out = screen()
    assert background.clean(asked(kept), console) == 0
    assert not kept.exists()
    assert out.getvalue().startswith(f"The data in {kept} is deleted.")


def test_people_s_words_are_not_deleted_unasked(tmp_path: Path) -> None:
    take_folder(tmp_path)
    words = tmp_path / "firestore" / "export-1" / "data"
    words.parent.mkdir(parents=True)
    words.write_text("hello")
    with pytest.raises(CannotStart, match=r"holds conversations.*`YES=yes make clean`"):
        background.clean(asked(tmp_path), screen()[0])
    assert words.exists()
    agreed = options_from({"LULL_DATA": str(tmp_path), "YES": "yes"})
    assert background.clean(agreed, screen()[0]) == 0
    assert not tmp_path.exists()


def test_a_lull_that_is_just_starting_keeps_its_folder(tmp_path: Path) -> None:
    take_folder(tmp_path / "kept")
    with hold_folder(tmp_path / "kept"), pytest.raises(AlreadyRuns, match="just starting or stopping"):
        background.clean(asked(tmp_path / "kept"), screen()[0])
    assert (tmp_path / "kept" / MARKER).exists()


@pytest.mark.parametrize(
    "record", ["", '{"pid": ', "[]", '{"pid": 1, "since": 99999999999, "page": "x", "settings": {}}']
)
def test_a_record_that_cannot_be_read_is_of_no_run(tmp_path: Path, record: str) -> None:
    take_folder(tmp_path / "kept")
    (tmp_path / "kept" / "run.json").write_text(record)
    assert background.show_status(asked(tmp_path / "kept"), screen()[0]) == 3
    assert background.clean(asked(tmp_path / "kept"), screen()[0]) == 0
    assert not (tmp_path / "kept").exists()


def test_clean_deletes_nothing_that_is_not_lull_s(tmp_path: Path) -> None:
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("years")
    (tmp_path / "logs").mkdir()
    options = options_from({"LULL_DATA": str(tmp_path), "YES": "yes"})
    with pytest.raises(CannotStart, match="not a data folder of lull"):
        background.clean(options, screen()[0])
    (tmp_path / MARKER).touch()
    console, out = screen()
    assert background.clean(options, console) == 0
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]
    assert "thesis.txt in it does not belong to lull and was kept" in out.getvalue().replace("\n", " ")


def test_a_start_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run in the background finds an error, here a model file that is none."""
    nonsense, kept = tmp_path / "model.gguf", tmp_path / "kept"
    nonsense.write_text("nonsense")
    for name, value in (("LULL_DATA", str(kept)), ("LULL_BACKEND", "small"), ("LULL_MODEL_FILE", str(nonsense))):
        monkeypatch.setenv(name, value)
    take_folder(kept)
    began = time.time()
    with pytest.raises(
        CannotStart, match=r"(?s)lull did not start: .*model ended with exit code 1.*is not a GGUF file"
    ):
        background.start_in_background(options_from(os.environ), screen()[0])
    assert time.time() - began < background.START_S
    assert read_record(kept) is None
