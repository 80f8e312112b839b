"""Runs the local cloud in the background. Commands in any terminal show its status, restart it and stop it."""

import difflib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path

from rich.console import Console

from local.checks import check_personas
from local.claiming import claim_lines
from local.control import ask_restart
from local.credentials import kept_credentials
from local.following import OWN_LOG, Follower
from local.options import CannotStart, LocalOptions
from local.own_folder import delete_own, has_words, is_own, kept_elsewhere, size_of
from local.parts import PARTS
from local.preparing import prepare
from local.processes import ROOT
from local.question import ask_for_consent
from local.readiness import last_lines
from local.real_bots import console_of_real_bots
from local.run_record import RunRecord, hold_folder, read_record, wait_until_unlocked
from local.terminal import LineWriter, status_table

START_S, STOP_S = 180.0, 25.0
#: number of earlier log lines that are shown before the new ones
LAST_LINES = 30
#: size limit in bytes of the log of the background process; one older log is kept beside it
OWN_LOG_BYTES = 1_000_000
NOT_RUNNING = "lull is not running here; start it with `make dev` or `make up`."


def start_in_background(options: LocalOptions, console: Console) -> int:
    """Start the local cloud and return once it is ready. Raises CannotStart or AlreadyRuns."""
    with hold_folder(options.data):
        bots = prepare(options, console)
    log = _own_log(options)
    command = [sys.executable, "-m", "local.up", "dev", "--behind"]
    with log.open("ab") as out:
        begun = log.stat().st_size
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
        )
    record = _wait_for_record(options.data, process)
    if record is None:
        process.terminate()
        raise CannotStart(f"lull did not start: {_since(log, begun)}")
    process.returncode = 0  # the background process continues by itself, so nothing here waits for its end
    console.print(f"lull is running at {record.page}  (see also `make status`, `make logs`, `make down`)", markup=False)
    kept = kept_credentials(options.data, ())
    _tell_console(record, options, console)
    tokens = {agent: kept.tokens[agent] for agent in check_personas(options)}
    urls = {name: part.url for name, part in record.parts.items()}
    for line in claim_lines(urls, bots, tokens, kept.webhook_secret):
        console.print(line, markup=False, soft_wrap=True)
    return 0


def show_status(options: LocalOptions, console: Console) -> int:
    """Print a table of the running parts. Return exit code 3 if no part is running, as `systemctl status` does."""
    record = read_record(options.data)
    if record is None:
        console.print(NOT_RUNNING, markup=False)
        return 3
    console.print(status_table(record))
    _tell_console(record, options, console)
    return 0


def _tell_console(record: RunRecord, options: LocalOptions, console: Console) -> None:
    urls, door = (
        {name: part.url for name, part in record.parts.items()},
        kept_credentials(options.data, ()).console_door,
    )
    if "console" in urls:
        console.print(f"An agent's owner opens the console at {urls['console']}/{door}", markup=False, soft_wrap=True)
    if address := console_of_real_bots(urls, door):
        console.print(f"The owner of a real bot opens its console at {address}", markup=False, soft_wrap=True)


def follow_logs(options: LocalOptions, part: str, console: Console) -> int:
    """Print the last lines of the logs and then new lines, until Ctrl-C. Raises CannotStart for an unknown part."""
    folder = options.data / "logs"
    known = [log.stem for log in sorted(folder.glob("*.log"))]
    _check_known(part, known or PARTS)
    follower, writer = Follower(folder, part), LineWriter(console)
    try:
        writer.write(follower.last(LAST_LINES))
        while True:
            writer.write(follower.lines())
            time.sleep(0.2)
    except KeyboardInterrupt:
        return 0
    finally:
        follower.close()


def restart(options: LocalOptions, part: str, console: Console) -> int:
    """Restart the part `part`, or all parts if it is empty. Raises CannotStart if the part is unknown or nothing is
    running.
    """
    record = read_record(options.data)
    _check_known(part, record.parts if record else PARTS)
    if record is None:
        raise CannotStart(NOT_RUNNING)
    try:
        said = ask_restart(record, part)
    except (ConnectionError, EOFError) as cause:
        raise CannotStart("lull stopped before it answered; start it with `make up`.") from cause
    console.print(said, markup=False, soft_wrap=True)
    return 0 if said.endswith("runs again.") else 1


def down(options: LocalOptions, console: Console) -> int:
    """Stop the local cloud and return once its process has ended. Raises CannotStart if the process does not end in
    time.
    """
    record = read_record(options.data)
    if record is None:
        console.print(NOT_RUNNING, markup=False)
        return 0
    os.kill(record.pid, signal.SIGTERM)
    if not wait_until_unlocked(options.data, STOP_S):
        raise CannotStart(f"lull (process {record.pid}) does not stop; end it with `kill -9 {record.pid}`.")
    console.print("lull has stopped.")
    return 0


def clean(options: LocalOptions, console: Console) -> int:
    """Stop the local cloud and delete its data. If people's messages are stored, ask for consent first, unless
    `options` give it. Raises CannotStart if the person refuses or cannot be asked, or if the cloud does not stop.
    """
    folder = options.data
    if not is_own(folder):
        _say(console, f"{folder} contains no data of lull.", kept_elsewhere())
        return 0
    if has_words(folder) and not options.has_agreed:
        held = f"{folder} holds conversations, reminders and files ({size_of(folder) / 1e6:.0f} MB)."
        if not (sys.stdin.isatty() and console.is_terminal):
            raise CannotStart(f"{held} To delete them without a question, run `YES=yes make clean`.")
        if not ask_for_consent(console, f"{held} Delete everything?"):
            raise CannotStart("Nothing was deleted.")
    if read_record(folder):
        down(options, console)
    left = delete_own(folder)
    stays = f"{', '.join(left)} in it does not belong to lull and was kept." if left else ""
    _say(console, f"The data in {folder} is deleted.", stays, kept_elsewhere())
    return 0


def _say(console: Console, *sentences: str) -> None:
    console.print(" ".join(filter(None, sentences)), markup=False, soft_wrap=True)


def _own_log(options: LocalOptions) -> Path:
    log = options.data / "logs" / f"{OWN_LOG}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.exists() and log.stat().st_size > OWN_LOG_BYTES:
        log.replace(log.with_name(f"{OWN_LOG}.log.1"))
    log.touch()
    return log


def _wait_for_record(folder: Path, process: "subprocess.Popen[bytes]") -> RunRecord | None:
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        record = read_record(folder)
        if record:
            return record
        time.sleep(0.1)
    return None


def _since(log: Path, begun: int) -> str:
    with log.open("rb") as opened:
        opened.seek(begun)
        said = opened.read().decode("utf-8", "replace").strip()
    return said or last_lines(log, 3) or "it printed nothing"


def _check_known(part: str, known: Collection[str]) -> None:
    if not part or part in known:
        return
    close = difflib.get_close_matches(part, known, n=1)
    meant = f" Did you mean {close[0]}?" if close else ""
    raise CannotStart(f"Unknown part {part}.{meant} The parts are {', '.join(known)}.")
