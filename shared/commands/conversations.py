"""/conversations: the chat's conversations in pages, with titles and dates, each with a button that resumes it."""

from typing import TypeAlias

from shared.base.text import fit_line
from shared.base.wording.words import Phrase, plain_phrase
from shared.chat.store.conversations import FirestoreConversations
from shared.chat.store.people import FirestorePeople
from shared.commands.command import Audience, ButtonHandler, Command, CommandRequest, CommandResponse, visible
from shared.commands.pager import PAGE, ListPage, ListRow, ListView, Pager, page_number, short_day
from shared.commands.read_budget import ReadBudget, ReadBudgetExceeded, budget_exceeded_response
from shared.llm.ports.world import PortRegistry
from shared.values.button_data import button_data
from shared.values.chat import ConversationInfo

#: the largest page number that is accepted: an app may send any number, and Firestore's offset has 32 bits
LAST_PAGE = 999
#: the maximum characters of a title on a line, most of them small letters
LONGEST_NAME = 100

ConversationPage: TypeAlias = ListPage[ConversationInfo]


async def read_page(request: CommandRequest, number: int, ports: PortRegistry) -> ConversationPage:
    """Return a page of the chat's conversations; the last page if `number` is too high. Raises StoreUnavailable."""
    total = await ports[FirestoreConversations].count(request.chat.ids)
    number = min(number, max(0, total - 1) // PAGE, LAST_PAGE)
    return ListPage(
        number,
        await ports[FirestoreConversations].page(request.chat.ids, number * PAGE, PAGE),
        min(total, (LAST_PAGE + 1) * PAGE),
    )


async def first_page(request: CommandRequest, ports: PortRegistry) -> ConversationPage:
    """Return the first page of the chat's conversations."""
    return await read_page(request, 0, ports)


async def pressed_page(request: CommandRequest, ports: PortRegistry) -> object:
    """Return the page that a button names, or ReadBudgetExceeded. A page also costs the reads of all earlier pages."""
    number = page_number(request.argument)
    if not number:
        return await first_page(request, ports)
    budget = ReadBudget.of(request, ports[FirestorePeople])
    if not await budget.has_left():
        return ReadBudgetExceeded()
    page = await read_page(request, number, ports)
    await budget.count(page.number * PAGE + len(page.shown))
    return page


def respond(request: CommandRequest) -> CommandResponse:
    """Return a page of conversations with a button for each, and with buttons for the other pages."""
    page, words = request.result, request.words
    if isinstance(page, ReadBudgetExceeded):
        return budget_exceeded_response(request)
    if not isinstance(page, ListPage) or not page.shown:
        return CommandResponse(text=words.say("conversations.none"))
    return page_response(page, request, words.say("conversations.listed"))


def page_response(page: ConversationPage, request: CommandRequest, title: Phrase) -> CommandResponse:
    """Return a response with a page of conversations, each with a button that resumes it."""
    newer, older = request.words.say("conversations.newer"), request.words.say("conversations.older")
    pager = Pager(command="conversations", request=request, back=newer, onward=older)
    rows = [ListRow(line=_line(one, request), data=button_data("resume", one.id, "go")) for one in page.shown]
    return pager.response(page, ListView(title=title, rows=rows, letter=""))


def _line(kept: ConversationInfo, request: CommandRequest) -> Phrase:
    """Return a conversation as a line: its title and the day of its last message. The current one has a mark."""
    words = request.words
    title = plain_phrase(fit_line(visible(kept.name), LONGEST_NAME)) or words.say("conversations.untitled")
    day = short_day(kept.updated_at, request) if kept.updated_at else ""
    line = words.say("conversations.line", title=title, day=day) if day else title
    return words.say("conversations.current", line=line) if kept.id == request.chat.conversation else line


COMMAND = Command(
    name="conversations",
    order=32,
    audience=Audience.ADMINISTRATORS,
    respond=respond,
    effect=first_page,
    press=ButtonHandler(respond=respond, effect=pressed_page, is_for_any_conversation=True),
    needs=(FirestoreConversations, FirestorePeople),
)
