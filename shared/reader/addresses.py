"""Checks that an IP address is public, and that no address translation or tunnel leads from it to another address."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

#: IPv4 ranges that are not public, although Python's `is_global` is true for some of them (www.iana.org/assignments,
#: read 2026-11-23). In 192.0.0.0/24 is Oracle's metadata server; 168.63.129.16 is Azure's
_REFUSED_V4: Final = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16",
            "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24",
            "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
        ),
    )
)  # fmt: skip
#: the only IPv6 range for public use; the exceptions in it are below. Addresses that contain an IPv4 address (6to4 and
#: Teredo in this range, NAT64 and mapped ones outside of it) are refused, since they lead to that other address
_PUBLIC_V6: Final = IPv6Network("2000::/3")
_REFUSED_V6: Final = tuple(
    map(
        IPv6Network,
        ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20"),
    )
)
#: the bytes before the IPv4 address in the last 64 bits of an ISATAP address (RFC 5214)
_ISATAP: Final = (0x0000_5EFE, 0x0200_5EFE)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is public, and no tunnel or translation leads from it to another address."""
    if isinstance(address, IPv4Address):
        return address.is_global and not any(address in network for network in _REFUSED_V4)
    if address.scope_id is not None or address not in _PUBLIC_V6:
        return False
    is_isatap = (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP
    return address.is_global and not is_isatap and not any(address in network for network in _REFUSED_V6)


def address_in(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an IP address in the usual notation. Return None if the text is not an address."""
    try:
        return ip_address(text)
    except ValueError:
        return None
