"""Lists with pages: numbered lines, a button for each entry, and the total number of entries.

A command provides the rows, the title, and the meaning of a press. A button's data begins with the letter of an action:
`o` shows an entry, whose id follows; a list's letter shows a page, whose number follows.
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

#: the entries on a page, so that it is one message that fits the screen of a phone
PAGE: Final = 6
#: the maximum characters of people's text on a line; six such lines stay far below the 4,096 characters of a message
LONGEST_LINE: Final = 300
#: letters in the data of a list's buttons: for a page, and for one entry
PAGES, ONE = "p", "o"


@dataclass(frozen=True)
class ListPage(Generic[T]):
    """A page of a list: its number (from 0), its entries, and the total number of entries in the list."""

    number: int
    shown: Sequence[T]
    total: int

    @property
    def last(self) -> int:
        """The number of the last page of the list."""
        return max(0, self.total - 1) // PAGE


def page_of(items: Sequence[T], number: int) -> ListPage[T]:
    """Return a page of a list; the last page if the list has fewer pages."""
    number = min(max(0, number), max(0, len(items) - 1) // PAGE)
    return ListPage(number, items[number * PAGE : (number + 1) * PAGE], len(items))


@dataclass(frozen=True)
class Listing(Generic[ListT]):
    """The entries to list, the requested page (from 0), and the list's letter if a command has several lists."""

    of: ListT
    page: int = 0
    letter: str = PAGES


@dataclass(frozen=True)
class SelectedEntry(Generic[T, ListT]):
    """The entry that a button names, in its current state, and whether the person may change it."""

    entry: T
    may_change: bool = False
    #: the list that contains, or contained, the entry
    listing: Listing[ListT] | None = None


class ListChoice(NamedTuple):
    """The data of a button: a letter for the action, and the id or number to which the action applies."""

    action: str
    of: str


@dataclass(frozen=True, kw_only=True)
class ListRow:
    """An entry as people see it in the list."""

    line: Phrase
    #: the data of the row's button; "" for a row without button and number, which comes before the others
    data: str = ""
    #: the label of the button; if empty, the label is the row's number
    label: str = ""
    #: whether the row's line contains text from outside
    is_outside: bool = False


@dataclass(frozen=True, kw_only=True)
class ListView:
    """The content of a page of a list: title, rows, texts and buttons."""

    title: Phrase
    rows: Sequence[ListRow]
    #: the letter of the list, if a command has several lists
    letter: str = PAGES
    #: the number of entries at the beginning of the list that have no number
    unnumbered: int = 0
    #: the texts below the lines; and below, the buttons that follow the buttons of the rows
    below: Sequence[Phrase] = ()
    buttons: Sequence[Button] = ()


@dataclass(frozen=True, kw_only=True)
class Pager:
    """Makes the list pages and buttons of one command, for one request."""

    command: str
    request: CommandRequest
    #: the labels of the buttons for the previous page, and below, for the next page
    back: Phrase = SILENCE
    onward: Phrase = SILENCE
    #: whether the list is kept out of the conversation
    is_apart: bool = False

    def data(self, choice: str) -> str:
        """Return the data of a button that passes `choice` to the command, in the chat's current conversation."""
        return button_data(self.command, self.request.chat.conversation, choice)

    def button(self, label: str, choice: str) -> Button:
        return Button(label, self.data(choice))

    def choices(self, labels: Mapping[str, str], current: str) -> tuple[Button, ...]:
        """Return a button for each choice. The button of the current choice is marked."""
        return tuple(self.button(f"✓ {label}" if one == current else label, one) for one, label in labels.items())

    def response(self, page: ListPage[T], view: ListView) -> CommandResponse:
        """Return a page as a response. If a row labels its button, there are no line numbers and no page count."""
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
        """Return a line with the page number and the numbers of pages and entries; nothing for a list of one page."""
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
    """Return the entry that a button names, or else a response with a notice.

    The notice is `gone` if the entry no longer exists, and `others` if the entry belongs to another person.
    """
    if not isinstance(result, SelectedEntry):
        return CommandResponse(notice=gone)
    return result if result.may_change else CommandResponse(notice=others)


def short_day(moment: datetime, request: CommandRequest) -> str:
    """Return a date in the style of the reader's language: `12 May`, with the year unless it is the current year."""
    today = request.now.astimezone(request.zone).date()
    return short_date_in(request.words, moment.astimezone(request.zone).date(), today)
