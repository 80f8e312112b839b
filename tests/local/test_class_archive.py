"""The emulator's classes are archived once, and Java uses the archive."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from local.class_archive import archive_of, bring_archive, flags
from local.emulator import emulator_command
from local.emulator_jar import find_jar
from local.java import find_java


def test_what_was_made_once_is_what_java_takes(tmp_path: Path) -> None:
    java, jar = find_java(os.environ), find_jar(os.environ)
    archive = archive_of(java, jar, {"XDG_CACHE_HOME": str(tmp_path)})
    assert flags(archive) == []
    bring_archive(archive, lambda port: [word for word in emulator_command(port) if "SharedArchive" not in word])
    before = _written(archive)
    assert archive.stat().st_size
    # it starts with an option that makes the archive mandatory
    subprocess.run([java, "-Xshare:on", *flags(archive), "-cp", jar, "-version"], check=True, capture_output=True)
    bring_archive(archive, lambda port: ["nothing", "runs", "again"])
    assert _written(archive) == before


def _written(archive: Path) -> tuple[int, int]:
    """Return what a new file, or a write, changes. Reading a file changes other parts of `stat`."""
    found = archive.stat()
    return found.st_ino, found.st_mtime_ns


def test_another_java_or_jar_has_another(tmp_path: Path) -> None:
    java, jar, other = tmp_path / "java", tmp_path / "a.jar", tmp_path / "b.jar"
    for file in (java, jar, other):
        file.touch()
    env = {"XDG_CACHE_HOME": str(tmp_path)}
    first = archive_of(java, jar, env)
    assert first == archive_of(java, jar, env) != archive_of(java, other, env)
    os.utime(java, ns=(1, 1))
    assert archive_of(java, jar, env) != first


def test_a_java_that_makes_none_is_not_asked_again(tmp_path: Path) -> None:
    archive = tmp_path / "a.jsa"
    bring_archive(archive, lambda port: ["/bin/false"])
    assert archive.exists()
    assert flags(archive) == []


def test_an_emulator_that_ends_too_slowly_is_asked_again_next_time(tmp_path: Path) -> None:
    archive = tmp_path / "a.jsa"
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the emulator inherits this, so it does not end
    try:
        bring_archive(archive, lambda port: [sys.executable, "-c", "import time; time.sleep(600)"], patience_s=0.01)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not archive.exists()


def test_where_nothing_can_be_written_starts_go_on_without(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    bring_archive(tmp_path / "file" / "a.jsa", lambda port: ["/bin/false"])
    assert flags(tmp_path / "file" / "a.jsa") == []
