"""Firestore on this machine: Google's emulator, and its documents kept between runs.

`python -m local.firestore --port P [--data DIR]` runs until SIGTERM or SIGINT. Its documents are exported every few
seconds and once more before it stops: ended by Ctrl-C, SIGTERM or the death of whoever started it, nothing is lost;
killed outright, at most the last `SAVE_EVERY_S`.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from local.class_archive import archive_of, bring_archive, flags
from local.emulator_jar import NoEmulator, find_jar
from local.groups import end_with_parent
from local.java import NoJava, find_java
from local.ports import HOST
from local.processes import ROOT
from local.snapshots import SaveFailed, Snapshots

MAIN_CLASS = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
#: without a limit the heap grows to a quarter of the machine
HEAP = "768m"
#: measured on two cores: up in 0.9 s instead of 1.2
JAVA_FLAGS = (
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    # it tells of every connection and export otherwise
    f"-Djava.util.logging.config.file={ROOT / 'local' / 'firestore_logging.properties'}",
)
SAVE_EVERY_S = 15.0


def emulator_command(port: int, imported: Path | None = None, heap: str = HEAP) -> list[str]:
    """How to start the emulator; `heap` is the most memory for its documents, as Java spells it. Raises NoJava and
    NoEmulator.
    """
    java, jar = find_java(os.environ), find_jar(os.environ)
    kept = flags(archive_of(java, jar, os.environ))
    flags_of_java = (f"-Xmx{heap}", *JAVA_FLAGS, *kept)
    command = [str(java), *flags_of_java, "-cp", str(jar), MAIN_CLASS, "start", f"--host={HOST}", f"--port={port}"]
    return [*command, f"--import-data={imported}"] if imported else command


@cache
def bring_classes() -> None:
    """Have the emulator's classes kept parsed, if they are not yet: each start is shorter from then on."""
    with suppress(NoJava, NoEmulator):
        bring_archive(archive_of(find_java(os.environ), find_jar(os.environ), os.environ), emulator_command)


def run_kept(port: int, folder: Path, project: str, heap: str = HEAP) -> int:
    """Run the emulator over the folder's documents until told to stop; its exit code, 0 if it was told."""
    told: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda got, _: told.append(got))
    snapshots = Snapshots(folder, project)
    imported = snapshots.latest()
    emulator = subprocess.Popen(emulator_command(port, imported, heap), preexec_fn=end_with_parent)
    saved = time.monotonic()
    while not told and emulator.poll() is None:
        time.sleep(0.05)
        if time.monotonic() - saved > SAVE_EVERY_S:
            _save(snapshots, port)
            saved = time.monotonic()
    if emulator.poll() is not None:
        hint = f"; it was to read {imported}, which `make clean` would forget" if imported else ""
        print(f"the emulator ended by itself with {emulator.returncode}{hint}", file=sys.stderr)
        return 1
    _save(snapshots, port)
    emulator.terminate()
    emulator.wait()
    return 0


def _save(snapshots: Snapshots, port: int) -> None:
    try:
        snapshots.save(port)
    except SaveFailed as failed:
        print(failed, file=sys.stderr, flush=True)


def main(argv: list[str]) -> int:
    """The command line; without `--data` the emulator takes this process's place, and forgets."""
    parser = argparse.ArgumentParser(prog="python -m local.firestore", description="Firestore's emulator, kept.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", type=Path, help="folder that keeps the documents between runs")
    parser.add_argument("--project", default="lull-local")
    parser.add_argument("--heap", default=HEAP, help="the most memory for documents, as Java spells it")
    asked = parser.parse_args(argv)
    try:
        if asked.data:
            return run_kept(asked.port, asked.data, asked.project, asked.heap)
        command = emulator_command(asked.port, heap=asked.heap)
        return os.execv(command[0], command)
    except (NoJava, NoEmulator) as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
