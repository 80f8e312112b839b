"""A server of Terraform's states. In a file, Terraform writes the whole state again for every resource that it makes,
which takes nearly half of the time for three hundred resources.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BACKEND = """\
terraform {{
  backend "http" {{
    address = "{address}"
  }}
}}
"""


@dataclass(frozen=True)
class States:
    """A server of states, each at its own path."""

    url: str
    kept: dict[str, bytes]

    def keep(self, folder: Path, name: str) -> None:
        """Let the configuration in a folder keep its state here under a name."""
        (folder / "backend.tf").write_text(BACKEND.format(address=f"{self.url}/{name}"))

    def lose(self, name: str) -> None:
        """Delete a stored state."""
        del self.kept[f"/{name}"]


@contextmanager
def served_states() -> Iterator[States]:
    """Run a server; its states end with it."""
    kept: dict[str, bytes] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(200 if self.path in kept else 404, kept.get(self.path, b""))

        def do_POST(self) -> None:
            kept[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
            self._answer(200, b"")

        def _answer(self, status: int, content: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Write no log, as nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield States(f"http://127.0.0.1:{server.server_port}", kept)
        server.shutdown()
        thread.join()
