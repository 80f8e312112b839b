"""/people: shows the access list to the owner in pages: people, groups and blocked people.

Buttons let people in, shut them out, block and unblock them. The list and its buttons are not part of the owner's
conversation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from shared.access.commands.invite import LIST, is_owner
from shared.access.commands.waiting import allow_new_request, answer_waiting_chat
from shared.access.store.requests import FirestoreAccessRequests
from shared.base.text import fit_line
from shared.base.wording.words import SILENCE, Phrase, join_phrases
from shared.chat.queue import TickQueue
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.people import FirestorePeople
from shared.commands.command import (
    Audience,
    ButtonHandler,
    Command,
    CommandRequest,
    CommandResponse,
    Scope,
    verbatim,
    visible,
)
from shared.commands.pager import ONE, PAGES, ListRow, ListView, Pager, choice_in, page_of, short_day
from shared.llm.ports.world import PortRegistry
from shared.reminders.wake_buttons import chat_in_button
from shared.spending.statement import UsageStatement, limits_of, limits_text, read_person_usage
from shared.spending.store.usage import FirestoreUsages
from shared.values.access_request import awakening
from shared.values.button_data import WAKE, button_data, read_id, written_id
from shared.values.channel import Button
from shared.values.chat_key import ChatKey
from shared.values.message import Message
from shared.values.money import SpendingLimits
from shared.values.trust import NOW, AccessList, AdmittedGroup, AdmittedPerson, BlockedPerson, TrustTier
from shared.values.wake import Wake, WakeReason

AccessListEntry: TypeAlias = AdmittedPerson | AdmittedGroup | BlockedPerson
AccessListEntryT = TypeVar("AccessListEntryT", AdmittedPerson, AdmittedGroup, BlockedPerson)

#: the longest name on a line, in widths of a small letter
LONGEST_NAME: Final = 60
#: what is shown: a page of people, of groups or of blocked people; one person; one group
PEOPLE, GROUPS, BLOCKED, PERSON, GROUP = PAGES, "g", "x", ONE, "q"
#: actions on a person, and on a group
LET_IN, SHUT_OUT, BLOCK, UNBLOCK, LET_GROUP_IN, SHUT_GROUP_OUT = "i", "s", "b", "u", "j", "t"
#: the view after an action
SHOWN_AFTER: Final = {
    **dict.fromkeys((LET_IN, SHUT_OUT, BLOCK, UNBLOCK), PERSON),
    **dict.fromkeys((LET_GROUP_IN, SHUT_GROUP_OUT), GROUP),
}
#: the most entries of a chat in which its person's name is searched
LOOKED_AT: Final = 20


@dataclass(frozen=True)
class AccessListView:
    """The current access list, the part of it to show, and whether a change failed because the list is full."""

    access_list: AccessList
    what: str = PEOPLE
    #: the page, or the id of a person or group
    which: int = 0
    is_full: bool = False
    #: the name of the person or group, and the person's usage
    name: str = ""
    used: UsageStatement | None = None


@dataclass(frozen=True)
class UnmutedChat:
    """A chat in which the agent answers again. `name`: the group's title, the person's name, or the chat's id."""

    name: str


async def read_access_list(request: CommandRequest, ports: PortRegistry) -> object:
    """Return the access list; None if the person who asks is not the owner. Raises StoreUnavailable or StoreRefused."""
    if not await is_owner(request, ports):
        return None
    access_list, written = (
        await ports[FirestoreAccessLists].access_list(request.chat.key.agent, NOW),
        request.argument.strip().lstrip("@"),
    )
    if not written:
        return AccessListView(access_list)
    digits = written.removeprefix("-")
    which = int(written) if digits.isdecimal() and len(digits) <= 16 else person_called(access_list, written)
    if which in access_list.groups:
        return await _with_details(request, AccessListView(access_list, GROUP, which), ports)
    return (
        await _with_details(request, AccessListView(access_list, PERSON, which), ports)
        if which
        else AccessListView(access_list, what="")
    )


async def act(request: CommandRequest, ports: PortRegistry) -> object:
    """Carry out a button's action and return the view to show next; None unless the owner asks, in private.

    The action may be repeated. Raises a StoreError or a QueueError.
    """
    if not await is_owner(request, ports):
        return None
    if request.argument.startswith(WAKE):
        return await wake_chat(request, ports)
    what, which = choice_in(request).action, read_id(choice_in(request).of)
    access_lists, agent = ports[FirestoreAccessLists], request.chat.key.agent
    access_list = await access_lists.access_list(agent, NOW)
    if what not in SHOWN_AFTER:
        return await _with_details(request, AccessListView(access_list, what, which), ports)
    if which in {0, access_list.owner}:  # nobody can change the owner
        return AccessListView(access_list, PERSON, access_list.owner)
    is_done = await _carry_out(request, ports, access_list)
    if is_done and what in {LET_IN, LET_GROUP_IN} and which not in access_list.blocked:
        await answer_waiting_chat(ChatKey(agent=agent, chat_id=which), ports, request.now)
    if what == UNBLOCK and which > 0 and which not in access_list.people:
        await allow_new_request(ChatKey(agent=agent, chat_id=which), ports, request.now)
    after = AccessListView(await access_lists.access_list(agent, NOW), SHOWN_AFTER[what], which, is_full=not is_done)
    return await _with_details(request, after, ports)


async def _with_details(request: CommandRequest, found: AccessListView, ports: PortRegistry) -> AccessListView:
    """Return the view with the name of the shown person or group, and a person's usage."""
    if found.is_full or found.what not in {PERSON, GROUP}:
        return found
    found = replace(
        found, name=await known_name(found.access_list, found.which, request.chat.key.agent, ports[FirestoreChats])
    )
    return replace(found, used=await read_person_usage(request, ports, found.which)) if found.what == PERSON else found


async def _carry_out(request: CommandRequest, ports: PortRegistry, access_list: AccessList) -> bool:
    """Carry out a button's action; return False if the access list has no room for another entry."""
    agent, by, now, which = request.chat.key.agent, request.person.id, request.now, read_id(choice_in(request).of)
    access_lists, name = ports[FirestoreAccessLists], await known_name(access_list, which, agent, ports[FirestoreChats])
    match choice_in(request).action:
        case "i":
            return await access_lists.let_in(agent, AdmittedPerson(id=which, name=name, since=now, by=by))
        case "s":
            await access_lists.shut_out(agent, which)
        case "b":
            return await access_lists.block(agent, BlockedPerson(id=which, name=name, since=now, by=by))
        case "u":
            await access_lists.unblock(agent, which)
        case "j":
            return await access_lists.let_group_in(agent, AdmittedGroup(chat_id=which, title=name, since=now, by=by))
        case "t":
            await access_lists.shut_group_out(agent, which)
    return True


def respond(request: CommandRequest) -> CommandResponse:
    """Return a page of the access list, or one person or group."""
    words, found = request.words, request.result
    if not isinstance(found, AccessListView):
        return CommandResponse(text=words.say("people.not_owner", command="/people"))
    if found.is_full:
        return CommandResponse(text=words.say("people.full"), buttons=(_back(request, PEOPLE),), is_apart=True)
    match found.what:
        case "o":
            return _person(request, found)
        case "q":
            return _group(request, found)
        case "":
            return CommandResponse(text=words.say("people.unknown", name=verbatim(request.argument)), is_apart=True)
    return _page(request, found)


def press(request: CommandRequest) -> CommandResponse:
    """Return the result of a button press. It replaces the text of the message that has the button."""
    if isinstance(request.result, UnmutedChat):
        text = request.words.say("people.woken", chat=verbatim(request.result.name))
        return CommandResponse(text=text, buttons=(_back(request, PEOPLE),), is_apart=True)
    if not isinstance(request.result, AccessListView):
        return CommandResponse(notice=request.words.say("button.others"))
    return respond(request)


def _page(request: CommandRequest, found: AccessListView) -> CommandResponse:
    words, access_list, pager = request.words, found.access_list, _pager(request)
    lists: dict[str, tuple[Phrase, Sequence[AccessListEntry]]] = {
        PEOPLE: (words.say("people.people", number=len(access_list.people)), _newest(access_list.people.values())),
        GROUPS: (words.say("people.groups", number=len(access_list.groups)), _newest(access_list.groups.values())),
        BLOCKED: (words.say("people.blocked", number=len(access_list.blocked)), _newest(access_list.blocked.values())),
    }
    what = found.what if found.what in lists else PEOPLE
    title, entries = lists[what]
    page = page_of(entries, found.which)
    others = [pager.button(name, f"{other}0") for other, (name, _) in lists.items() if other != what]
    invitations = Button(words.say("invite.list"), button_data("invite", request.chat.conversation, LIST))
    silent = words.say("wake.silent_everywhere") if access_list.silenced is not None else SILENCE
    view = ListView(
        title=title,
        rows=[ListRow(line=_line(request, access_list, one), data=pager.data(_choice(one))) for one in page.shown],
        letter=what,
        below=(silent, words.say("people.hint")),
        buttons=(*others, invitations),
    )
    return pager.response(page, view)


def _line(request: CommandRequest, access_list: AccessList, one: AccessListEntry) -> Phrase:
    """Return the name of an entry, and the date since which it is listed."""
    if isinstance(one, AdmittedGroup):
        name, standing = one.title, request.words.say("people.is_in", day=short_day(one.since, request))
    else:
        name, standing = one.name, _tier_text(request, access_list, one.id, access_list.tier_of(one.id))
    which = one.chat_id if isinstance(one, AdmittedGroup) else one.id
    return request.words.say(
        "spent.line", name=verbatim(fit_line(visible(name), LONGEST_NAME)) or f"`{which}`", spent=standing
    )


def _person(request: CommandRequest, found: AccessListView) -> CommandResponse:
    """Show a person's tier, limits and usage, with buttons for changes."""
    words, access_list, person = request.words, found.access_list, found.which
    tier, button, which = access_list.tier_of(person), _pager(request).button, written_id(person)
    name = verbatim(found.name) or str(person)
    standing = _tier_text(request, access_list, person, tier)
    out = button(words.say("people.shut_out"), f"{SHUT_OUT}{which}")
    let_in = button(words.say("people.let_in"), f"{LET_IN}{which}")
    unblock = button(words.say("people.unblock"), f"{UNBLOCK}{which}")
    block = button(words.say("people.block"), f"{BLOCK}{which}")
    acts = [unblock if person in access_list.blocked else block]
    if person > 0:  # a channel is let in with its group
        acts.insert(0, out if person in access_list.people else let_in)
    limits = SpendingLimits() if tier is TrustTier.BLOCKED else limits_of(request, tier)
    head = words.say("people.person", name=name, id=person)
    back = _back(request, BLOCKED if tier is TrustTier.BLOCKED else PEOPLE)
    return CommandResponse(
        text=join_phrases(head, standing, limits_text(words, limits, found.used), by="\n\n"),
        buttons=(back,) if tier is TrustTier.OWNER else (*acts, back),
        is_apart=True,
    )


def _tier_text(request: CommandRequest, access_list: AccessList, person: int, tier: TrustTier) -> Phrase:
    words = request.words
    match tier:
        case TrustTier.OWNER:
            return words.say("people.is_owner")
        case TrustTier.BLOCKED:
            return words.say("people.is_blocked", day=short_day(access_list.blocked[person].since, request))
        case TrustTier.STRANGER:
            return words.say("people.is_stranger")
    entry = access_list.people[person]
    day = short_day(entry.since, request)
    return words.say("people.is_invited", day=day) if entry.invitation else words.say("people.is_in", day=day)


def _group(request: CommandRequest, found: AccessListView) -> CommandResponse:
    words, chat_id, button = request.words, found.which, _pager(request).button
    group, which, name = (
        found.access_list.groups.get(chat_id),
        written_id(chat_id),
        verbatim(found.name) or str(chat_id),
    )
    if group is None:
        standing = words.say("people.is_stranger")
        act = button(words.say("people.let_in"), f"{LET_GROUP_IN}{which}")
    else:
        standing = words.say("people.is_in", day=short_day(group.since, request))
        act = button(words.say("people.shut_out"), f"{SHUT_GROUP_OUT}{which}")
    limits = request.agent.limits.chat if request.agent.limits is not None and group is not None else SpendingLimits()
    parts = (words.say("people.person", name=name, id=chat_id), standing, limits_text(words, limits, None))
    return CommandResponse(text=join_phrases(*parts, by="\n\n"), buttons=(act, _back(request, GROUPS)), is_apart=True)


def _choice(one: AccessListEntry) -> str:
    """Return the argument of the button that shows an entry, a person or a group."""
    return f"{GROUP}{written_id(one.chat_id)}" if isinstance(one, AdmittedGroup) else f"{PERSON}{written_id(one.id)}"


def _back(request: CommandRequest, to: str) -> Button:
    return _pager(request).button(request.words.say("people.back"), f"{to}0")


def _pager(request: CommandRequest) -> Pager:
    newer, older = request.words.say("conversations.newer"), request.words.say("conversations.older")
    return Pager(command="people", request=request, back=newer, onward=older, is_apart=True)


def _newest(entries: Iterable[AccessListEntryT]) -> Sequence[AccessListEntryT]:
    return sorted(entries, key=lambda one: one.since, reverse=True)


async def wake_chat(request: CommandRequest, ports: PortRegistry) -> UnmutedChat | None:
    """Let the agent answer again in the chat that the owner's button names; return None if the button names no chat.

    Only a tick of that chat may change the chat's document. So this stores an update that ends the silence, and
    enqueues a tick of that chat. Raises StoreUnavailable or QueueError.
    """
    key = chat_in_button(request.chat.key.agent, choice_in(request).of)
    if key is None:
        return None
    there = (await ports[FirestoreChats].see(key)).chat
    if there.is_muted(request.now):
        await ports[FirestoreChats].tell(awakening(key, request.now))
        wake = Wake(key=key, reason=WakeReason.NOW, at=request.now, of=f"woken-{request.now.isoformat()}")
        await ports[TickQueue].enqueue(wake)
    access_list = await ports[FirestoreAccessLists].access_list(key.agent)
    name = there.title or await known_name(access_list, key.chat_id, key.agent, ports[FirestoreChats])
    return UnmutedChat(name or str(key.chat_id))


def name_of(access_list: AccessList, which: int) -> str:
    """Return the name of a person or group from the access list; "" if it is not listed."""
    if which in access_list.groups:
        return access_list.groups[which].title
    entry = access_list.people.get(which) or access_list.blocked.get(which)
    return entry.name if entry is not None else ""


async def known_name(access_list: AccessList, which: int, agent: str, chats: FirestoreChats) -> str:
    """Return the name of a person or group from the access list, or else from their chat; empty if unknown.

    Costs two reads if the access list does not have the name. Raises StoreUnavailable.
    """
    name = name_of(access_list, which)
    if name or not which:
        return name
    chat = (await chats.see(ChatKey(agent=agent, chat_id=which))).chat
    entries = await chats.window(chat, LOOKED_AT) if which > 0 and chat.conversation else ()
    theirs = (e.author.name for e in reversed(entries) if isinstance(e, Message) and e.author.id == which)
    return chat.title or next(theirs, "")


def person_called(access_list: AccessList, name: str) -> int:
    """Return the id of the only person whose name contains `name`; 0 if there is none, or if there are several."""
    found = {one.id for one in access_list.people.values() if name.casefold() in one.name.casefold()}
    found |= {one.id for one in access_list.blocked.values() if name.casefold() in one.name.casefold()}
    return found.pop() if len(found) == 1 else 0


COMMAND = Command(
    name="people",
    order=100,
    takes_argument=True,
    scope=Scope.PRIVATE,
    audience=Audience.OWNER,
    respond=respond,
    effect=read_access_list,
    press=ButtonHandler(respond=press, effect=act, is_for_any_conversation=True),
    needs=(FirestoreAccessRequests, FirestoreChats, FirestorePeople, FirestoreAccessLists, TickQueue, FirestoreUsages),
)
