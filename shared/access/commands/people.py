"""/people: whom the agent answers and whom it does not, for its owner: people, groups and the blocked, by pages.

Buttons let in, shut out, block and unblock. None of it is part of the owner's conversation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from shared.access.commands.invite import LIST, is_owner
from shared.access.commands.waiting import may_ask_again, waits_no_more
from shared.access.store.requests import FirestoreAccessRequests
from shared.base.text import fitted
from shared.base.wording.words import SILENCE, Phrase, joined
from shared.chat.queue import TickQueue
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.people import FirestorePeople
from shared.chat.store.rosters import FirestoreRosters
from shared.commands.command import (
    Audience,
    ButtonPress,
    Command,
    CommandRequest,
    CommandResponse,
    Scope,
    verbatim,
    visible,
)
from shared.commands.pager import ONE, PAGES, ListRow, ListView, Pager, choice_in, page_of, short_day
from shared.llm.ports.world import Ports
from shared.reminders.waking import place_of
from shared.spending.limits import Statement, limits_of, limits_text, used_by
from shared.spending.store.usage import FirestoreUsages
from shared.values.access import awakening
from shared.values.button_data import WAKE, button_data, read_id, written_id
from shared.values.channel import Button
from shared.values.chat_key import ChatKey
from shared.values.message import Message
from shared.values.money import Limits
from shared.values.trust import NOW, Blocked, LetIn, LetInGroup, Roster, TrustTier
from shared.values.wake import Wake, WakeReason

Entry: TypeAlias = LetIn | LetInGroup | Blocked
EntryT = TypeVar("EntryT", LetIn, LetInGroup, Blocked)

#: small letters of a name on a line
LONGEST_NAME: Final = 60
#: pages of people, groups, the blocked; one person, one group
PEOPLE, GROUPS, BLOCKED, PERSON, GROUP = PAGES, "g", "x", ONE, "q"
#: what is done to a person, and to a group
LET_IN, SHUT_OUT, BLOCK, UNBLOCK, LET_GROUP_IN, SHUT_GROUP_OUT = "i", "s", "b", "u", "j", "t"
#: what is shown once that is done
SHOWN_AFTER: Final = {
    **dict.fromkeys((LET_IN, SHUT_OUT, BLOCK, UNBLOCK), PERSON),
    **dict.fromkeys((LET_GROUP_IN, SHUT_GROUP_OUT), GROUP),
}
#: entries of somebody's chat among which their name is looked for
LOOKED_AT: Final = 20


@dataclass(frozen=True)
class Found:
    """The roster as it is now, what of it is asked for, and whether what was to be done found room."""

    roster: Roster
    what: str = PEOPLE
    #: the page, or the id of a person or group
    which: int = 0
    is_full: bool = False
    #: what the person or the group is called, and what was used for the person
    name: str = ""
    used: Statement | None = None


@dataclass(frozen=True)
class Woken:
    """A chat in which the agent answers again, by its title, by whom it is with, or by its id."""

    name: str


async def read_roster(request: CommandRequest, ports: Ports) -> object:
    """Return the roster; None if it is not the owner who asks. Raises StoreUnavailable or StoreRefused."""
    if not await is_owner(request, ports):
        return None
    roster, written = (
        await ports[FirestoreRosters].roster(request.chat.key.agent, NOW),
        request.argument.strip().lstrip("@"),
    )
    if not written:
        return Found(roster)
    digits = written.removeprefix("-")
    which = int(written) if digits.isdecimal() and len(digits) <= 16 else person_called(roster, written)
    if which in roster.groups:
        return await _completed(request, Found(roster, GROUP, which), ports)
    return await _completed(request, Found(roster, PERSON, which), ports) if which else Found(roster, what="")


async def act(request: CommandRequest, ports: Ports) -> object:
    """Do what a button is for, repeatably; return the roster after that. Raises a StoreError or a QueueError."""
    if not await is_owner(request, ports):
        return None
    if request.argument.startswith(WAKE):
        return await wake_chat(request, ports)
    what, which = choice_in(request).action, read_id(choice_in(request).of)
    rosters, agent = ports[FirestoreRosters], request.chat.key.agent
    roster = await rosters.roster(agent, NOW)
    if what not in SHOWN_AFTER:
        return await _completed(request, Found(roster, what, which), ports)
    if which in {0, roster.owner}:  # nobody can do anything to whose it is
        return Found(roster, PERSON, roster.owner)
    is_done = await _done(request, ports, roster)
    if is_done and what in {LET_IN, LET_GROUP_IN} and which not in roster.blocked:
        await waits_no_more(ChatKey(agent=agent, chat_id=which), ports, request.now)
    if what == UNBLOCK and which > 0 and which not in roster.people:
        await may_ask_again(ChatKey(agent=agent, chat_id=which), ports, request.now)
    after = Found(await rosters.roster(agent, NOW), SHOWN_AFTER[what], which, is_full=not is_done)
    return await _completed(request, after, ports)


async def _completed(request: CommandRequest, found: Found, ports: Ports) -> Found:
    """With the name of the person or group that is shown, if one is, and what was used for a person."""
    if found.is_full or found.what not in {PERSON, GROUP}:
        return found
    found = replace(
        found, name=await known_name(found.roster, found.which, request.chat.key.agent, ports[FirestoreChats])
    )
    return replace(found, used=await used_by(request, ports, found.which)) if found.what == PERSON else found


async def _done(request: CommandRequest, ports: Ports, roster: Roster) -> bool:
    """Whether what a button does was done; false: there is no room for it."""
    agent, by, now, which = request.chat.key.agent, request.person.id, request.now, read_id(choice_in(request).of)
    rosters, name = ports[FirestoreRosters], await known_name(roster, which, agent, ports[FirestoreChats])
    match choice_in(request).action:
        case "i":
            return await rosters.let_in(agent, LetIn(id=which, name=name, since=now, by=by))
        case "s":
            await rosters.shut_out(agent, which)
        case "b":
            return await rosters.block(agent, Blocked(id=which, name=name, since=now, by=by))
        case "u":
            await rosters.unblock(agent, which)
        case "j":
            return await rosters.let_group_in(agent, LetInGroup(chat_id=which, title=name, since=now, by=by))
        case "t":
            await rosters.shut_group_out(agent, which)
    return True


def respond(request: CommandRequest) -> CommandResponse:
    """A page, or one of those on it."""
    words, found = request.words, request.result
    if not isinstance(found, Found):
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
    """The same, in place of the message with the button."""
    if isinstance(request.result, Woken):
        text = request.words.say("people.woken", chat=verbatim(request.result.name))
        return CommandResponse(text=text, buttons=(_back(request, PEOPLE),), is_apart=True)
    if not isinstance(request.result, Found):
        return CommandResponse(notice=request.words.say("button.others"))
    return respond(request)


def _page(request: CommandRequest, found: Found) -> CommandResponse:
    words, roster, pager = request.words, found.roster, _pager(request)
    lists: dict[str, tuple[Phrase, Sequence[Entry]]] = {
        PEOPLE: (words.say("people.people", number=len(roster.people)), _newest(roster.people.values())),
        GROUPS: (words.say("people.groups", number=len(roster.groups)), _newest(roster.groups.values())),
        BLOCKED: (words.say("people.blocked", number=len(roster.blocked)), _newest(roster.blocked.values())),
    }
    what = found.what if found.what in lists else PEOPLE
    title, entries = lists[what]
    page = page_of(entries, found.which)
    others = [pager.button(name, f"{other}0") for other, (name, _) in lists.items() if other != what]
    invitations = Button(words.say("invite.list"), button_data("invite", request.chat.conversation, LIST))
    silent = words.say("people.silenced") if roster.silenced is not None else SILENCE
    view = ListView(
        title=title,
        rows=[ListRow(line=_line(request, roster, one), data=pager.data(_choice(one))) for one in page.shown],
        letter=what,
        below=(silent, words.say("people.hint")),
        buttons=(*others, invitations),
    )
    return pager.response(page, view)


def _line(request: CommandRequest, roster: Roster, one: Entry) -> Phrase:
    """What somebody, or a group, is called, and since when they are what they are."""
    if isinstance(one, LetInGroup):
        name, standing = one.title, request.words.say("people.is_in", day=short_day(one.since, request))
    else:
        name, standing = one.name, _standing(request, roster, one.id, roster.tier_of(one.id))
    which = one.chat_id if isinstance(one, LetInGroup) else one.id
    return request.words.say(
        "spent.line", name=verbatim(fitted(visible(name), LONGEST_NAME)) or f"`{which}`", spent=standing
    )


def _person(request: CommandRequest, found: Found) -> CommandResponse:
    """Who somebody is to the agent, what they may use and have used, and what can be done about it."""
    words, roster, person = request.words, found.roster, found.which
    tier, button, which = roster.tier_of(person), _pager(request).button, written_id(person)
    name = verbatim(found.name) or str(person)
    standing = _standing(request, roster, person, tier)
    out = button(words.say("people.shut_out"), f"{SHUT_OUT}{which}")
    let_in = button(words.say("people.let_in"), f"{LET_IN}{which}")
    unblock = button(words.say("people.unblock"), f"{UNBLOCK}{which}")
    block = button(words.say("people.block"), f"{BLOCK}{which}")
    acts = [unblock if person in roster.blocked else block]
    if person > 0:  # a channel comes in with its group
        acts.insert(0, out if person in roster.people else let_in)
    limits = Limits() if tier is TrustTier.BLOCKED else limits_of(request, tier)
    head = words.say("people.person", name=name, id=person)
    back = _back(request, BLOCKED if tier is TrustTier.BLOCKED else PEOPLE)
    return CommandResponse(
        text=joined(head, standing, limits_text(words, limits, found.used), by="\n\n"),
        buttons=(back,) if tier is TrustTier.OWNER else (*acts, back),
        is_apart=True,
    )


def _standing(request: CommandRequest, roster: Roster, person: int, tier: TrustTier) -> Phrase:
    words = request.words
    match tier:
        case TrustTier.OWNER:
            return words.say("people.is_owner")
        case TrustTier.BLOCKED:
            return words.say("people.is_blocked", day=short_day(roster.blocked[person].since, request))
        case TrustTier.STRANGER:
            return words.say("people.is_stranger")
    entry = roster.people[person]
    day = short_day(entry.since, request)
    return words.say("people.is_invited", day=day) if entry.invitation else words.say("people.is_in", day=day)


def _group(request: CommandRequest, found: Found) -> CommandResponse:
    words, chat_id, button = request.words, found.which, _pager(request).button
    group, which, name = found.roster.groups.get(chat_id), written_id(chat_id), verbatim(found.name) or str(chat_id)
    if group is None:
        standing = words.say("people.is_stranger")
        act = button(words.say("people.let_in"), f"{LET_GROUP_IN}{which}")
    else:
        standing = words.say("people.is_in", day=short_day(group.since, request))
        act = button(words.say("people.shut_out"), f"{SHUT_GROUP_OUT}{which}")
    limits = request.agent.limits.chat if request.agent.limits is not None and group is not None else Limits()
    parts = (words.say("people.person", name=name, id=chat_id), standing, limits_text(words, limits, None))
    return CommandResponse(text=joined(*parts, by="\n\n"), buttons=(act, _back(request, GROUPS)), is_apart=True)


def _choice(one: Entry) -> str:
    """What the button of an entry is for: a person, or a group."""
    return f"{GROUP}{written_id(one.chat_id)}" if isinstance(one, LetInGroup) else f"{PERSON}{written_id(one.id)}"


def _back(request: CommandRequest, to: str) -> Button:
    return _pager(request).button(request.words.say("people.back"), f"{to}0")


def _pager(request: CommandRequest) -> Pager:
    newer, older = request.words.say("conversations.newer"), request.words.say("conversations.older")
    return Pager(command="people", request=request, back=newer, onward=older, is_apart=True)


def _newest(entries: Iterable[EntryT]) -> Sequence[EntryT]:
    return sorted(entries, key=lambda one: one.since, reverse=True)


async def wake_chat(request: CommandRequest, ports: Ports) -> Woken | None:
    """Have the agent answer again in the chat that the owner's button carries; none if it carries none.

    The ticks of that chat alone change it, so they are told by an update. Raises StoreUnavailable or QueueError.
    """
    key = place_of(request.chat.key.agent, choice_in(request).of)
    if key is None:
        return None
    there = (await ports[FirestoreChats].see(key)).chat
    if there.is_muted(request.now):
        await ports[FirestoreChats].tell(awakening(key, request.now))
        wake = Wake(key=key, reason=WakeReason.NOW, at=request.now, of=f"woken-{request.now.isoformat()}")
        await ports[TickQueue].enqueue(wake)
    roster = await ports[FirestoreRosters].roster(key.agent)
    name = there.title or await known_name(roster, key.chat_id, key.agent, ports[FirestoreChats])
    return Woken(name or str(key.chat_id))


def name_of(roster: Roster, which: int) -> str:
    """What somebody, or a group, is called as far as the roster tells; empty: it does not."""
    if which in roster.groups:
        return roster.groups[which].title
    entry = roster.people.get(which) or roster.blocked.get(which)
    return entry.name if entry is not None else ""


async def known_name(roster: Roster, which: int, agent: str, chats: FirestoreChats) -> str:
    """What somebody, or a group, is called by the roster, or else in their chat with the agent; empty: nobody knows.

    It costs two reads where the roster does not tell. Raises StoreUnavailable.
    """
    name = name_of(roster, which)
    if name or not which:
        return name
    chat = (await chats.see(ChatKey(agent=agent, chat_id=which))).chat
    entries = await chats.window(chat, LOOKED_AT) if which > 0 and chat.conversation else ()
    theirs = (e.author.name for e in reversed(entries) if isinstance(e, Message) and e.author.id == which)
    return chat.title or next(theirs, "")


def person_called(roster: Roster, name: str) -> int:
    """The one person whose name has this in it; 0: there is none, or there are several."""
    found = {one.id for one in roster.people.values() if name.casefold() in one.name.casefold()}
    found |= {one.id for one in roster.blocked.values() if name.casefold() in one.name.casefold()}
    return found.pop() if len(found) == 1 else 0


COMMAND = Command(
    name="people",
    order=100,
    takes_argument=True,
    scope=Scope.PRIVATE,
    audience=Audience.OWNER,
    respond=respond,
    effect=read_roster,
    press=ButtonPress(respond=press, effect=act, is_for_any_conversation=True),
    needs=(FirestoreAccessRequests, FirestoreChats, FirestorePeople, FirestoreRosters, TickQueue, FirestoreUsages),
)
