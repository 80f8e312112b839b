"""Connections: a name is resolved once, and the checked address is the one connected to."""

from collections.abc import Callable, Sequence
from ipaddress import ip_address

import httpcore
import pytest

from shared.base.errors import FetchFailed
from shared.reader.reading_sentences import NO_SUCH_HOST
from shared.reader.targets import INSIDE, HostRules
from shared.reader.web.network import Address, CheckedNetwork, resolve_host
from tests.shared.reader.web.hostile import HostileServer


class Names:
    """A name server with another answer each time."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers, self.asked = list(answers), 0

    async def __call__(self, host: str, port: int) -> Sequence[Address]:
        self.asked += 1
        return [ip_address(one) for one in self.answers[min(self.asked, len(self.answers)) - 1]]


@pytest.mark.parametrize(
    "answer",
    [["127.0.0.1"], ["10.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::1"], ["::ffff:10.0.0.1"], ["169.254.169.254"]],
)
async def test_a_public_name_that_leads_inside_is_not_connected_to(answer: list[str]) -> None:
    network = CheckedNetwork(HostRules(), Names(answer))
    with pytest.raises(FetchFailed) as failure:
        await network.connect_tcp("rebind.example", 80)
    assert str(failure.value) == INSIDE


async def test_a_name_is_resolved_once(hostile: HostileServer) -> None:
    port = int(hostile.host.partition(":")[2])
    names = Names(["127.0.0.1"], ["10.0.0.1"])
    network = CheckedNetwork(HostRules(private={f"wiki.example:{port}"}), names)
    stream = await network.connect_tcp("wiki.example", port)
    assert stream.get_extra_info("server_addr")[0] == "127.0.0.1"
    assert names.asked == 1
    await stream.aclose()


async def test_a_named_private_host_does_not_open_its_neighbours(hostile: HostileServer) -> None:
    network = CheckedNetwork(HostRules(private={"wiki.example:8080"}), Names(["127.0.0.1"]))
    for host, port in (("wiki.example", 80), ("other.example", 8080)):
        with pytest.raises(FetchFailed):
            await network.connect_tcp(host, port)


async def test_the_next_address_is_tried_if_one_does_not_answer(hostile: HostileServer) -> None:
    port = int(hostile.host.partition(":")[2])
    network = CheckedNetwork(HostRules(private={f"wiki.example:{port}"}), Names(["127.0.0.2", "127.0.0.1"]))
    stream = await network.connect_tcp("wiki.example", port, timeout=5)
    assert stream.get_extra_info("server_addr")[0] in {"127.0.0.1", "127.0.0.2"}
    await stream.aclose()


@pytest.mark.parametrize("call", [lambda network: network.connect_unix_socket("/var/run/docker.sock")])
async def test_a_socket_of_the_machine_is_no_address(call: Callable[[httpcore.AsyncNetworkBackend], object]) -> None:
    with pytest.raises(FetchFailed):
        await call(CheckedNetwork(HostRules()))  # type: ignore[misc]


async def test_the_systems_resolver_gives_addresses_or_a_sentence() -> None:
    assert ip_address("127.0.0.1") in await resolve_host("127.0.0.1", 80)
    with pytest.raises(FetchFailed, match=NO_SUCH_HOST):
        await resolve_host("nothing.invalid", 80)


async def test_no_address_is_no_host() -> None:
    with pytest.raises(FetchFailed, match=NO_SUCH_HOST):
        await CheckedNetwork(HostRules(), Names([])).connect_tcp("a.example", 80)
