"""Lists with pages: numbered lines, a short button for each, and the number of entries.

A command gives rows, a title, and the meaning of a press. The data of a button is a letter for the action, followed by
its object: `o` and the id of an entry, or the letter of a list and the number of a page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, NamedTuple, TypeVar

from shared.base.wording.dates import short_date_in
from shared.base.wording.words import SILENCE, Phrase, bullet_list, join_phrases, numbered_list
from shared.commands.command import CommandRequest, CommandResponse
from shared.values.button_data import button_data
from shared.values.channel import Button

T = TypeVar("T")
ListT = TypeVar("ListT")

#: entries on a page: one message, on one screen of a phone
PAGE: Final = 6
#: characters of a person's text on a line; six lines stay far below the 4,096 characters of a message
LONGEST_LINE: Final = 300
#: letters in a list's buttons: for its pages, and for one entry
PAGES, ONE = "p", "o"


@dataclass(frozen=True)
class ListPage(Generic[T]):
    """A page of a list: its number from 0, its entries, and the total number of entries."""

    number: int
    shown: Sequence[T]
    total: int

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(0, self.total - 1) // PAGE


def page_of(items: Sequence[T], number: int) -> ListPage[T]:
    """Return a page of a list; the last page if the list has fewer pages."""
    number = min(max(0, number), max(0, len(items) - 1) // PAGE)
    return ListPage(number, items[number * PAGE : (number + 1) * PAGE], len(items))


@dataclass(frozen=True)
class Listing(Generic[ListT]):
    """The entries to list, the requested page from 0, and the list's letter if a command has several."""

    of: ListT
    page: int = 0
    letter: str = PAGES


@dataclass(frozen=True)
class SelectedEntry(Generic[T, ListT]):
    """The current entry of a button, and whether the person may change it."""

    entry: T
    may_change: bool = False
    #: the list that has, or had, the entry
    listing: Listing[ListT] | None = None


class ListChoice(NamedTuple):
    """The data of a button: a letter for the action, and the object of the action."""

    action: str
    of: str


@dataclass(frozen=True, kw_only=True)
class ListRow:
    """An entry as people see it."""

    line: Phrase
    #: the data of the row's button; "": the row has no button and no number, and is placed before the rows with buttons
    data: str = ""
    #: the button's label in place of its number
    label: str = ""
    #: whether its line has text from outside
    is_outside: bool = False


@dataclass(frozen=True, kw_only=True)
class ListView:
    """The parts of a page as people see it."""

    title: Phrase
    rows: Sequence[ListRow]
    #: the list's letter, if a command has several
    letter: str = PAGES
    #: the number of entries without a number at the beginning
    unnumbered: int = 0
    #: the text below the lines, and the buttons below those of the rows
    below: Sequence[Phrase] = ()
    buttons: Sequence[Button] = ()


@dataclass(frozen=True, kw_only=True)
class Pager:
    """The lists of one command, for one request."""

    command: str
    request: CommandRequest
    #: labels of the buttons for the previous and the next page
    back: Phrase = SILENCE
    onward: Phrase = SILENCE
    #: whether the list is kept out of the conversation
    is_apart: bool = False

    def data(self, choice: str) -> str:
        """Return the button data of a choice."""
        return button_data(self.command, self.request.chat.conversation, choice)

    def button(self, label: str, choice: str) -> Button:
        return Button(label, self.data(choice))

    def choices(self, labels: Mapping[str, str], current: str) -> tuple[Button, ...]:
        """Return a button for each choice; the current one is marked."""
        return tuple(self.button(f"✓ {label}" if one == current else label, one) for one, label in labels.items())

    def response(self, page: ListPage[T], view: ListView) -> CommandResponse:
        """Return a page as a message. If buttons have labels, lines have no numbers, and nothing is counted."""
        first = page.number * PAGE + 1 - view.unnumbered
        placed = [(number, row) for number, row in enumerate(view.rows, first) if row.data]
        has_labels = any(row.label for row in view.rows)
        plain = bullet_list(*(row.line for row in view.rows if row.label or not row.data))
        lines = SILENCE if has_labels else numbered_list((number, row.line) for number, row in placed)
        count = SILENCE if has_labels else self._page_count(page)
        buttons = [Button(row.label or str(number), row.data) for number, row in placed]
        return CommandResponse(
            text=join_phrases(view.title, plain, lines, count, *view.below, by="\n\n"),
            buttons=(*buttons, *self._page_turners(page, view.letter), *view.buttons),
            holds_outside=any(row.is_outside for row in view.rows),
            is_apart=self.is_apart,
        )

    def _page_count(self, page: ListPage[T]) -> Phrase:
        """Return the page number and the total count, or nothing for a list of one page."""
        if not page.last:
            return SILENCE
        return self.request.words.say("list.page", page=page.number + 1, pages=page.last + 1, total=page.total)

    def _page_turners(self, page: ListPage[T], letter: str) -> tuple[Button, ...]:
        back = (self.button(self.back, f"{letter}{page.number - 1}"),) if page.number else ()
        onward = (self.button(self.onward, f"{letter}{page.number + 1}"),) if page.number < page.last else ()
        return back + onward


def choice_in(request: CommandRequest) -> ListChoice:
    """Return the choice in the button that was pressed."""
    return ListChoice(request.argument[:1], request.argument[1:])


def page_number(written: str) -> int:
    """Return the page number in a button or a text; 0 for anything else."""
    return int(written) if written.isdecimal() else 0


def selected_entry(result: object, gone: Phrase, others: Phrase) -> SelectedEntry[Any, Any] | CommandResponse:
    """Return the entry of a button, or a notice.

    `gone` is the notice for an entry that no longer exists, `others` that for somebody else's entry.
    """
    if not isinstance(result, SelectedEntry):
        return CommandResponse(notice=gone)
    return result if result.may_change else CommandResponse(notice=others)


def short_day(moment: datetime, request: CommandRequest) -> str:
    """Return a day in the style of the reader: `12 May`, with the year if it is not the current year."""
    today = request.now.astimezone(request.zone).date()
    return short_date_in(request.words, moment.astimezone(request.zone).date(), today)
