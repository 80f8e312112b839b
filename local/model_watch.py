"""Shows the state of the local model: a progress bar in the terminal during a download, and a sentence for each
change.
"""

from types import TracebackType
from typing import Any, Self

import httpx
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn


class ModelWatch:
    """Polls the model's server for the state of the model until it is ready or has failed. Call `look` often."""

    def __init__(self, model_url: str, console: Console) -> None:
        """Prepare the watch. The progress bar is shown in a terminal only."""
        self._client = httpx.Client(base_url=model_url, timeout=2, trust_env=False)
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task: TaskID | None = None
        self._last = self._last_name = self._last_vectors = ""

    def __enter__(self) -> Self:
        """Return the watch. The progress bar appears only when a download begins."""
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        """Remove the progress bar."""
        self._bar.stop()
        self._client.close()

    @property
    def is_ready(self) -> bool:
        """Return whether the model was ready at the last `look`."""
        return self._last == "ready"

    @property
    def is_coming(self) -> bool:
        """Return whether the model was neither ready nor failed at the last `look`."""
        return self._last not in ("ready", "failed")

    def look(self) -> str:
        """Return a sentence if the state of the model or of the embedding model has changed, else an empty string."""
        report = self._report()
        self._show(report)
        return " ".join(filter(None, (self._state_change(report), self._changed_vectors(report.get("vectors") or {}))))

    def _state_change(self, report: dict[str, Any]) -> str:
        state = str(report.get("state", ""))
        # another model may take the place of one that cannot be downloaded
        known = (state, str(report.get("name", "")))
        if not state or known == (self._last, self._last_name):
            return ""
        self._last, self._last_name = known
        return sentence(report)

    def _changed_vectors(self, report: dict[str, Any]) -> str:
        state = str(report.get("state", ""))
        if state in ("", self._last_vectors):
            return ""
        self._last_vectors = state
        return vectors_sentence(report)

    def _report(self) -> dict[str, Any]:
        try:
            return dict(self._client.get("/model").json())
        except (httpx.TransportError, ValueError):
            return {}  # the server is being restarted

    def _show(self, report: dict[str, Any]) -> None:
        if report.get("state") != "downloading":
            self._bar.stop()
            self._task = None
            return
        if self._task is None:
            self._task = self._bar.add_task("Downloading the model")
            self._bar.start()
        self._bar.update(self._task, completed=report["done_bytes"], total=report["total_bytes"])


def sentence(report: dict[str, Any]) -> str:
    """Return the state of a model as a sentence."""
    name = report.get("name", "the model")
    match report.get("state"):
        case "ready":
            return " ".join(filter(None, (f"{name} is ready.", report.get("reason"), report.get("caution"))))
        case "downloading":
            said = f"{name} is downloading ({report['total_bytes'] / 1e9:.1f} GB, once). The page works meanwhile."
            return f"{said} {report.get('reason', '')}".rstrip()
        case "starting":
            return f"{name} is loading."
        case "failed":
            return f"{name} cannot be used: {report.get('error', '')}"
        case _:
            return "The model server does not report its state."


def vectors_sentence(report: dict[str, Any]) -> str:
    """Return the state of the embedding model as a sentence while it is downloading or has failed; otherwise ""."""
    match report.get("state"):
        case "downloading":
            size = report["total_bytes"] / 1e6
            return (
                f"{report['name']} is downloading ({size:.0f} MB, once). With it, search also finds similar meanings."
            )
        case "failed":
            return f"Search finds only words, not meanings: {report.get('error', '')}"
        case _:
            return ""
