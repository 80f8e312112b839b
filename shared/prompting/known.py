"""What the model knows at a place of the shown conversation: who was introduced, which messages stood there, which day.

It begins anew with the first line that is shown, so headers change only when that line does.
"""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo

from shared.models.message import EXCERPT_CHARACTERS, Author, Quote
from shared.prompting.escaping import clean_name, read_as

#: the names of whom the agent is called by are nobody else's
_AGENT = 0


@dataclass(slots=True)
class Known:
    """Who and what was told so far; it grows with each line."""

    #: what the agent is called
    own_name: str = ""
    #: name and username by which each person was last introduced, by id
    _people: dict[int, tuple[str, str]] = field(default_factory=dict)
    #: whose name each is, as people read it: whole names, and their first words
    _names: dict[str, set[int]] = field(default_factory=dict)
    #: as much of each message that was shown as a reply to it quotes, by id
    _begins: dict[int, str] = field(default_factory=dict)
    _day: tuple[date, timedelta | None] | None = None

    def __post_init__(self) -> None:
        """Keep the agent's name for the agent."""
        if self.own_name:
            self._names[read_as(self.own_name)] = {_AGENT}

    def meet(self, author: Author) -> bool:
        """Whether somebody must be introduced: for the first time, or under a new name. From then on they are known.

        Who has no id cannot be known again.
        """
        called = (author.name, author.username)
        if author.id and self._people.get(author.id) == called:
            return False
        self._people[author.id] = called
        name = clean_name(author.name)
        for one in (name, _first_word(name)):
            self._names.setdefault(read_as(one), set()).add(author.id)
        return True

    def name_of(self, author: Author) -> tuple[str, bool]:
        """The shortest name that means this person alone, and whether it does: if not, the id must be told, too."""
        name = clean_name(author.name)
        for one in (_first_word(name), name):
            if author.id and self._names.get(read_as(one)) == {author.id}:
                return one, True
        return name, False

    def show(self, message_id: int, text: str) -> None:
        """Note that a message is shown, which says this."""
        if message_id > 0:
            self._begins[message_id] = text[:EXCERPT_CHARACTERS].strip()

    def holds(self, reply: Quote) -> bool:
        """Whether a reply is to a message that is shown above as it is quoted, and not to some words of it."""
        return bool(reply.excerpt) and self._begins.get(reply.message_id) == reply.excerpt.strip()

    def time_of(self, at: datetime, zone: tzinfo) -> str:
        """The time: whole where a day or another offset begins, else hours and minutes."""
        local = at.astimezone(zone)
        day = (local.date(), local.utcoffset())
        if day == self._day:
            return f"{local.hour:02}:{local.minute:02}"
        self._day = day
        return iso_time(at, zone)


def iso_time(at: datetime, zone: tzinfo, timespec: str = "minutes") -> str:
    """A time in ISO 8601 with its zone's offset; `Z` in UTC."""
    return at.astimezone(zone).isoformat(timespec=timespec).replace("+00:00", "Z")


def _first_word(name: str) -> str:
    return name.partition(" ")[0]
