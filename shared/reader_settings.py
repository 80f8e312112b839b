"""The settings of the function that reads pages (functions/reader). None of them is a secret."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Final

from shared.declaring import Between, Spelled, setting
from shared.settings import Settings

#: whoever runs a site sees in its logs what read it, and where to ask
USER_AGENT = "lull/0.1 (an agent that reads a page for somebody in Telegram)"


#: a host as an address has it; one that is written otherwise would be no page's, and so would allow or refuse none
_HOST: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*|[0-9a-f:]*:[0-9a-f:.]+")
_PLACE: Final = re.compile(rf"({_HOST.pattern})(:[0-9]{{1,5}})?")


def _hosts_in(text: str) -> Collection[str]:
    """Hosts, separated by commas. Raises ValueError."""
    return _named_in(text, _HOST)


def _places_in(text: str) -> Collection[str]:
    """Hosts, each perhaps with its port, separated by commas. Raises ValueError."""
    return _named_in(text, _PLACE)


def _named_in(text: str, form: re.Pattern[str]) -> Collection[str]:
    names = frozenset(name.strip().lower() for name in text.split(",") if name.strip())
    if not all(map(form.fullmatch, names)):
        raise ValueError("write hosts such as example.com, in ASCII (xn--…), without https://, path or *, with commas")
    return names


def _product_in(text: str) -> str:
    """What a header takes. Raises ValueError."""
    if not (text.isascii() and text.isprintable()):
        raise ValueError("write it in ASCII, in one line: it is sent as a header")
    return text


@dataclass(frozen=True, kw_only=True)
class ReaderSettings(Settings):
    """What it needs."""

    hosts: Annotated[Collection[str], Spelled(_hosts_in)] = setting(
        "LULL_READER_HOSTS",
        "the only hosts whose pages are read, with those below them, separated by commas; empty: all public ones",
        "wikipedia.org,docs.python.org",
        frozenset(),
    )
    refused_hosts: Annotated[Collection[str], Spelled(_hosts_in)] = setting(
        "LULL_READER_REFUSED_HOSTS",
        "hosts whose pages are not read, with those below them, separated by commas",
        "example.com",
        frozenset(),
    )
    private_hosts: Annotated[Collection[str], Spelled(_places_in)] = setting(
        "LULL_READER_PRIVATE_HOSTS",
        "hosts of a private network that may be read all the same, exactly these, each with its port if that is not "
        "80 or 443; separated by commas",
        "wiki.home.arpa,10.0.0.7:8080",
        frozenset(),
    )
    user_agent: Annotated[str, Spelled(_product_in)] = setting(
        "LULL_READER_USER_AGENT",
        "what the reader calls itself to the sites that it reads; best with an address for complaints",
        "lull (+https://my.example/bot)",
        USER_AGENT,
    )
    longest_s: Annotated[int, Between(10, 3_600)] = setting(
        "LULL_READER_LONGEST_S",
        "seconds of a sound or a film, from its beginning, that are made ready for a model; of a film longer than a "
        "minute that is its sound, beside still pictures",
        "1800",
        600,
    )
