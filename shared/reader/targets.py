"""Checks of web addresses, before their hosts are resolved. An address that may be fetched becomes a target."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urljoin, urlsplit

import idna

from shared.base.errors import FetchFailed, FetchForbidden
from shared.reader.addresses import address_in, is_public

PORTS: Final = {"http": 80, "https": 443}
LONGEST: Final = 2_048
_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f\\]")
_SHAPE: Final = re.compile(r"https?://[^/?#]+", re.IGNORECASE)
#: browsers take a host that ends in a number for an IPv4 address (url.spec.whatwg.org, "ends in a number")
_NUMBER: Final = re.compile(r"(?:\d+|0[xX][0-9a-fA-F]*)")
#: names of this machine, private networks, clusters and clouds' metadata, refused whatever they resolve to
_INSIDE: Final = (
    "localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "home.arpa", "corp", "private", "svc",
    "onion", "test", "invalid", "arpa",
)  # fmt: skip

BAD_SHAPE: Final = (
    "This is not the address of a web page: it must begin with http:// or https:// and contain no blanks."
)
CREDENTIALS: Final = "An address that contains a name or password (before an @) is not read."
BAD_PORT: Final = "Only the usual ports of the web, 80 and 443, are allowed."
INSIDE: Final = "This address leads into a private network or to this machine, and nothing is read there."
ODD: Final = "The host of this address is an IP address in an unusual notation, which is not read."
NOT_ALLOWED: Final = "The operator of this agent does not allow it to read this host."


@dataclass(frozen=True)
class HostRules:
    """The hosts that the operator allows or refuses. `only` and `refused` include the subdomains of their hosts."""

    #: the only hosts that may be read; if empty, every public host may be read
    only: Collection[str] = ()
    refused: Collection[str] = ()
    #: private hosts that may be read all the same, each exactly as `host` or `host:port`
    private: Collection[str] = ()

    def allows(self, host: str) -> bool:
        """Return whether the rules allow reading a host: not `refused`, and in `only` (unless that is empty)."""
        return not _is_below(host, self.refused) and (not self.only or _is_below(host, self.only))

    def is_private(self, host: str, port: int) -> bool:
        """Return whether the operator allows a private host. An entry without a port allows ports 80 and 443."""
        named = {entry.lower() for entry in self.private}
        return f"{host}:{port}" in named or (host in named and port in PORTS.values())


def _is_below(host: str, names: Collection[str]) -> bool:
    return any(host == name.lower() or host.endswith(f".{name.lower()}") for name in names)


@dataclass(frozen=True)
class FetchTarget:
    """The host to connect to, and the path to request."""

    scheme: str
    #: the host in ASCII and lower case, without a final dot
    host: str
    port: int
    #: the path in ASCII, including the query
    path: str

    @property
    def authority(self) -> str:
        """The host and the port as they are written in a URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}"


def target_in(url: str, rules: HostRules) -> FetchTarget:
    """Return the target for a web address. Raises FetchFailed with the reason if the address may not be fetched."""
    url = url.strip()
    if len(url) > LONGEST or _FORBIDDEN.search(url) or not _SHAPE.match(url):
        raise FetchFailed(BAD_SHAPE)
    try:
        parts = urlsplit(url)
        port = parts.port
        written = parts.hostname or ""
    except ValueError:
        raise FetchFailed(BAD_SHAPE) from None
    if "[" in parts.netloc and ":" not in written:  # an IPvFuture address, of which there are none yet
        raise FetchFailed(BAD_SHAPE)
    if "@" in parts.netloc:
        raise FetchFailed(CREDENTIALS)
    scheme = parts.scheme.lower()
    host = _host(written)
    port = PORTS[scheme] if port is None else port
    if not rules.is_private(host, port):
        if port not in PORTS.values():
            raise FetchForbidden(BAD_PORT)
        _check_outside(host)
    if not rules.allows(host) and not rules.is_private(host, port):
        raise FetchForbidden(NOT_ALLOWED)
    query = f"?{parts.query}" if parts.query else ""
    path = quote(f"{parts.path or '/'}{query}", safe="!#$%&'()*+,/:;=?@[]~-._")
    return FetchTarget(scheme, host, port, path)


def redirect_target(target: FetchTarget, location: str, rules: HostRules) -> FetchTarget:
    """Return the target of a redirect, after the same checks as `target_in`. Raises FetchFailed."""
    try:
        return target_in(urljoin(target.url, location), rules)
    except ValueError:
        raise FetchFailed(BAD_SHAPE) from None


def _host(written: str) -> str:
    """Return the host in the form that DNS resolves. Raises FetchFailed."""
    if ":" in written:  # an IPv6 address, without the brackets
        address = address_in(written)
        if address is None or "%" in written:
            raise FetchFailed(ODD)
        return str(address)
    try:
        # this also converts other full stops to the usual one, so a final dot must be removed once more
        host = idna.encode(written.rstrip("."), uts46=True, transitional=False).decode("ascii").lower().rstrip(".")
    except (idna.IDNAError, UnicodeError):
        host = _plain(written)
    if not host or (_NUMBER.fullmatch(host.rpartition(".")[2]) and address_in(host) is None):
        raise FetchFailed(ODD if host else BAD_SHAPE)
    return host


def _plain(written: str) -> str:
    """Return a host name that DNS allows but IDNA does not, such as one with an underscore. Raises FetchFailed."""
    host = written.rstrip(".").lower()
    if re.fullmatch(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*", host, re.ASCII) is None:
        raise FetchFailed(BAD_SHAPE)
    return host


def _check_outside(host: str) -> None:
    address = address_in(host)
    is_inside = not is_public(address) if address is not None else "." not in host or _is_below(host, _INSIDE)
    if is_inside:
        raise FetchForbidden(INSIDE)
