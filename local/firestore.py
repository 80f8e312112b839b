"""Firestore on this machine: Google's emulator, and its documents kept between runs.

`python -m local.firestore --port P [--data DIR]` runs until SIGTERM or SIGINT. Its documents are exported every few
seconds and once more before it stops: ended by Ctrl-C, SIGTERM or the death of whoever started it, nothing is lost;
killed outright, at most the last `SAVE_EVERY_S`. It answers any web page, so programs reach it by a relay
(`local/relay.py`).
"""

import argparse
import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from local.class_archive import archive_of, bring_archive, flags
from local.emulator_jar import NoEmulator, find_jar
from local.groups import end_with_parent
from local.java import NoJava, find_java
from local.ports import HOST
from local.processes import ROOT
from local.relay import Relay, hidden_place
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
LOOK_EVERY_S = 0.02


def emulator_command(port: int, imported: Path | None = None, heap: str = HEAP, host: str = HOST) -> list[str]:
    """How to start the emulator; `heap` is the most memory for its documents, as Java spells it. Raises NoJava and
    NoEmulator.
    """
    java, jar = find_java(os.environ), find_jar(os.environ)
    kept = flags(archive_of(java, jar, os.environ))
    flags_of_java = (f"-Xmx{heap}", *JAVA_FLAGS, *kept)
    command = [str(java), *flags_of_java, "-cp", str(jar), MAIN_CLASS, "start", f"--host={host}", f"--port={port}"]
    return [*command, f"--import-data={imported}"] if imported else command


@cache
def bring_classes() -> None:
    """Have the emulator's classes kept parsed, if they are not yet: each start is shorter from then on."""
    with suppress(NoJava, NoEmulator):
        bring_archive(archive_of(find_java(os.environ), find_jar(os.environ), os.environ), emulator_command)


@dataclass
class Kept:
    """An emulator that runs at an address of its own, and where its documents are saved, if they are."""

    process: "subprocess.Popen[bytes]"
    host: str
    port: int
    snapshots: Snapshots | None

    async def follow(self, port: int, told: asyncio.Event) -> None:
        """Serve it on `port` and save its documents, until told to stop, or until it ends by itself."""
        if not await self._is_up(told):
            return
        async with await Relay(self.host, self.port).serve(port):
            saved = time.monotonic()
            while not told.is_set() and self.process.poll() is None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(told.wait(), LOOK_EVERY_S)
                if time.monotonic() - saved > SAVE_EVERY_S:
                    await asyncio.to_thread(self.save)
                    saved = time.monotonic()
            if self.process.poll() is None:
                await asyncio.to_thread(self.save)

    def save(self) -> None:
        """Save its documents; if that fails, it is said."""
        try:
            if self.snapshots:
                self.snapshots.save(self.port, self.host)
        except SaveFailed as failed:
            print(failed, file=sys.stderr, flush=True)

    async def _is_up(self, told: asyncio.Event) -> bool:
        while not told.is_set() and self.process.poll() is None:
            with suppress(OSError), socket.create_connection((self.host, self.port), timeout=5):
                return True
            await asyncio.sleep(LOOK_EVERY_S)
        return False


def run(port: int, snapshots: Snapshots | None, heap: str = HEAP) -> int:
    """Run the emulator until told to stop, over the documents that were saved; its exit code, 0 if it was told."""
    imported = snapshots.latest() if snapshots else None
    host, hidden_port = hidden_place()
    command = emulator_command(hidden_port, imported, heap, host)
    emulator = subprocess.Popen(command, preexec_fn=end_with_parent)
    if not asyncio.run(_until_told(Kept(emulator, host, hidden_port, snapshots), port)):
        hint = f"; it was to read {imported}, which `make clean` would forget" if imported else ""
        print(f"the emulator ended by itself with {emulator.returncode}{hint}", file=sys.stderr)
        return 1
    emulator.terminate()
    emulator.wait()
    return 0


async def _until_told(kept: Kept, port: int) -> bool:
    """Whether it was told to stop, rather than that the emulator ended by itself."""
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    await kept.follow(port, told)
    return told.is_set()


def main(argv: list[str]) -> int:
    """The command line; without `--data` the emulator forgets."""
    parser = argparse.ArgumentParser(prog="python -m local.firestore", description="Firestore's emulator, kept.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", type=Path, help="folder that keeps the documents between runs")
    parser.add_argument("--project", default="lull-local")
    parser.add_argument("--heap", default=HEAP, help="the most memory for documents, as Java spells it")
    asked = parser.parse_args(argv)
    try:
        snapshots = Snapshots(asked.data, asked.project) if asked.data else None
        return run(asked.port, snapshots, asked.heap)
    except (NoJava, NoEmulator) as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
