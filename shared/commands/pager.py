"""Lists that people choose from, page by page: numbered lines, a short button for each, and how many there are.

A command says its rows, its title, and what a press does. A button carries a letter for what the press does, and behind
it what that is done to: `o` and the id of an entry, or the letter of a list and the number of a page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, NamedTuple, TypeVar

from shared.base.wording.dates import short_date_in
from shared.base.wording.words import SILENCE, Phrase, bulleted, joined, numbered
from shared.commands.command import CommandRequest, CommandResponse
from shared.values.button_data import button_data
from shared.values.channel import Button

T = TypeVar("T")
ListT = TypeVar("ListT")

#: entries on a page: their lines are one message, and stay on one screen of a phone
PAGE: Final = 6
#: characters of what somebody wrote, on a line: six of them are far from the 4,096 characters of a message
LONGEST_LINE: Final = 300
#: the letters of a list's buttons: its pages, and one of its entries
PAGES, ONE = "p", "o"


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


def page_of(items: Sequence[T], number: int) -> ListPage[T]:
    """Return a page of a list; the last one where it has fewer."""
    number = min(max(0, number), max(0, len(items) - 1) // PAGE)
    return ListPage(number, items[number * PAGE : (number + 1) * PAGE], len(items))


@dataclass(frozen=True)
class Listing(Generic[ListT]):
    """What there is to list, which page of it is asked for, from 0, and the letter of the list if there are several."""

    of: ListT
    page: int = 0
    letter: str = PAGES


@dataclass(frozen=True)
class SelectedEntry(Generic[T, ListT]):
    """The entry that a button is for, as it is now; and whether who pressed may change it."""

    entry: T
    may_change: bool = False
    #: the list in which it stands, or stood
    listing: Listing[ListT] | None = None


class ListChoice(NamedTuple):
    """What a button carries: a letter for what its press does, and behind it what that is done to."""

    action: str
    of: str


@dataclass(frozen=True, kw_only=True)
class ListRow:
    """An entry as people see it."""

    line: Phrase
    #: what its button carries; empty: it has neither button nor number, and its line stands before those that have
    data: str = ""
    #: what its button says instead of its number
    label: str = ""
    #: whether its line has words from outside
    is_outside: bool = False


@dataclass(frozen=True, kw_only=True)
class ListView:
    """What is shown of a page."""

    title: Phrase
    rows: Sequence[ListRow]
    #: of the list, where a command has several
    letter: str = PAGES
    #: how many entries at the beginning of the list have no number
    unnumbered: int = 0
    #: what is said below the lines, and the buttons below those of the rows
    below: Sequence[Phrase] = ()
    buttons: Sequence[Button] = ()


@dataclass(frozen=True, kw_only=True)
class Pager:
    """The lists of one command, for who asks for them."""

    command: str
    request: CommandRequest
    #: what the buttons say that go a page back, and a page on
    back: Phrase = SILENCE
    onward: Phrase = SILENCE
    #: whether what is listed is apart from the conversation
    is_apart: bool = False

    def data(self, choice: str) -> str:
        """Return what a button carries that stands for a choice."""
        return button_data(self.command, self.request.chat.conversation, choice)

    def button(self, label: str, choice: str) -> Button:
        """Return the button of a choice."""
        return Button(label, self.data(choice))

    def choices(self, labels: Mapping[str, str], current: str) -> tuple[Button, ...]:
        """Return a button for each of some choices, of which one is current."""
        return tuple(self.button(f"✓ {label}" if one == current else label, one) for one, label in labels.items())

    def response(self, page: ListPage[T], view: ListView) -> CommandResponse:
        """Return a page as a message. Where buttons have labels, lines have no numbers, and nothing is counted."""
        first = page.number * PAGE + 1 - view.unnumbered
        placed = [(number, row) for number, row in enumerate(view.rows, first) if row.data]
        has_labels = any(row.label for row in view.rows)
        plain = bulleted(*(row.line for row in view.rows if row.label or not row.data))
        lines = SILENCE if has_labels else numbered((number, row.line) for number, row in placed)
        count = SILENCE if has_labels else self._page_count(page)
        buttons = [Button(row.label or str(number), row.data) for number, row in placed]
        return CommandResponse(
            text=joined(view.title, plain, lines, count, *view.below, by="\n\n"),
            buttons=(*buttons, *self._page_turners(page, view.letter), *view.buttons),
            holds_outside=any(row.is_outside for row in view.rows),
            is_apart=self.is_apart,
        )

    def _page_count(self, page: ListPage[T]) -> Phrase:
        """Return which page it is of how many, and how many entries there are; nothing of a list with one page."""
        if not page.last:
            return SILENCE
        return self.request.words.say("list.page", page=page.number + 1, pages=page.last + 1, total=page.total)

    def _page_turners(self, page: ListPage[T], letter: str) -> tuple[Button, ...]:
        back = (self.button(self.back, f"{letter}{page.number - 1}"),) if page.number else ()
        onward = (self.button(self.onward, f"{letter}{page.number + 1}"),) if page.number < page.last else ()
        return back + onward


def choice_in(request: CommandRequest) -> ListChoice:
    """Return what the button carried that was pressed."""
    return ListChoice(request.argument[:1], request.argument[1:])


def page_number(written: str) -> int:
    """Return the number of a page that a button carried, or that somebody wrote; 0 for anything else."""
    return int(written) if written.isdecimal() else 0


def selected_entry(result: object, gone: Phrase, others: Phrase) -> SelectedEntry[Any, Any] | CommandResponse:
    """Return the entry that a button is for; else what is said for a moment.

    `gone` is said if the button does nothing any more, and `others` if it does nothing for who pressed it.
    """
    if not isinstance(result, SelectedEntry):
        return CommandResponse(notice=gone)
    return result if result.may_change else CommandResponse(notice=others)


def short_day(moment: datetime, request: CommandRequest) -> str:
    """Return a day as who asks would write it: `12 May`, with its year if that is another one."""
    today = request.now.astimezone(request.zone).date()
    return short_date_in(request.words, moment.astimezone(request.zone).date(), today)
