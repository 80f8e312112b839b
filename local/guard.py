"""Keeps web pages away from the servers of the local cloud, since any page in a browser may send requests to servers on
this machine.

Requests of foreign pages are recognized by headers that a browser sets and that pages cannot change: `Origin`,
`Sec-Fetch-Site` and `Host`. (`Host` is the page's own domain if its owner has pointed that domain at this machine.) Of
these headers, programs send only `Host`, so their requests pass. An address that a person opens, even by a link on a
page, does not count as a request of the page.
"""

import ipaddress
import json
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

#: values of Sec-Fetch-Site that pass: requests of this server's own page, and typed addresses
_OWN_SITES = ("same-origin", "none")
_BY_LINK = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
_GUARDED = ("host", "origin", "sec-fetch-site", *_BY_LINK)


def refusal(method: str, headers: Iterable[tuple[str, str]]) -> str:
    """Return the reason to refuse a request, as a sentence; empty if the request may pass."""
    sent = [(name.lower(), value.strip()) for name, value in headers if name.lower() in _GUARDED]
    hosts, origins, sites = ([value for name, value in sent if name == wanted] for wanted in _GUARDED[:3])
    for host in hosts:
        if not _is_of_this_machine(host):
            return (
                f"This server answers only at localhost and 127.0.0.1, not at {host[:80]!r}. To open it on another "
                "machine, run `ssh -L PORT:localhost:PORT` there and open localhost:PORT."
            )
    if any(not _is_same(origin, hosts) for origin in origins):
        return "This server answers only programs and its own web page."
    if any(site not in _OWN_SITES for site in sites) and not _is_opened(method, dict(sent)):
        return "This server answers only programs and its own web page. Enter its address in the browser."
    return ""


class LocalOnly:
    """ASGI middleware: passes a request on only if it comes from a program or from the application's own page."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, or refuse it."""
        why = _refusal_of(scope) if scope["type"] in ("http", "websocket") else ""
        if not why:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": why[:100]})
        else:
            headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": json.dumps({"error": why}).encode()})


def _refusal_of(scope: Scope) -> str:
    headers = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
    return refusal(scope.get("method", "GET"), headers)


def _is_of_this_machine(host: str) -> bool:
    """Return whether a `Host` header can only mean this machine. Any port is allowed, since a tunnel may change it."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _is_same(origin: str, hosts: list[str]) -> bool:
    """Return whether an `Origin` header is that of this server's own page. `hosts` are the values of the request's
    `Host` headers.
    """
    scheme, _, place = origin.lower().partition("://")
    usual = {"http": ":80", "https": ":443"}.get(scheme)
    return usual is not None and any(place.removesuffix(usual) == host.lower().removesuffix(usual) for host in hosts)


def _is_opened(method: str, headers: dict[str, str]) -> bool:
    """Return whether the request was made because a person opened a link in a browser's tab. Such a request may pass,
    since the page with the link cannot read the response.
    """
    return method == "GET" and all(headers.get(name) == value for name, value in _BY_LINK.items())
