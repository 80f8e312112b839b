"""Lists of what people choose from: numbered lines, a short button for each, page by page, and how many there are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, TypeVar

from shared.commands.command import CommandRequest
from shared.models.channel import Button
from shared.wording.dates import short_date_in
from shared.wording.words import SILENCE, Phrase, Words

T = TypeVar("T")

#: entries on a page: their lines are one message, and stay on one screen of a phone
PAGE: Final = 6
#: characters of what somebody wrote, on a line: six of them are far from the 4,096 characters of a message
LONGEST_LINE: Final = 300


@dataclass(frozen=True)
class ListPage(Generic[T]):
    """Some of a list: the number of the page, from 0, what is on it, and how many there are in all."""

    number: int
    shown: Sequence[T]
    total: int

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(0, self.total - 1) // PAGE

    @property
    def numbered(self) -> Sequence[tuple[int, T]]:
        """What is on it, by its place in the whole list, from 1."""
        return tuple(enumerate(self.shown, self.number * PAGE + 1))


def page_of(items: Sequence[T], number: int) -> ListPage[T]:
    """Return a page of a list; the last one where it has fewer."""
    number = min(max(0, number), max(0, len(items) - 1) // PAGE)
    return ListPage(number, items[number * PAGE : (number + 1) * PAGE], len(items))


def count_told(page: ListPage[T], words: Words) -> Phrase:
    """Return which page it is of how many, and how many entries there are; nothing of a list with one page."""
    if not page.last:
        return SILENCE
    return words.say("list.page", page=page.number + 1, pages=page.last + 1, total=page.total)


def turning(page: ListPage[T], before: Phrase, behind: Phrase, data: Callable[[int], str]) -> tuple[Button, ...]:
    """Return the buttons that turn a page: what they say, and what one carries that goes to a page."""
    back = (Button(before, data(page.number - 1)),) if page.number else ()
    onward = (Button(behind, data(page.number + 1)),) if page.number < page.last else ()
    return back + onward


def day_told(moment: datetime, request: CommandRequest) -> str:
    """Return a day as who asks would write it: `12 May`, with its year if that is another one."""
    today = request.now.astimezone(request.zone).date()
    return short_date_in(request.words, moment.astimezone(request.zone).date(), today)
