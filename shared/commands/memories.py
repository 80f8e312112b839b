"""/memories: what the agent remembers of whoever asks, as far as its prompts show it here; to delete, or to share.

What is listed is what `known_here` tells, as for prompts: nothing more, and nothing less.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim, visible
from shared.memory.forgotten import forget
from shared.memory.shelves import Shelves, changes, for_groups
from shared.memory.shown import Here, Known, known_here
from shared.models.agent import CuratedMemory
from shared.models.button_data import button_data
from shared.models.channel import Button
from shared.models.deep_links import message_link
from shared.models.memory import Memory, MemoryOwner, MemoryScope
from shared.models.place import chat_of
from shared.models.text import fitted
from shared.ports.chats import Owners
from shared.ports.memories import Memories
from shared.ports.world import Ports
from shared.wording.direction import isolated
from shared.wording.words import SILENCE, Phrase, bulleted, joined

#: memories on a page: each has a line and a button
PAGE: Final = 6
#: small letters of a button, and of a line
LONGEST_NAME: Final = 24
LONGEST_LINE: Final = 240
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
    owner = found[0]
    if not await _may_change(owner, request, ports):
        return Picked(memory)
    after = _after(shelves, owner, memory, action, request.now)
    await ports[Memories].change(changes(shelves, after))
    now = next((one for one in after.of(owner) if one.id == memory_id), memory)
    return Picked(now, may_change=True)


def _after(shelves: Shelves, owner: MemoryOwner, memory: Memory, action: str, now: datetime) -> Shelves:
    """The memories once a button was pressed."""
    if action == DELETE:
        return forget(shelves, owner, memory, now)
    return for_groups(shelves, memory, is_known=action == SHARE) if action in {SHARE, KEEP} else shelves


async def _known(request: CommandRequest, ports: Ports) -> tuple[Shelves, Known]:
    """All memories of whom this place may show some, and what it may show to whoever asks."""
    chat = request.chat
    here = Here(key=chat.key, moved_from=chat.moved_from, people=(request.person.id,))
    shelves = Shelves(await ports[Memories].of(here.owners)) if request.remembers else Shelves()
    return shelves, known_here(shelves, here, request.curated)


async def _may_change(owner: MemoryOwner, request: CommandRequest, ports: Ports) -> bool:
    if owner.scope is MemoryScope.PERSON:
        return owner.person == request.person.id
    if owner.scope is MemoryScope.CHAT:
        return True
    return await ports[Owners].owner(request.chat.key.agent) == request.person.id


def respond(request: CommandRequest) -> CommandResponse:
    """A page of what is remembered, with a button for each that can be deleted."""
    found, words = request.result, request.words
    if not isinstance(found, Listed):
        return CommandResponse(text=words.say("memories.none"))
    known = found.known
    items: Sequence[Memory | CuratedMemory] = known.quoted if found.is_quoted else (*known.curated, *known.listed)
    last = max(0, len(items) - 1) // PAGE
    page = min(found.page, last)
    shown = items[page * PAGE : (page + 1) * PAGE]
    here = partial(button_data, "memories", request.chat.conversation)
    buttons = [Button(_name(one), here(f"{ONE}{one.id}")) for one in shown if isinstance(one, Memory)]
    turns = QUOTED if found.is_quoted else PAGES
    if page:
        buttons.append(Button(words.say("reminders.earlier"), here(f"{turns}{page - 1}")))
    if page < last:
        buttons.append(Button(words.say("reminders.later"), here(f"{turns}{page + 1}")))
    if found.is_quoted:
        buttons.append(Button(words.say("memories.list"), here(f"{PAGES}0")))
    elif known.quoted:
        buttons.append(Button(words.say("memories.show_quoted"), here(f"{QUOTED}0")))
    return CommandResponse(
        text=_page(request, shown, len(known.quoted), is_quoted=found.is_quoted),
        buttons=tuple(buttons),
        holds_outside=found.is_quoted and bool(shown),
    )


def _page(request: CommandRequest, shown: Sequence[Memory | CuratedMemory], quoted: int, *, is_quoted: bool) -> Phrase:
    words = request.words
    head = words.say("memories.listed") if shown else words.say("memories.none")
    head = words.say("memories.quoted_listed") if is_quoted else head
    more = words.say("memories.quoted", count=quoted) if quoted and not is_quoted else SILENCE
    return joined(head, bulleted(*(_line(one, request) for one in shown)), more, by="\n\n")


def press(request: CommandRequest) -> CommandResponse:
    """What a button does: another page, one memory, its end, or who may know it."""
    found, words = request.result, request.words
    if isinstance(found, Listed):
        return respond(request)
    if not isinstance(found, Picked) or found.memory is None:
        return CommandResponse(notice=words.say("memories.gone"))
    if not found.may_change:
        return CommandResponse(notice=words.say("memories.others"))
    here = partial(button_data, "memories", request.chat.conversation)
    back = Button(words.say("memories.list"), here(f"{PAGES}0"))
    is_outside = bool(found.memory.outside)
    if request.argument[:1] == DELETE:
        text = words.say("memories.forgotten", text=_text(found.memory))
        return CommandResponse(text=text, buttons=(back,), holds_outside=is_outside)
    buttons = [Button(words.say("memories.delete"), here(f"{DELETE}{found.memory.id}"))]
    lines = [_line(found.memory, request)]
    if found.memory.scope is MemoryScope.PERSON and not is_outside:
        is_shared, name = found.memory.is_for_groups, found.memory.id
        keep, share = Button(words.say("memories.keep"), here(f"{KEEP}{name}")), words.say("memories.share")
        buttons.append(keep if is_shared else Button(share, here(f"{SHARE}{name}")))
        lines.append(words.say("memories.shared") if is_shared else words.say("memories.kept"))
    return CommandResponse(text=joined(*lines, by="\n\n"), buttons=(*buttons, back), holds_outside=is_outside)


def _text(one: Memory | CuratedMemory) -> str:
    return verbatim(fitted(visible(one.text), LONGEST_LINE))


def _line(one: Memory | CuratedMemory, request: CommandRequest) -> Phrase:
    """What is remembered, when it was said, and where."""
    words, text = request.words, _text(one)
    if isinstance(one, CuratedMemory):
        return words.say("memories.curated", text=text)
    day = f"{one.changed_at.astimezone(request.zone):%Y-%m-%d}"
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


def _name(one: Memory) -> str:
    """What the button of a memory says."""
    return isolated(fitted(visible(one.text), LONGEST_NAME), is_right_to_left=False)


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
