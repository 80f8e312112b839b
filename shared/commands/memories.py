"""/memories: what the agent remembers of whoever asks, as far as its prompts show it here; to delete, or to share.

What is listed is what `known_here` tells, as for prompts: nothing more, and nothing less.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim, visible
from shared.commands.listing import LONGEST_LINE, PAGE, count_told, day_told, page_of, turning
from shared.memory.forgotten import forget
from shared.memory.shelves import Shelves, changes, for_groups
from shared.memory.shown import Here, Known, known_here
from shared.models.agent import CuratedMemory
from shared.models.button_data import button_data
from shared.models.channel import Button
from shared.models.deep_links import message_link
from shared.models.memory import LONGEST_MEMORY, Memory, MemoryOwner, MemoryScope
from shared.models.place import chat_of
from shared.models.text import abridged
from shared.ports.chats import Owners
from shared.ports.memories import Memories
from shared.ports.world import Ports
from shared.wording.words import SILENCE, Phrase, bulleted, joined, numbered

#: what the buttons do: pages of what is known and of what was quoted; with one: show, delete, let groups know, or not
PAGES, QUOTED, ONE, DELETE, SHARE, KEEP = "p", "q", "o", "d", "g", "k"


@dataclass(frozen=True)
class Listed:
    """What is remembered here, and which page of it is asked for, from 0."""

    known: Known
    page: int = 0
    is_quoted: bool = False


@dataclass(frozen=True)
class Picked:
    """The memory that a button is for, as it is now, if there is one here; and whether who pressed may change it."""

    memory: Memory | None
    may_change: bool = False
    #: the page on which it stands, or stood
    listed: Listed | None = None


async def listed(request: CommandRequest, ports: Ports) -> object:
    """What a written command lists. Raises StoreUnavailable or StoreRefused."""
    _, known = await _known(request, ports)
    page = request.argument[1:]
    return Listed(known, int(page) if page.isdecimal() else 0, request.argument.startswith(QUOTED))


async def pressed(request: CommandRequest, ports: Ports) -> object:
    """What a button is for, and what it does. It may be repeated. Raises StoreUnavailable or StoreRefused."""
    action, memory_id = request.argument[:1], request.argument[1:]
    if action in {PAGES, QUOTED}:
        return await listed(request, ports)
    shelves, known = await _known(request, ports)
    memory = next((one for one in (*known.listed, *known.quoted) if one.id == memory_id), None)
    found = shelves.find(memory_id) if memory is not None else None
    if memory is None or found is None:
        return Picked(None)
    owner, place = found[0], _page_with(memory, known)
    if not await _may_change(owner, request, ports):
        return Picked(memory, listed=place)
    after = _after(shelves, owner, memory, action, request.now)
    await ports[Memories].change(changes(shelves, after))
    now = next((one for one in after.of(owner) if one.id == memory_id), memory)
    known_now = known_here(after, _here(request), request.curated)
    return Picked(now, may_change=True, listed=replace(place, known=known_now))


def _page_with(memory: Memory, known: Known) -> Listed:
    """The page on which a memory stands."""
    is_quoted = memory in known.quoted
    items = _items(known, is_quoted=is_quoted)
    return Listed(known, items.index(memory) // PAGE, is_quoted)


def _items(known: Known, *, is_quoted: bool) -> Sequence[Memory | CuratedMemory]:
    return known.quoted if is_quoted else (*known.curated, *known.listed)


def _after(shelves: Shelves, owner: MemoryOwner, memory: Memory, action: str, now: datetime) -> Shelves:
    """The memories once a button was pressed."""
    if action == DELETE:
        return forget(shelves, owner, memory, now)
    return for_groups(shelves, memory, is_known=action == SHARE) if action in {SHARE, KEEP} else shelves


async def _known(request: CommandRequest, ports: Ports) -> tuple[Shelves, Known]:
    """All memories of whom this place may show some, and what it may show to whoever asks."""
    here = _here(request)
    shelves = Shelves(await ports[Memories].of(here.owners)) if request.remembers else Shelves()
    return shelves, known_here(shelves, here, request.curated)


def _here(request: CommandRequest) -> Here:
    return Here(key=request.chat.key, moved_from=request.chat.moves.moved_from, people=(request.person.id,))


async def _may_change(owner: MemoryOwner, request: CommandRequest, ports: Ports) -> bool:
    if owner.scope is MemoryScope.PERSON:
        return owner.person == request.person.id
    if owner.scope is MemoryScope.CHAT:
        return True
    return await ports[Owners].owner(request.chat.key.agent) == request.person.id


def respond(request: CommandRequest) -> CommandResponse:
    """A page of what is remembered, with the number of each that can be deleted on a button."""
    found, words = request.result, request.words
    if not isinstance(found, Listed):
        return CommandResponse(text=words.say("memories.none"))
    return _page(found, request)


def _page(found: Listed, request: CommandRequest, before: Phrase = SILENCE) -> CommandResponse:
    """A page of the list; `before`: what is said above it."""
    words, known = request.words, found.known
    if found.is_quoted and not known.quoted:
        found = Listed(known)
    page = page_of(_items(known, is_quoted=found.is_quoted), found.page)
    here = partial(button_data, "memories", request.chat.conversation)
    turns = QUOTED if found.is_quoted else PAGES
    before_them = 0 if found.is_quoted else len(known.curated)
    own = [(number - before_them, one) for number, one in page.numbered if isinstance(one, Memory)]
    always = [_line(one, request) for one in page.shown if isinstance(one, CuratedMemory)]
    buttons = [Button(str(number), here(f"{ONE}{one.id}")) for number, one in own]
    earlier, later = words.say("reminders.earlier"), words.say("reminders.later")
    buttons += turning(page, earlier, later, lambda number: here(f"{turns}{number}"))
    if found.is_quoted:
        buttons.append(Button(words.say("memories.list"), here(f"{PAGES}0")))
    elif known.quoted:
        buttons.append(Button(words.say("memories.show_quoted"), here(f"{QUOTED}0")))
    head = words.say("memories.listed") if page.shown else words.say("memories.none")
    head = words.say("memories.quoted_listed") if found.is_quoted else head
    lines = numbered((number, _line(one, request)) for number, one in own)
    quoted = len(known.quoted) if not found.is_quoted else 0
    more = words.say("memories.quoted", count=quoted) if quoted else SILENCE
    text = joined(before, head, bulleted(*always), lines, count_told(page, words), more, by="\n\n")
    return CommandResponse(text=text, buttons=tuple(buttons), holds_outside=found.is_quoted and bool(page.shown))


def press(request: CommandRequest) -> CommandResponse:
    """What a button does: another page, one memory, its end, or who may know it."""
    found, words = request.result, request.words
    if isinstance(found, Listed):
        return respond(request)
    if not isinstance(found, Picked) or found.memory is None:
        return CommandResponse(notice=words.say("memories.gone"))
    if not found.may_change:
        return CommandResponse(notice=words.say("memories.others"))
    here, listed_in = partial(button_data, "memories", request.chat.conversation), found.listed or Listed(Known())
    is_outside = bool(found.memory.outside)
    if request.argument[:1] == DELETE:
        text = verbatim(abridged(visible(found.memory.text), LONGEST_LINE))
        shown = _page(listed_in, request, words.say("memories.forgotten", text=text))
        return replace(shown, holds_outside=shown.holds_outside or is_outside)
    turns = QUOTED if listed_in.is_quoted else PAGES
    back = Button(words.say("memories.list"), here(f"{turns}{listed_in.page}"))
    buttons = [Button(words.say("memories.delete"), here(f"{DELETE}{found.memory.id}"))]
    lines = [_line(found.memory, request, LONGEST_MEMORY)]
    if found.memory.scope is MemoryScope.PERSON and not is_outside:
        is_shared, name = found.memory.is_for_groups, found.memory.id
        keep, share = Button(words.say("memories.keep"), here(f"{KEEP}{name}")), words.say("memories.share")
        buttons.append(keep if is_shared else Button(share, here(f"{SHARE}{name}")))
        lines.append(words.say("memories.shared") if is_shared else words.say("memories.kept"))
    return CommandResponse(text=joined(*lines, by="\n\n"), buttons=(*buttons, back), holds_outside=is_outside)


def _line(one: Memory | CuratedMemory, request: CommandRequest, most: int = LONGEST_LINE) -> Phrase:
    """What is remembered, in so many characters, when it was said, and where."""
    words, text = request.words, verbatim(abridged(visible(one.text), most))
    if isinstance(one, CuratedMemory):
        return words.say("memories.curated", text=text)
    day = day_told(one.changed_at, request)
    where = _where(one, request)
    if one.scope is MemoryScope.CHAT:
        return words.say("memories.of_chat", text=text, day=day, where=where)
    if one.scope is MemoryScope.AGENT:
        return words.say("memories.of_all", text=text, day=day, where=where)
    return words.say("memories.one", text=text, day=day, where=where)


def _where(memory: Memory, request: CommandRequest) -> str:
    """The chat where it was said, by its title, as a link where Telegram has one."""
    source, chat = memory.source, request.chat
    if not chat.key.is_private and source.place not in chat.places:
        return verbatim(chat.title)  # it was said here, too; where it was said first is nothing to a group
    if not source.title:
        return request.words.say("memories.private")
    link, title = link_to(memory), verbatim(source.title)
    return f"[{title}]({link})" if link else title


def link_to(memory: Memory) -> str:
    """The address of the message that it comes from; empty: only messages of supergroups have one."""
    source = memory.source
    return message_link(replace(chat_of(source.place), topic_id=source.topic_id), source.message_id)


COMMAND = Command(
    name="memories",
    order=82,
    respond=respond,
    press=press,
    is_for_any_conversation=True,
    effect=listed,
    press_effect=pressed,
    needs=(Memories, Owners),
)
