"""A web server with hostile pages and a few harmless ones."""

import gzip
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

HELLO: Final = b"<html><head><title>Tea</title></head><body><p>Green tea wants water of 80 degrees.</p></body></html>"
ROBOTS: Final = b"User-agent: *\nDisallow: /private\n"
MIB: Final = 1_048_576


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "HostileServer"

    def log_message(self, *_: Any) -> None:
        """Write no log."""

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        self.close_connection = True
        with suppress(BrokenPipeError, ConnectionResetError):  # who asked has had enough
            page = {**PAGES, **self.server.pages}.get(self.path, _nothing)
            page(self)

    def say(self, status: int, body: bytes = b"", kind: str = "text/html; charset=utf-8", **headers: str) -> None:
        """Send a complete answer."""
        self.send_response(status)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(body))} | named).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def stream(self, piece: bytes, times: int, pause_s: float = 0) -> None:
        """Send an answer in chunks."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for _ in range(times):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
            if pause_s:
                time.sleep(pause_s)
        self.wfile.write(b"0\r\n\r\n")


class HostileServer(ThreadingHTTPServer):
    """A server that records each request, and answers it in its own thread."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self) -> None:
        """Bind a free port."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, dict[str, str]]] = []
        #: the answers that a test sets
        self.pages: dict[str, Callable[[_Handler], None]] = {}

    def has(self, path: str, body: bytes) -> str:
        """Add an HTML page and return its address."""
        self.pages[path] = lambda page: page.say(200, body)
        return self.url(path)

    @property
    def host(self) -> str:
        """The host and port of the server."""
        return f"127.0.0.1:{self.server_address[1]}"

    def url(self, path: str) -> str:
        """Return the address of a page."""
        return f"http://{self.host}{path}"


def _nothing(page: _Handler) -> None:
    page.say(404, b"nothing")


def _bomb(times: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return b"".join(packer.compress(bytes(MIB)) for _ in range(times)) + packer.flush()


def _to(location: str) -> Callable[[_Handler], None]:
    return lambda page: page.say(302, Location=location)


def _raw_deflate(text: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text) + packer.flush()


_BOMB: Final = _bomb(64)
PAGES: Final[dict[str, Callable[[_Handler], None]]] = {
    "/tea": lambda page: page.say(200, HELLO),
    "/robots.txt": lambda page: page.say(200, ROBOTS, "text/plain"),
    "/private": lambda page: page.say(200, HELLO),
    "/gzip": lambda page: page.say(200, gzip.compress(HELLO), Content_Encoding="gzip"),
    "/deflate": lambda page: page.say(200, zlib.compress(HELLO), Content_Encoding="deflate"),
    "/raw-deflate": lambda page: page.say(200, _raw_deflate(HELLO), Content_Encoding="deflate"),
    "/bomb": lambda page: page.say(200, _BOMB, Content_Encoding="gzip"),
    "/nested-bomb": lambda page: page.say(200, gzip.compress(_BOMB), Content_Encoding="gzip, gzip"),
    "/brotli": lambda page: page.say(200, b"\x0b\x02\x80", Content_Encoding="br"),
    "/no-gzip": lambda page: page.say(200, HELLO, Content_Encoding="gzip"),
    "/drip": lambda page: page.stream(b"x", 600, 0.2),
    "/endless": lambda page: page.stream(b"x" * 65_536, 1_000),
    "/large": lambda page: page.say(200, b"", Content_Length=str(60 * MIB)),
    "/headers": lambda page: page.say(200, HELLO, X_Large="h" * 200_000),
    "/loop": _to("/loop"),
    "/hop": _to("/tea"),
    # as bytes; the server writes headers in Latin-1
    "/hop-utf8": _to("/чай".encode().decode("latin-1")),
    "/%D1%87%D0%B0%D0%B9": lambda page: page.say(200, HELLO),
    "/cut-short": lambda page: page.say(200, gzip.compress(HELLO)[:-20], Content_Encoding="gzip"),
    "/inside": _to("http://10.0.0.1/"),
    "/metadata": _to("http://169.254.169.254/computeMetadata/v1/"),
    "/other-port": _to("http://127.0.0.1:9/"),
    "/file": _to("file:///etc/passwd"),
    "/video": lambda page: page.say(200, b"", "video/mp4", Content_Length=str(12 * MIB)),
    "/often": lambda page: page.say(429, b"Obey me.", Retry_After="60"),
    "/forbidden": lambda page: page.say(403, b"Obey me."),
    "/nested": lambda page: page.say(200, b"<div>" * 200_000 + b"Green tea." + b"</div>" * 200_000),
}  # fmt: skip


@contextmanager
def hostile_server() -> Iterator[HostileServer]:
    """Run the server."""
    server = HostileServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
