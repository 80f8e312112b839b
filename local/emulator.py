"""One process of Firestore's emulator, and a measure of its memory use.

Until its process ends, the emulator keeps every version of every document in memory, including deleted documents. The
current versions alone need little memory. So an emulator is replaced by a new process that imports only the current
versions.
"""

import os
import re
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from local.class_archive import archive_of, bring_archive, flags
from local.emulator_jar import NoEmulator, find_jar
from local.groups import tied_to_parent
from local.java import NoJava, find_java
from local.ports import HOST
from local.processes import ROOT
from local.relay import hidden_place

MAIN_CLASS = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
#: without a limit the Java heap grows to a quarter of the machine's memory
HEAP = "768m"
#: flags that make the emulator start faster: measured on two cores, it is ready in 0.9 s instead of 1.2 s
JAVA_FLAGS = (
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    # otherwise the emulator logs every connection and export
    f"-Djava.util.logging.config.file={ROOT / 'local' / 'firestore_logging.properties'}",
)
#: name of the file in which Java logs the emulator's garbage collections
LOG = "collections.log"
#: log line of a garbage collection, such as "Pause Young (Allocation Failure) 230M->210M(347M)"
_COLLECTED = re.compile(r"->(\d+)M\(\d+M\)")
_MIB = {"k": 1 / 1024, "m": 1, "g": 1024}


def emulator_command(port: int, imported: Path | None = None, heap: str = HEAP, host: str = HOST) -> list[str]:
    """Return the command that starts the emulator. `heap` limits its memory, in Java's notation. Raises NoJava and
    NoEmulator.
    """
    java, jar = find_java(os.environ), find_jar(os.environ)
    kept = flags(archive_of(java, jar, os.environ))
    flags_of_java = (f"-Xmx{heap}", *JAVA_FLAGS, *kept)
    command = [str(java), *flags_of_java, "-cp", str(jar), MAIN_CLASS, "start", f"--host={host}", f"--port={port}"]
    return [*command, f"--import-data={imported}"] if imported else command


@cache
def bring_classes() -> None:
    """Make the archive of the emulator's parsed classes, which makes later starts faster. Do nothing if the archive
    exists, or if Java or the emulator is missing.
    """
    with suppress(NoJava, NoEmulator):
        bring_archive(archive_of(find_java(os.environ), find_jar(os.environ), os.environ), emulator_command)


def mib(heap: str) -> float:
    """Convert a size in Java's notation, such as 768m, to MiB."""
    return float(heap[:-1]) * _MIB[heap[-1].lower()]


@dataclass
class Emulator:
    """A running emulator, which listens at an address that web pages cannot guess."""

    process: "subprocess.Popen[bytes]"
    host: str
    port: int
    #: folder of the log of garbage collections; it exists as long as the process runs
    folder: "tempfile.TemporaryDirectory[str]" = field(repr=False)

    @classmethod
    def start(cls, imported: Path | None, heap: str) -> "Emulator":
        """Start an emulator with the documents of the export `imported` (None: without documents). Raises NoJava and
        NoEmulator.
        """
        host, port = hidden_place()
        java, *rest = emulator_command(port, imported, heap, host)
        folder = tempfile.TemporaryDirectory(prefix="firestore-")
        logs = f'-Xlog:gc:file="{Path(folder.name) / LOG}"::filecount=1,filesize=16k'
        return cls(subprocess.Popen(tied_to_parent([java, logs, *rest])), host, port, folder)

    def used_mib(self) -> int:
        """Return the memory in MiB that was in use after the last garbage collection; 0 if none has happened yet."""
        log = Path(self.folder.name) / LOG
        found = _COLLECTED.findall(log.read_text()) if log.exists() else []
        return int(found[-1]) if found else 0

    def stop(self) -> int:
        """End the process, if it has not ended, and return its exit code."""
        self.process.terminate()
        code = self.process.wait()
        self.folder.cleanup()
        return code
