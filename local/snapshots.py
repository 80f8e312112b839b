"""Exports the Firestore emulator's content to files, and finds the newest export.

The emulator stores everything in memory. Each export is a new folder. The file `latest` names the newest complete one,
so an interrupted export does no harm. Documents that are exported and imported again have the same values, but new
update times.
"""

import shutil
import time
import urllib.error
import urllib.request
from json import dumps
from pathlib import Path

from local.ports import HOST

SAVE_TIMEOUT_S = 60.0
LATEST = "latest"


class SaveFailed(Exception):
    """The emulator did not export its documents. The previous export remains."""


class Snapshots:
    """A folder with exports of one project's documents. The newest complete export is used."""

    def __init__(self, folder: Path, project: str) -> None:
        """Use `folder`, which is created if needed."""
        self._folder, self._project = folder, project
        folder.mkdir(parents=True, exist_ok=True)

    def latest(self) -> Path | None:
        """Return the file of the newest export that the emulator has to import, or None if there is no export."""
        pointer = self._folder / LATEST
        if not pointer.exists():
            return None
        name = pointer.read_text().strip()
        return self._folder / name / f"{name}.overall_export_metadata"

    def save(self, port: int, host: str = HOST) -> None:
        """Export the documents of the emulator at `host` and `port`, then delete the previous export. Raises
        SaveFailed.
        """
        name = f"export-{time.time_ns()}"
        request = urllib.request.Request(
            f"http://{host}:{port}/emulator/v1/projects/{self._project}:export",
            data=dumps(self._order(name)).encode(),
            headers={"Content-Type": "application/json", "Authorization": "Bearer owner"},
        )
        try:
            urllib.request.urlopen(request, timeout=SAVE_TIMEOUT_S).close()
        except urllib.error.HTTPError as refused:
            raise SaveFailed(f"the documents could not be saved: {refused.read(300).decode()}") from None
        except OSError as cause:
            raise SaveFailed(f"the documents could not be saved: {cause}") from cause
        new_pointer = self._folder / f"{LATEST}.new"
        new_pointer.write_text(name)
        new_pointer.replace(self._folder / LATEST)
        self._forget_all_but(name)

    def _order(self, name: str) -> dict[str, str]:
        """Return the body of the request that makes the emulator export into the folder `name`. firebase-tools sends
        the same body (hubExport.js).
        """
        return {
            "database": f"projects/{self._project}/databases/(default)",
            "export_directory": str(self._folder.resolve()),
            "export_name": name,
        }

    def _forget_all_but(self, name: str) -> None:
        for old in self._folder.glob("export-*"):
            if old.name != name:
                shutil.rmtree(old)
