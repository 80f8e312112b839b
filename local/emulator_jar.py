"""Finds Google's Firestore emulator on this machine."""

import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Asset:
    """A file that can be downloaded, with its size and hash."""

    what: str
    url: str
    size_bytes: int
    sha256: str


#: the emulator that firebase-tools 15.34 downloads (downloadableEmulatorInfo.json in that package)
EMULATOR = Asset(
    what="Google's Firestore emulator",
    url="https://storage.googleapis.com/firebase-preview-drop/emulator/cloud-firestore-emulator-v1.22.0.jar",
    size_bytes=136_707_194,
    sha256="9b6498b7f62714d67f48f59b3818883cd682dbcd46b9f59511de81c97bb5166c",
)
IN_SDK = Path("platform", "cloud-firestore-emulator", "cloud-firestore-emulator.jar")
#: folders into which Google's packages and instructions usually install the Cloud SDK
USUAL_SDKS = (
    "~/google-cloud-sdk",
    "/usr/lib/google-cloud-sdk",
    "/usr/share/google-cloud-sdk",
    "/usr/local/google-cloud-sdk",
    "/opt/google-cloud-sdk",
    "/opt/homebrew/share/google-cloud-sdk",
    "/usr/local/share/google-cloud-sdk",
    "/snap/google-cloud-sdk/current",
)


class NoEmulator(Exception):
    """Firestore's emulator was not found on this machine."""


def cache_folder(env: Mapping[str, str]) -> Path:
    """Return the folder for downloads that all checkouts of lull share."""
    return Path(env.get("XDG_CACHE_HOME") or _home(env) / ".cache") / "lull"


def find_jar(env: Mapping[str, str], usual_sdks: Sequence[str] = USUAL_SDKS) -> Path:
    """Return the path of the emulator's jar file: in an installed Cloud SDK, else the newest in the cache of Firebase's
    tools, else in lull's cache. Raises NoEmulator.
    """
    for jar in _places(env, usual_sdks):
        if jar.is_file():
            return jar
    raise NoEmulator(f"there is no Firestore emulator on this machine; `make dev` downloads it to {own_jar(env)}")


def bring_jar(
    env: Mapping[str, str], fetch: Callable[[Asset, Path], None], usual_sdks: Sequence[str] = USUAL_SDKS
) -> Path:
    """Return the path of the emulator's jar file. If none is on this machine, download one into lull's cache with
    `fetch`, whose errors are not caught.
    """
    try:
        return find_jar(env, usual_sdks)
    except NoEmulator:
        fetch(EMULATOR, own_jar(env))
        return own_jar(env)


def own_jar(env: Mapping[str, str]) -> Path:
    """Return the path of the jar in lull's cache. It may not exist yet."""
    return cache_folder(env) / "cloud-firestore-emulator-v1.22.0.jar"


def _places(env: Mapping[str, str], usual_sdks: Sequence[str]) -> list[Path]:
    gcloud = shutil.which("gcloud", path=env.get("PATH", os.defpath))
    sdks = [Path(gcloud).resolve().parent.parent] if gcloud else []
    sdks += [_home(env) / usual[2:] if usual.startswith("~/") else Path(usual) for usual in usual_sdks]
    emulators = Path(env.get("FIREBASE_EMULATORS_PATH") or _home(env) / ".cache" / "firebase" / "emulators")
    cached = sorted(emulators.glob("cloud-firestore-emulator-v*.jar"), key=_version, reverse=True)
    return [*(sdk / IN_SDK for sdk in sdks), *cached, own_jar(env)]


def _version(jar: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", jar.stem)]


def _home(env: Mapping[str, str]) -> Path:
    return Path(env.get("HOME") or Path.home())
