"""AWS and Google's metadata server on this machine: moto's server, and the one answer that an identity is asked for."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from moto.server import ThreadedMotoServer


@contextmanager
def aws() -> Iterator[str]:
    """Moto's server, empty; yields its address."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def identity_token() -> str:
    """What looks like a token of Google's; its signature is nobody's."""
    parts: tuple[dict[str, object], ...] = ({"alg": "RS256"}, {"aud": "any", "exp": 4_000_000_000}, {})
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)


class Metadata(BaseHTTPRequestHandler):
    """Google's metadata server, as far as an identity token goes; remembers for whom each was."""

    asked: list[str]

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        if place.path.endswith("/identity"):
            self.asked += parse_qs(place.query)["audience"]
            self._answer("text/plain", identity_token())
        else:
            self._answer("application/json", json.dumps({"email": "lull@my-lull.iam.gserviceaccount.com"}))

    def _answer(self, kind: str, body: str) -> None:
        self.send_response(200 if self.headers.get("Metadata-Flavor") == "Google" else 403)
        self.send_header("Metadata-Flavor", "Google")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


@contextmanager
def metadata() -> Iterator[tuple[str, list[str]]]:
    """Its host and port, and the identities that it was asked for."""
    asked: list[str] = []
    handler = type("Asked", (Metadata,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()
