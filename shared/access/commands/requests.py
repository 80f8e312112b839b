"""/requests: people and groups that wait to be let in, and the owner's decisions by buttons.

The answer contains strangers' messages, so it is left out of the owner's conversation. A button takes effect before the
press is answered. Each step can be repeated: if a tick is killed, the next tick repeats its steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shared.access.commands.invite import is_owner
from shared.access.commands.people import PERSON
from shared.access.commands.waiting import have_answered
from shared.access.store.requests import FirestoreAccessRequests
from shared.base.errors import ChannelError
from shared.base.logs import log
from shared.base.text import fit_line, starts_with_command
from shared.base.wording.direction import LEFT_TO_RIGHT_MARK, isolate
from shared.base.wording.words import Phrase, Words, join_phrases
from shared.chat.queue import TickQueue
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.chats import FirestoreChats
from shared.commands.command import (
    Audience,
    ButtonHandler,
    Command,
    CommandRequest,
    CommandResponse,
    Scope,
    quoted,
    visible,
)
from shared.commands.pager import PAGE, PAGES, Listing, ListRow, ListView, Pager, choice_in, page_number, page_of
from shared.llm.ports.world import MessagingChannel, PortRegistry
from shared.values.access_request import LONGEST_WORDS, AccessRequest, RequestState, request_id
from shared.values.button_data import button_data
from shared.values.channel import Button
from shared.values.chat_key import ChatKey
from shared.values.decision import DecisionTier
from shared.values.evolve import evolve
from shared.values.message import Message
from shared.values.outbox import NoticeButton
from shared.values.trust import AdmittedGroup, AdmittedPerson, BlockedPerson

#: the most requests that are listed
MOST_LISTED: Final = 10 * PAGE
#: the most messages of the person that are shown; below, the most entries of the chat in which they are searched, and
#: the most characters of each message
MOST_SHOWN: Final = 8
ENTRIES: Final = 60
LONGEST_SHOWN: Final = 300
LONGEST_LINE: Final = 80
LONGEST_NAME: Final = 24
_WORDS_SHOWN: Final = 300
#: the action that shows a request; the id of the request follows
SHOWN: Final = "s"
#: the action that blocks a person; the person's id follows. It also works after the person's data was erased
BLOCKS: Final = "n"
#: the other actions; the id of a request follows each
DECISIONS: Final = {
    "l": RequestState.LET_IN,
    "o": RequestState.ONCE,
    "b": RequestState.BLOCKED,
    "g": RequestState.LEFT,
}
FOR_PEOPLE: Final = frozenset({RequestState.LET_IN, RequestState.ONCE, RequestState.BLOCKED})
FOR_GROUPS: Final = frozenset({RequestState.LET_IN, RequestState.LEFT})


@dataclass(frozen=True)
class RequestDetails:
    """An access request (None if there is none), and the person's newest messages that got no answer."""

    request: AccessRequest | None
    said: Sequence[str] = ()


@dataclass(frozen=True)
class RequestDecision:
    """A request after the owner's decision (None if there is none), and whether the access list had room."""

    request: AccessRequest | None
    has_room: bool = True


async def read_page(request: CommandRequest, ports: PortRegistry) -> Listing[Sequence[AccessRequest]] | None:
    """Return the undecided requests, the newest first, with the page to show; None unless the owner asks, in private.

    Raises StoreUnavailable.
    """
    if not await is_owner(request, ports):
        return None
    page = request.argument.removeprefix(PAGES)
    found = await ports[FirestoreAccessRequests].waiting(request.chat.key.agent, MOST_LISTED)
    return Listing(found, page_number(page))


async def act(request: CommandRequest, ports: PortRegistry) -> object:
    """Load what a button shows, or carry out its action and return the result; None unless the owner asks, in private.

    Raises StoreUnavailable, QueueError or ChannelError.
    """
    if not await is_owner(request, ports):
        return None
    action, of = choice_in(request)
    if action == PAGES:
        return await read_page(request, ports)
    if action == BLOCKS:
        found = await _of_person(of, request, ports)
        return await _decide(found, RequestState.BLOCKED, request, ports) if found is not None else RequestDetails(None)
    found = await ports[FirestoreAccessRequests].find(of)
    if found is None or found.agent != request.chat.key.agent:
        return RequestDetails(None)
    state = DECISIONS.get(action)
    return await _decide(found, state, request, ports) if state is not None else await _details(found, ports)


async def _of_person(number: str, request: CommandRequest, ports: PortRegistry) -> AccessRequest | None:
    """Return the request of the person with this id.

    If the person's data was deleted in the meantime, return a new request with nothing but the id.
    """
    if not number.isdecimal() or int(number) == 0:
        return None
    key = ChatKey(agent=request.chat.key.agent, chat_id=int(number))
    name = request_id(key)
    known = await ports[FirestoreAccessRequests].find(name)
    return known or AccessRequest(id=name, agent=key.agent, chat=key.id, person=key.chat_id, at=request.now)


async def _details(found: AccessRequest, ports: PortRegistry) -> RequestDetails:
    if found.is_group:  # the owner must not read what a group's members say to each other
        return RequestDetails(found)
    chat = (await ports[FirestoreChats].see(found.key)).chat
    entries = await ports[FirestoreChats].window(chat, ENTRIES)
    refused = [e for e in entries if isinstance(e, Message) and e.decision and e.decision.tier is DecisionTier.ACCESS]
    # commands are left out, since they ask nothing: everybody begins with /start
    said = [one.text or one.media for one in refused if not starts_with_command(one.entities)]
    new = [text for text in said if text and text[:LONGEST_WORDS] != found.words]
    return RequestDetails(found, new[-MOST_SHOWN:])


async def _decide(
    found: AccessRequest, state: RequestState, request: CommandRequest, ports: PortRegistry
) -> RequestDecision:
    """Carry out a decision: change the access list, then the request, then make a tick answer the waiting messages."""
    # owners never wait themselves, but their own message in a group may have caused the request for the group
    is_own = not found.is_group and found.person == request.person.id
    if is_own or state not in (FOR_GROUPS if found.is_group else FOR_PEOPLE):
        return RequestDecision(None)
    if not await _change_access_list(found, state, request, ports[FirestoreAccessLists]):
        return RequestDecision(found, has_room=False)
    decided = await ports[FirestoreAccessRequests].decide(found.id, state, request.now)
    # somebody whose data was deleted in the meantime is blocked nevertheless
    if decided is None and state is RequestState.BLOCKED:
        decided = evolve(found, state=state)
    if decided is None:
        return RequestDecision(None)
    log("the owner decided about an access request", request=found.id, state=state.value)
    if state is RequestState.LEFT:
        await _leave(decided, ports[MessagingChannel])
    elif state is not RequestState.BLOCKED:
        await have_answered(decided, ports, request.now)
    return RequestDecision(decided)


async def _change_access_list(
    found: AccessRequest, state: RequestState, request: CommandRequest, access_lists: FirestoreAccessLists
) -> bool:
    """Change the access list; return whether it had room. A repeated call gives the same result."""
    agent, person, now, owner = found.agent, found.person, request.now, request.person.id
    match state:
        case RequestState.LET_IN if found.is_group:
            return await access_lists.let_group_in(
                agent, AdmittedGroup(chat_id=found.key.chat_id, title=found.title, since=now, by=owner)
            )
        case RequestState.ONCE:  # a person who was blocked in the meantime would get no answer
            await access_lists.unblock(agent, person)
        case RequestState.LET_IN:
            await access_lists.unblock(agent, person)
            return await access_lists.let_in(agent, AdmittedPerson(id=person, name=found.name, since=now, by=owner))
        case RequestState.BLOCKED:
            return await access_lists.block(agent, BlockedPerson(id=person, name=found.name, since=now, by=owner))
    return True


async def _leave(found: AccessRequest, channel: MessagingChannel) -> None:
    try:
        await channel.leave(found.key.chat_id)
    except ChannelError as error:  # the agent stays silent there in any case
        log(f"a group was not left: {error}", chat=found.chat)


def respond(request: CommandRequest) -> CommandResponse:
    """Return a page of requests, with a button for each."""
    found, words = request.result, request.words
    if not isinstance(found, Listing):
        return CommandResponse(text=words.say("people.not_owner", command="/requests"))
    if not found.of:
        return CommandResponse(text=words.say("requests.none"), is_apart=True)
    pager, page = _pager(request), page_of(found.of, found.page)
    rows = [
        ListRow(line=_line(one, words), data=pager.data(f"{SHOWN}{one.id}"), label=_name(one)) for one in page.shown
    ]
    return pager.response(page, ListView(title=words.say("requests.listed"), rows=rows))


def _pager(request: CommandRequest) -> Pager:
    newer, older = request.words.say("conversations.newer"), request.words.say("conversations.older")
    return Pager(command="requests", request=request, back=newer, onward=older, is_apart=True)


def _name(request: AccessRequest) -> str:
    """Return the label of a request's button: the name of the group or person; the chat's id if the name is blank."""
    name = visible(request.title if request.is_group else request.name) or str(request.key.chat_id)
    return isolate(fit_line(name, LONGEST_NAME), is_right_to_left=False)


def _line(request: AccessRequest, words: Words) -> Phrase:
    if request.is_group:
        return words.say("requests.group", title=quoted(request.title), who=requester_text(request))
    if not request.words:
        return words.say("requests.one_alone", who=requester_text(request))
    return words.say("requests.one", who=requester_text(request), words=quoted(request.words, LONGEST_LINE))


def press(request: CommandRequest) -> CommandResponse:
    """Return the response to a pressed button: a page of the list, one access request, or the result of a decision."""
    found, words = request.result, request.words
    match found:
        case Listing():
            return respond(request)
        case RequestDetails(request=AccessRequest() as one, said=said):
            return _show(one, said, request)
        case RequestDecision(request=AccessRequest() as one, has_room=True):
            name = quoted(one.title if one.is_group else one.name) or str(one.key.chat_id)
            text = words.say(f"decided.{_decision(one)}", name=name)
            return CommandResponse(text=text, buttons=_after(one, request), is_apart=True)
        case RequestDecision(request=AccessRequest()):
            return CommandResponse(notice=words.say("people.full"))
    return CommandResponse(notice=words.say("button.gone"))


def _decision(one: AccessRequest) -> str:
    """Return the name by which ids of texts mean the request's state, such as `group_let_in`."""
    return f"{'group_' if one.is_group else ''}{one.state.value.replace(' ', '_')}"


def _show(one: AccessRequest, said: Sequence[str], request: CommandRequest) -> CommandResponse:
    words, pager = request.words, _pager(request)
    more = (words.say("requests.said", words=quoted(text, LONGEST_SHOWN)) for text in said if quoted(text))
    buttons = [pager.button(offer.text, offer.argument) for offer in offers(words, one)]
    back = pager.button(words.say("requests.list"), f"{PAGES}0")
    text = join_phrases(question(words, one), *more, by="\n\n")
    return CommandResponse(text=text, buttons=(*buttons, back), is_apart=True)


def _after(one: AccessRequest, request: CommandRequest) -> tuple[Button, ...]:
    """Return the buttons below a decision: one for the list of requests, and if a person was let in or blocked, one for
    that person in /people, where the owner can undo the decision.
    """
    words = request.words
    rest = _pager(request).button(words.say("requests.list"), f"{PAGES}0")
    if one.is_group or one.state is RequestState.ONCE:
        return (rest,)
    shows = button_data("people", request.chat.conversation, f"{PERSON}{one.person}")
    return (Button(words.say("people.show"), shows), rest)


def question(words: Words, request: AccessRequest) -> Phrase:
    """Return the question to the owner about a request, as markdown in which the person's words contain no links."""
    who = requester_text(request)
    if request.is_group:
        return words.say("access.wish_group", title=quoted(request.title), who=who)
    said = quoted(request.words, _WORDS_SHOWN)
    return words.say("access.wish", who=who, words=said) if said else words.say("access.wish_alone", who=who)


def requester_text(request: AccessRequest) -> str:
    """Return the person's name, username and id as markdown. A right-to-left name does not change this order."""
    told = [quoted(f"@{request.username}")] if request.username else []
    told.append(str(request.person))
    name = quoted(request.name) or "?"
    shown = isolate(name, is_right_to_left=False)
    return f"{LEFT_TO_RIGHT_MARK if shown != name else ''}{shown} ({', '.join(told)})"


def offers_to_show(words: Words, request: AccessRequest) -> tuple[NoticeButton, ...]:
    """Return the button that shows the person's newer messages; none for a group."""
    shown = NoticeButton(text=words.say("people.show"), command="requests", argument=f"{SHOWN}{request.id}")
    return () if request.is_group else (shown,)


def offers(words: Words, request: AccessRequest) -> tuple[NoticeButton, ...]:
    """Return buttons for the owner's decisions."""
    let_in = (f"l{request.id}", words.say("people.let_in"))
    once, block = (f"o{request.id}", words.say("access.once")), (f"{BLOCKS}{request.person}", words.say("people.block"))
    leave = (f"g{request.id}", words.say("access.leave"))
    shown = (let_in, leave) if request.is_group else (let_in, once, block)
    return tuple(NoticeButton(text=text, command="requests", argument=argument) for argument, text in shown)


COMMAND = Command(
    name="requests",
    order=101,
    scope=Scope.PRIVATE,
    audience=Audience.OWNER,
    respond=respond,
    effect=read_page,
    press=ButtonHandler(respond=press, effect=act, is_for_any_conversation=True),
    needs=(FirestoreAccessRequests, FirestoreAccessLists, FirestoreChats, TickQueue, MessagingChannel),
)
