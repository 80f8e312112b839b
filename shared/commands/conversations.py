"""/conversations: the chat's conversations with titles and dates, by pages, each with a button that goes back to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from shared.commands.command import Command, CommandRequest, CommandResponse, visible
from shared.commands.read_budget import PastReadBudget, ReadBudget, past_budget
from shared.models.button_data import button_data
from shared.models.channel import Button
from shared.models.chat import KeptConversation
from shared.models.text import fitted
from shared.ports.chats import Conversations
from shared.ports.people import People
from shared.ports.world import Ports
from shared.wording.direction import isolated

#: conversations on a page: with the two buttons that turn it, they stay on one screen of a phone
PAGE = 6
#: small letters in a button's name: with the mark and the date it fills a line of a small phone, which is 360 px wide
LONGEST_NAME = 17
#: the last page that a button turns to; an app may send any number, and Firestore skips no more than 32 bits count
LAST_PAGE = 999


@dataclass(frozen=True)
class Page:
    """Some of a chat's conversations: the number of the page, from 0, and whether older ones follow."""

    number: int
    conversations: Sequence[KeptConversation]
    has_older: bool


async def page_of(request: CommandRequest, number: int, ports: Ports) -> Page:
    """A page of the conversations. Raises StoreUnavailable."""
    found = await ports[Conversations].page(request.chat.ids, number * PAGE, PAGE + 1)
    return Page(number, found[:PAGE], len(found) > PAGE)


async def first_page(request: CommandRequest, ports: Ports) -> Page:
    """What a written command lists."""
    return await page_of(request, 0, ports)


async def pressed_page(request: CommandRequest, ports: Ports) -> object:
    """The page that a button turns to, if who asks has not had too much read today: what is skipped is read, too."""
    number = min(int(request.argument), LAST_PAGE) if request.argument.isdecimal() else 0
    if not number:
        return await first_page(request, ports)
    budget = ReadBudget.of(request, ports[People])
    if not await budget.has_left():
        return PastReadBudget()
    page = await page_of(request, number, ports)
    await budget.count(number * PAGE + len(page.conversations))
    return page


def respond(request: CommandRequest) -> CommandResponse:
    """The page, with a button for each conversation, and one for the page before and the page behind it."""
    page = request.result
    if isinstance(page, PastReadBudget):
        return past_budget(request)
    if not isinstance(page, Page) or not page.conversations:
        return CommandResponse(text=request.words.say("conversations.none"))
    listed = request.words.say("conversations.listed")
    return CommandResponse(text=listed, buttons=(*named_buttons(page.conversations, request), *_turning(page, request)))


def named_buttons(conversations: Sequence[KeptConversation], request: CommandRequest) -> tuple[Button, ...]:
    """A button for each of some conversations, which goes back to it; the current one is marked."""
    return tuple(Button(_label(one, request), button_data("resume", one.id, "go")) for one in conversations)


def _label(kept: KeptConversation, request: CommandRequest) -> str:
    mark = "✓ " if kept.id == request.chat.conversation else ""
    date = f" · {kept.updated_at.astimezone(request.zone):%Y-%m-%d}" if kept.updated_at else ""
    name = visible(kept.name) or request.words.say("conversations.untitled")
    short = fitted(name, LONGEST_NAME)
    # the parts of a date behind an Arabic name would change places
    return f"{mark}{isolated(short, is_right_to_left=False)}{date}"


def _turning(page: Page, request: CommandRequest) -> tuple[Button, ...]:
    here = partial(button_data, "conversations", request.chat.conversation)
    newer, older = request.words.say("conversations.newer"), request.words.say("conversations.older")
    back = (Button(newer, here(str(page.number - 1))),) if page.number else ()
    onward = (Button(older, here(str(page.number + 1))),) if page.has_older and page.number < LAST_PAGE else ()
    return back + onward


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
