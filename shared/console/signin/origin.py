"""The console's address as the browser sees it, and protection against forged requests."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

#: the header that the console's page adds; a form of another site cannot
HEADER: Final = "x-lull-console"


@dataclass(frozen=True)
class Origin:
    """The scheme and the host of the request's address."""

    scheme: str
    host: str

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}"

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"

    def cookie_name(self, kind: str) -> str:
        """Return a cookie's name. With the prefix `__Host-`, browsers accept it only from this host, over https.

        On a local machine all ports share their cookies, so the name contains the port.
        """
        if self.is_secure:
            return f"__Host-lull-{kind}"
        return f"lull-{kind}-{self.host.rpartition(':')[2]}"


def origin_of(headers: Mapping[str, str]) -> Origin:
    """Return the origin of a request: https (Google's front end terminates TLS), or http on a local machine."""
    host = headers.get("host", "").lower()
    return Origin("http" if _is_this_machine(host) else "https", host)


def is_own_page(headers: Mapping[str, str]) -> bool:
    """Return whether a request that changes something was made by the console's own page.

    Browsers set Origin and Sec-Fetch-Site, and no page can change them.
    """
    is_same_site = headers.get("sec-fetch-site", "same-origin") == "same-origin"
    return headers.get(HEADER) == "1" and headers.get("origin") == origin_of(headers).url and is_same_site


def _is_this_machine(host: str) -> bool:
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    try:
        return name == "localhost" or ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
