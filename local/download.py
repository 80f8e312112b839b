"""Downloads a large file once. An interrupted download is resumed. The file is used only if its SHA-256 is right."""

import hashlib
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import httpx
from filelock import FileLock

from local.emulator_jar import Asset

CHUNK_BYTES = 1 << 18
TRIES, PAUSE_S = 4, 1.0
#: bytes that must stay free on the disk besides the file
SPARE_BYTES = 200_000_000


class DownloadFailed(Exception):
    """The file could not be downloaded. The text says why and what to do."""


def download(asset: Asset, target: Path, progress: Callable[[int], None] = lambda _: None) -> None:
    """Download the asset to `target`, unless that file exists. `progress` is called with the number of bytes
    downloaded so far.

    The bytes of an interrupted download stay in a file beside the target, and the download is resumed at once. If that
    fails, the next call resumes it. Raises DownloadFailed.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(target.with_name(target.name + ".lock")):
        if target.exists():
            return
        part = target.with_name(target.name + ".part")
        _check_space(asset, part)
        _fetch_all(asset, part, progress)
        if sha256_of(part) != asset.sha256:
            part.unlink()
            raise DownloadFailed(f"the download of {asset.what} was damaged (wrong hash) and was deleted; try again")
        part.replace(target)


def sha256_of(file: Path) -> str:
    """Return the file's SHA-256, in hexadecimal."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _check_space(asset: Asset, part: Path) -> None:
    missing = asset.size_bytes - _size(part) + SPARE_BYTES - shutil.disk_usage(part.parent).free
    if missing > 0:
        takes, lacks = asset.size_bytes >> 20, (missing >> 20) + 1
        raise DownloadFailed(f"{asset.what} needs {takes} MiB; free {lacks} more MiB in {part.parent}, then try again")


def _fetch_all(asset: Asset, part: Path, progress: Callable[[int], None]) -> None:
    why: object = ""
    for attempt in range(TRIES):
        try:
            _fetch(asset, part, progress)
        except httpx.HTTPStatusError as refused:
            raise DownloadFailed(
                f"{asset.what} cannot be downloaded: {asset.url} answers {refused.response.status_code}"
            ) from None
        except httpx.HTTPError as cut:
            why = cut
        if _size(part) >= asset.size_bytes:
            return
        time.sleep(PAUSE_S * attempt)
    have = f"{_size(part) >> 20} of {asset.size_bytes >> 20} MiB"
    raise DownloadFailed(f"the download of {asset.what} stopped at {have} ({why}); start again to resume it")


def _fetch(asset: Asset, part: Path, progress: Callable[[int], None]) -> None:
    have = _size(part)
    if have >= asset.size_bytes:
        return
    headers = {"Range": f"bytes={have}-"} if have else {}
    with httpx.stream("GET", asset.url, headers=headers, follow_redirects=True, timeout=30) as answer:
        answer.raise_for_status()
        resumed = answer.status_code == httpx.codes.PARTIAL_CONTENT
        with part.open("ab" if resumed else "wb") as out:
            for chunk in answer.iter_bytes(CHUNK_BYTES):
                out.write(chunk)
                progress(out.tell())


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
