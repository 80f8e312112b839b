"""Connections to addresses that were checked: a name is resolved once, and connected to is what was looked at."""

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

#: the system's resolver cannot be interrupted: with few threads, name servers that do not answer would stall all pages
_RESOLVERS = ThreadPoolExecutor(max_workers=64, thread_name_prefix="resolver")
#: of a host's addresses so many are tried
MOST_TRIED = 3


async def resolve_host(host: str, port: int) -> Sequence[Address]:
    """The addresses of a host, by the system's resolver. Raises FetchFailed."""
    asked = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    try:
        found = await asyncio.get_running_loop().run_in_executor(_RESOLVERS, asked)
    except (OSError, UnicodeError):
        raise FetchFailed(NO_SUCH_HOST) from None
    # a link-local address has its zone behind it, which makes it no other address
    return list(dict.fromkeys(ip_address(str(one[4][0]).partition("%")[0]) for one in found))


class CheckedNetwork(httpcore.AsyncNetworkBackend):
    """What httpcore connects through. Certificates are still checked for the name: that is httpcore's part."""

    def __init__(self, rules: HostRules, resolve: Resolve = resolve_host) -> None:
        """`rules` name the private hosts that may be reached; `resolve` gives a name's addresses."""
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
        """A connection to one of the host's addresses. Raises FetchFailed if one of them is not public."""
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
        """Never: a socket of this machine is no address of the web."""
        raise FetchForbidden(INSIDE)

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)
