"""Public addresses: every public one, and nothing private in any form."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.reader.addresses import address_in, is_public
from tests.shared.examples import PROPERTY

PRIVATE_V4 = (
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.9.9.9",
    "168.63.129.16", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1",
    "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1",
    "255.255.255.255",
)  # fmt: skip
PRIVATE_V6 = (
    "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::8.8.8.8", "64:ff9b::7f00:1",
    "64:ff9b::808:808", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:0:4136:e378::1", "2001:db8::1", "2001:20::1",
    "2002:7f00:1::", "2002:808:808::", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fd20:ce::254", "fe80::1",
    "fec0::1", "ff02::1", "2a00:1450::5efe:a00:1", "2a00:1450::200:5efe:a00:1", "fe80::1%lo",
)  # fmt: skip
PUBLIC = ("8.8.8.8", "1.1.1.1", "93.184.216.34", "172.32.0.1", "192.0.1.1", "2606:2800:220:1:248:1893:25c8:1946",
          "2a00:1450:4001:830::200e", "2001:4860:4860::8888")  # fmt: skip


@pytest.mark.parametrize("text", [*PRIVATE_V4, *PRIVATE_V6])
def test_what_is_not_public_is_not_connected_to(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", PUBLIC)
def test_what_is_public_is(text: str) -> None:
    assert is_public(ip_address(text))


@PROPERTY
@given(st.integers(0, 2**32 - 1))
def test_no_address_that_carries_an_ipv4_address_is_public(number: int) -> None:
    for prefix in (0, 0xFFFF << 32, 0x64FF9B << 96, 0x64FF9B0001 << 80):
        assert not is_public(IPv6Address(prefix | number))
    assert not is_public(IPv6Address(0x2002 << 112 | number << 80))
    assert not is_public(IPv6Address(0x20010000 << 96 | number ^ 0xFFFFFFFF))


@PROPERTY
@given(st.ip_addresses(v=4))
def test_whatever_is_called_private_is_not_public(address: IPv4Address) -> None:
    inside = address.is_private or address.is_loopback or address.is_link_local or address.is_multicast
    assert not (is_public(address) and (inside or address.is_reserved or address.is_unspecified))


def test_only_the_usual_notation_is_an_address() -> None:
    assert address_in("127.0.0.1") == IPv4Address("127.0.0.1")
    for odd in ("127.1", "0177.0.0.1", "2130706433", "0x7f.0.0.1", "localhost", ""):
        assert address_in(odd) is None
