from pathlib import Path

import pytest

from local.emulator_jar import IN_SDK, NoEmulator, bring_jar, cache_folder, find_jar, own_jar


def touch(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    return file


def test_the_sdk_that_gcloud_belongs_to_comes_first(tmp_path: Path) -> None:
    """This also works when the path has only a link to gcloud."""
    jar = touch(tmp_path / "sdk" / IN_SDK)
    gcloud = touch(tmp_path / "sdk" / "bin" / "gcloud")
    gcloud.chmod(0o755)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gcloud").symlink_to(gcloud)
    touch(tmp_path / "home" / "google-cloud-sdk" / IN_SDK)
    assert find_jar({"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path / "home")}) == jar


def test_the_newest_of_a_firebase_cache_is_taken(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PATH": str(tmp_path)}
    for version in ("1.9.0", "1.22.0", "1.19.8"):
        touch(tmp_path / ".cache" / "firebase" / "emulators" / f"cloud-firestore-emulator-v{version}.jar")
    assert find_jar(env, usual_sdks=()).name == "cloud-firestore-emulator-v1.22.0.jar"


def test_our_own_cache_comes_last(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "elsewhere"), "PATH": str(tmp_path)}
    assert cache_folder(env) == tmp_path / "elsewhere" / "lull"
    jar = touch(own_jar(env))
    assert find_jar(env, usual_sdks=()) == jar


def test_none_says_how_it_comes(tmp_path: Path) -> None:
    with pytest.raises(NoEmulator, match="`make dev` downloads it"):
        find_jar({"HOME": str(tmp_path), "PATH": str(tmp_path)}, usual_sdks=())


def test_what_is_here_is_not_fetched_and_what_is_not_goes_to_our_cache(tmp_path: Path) -> None:
    fetched: list[Path] = []
    env = {"HOME": str(tmp_path), "PATH": str(tmp_path)}
    brought = bring_jar(env, lambda _, target: fetched.append(touch(target)), usual_sdks=())
    assert fetched == [own_jar(env)] == [brought]
    assert bring_jar(env, lambda _, target: fetched.append(target), usual_sdks=()) == brought
    assert len(fetched) == 1
