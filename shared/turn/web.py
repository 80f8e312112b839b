"""Web addresses in one plan: which of them somebody wrote, and how to show people where other links lead."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from shared.planning.prompt.escaping import escape
from shared.tasks.task import Task
from shared.telegram.markdown.held import release
from shared.telegram.markdown.source import Event, is_linkable, links_in, read
from shared.tools.browsing import Browsing
from shared.values.evolve import evolve
from shared.values.links import addresses_in, host_of, linked_addresses
from shared.values.message import AnyEntry, Edit, Message
from shared.values.prompt import ToolAnswer

#: every link that has a text of its own contains one of these, in markdown or as a tag
_LINK_SIGN: Final = re.compile(r"\]\(|\]\[|\]:|<a\b", re.IGNORECASE)


def browsing_of(entries: Sequence[AnyEntry]) -> Browsing:
    """Return the web addresses that are known when a plan begins: people wrote them, or tools found them before."""
    browsing = Browsing()
    for entry in entries:
        if isinstance(entry, Message | Edit) and not entry.author.is_agent and not _tells_of_agent(entry):
            browsing.learn_written(linked_addresses(entry.text, entry.entities))
            browsing.learn_written(_quoted_in(entry))
        elif isinstance(entry, Message):
            # other addresses in the agent's text do not count, since somebody may have made the agent compose them
            browsing.learn(entry.known_links)
    return browsing


def _quoted_in(entry: Message | Edit) -> Iterator[str]:
    """Yield the addresses in the message to which this entry replies, unless that is the agent's message."""
    quote = entry.reply if isinstance(entry, Message) else None
    origins = (quote.author, quote.forwarded_from) if quote is not None else ()
    if quote is not None and not any(one is not None and one.is_agent for one in origins):
        yield from linked_addresses(quote.whole, quote.entities)


def _tells_of_agent(entry: Message | Edit) -> bool:
    """Return whether a person's entry may repeat text of the agent: a button press, a forward, or a pinned message."""
    if not isinstance(entry, Message):
        return False
    origin = entry.forwarded_from
    return entry.message_id < 0 or entry.is_service or (origin is not None and origin.is_agent)


def known_links(tasks: Iterable[Task], browsing: Browsing) -> Iterator[str]:
    """Yield the addresses in the tasks' texts that somebody wrote or a tool found. Other addresses are invented."""
    addresses = (address for task in tasks for address in addresses_in(_read_of(task)))
    return (address for address in dict.fromkeys(addresses) if browsing.knows(address))


def with_shown_links(tasks: Iterable[Task], browsing: Browsing) -> tuple[Task, ...]:
    """Return the tasks. After a link whose text hides an invented address, the address's host is added."""
    shown = ((task, _read_of(task)) for task in tasks)
    return tuple(task.with_words(with_hosts(words, browsing.knows)) if words else task for task, words in shown)


def _read_of(task: Task) -> str:
    """Return the markdown in a task that people will read, now or later. A reminder's instruction is included."""
    later = task.reminder_spec or task.reminder_change
    return task.words or ((later.text or later.instruction or "") if later is not None else "")


def without_made_up_links(text: str, browsing: Browsing) -> str:
    """Return the lines of an unfinished text before the line with the first invented address."""
    made_up = (address for address in addresses_in(text) if not browsing.knows(address))
    first = next(made_up, "")
    return text[: text.rfind("\n", 0, text.index(first)) + 1].rstrip() if first else text


def escape_answer(answer: ToolAnswer) -> ToolAnswer:
    """Return a tool's answer with its texts escaped, so that they cannot pass for lull's own text in the prompt."""
    return evolve(answer, text=escape(answer.text), parts=tuple(map(escape, answer.parts)))


def with_hosts(markdown: str, is_known: Callable[[str], bool]) -> str:
    """Return the markdown with the host added after each link to an unknown address that does not show its host."""
    if not _LINK_SIGN.search(markdown):
        return markdown
    source, events = read(markdown)
    marks = dict(_marks(source, events, is_known))
    for end in sorted(marks, reverse=True):
        source = source[:end] + marks[end].encode() + source[end:]
    return release(source.decode()) if marks else markdown


def _marks(source: bytes, events: tuple[Event, ...], is_known: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """Yield the positions in the source at which a host is to be added, each with the text to insert."""
    for target, place in links_in(events):
        address = target["dest_url"]
        shown = plain_host(address)
        words = source[place["start"] : place["end"]].decode(errors="replace").partition("](")[0]
        if shown and is_linkable(address) and not is_known(address) and not _names(words, shown):
            yield place["end"], f" ({shown})"


def _names(words: str, host: str) -> bool:
    """Return whether a link's text begins with the host, as an address does, and so shows where the link leads."""
    return re.match(rf"[!\[<*_~|\s]*(?:https?://)?{re.escape(host)}(?=[/?#:\s\]>*_~|]|$)", words.casefold()) is not None


def plain_host(address: str) -> str:
    """Return the host of an address in ASCII, without look-alike letters of other scripts; "" if it has no host."""
    host = host_of(address)
    try:
        return host.encode("idna").decode("ascii").casefold() if host else ""
    except UnicodeError:
        return host.casefold()
