"""The attacker's web server: its pages, and a record of every request to it.

Calls of lull's reader (the function that fetches pages) pass through this server too. So addresses on hosts that do not
exist are also recorded.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from urllib.parse import parse_qs, urlsplit

import httpx

from local.ports import HOST

PATIENCE_S = 60.0
#: the path of the search engine, which runs on the same server
ENGINE = "/engine/search"


@dataclass
class Web:
    """One web server. `asked` contains every requested address, including its host."""

    port: int
    #: the body and content type of each page, by path
    pages: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    #: the results of the search engine, by the words that a query must contain
    found: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    #: the addresses that the tick function told the reader to fetch
    ordered: list[str] = field(default_factory=list)
    #: the reader's address
    reader: str = ""
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def host(self) -> str:
        """The server's host and port."""
        return f"{HOST}:{self.port}"

    @property
    def url(self) -> str:
        """The server's address without a trailing slash."""
        return f"http://{self.host}"

    def publish(self, body: str, kind: str = "text/html; charset=utf-8") -> str:
        """Publish a page, and return its address."""
        path = f"/page/{next(self.numbers)}"
        self.pages[path] = (body.encode(), kind)
        return f"{self.url}{path}"


def page_of(*paragraphs: str, title: str = "A page") -> str:
    """Return an HTML page with an article. The paragraphs may contain HTML."""
    body = "".join(f"<p>{one}</p>" for one in paragraphs)
    return f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}</article></body></html>"


@contextmanager
def serving() -> Iterator[Web]:
    """Run a web server on a free port while the block runs."""
    server = ThreadingHTTPServer((HOST, 0), _Handler)
    server.daemon_threads = True
    web = Web(port=server.server_address[1])
    server.web = web  # type: ignore[attr-defined]  # where its handlers find it
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Serve a page. `/go?to=…` redirects to any address, and `robots.txt` forbids nothing."""
        web, parts = self._web, urlsplit(self.path)
        if parts.path == ENGINE:
            self._search(parse_qs(parts.query).get("q", [""])[0])
            return
        web.asked.append(f"http://{self.headers.get('host', '')}{self.path}")
        if parts.path == "/go":
            self._answer(302, b"", "text/plain", location=parse_qs(parts.query).get("to", ["/"])[0])
        elif parts.path in web.pages:
            self._answer(200, *web.pages[parts.path])
        else:
            self._answer(404, b"There is nothing here.", "text/plain")

    def _search(self, query: str) -> None:
        """Answer a search as SearXNG does. The search engine does not belong to the attacker, so a query to it is not a
        leak.
        """
        results = [one for words, found in self._web.found.items() if words in query for one in found]
        self._answer(200, json.dumps({"results": results}).encode(), "application/json")

    def do_POST(self) -> None:
        """Forward a request to lull's reader."""
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self._web.ordered.append(body.decode(errors="replace"))
        try:
            found = httpx.post(self._web.reader, content=body, headers=_passing(self.headers), timeout=PATIENCE_S)
        except httpx.HTTPError:
            self._answer(503, b"", "text/plain")
            return
        self._answer(found.status_code, found.content, found.headers.get("content-type", "application/json"))

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""

    @property
    def _web(self) -> Web:
        web = self.server.web  # type: ignore[attr-defined]
        assert isinstance(web, Web)
        return web

    def _answer(self, status: int, body: bytes, kind: str, **more: str) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _passing(headers: Message) -> dict[str, str]:
    return {name: headers[name] for name in ("content-type", "authorization", "traceparent") if name in headers}
