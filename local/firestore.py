"""Firestore on this machine: Google's emulator, with its documents saved between runs.

`python -m local.firestore --port P [--data DIR]` runs until SIGTERM or SIGINT. Documents are exported every few seconds
and once more before it stops. So nothing is lost at Ctrl-C, at SIGTERM or when the parent process ends, and a kill
loses at most the changes of the last `SAVE_EVERY_S` seconds. The emulator answers requests of any web page, so programs
reach it through a relay that refuses web pages (`local/relay.py`). The emulator keeps old versions of documents in
memory, so from time to time a new process replaces it (`local/emulator.py`). Callers wait during the replacement.
"""

import argparse
import asyncio
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from local.emulator import HEAP, Emulator, mib
from local.emulator_jar import NoEmulator
from local.java import NoJava
from local.relay import FirestoreRelay
from local.snapshots import SaveFailed, Snapshots

SAVE_EVERY_S = 15.0
#: shares of the memory limit: the use at which the emulator is replaced, and the room that a replacement must leave
FULL, ROOM = 0.6, 0.2
LOOK_EVERY_S = 0.02
MEASURE_EVERY_S = 1.0


@dataclass
class SavedEmulator:
    """A running emulator. If `snapshots` is given, the emulator's documents are saved there, and a new process replaces
    the emulator before its memory is full.
    """

    emulator: Emulator
    snapshots: Snapshots | None
    heap: str = HEAP
    #: the memory use in MiB at which the emulator is replaced
    most: float = field(init=False)

    def __post_init__(self) -> None:
        """Compute the memory use (in MiB) above which the emulator is replaced."""
        self.most = mib(self.heap) * FULL

    async def follow(self, port: int, told: asyncio.Event) -> None:
        """Make the emulator reachable on `port` and save its documents regularly. Return once the event `told` is set
        or the emulator has ended by itself.
        """
        if not await self._is_up(told):
            return
        relay = FirestoreRelay(self.emulator.host, self.emulator.port)
        async with await relay.serve(port):
            saved = looked = time.monotonic()
            while not told.is_set() and self.emulator.process.poll() is None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(told.wait(), LOOK_EVERY_S)
                if time.monotonic() - looked > MEASURE_EVERY_S:
                    await self._renew_if_full(relay, told)
                    looked = time.monotonic()
                if time.monotonic() - saved > SAVE_EVERY_S:
                    await asyncio.to_thread(self.save)
                    saved = time.monotonic()
            if self.emulator.process.poll() is None:
                await asyncio.to_thread(self.save)

    def save(self) -> bool:
        """Save the documents; return whether that succeeded. Print a message if it failed."""
        try:
            if self.snapshots:
                self.snapshots.save(self.emulator.port, self.emulator.host)
        except SaveFailed as failed:
            print(failed, file=sys.stderr, flush=True)
            return False
        return True

    async def _renew_if_full(self, relay: FirestoreRelay, told: asyncio.Event) -> None:
        """If the emulator uses too much memory, replace it with a new one that imports only the current documents.
        Requests wait during the replacement.
        """
        if not self.snapshots or self.emulator.used_mib() < self.most:
            return
        async with relay.hold():
            if not await asyncio.to_thread(self.save):
                return
            await asyncio.to_thread(self.emulator.stop)
            self.emulator = Emulator.start(self.snapshots.latest(), self.heap)
            relay.lead_to(self.emulator.host, self.emulator.port)
            await self._is_up(told)
        # if the current documents alone need so much memory, a replacement frees little, so the limit is raised
        self.most = max(self.most, self.emulator.used_mib() + mib(self.heap) * ROOM)

    async def _is_up(self, told: asyncio.Event) -> bool:
        while not told.is_set() and self.emulator.process.poll() is None:
            with suppress(OSError), socket.create_connection((self.emulator.host, self.emulator.port), timeout=5):
                return True
            await asyncio.sleep(LOOK_EVERY_S)
        return False


def run(port: int, snapshots: Snapshots | None, heap: str = HEAP) -> int:
    """Run an emulator that starts with the saved documents. Return 0 when a signal arrives, or 1 if the emulator ends
    by itself.
    """
    imported = snapshots.latest() if snapshots else None
    kept = SavedEmulator(Emulator.start(imported, heap), snapshots, heap)
    was_told = asyncio.run(_until_told(kept, port))
    code = kept.emulator.stop()
    if not was_told:
        hint = f"; it was reading the saved data in {imported}, which `make clean` deletes" if imported else ""
        print(f"the emulator ended with exit code {code}{hint}", file=sys.stderr)
        return 1
    return 0


async def _until_told(kept: SavedEmulator, port: int) -> bool:
    """Run until a signal arrives or the emulator ends. Return True if a signal arrived."""
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    await kept.follow(port, told)
    return told.is_set()


def main(argv: list[str]) -> int:
    """Run the command line. Documents are saved only with `--data`."""
    parser = argparse.ArgumentParser(
        prog="python -m local.firestore", description="Runs Firestore's emulator and stores its documents."
    )
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", type=Path, help="folder that keeps the documents between runs")
    parser.add_argument("--project", default="lull-local")
    parser.add_argument("--heap", default=HEAP, help="the emulator's maximum memory, in Java's notation, such as 768m")
    asked = parser.parse_args(argv)
    try:
        snapshots = Snapshots(asked.data, asked.project) if asked.data else None
        return run(asked.port, snapshots, asked.heap)
    except (NoJava, NoEmulator) as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
