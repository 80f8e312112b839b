"""Connections to checked addresses: each host is resolved once, and lull connects to the address that it checked."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TypeAlias

import httpcore

from shared.base.errors import FetchFailed, FetchForbidden
from shared.reader.addresses import is_public
from shared.reader.reading_sentences import NO_SUCH_HOST
from shared.reader.targets import INSIDE, HostRules

Address: TypeAlias = IPv4Address | IPv6Address
Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[Address]]]

#: threads for the system's resolver, which cannot be interrupted; with few, dead name servers would block all pages
_RESOLVERS = ThreadPoolExecutor(max_workers=64, thread_name_prefix="resolver")
#: the number of a host's addresses that are tried
MOST_TRIED = 3


async def resolve_host(host: str, port: int) -> Sequence[Address]:
    """Return the addresses of a host, from the system's resolver. Raises FetchFailed."""
    asked = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    try:
        found = await asyncio.get_running_loop().run_in_executor(_RESOLVERS, asked)
    except (OSError, UnicodeError):
        raise FetchFailed(NO_SUCH_HOST) from None
    # a link-local address may be followed by its zone, which does not change the address
    return list(dict.fromkeys(ip_address(str(one[4][0]).partition("%")[0]) for one in found))


class CheckedNetwork(httpcore.AsyncNetworkBackend):
    """The backend for httpcore that connects only to checked addresses. Certificates must match the host's name."""

    def __init__(self, rules: HostRules, resolve: Resolve = resolve_host) -> None:
        """`rules` contain the private hosts that are allowed; `resolve` returns the addresses of a host."""
        self._rules, self._resolve = rules, resolve
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's signature)
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to one of the addresses of a host. Raises FetchFailed if any of the addresses is not public."""
        addresses = await self._resolve(host, port)
        if not addresses:
            raise FetchFailed(NO_SUCH_HOST)
        if not self._rules.is_private(host, port) and not all(map(is_public, addresses)):
            raise FetchForbidden(INSIDE)
        *first, last = addresses[:MOST_TRIED]
        for address in first:
            try:
                return await self._inner.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._inner.connect_tcp(str(last), port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's signature)
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raise FetchForbidden, since a socket of this machine is not a web address."""
        raise FetchForbidden(INSIDE)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
