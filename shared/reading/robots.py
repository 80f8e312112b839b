"""What a site says of programs that read it on their own (RFC 9309)."""

from protego import Protego


def may_read(robots: str, url: str, user_agent: str) -> bool:
    """Whether a robots.txt lets a program read an address."""
    return bool(Protego.parse(robots).can_fetch(url, user_agent))
