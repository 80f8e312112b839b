"""Hosts in plain sight: behind the words of a link that a model made up stands where it leads."""

import re
from collections.abc import Callable, Iterator

from shared.formatting.source import Event, is_linkable, links_in, read
from shared.models.links import host_of


def with_hosts(markdown: str, is_known: Callable[[str], bool]) -> str:
    """The markdown; behind each link whose address is not known stands its host, unless its words name it."""
    if "](" not in markdown and "][" not in markdown and "]:" not in markdown:
        return markdown
    source, events = read(markdown)
    marks = dict(_marks(source, events, is_known))
    for end in sorted(marks, reverse=True):
        source = source[:end] + marks[end].encode() + source[end:]
    return source.decode() if marks else markdown


def _marks(source: bytes, events: tuple[Event, ...], is_known: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """Where the host is to be told, and how."""
    for target, place in links_in(events):
        address = target["dest_url"]
        shown = plain_host(address)
        words = source[place["start"] : place["end"]].decode(errors="replace").partition("](")[0]
        if shown and is_linkable(address) and not is_known(address) and not _names(words, shown):
            yield place["end"], f" ({shown})"


def _names(words: str, host: str) -> bool:
    """Whether a link's words begin with its host, as an address does, so that they pass for no other."""
    return re.match(rf"[!\[<*_~|\s]*(?:https?://)?{re.escape(host)}(?=[/?#:\s\]>*_~|]|$)", words.casefold()) is not None


def plain_host(address: str) -> str:
    """The host of an address in the letters of DNS, of which none passes for another; empty: it has none."""
    host = host_of(address)
    try:
        return host.encode("idna").decode("ascii").casefold() if host else ""
    except UnicodeError:
        return host.casefold()
