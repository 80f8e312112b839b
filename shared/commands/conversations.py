"""/conversations: the chat's conversations with titles and dates, by pages, each with a number that goes back to it."""

from functools import partial
from typing import TypeAlias

from shared.commands.command import Command, CommandRequest, CommandResponse, visible
from shared.commands.listing import PAGE, ListPage, count_told, day_told, turning
from shared.commands.read_budget import PastReadBudget, ReadBudget, past_budget
from shared.models.button_data import button_data
from shared.models.channel import Button
from shared.models.chat import KeptConversation
from shared.models.text import fitted
from shared.ports.chats import Conversations
from shared.ports.people import People
from shared.ports.world import Ports
from shared.wording.words import Phrase, as_it_is, joined, numbered

#: the last page that a button turns to; an app may send any number, and Firestore skips no more than 32 bits count
LAST_PAGE = 999
#: small letters of a title on a line
LONGEST_NAME = 100

Page: TypeAlias = ListPage[KeptConversation]


async def read_page(request: CommandRequest, number: int, ports: Ports) -> Page:
    """A page of the conversations, the last one where there are fewer. Raises StoreUnavailable."""
    total = await ports[Conversations].count(request.chat.ids)
    number = min(number, max(0, total - 1) // PAGE, LAST_PAGE)
    return ListPage(
        number,
        await ports[Conversations].page(request.chat.ids, number * PAGE, PAGE),
        min(total, (LAST_PAGE + 1) * PAGE),
    )


async def first_page(request: CommandRequest, ports: Ports) -> Page:
    """What a written command lists."""
    return await read_page(request, 0, ports)


async def pressed_page(request: CommandRequest, ports: Ports) -> object:
    """The page that a button turns to, if who asks has not had too much read today: what is skipped is read, too."""
    number = int(request.argument) if request.argument.isdecimal() else 0
    if not number:
        return await first_page(request, ports)
    budget = ReadBudget.of(request, ports[People])
    if not await budget.has_left():
        return PastReadBudget()
    page = await read_page(request, number, ports)
    await budget.count(page.number * PAGE + len(page.shown))
    return page


def respond(request: CommandRequest) -> CommandResponse:
    """The page, with the number of each conversation on a button, and those that turn it."""
    page, words = request.result, request.words
    if isinstance(page, PastReadBudget):
        return past_budget(request)
    if not isinstance(page, ListPage) or not page.shown:
        return CommandResponse(text=words.say("conversations.none"))
    here = partial(button_data, "conversations", request.chat.conversation)
    newer, older = words.say("conversations.newer"), words.say("conversations.older")
    turns = turning(page, newer, older, lambda number: here(str(number)))
    parts = (words.say("conversations.listed"), lines_of(page, request), count_told(page, words))
    return CommandResponse(text=joined(*parts, by="\n\n"), buttons=(*number_buttons(page), *turns))


def lines_of(page: Page, request: CommandRequest) -> Phrase:
    """A line for each of some conversations: its title, and the day of its last words; the current is marked."""
    return numbered((number, _line(one, request)) for number, one in page.numbered)


def number_buttons(page: Page) -> tuple[Button, ...]:
    """A button with the number of each of some conversations, which goes back to it."""
    return tuple(Button(str(number), button_data("resume", one.id, "go")) for number, one in page.numbered)


def _line(kept: KeptConversation, request: CommandRequest) -> Phrase:
    words = request.words
    title = as_it_is(fitted(visible(kept.name), LONGEST_NAME)) or words.say("conversations.untitled")
    day = day_told(kept.updated_at, request) if kept.updated_at else ""
    line = words.say("conversations.line", title=title, day=day) if day else title
    return words.say("conversations.current", line=line) if kept.id == request.chat.conversation else line


COMMAND = Command(
    name="conversations",
    order=32,
    for_administrators=True,
    respond=respond,
    press=respond,
    is_for_any_conversation=True,
    effect=first_page,
    press_effect=pressed_page,
    needs=(Conversations, People),
)
