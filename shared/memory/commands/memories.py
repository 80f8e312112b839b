"""The command /memories: shows what the agent remembers of the sender, and lets them delete or share it.

The list shows the same memories as prompts: those that `visible_memories` returns.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from shared.base.text import abridge
from shared.base.wording.words import SILENCE, Phrase, join_phrases
from shared.chat.store.bots import FirestoreOwners
from shared.commands.command import ButtonHandler, Command, CommandRequest, CommandResponse, verbatim, visible
from shared.commands.pager import (
    LONGEST_LINE,
    ONE,
    PAGE,
    PAGES,
    Listing,
    ListRow,
    ListView,
    Pager,
    SelectedEntry,
    choice_in,
    page_number,
    page_of,
    selected_entry,
    short_day,
)
from shared.llm.ports.world import PortRegistry
from shared.memory.by_owner import MemoriesByOwner, memory_changes, share_with_groups
from shared.memory.forgotten import forget_memory
from shared.memory.store import FirestoreMemories
from shared.memory.visible import MemoryAudience, visible_memories
from shared.values.agent import CuratedMemory
from shared.values.links import message_link
from shared.values.memory import LONGEST_MEMORY, Memory, MemoryOwner, MemoryScope, VisibleMemories
from shared.values.place import chat_of

#: letters in the data of buttons: show a page of quoted memories; delete a memory; let groups see it; keep it from
#: groups
QUOTED, DELETE, SHARE, KEEP = "q", "d", "g", "k"


async def read_page(request: CommandRequest, ports: PortRegistry) -> Listing[VisibleMemories]:
    """Return the page of the list that a typed command requests. Raises StoreUnavailable or StoreRefused."""
    _, known = await _load_shown(request, ports)
    letter = QUOTED if request.argument.startswith(QUOTED) else PAGES
    return Listing(known, page_number(choice_in(request).of), letter)


async def act(request: CommandRequest, ports: PortRegistry) -> object:
    """Carry out a button's action, and return the result. May be repeated. Raises StoreUnavailable or StoreRefused."""
    action, memory_id = choice_in(request)
    if action in {PAGES, QUOTED}:
        return await read_page(request, ports)
    owned, known = await _load_shown(request, ports)
    memory = next((one for one in (*known.listed, *known.quoted) if one.id == memory_id), None)
    found = owned.find(memory_id) if memory is not None else None
    if memory is None or found is None:
        return None
    owner, place = found[0], _page_with(memory, known)
    if not await _may_change(owner, request, ports):
        return SelectedEntry(memory, listing=place)
    after = _after(owned, owner, memory, action, request.now)
    await ports[FirestoreMemories].change(memory_changes(owned, after))
    now = next((one for one in after.of(owner) if one.id == memory_id), memory)
    known_now = visible_memories(after, _here(request), request.agent.curated)
    return SelectedEntry(now, may_change=True, listing=replace(place, of=known_now))


def _page_with(memory: Memory, known: VisibleMemories) -> Listing[VisibleMemories]:
    letter = QUOTED if memory in known.quoted else PAGES
    return Listing(known, _items(known, letter).index(memory) // PAGE, letter)


def _items(known: VisibleMemories, letter: str) -> Sequence[Memory | CuratedMemory]:
    return known.quoted if letter == QUOTED else (*known.curated, *known.listed)


def _after(owned: MemoriesByOwner, owner: MemoryOwner, memory: Memory, action: str, now: datetime) -> MemoriesByOwner:
    """Return the memories after a button's action."""
    if action == DELETE:
        return forget_memory(owned, owner, memory, now)
    return share_with_groups(owned, memory, is_known=action == SHARE) if action in {SHARE, KEEP} else owned


async def _load_shown(request: CommandRequest, ports: PortRegistry) -> tuple[MemoriesByOwner, VisibleMemories]:
    """Return all memories of the sender, of this group and of the agent; and those of them that the sender may see."""
    here = _here(request)
    owned = (
        MemoriesByOwner(await ports[FirestoreMemories].of(here.owners))
        if request.agent.remembers
        else MemoriesByOwner()
    )
    return owned, visible_memories(owned, here, request.agent.curated)


def _here(request: CommandRequest) -> MemoryAudience:
    return MemoryAudience(key=request.chat.key, moved_from=request.chat.moves.moved_from, people=(request.person.id,))


async def _may_change(owner: MemoryOwner, request: CommandRequest, ports: PortRegistry) -> bool:
    if owner.scope is MemoryScope.PERSON:
        return owner.person == request.person.id
    if owner.scope is MemoryScope.CHAT:
        return True
    return await ports[FirestoreOwners].owner(request.chat.key.agent) == request.person.id


def respond(request: CommandRequest) -> CommandResponse:
    """Return a page of memories, with numbered buttons for those that can be deleted."""
    found, words = request.result, request.words
    if not isinstance(found, Listing):
        return CommandResponse(text=words.say("memories.none"))
    return _page(found, request)


def _pager(request: CommandRequest) -> Pager:
    earlier, later = request.words.say("reminders.earlier"), request.words.say("reminders.later")
    return Pager(command="memories", request=request, back=earlier, onward=later)


def _page(found: Listing[VisibleMemories], request: CommandRequest, before: Phrase = SILENCE) -> CommandResponse:
    """Return a page of the list. The text `before` is above it."""
    words, known, pager = request.words, found.of, _pager(request)
    if found.letter == QUOTED and not known.quoted:
        found = Listing(known)
    is_quoted = found.letter == QUOTED
    page = page_of(_items(known, found.letter), found.page)
    head = words.say("memories.listed") if page.shown else words.say("memories.none")
    view = ListView(
        title=join_phrases(before, words.say("memories.quoted_listed") if is_quoted else head, by="\n\n"),
        rows=[_row(one, request, is_quoted=is_quoted) for one in page.shown],
        letter=found.letter,
        unnumbered=0 if is_quoted else len(known.curated),
    )
    if is_quoted:
        view = replace(view, buttons=[pager.button(words.say("memories.list"), f"{PAGES}0")])
    elif known.quoted:
        more = words.say("memories.quoted", count=len(known.quoted))
        view = replace(view, below=[more], buttons=[pager.button(words.say("memories.show_quoted"), f"{QUOTED}0")])
    return pager.response(page, view)


def _row(one: Memory | CuratedMemory, request: CommandRequest, *, is_quoted: bool) -> ListRow:
    data = _pager(request).data(f"{ONE}{one.id}") if isinstance(one, Memory) else ""
    return ListRow(line=_line(one, request), data=data, is_outside=is_quoted)


def press(request: CommandRequest) -> CommandResponse:
    """Return the response to a button: a page of the list, one memory, or the confirmation that one was deleted."""
    found, words = request.result, request.words
    if isinstance(found, Listing):
        return respond(request)
    pick = selected_entry(found, words.say("memories.gone"), words.say("memories.others"))
    if isinstance(pick, CommandResponse):
        return pick
    listing = pick.listing or Listing(VisibleMemories())
    if choice_in(request).action == DELETE:
        return _forget(pick.entry, listing, request)
    return _one(pick.entry, listing, request)


def _forget(memory: Memory, listing: Listing[VisibleMemories], request: CommandRequest) -> CommandResponse:
    text = verbatim(abridge(visible(memory.text), LONGEST_LINE))
    left = _page(listing, request, request.words.say("memories.forgotten", text=text))
    return replace(left, holds_outside=left.holds_outside or bool(memory.outside))


def _one(memory: Memory, listing: Listing[VisibleMemories], request: CommandRequest) -> CommandResponse:
    """Return the message that shows one memory with its buttons."""
    words, button, is_outside = request.words, _pager(request).button, bool(memory.outside)
    lines = [_line(memory, request, LONGEST_MEMORY)]
    buttons = [button(words.say("memories.delete"), f"{DELETE}{memory.id}")]
    if memory.scope is MemoryScope.PERSON and not is_outside:
        keep, share = words.say("memories.keep"), words.say("memories.share")
        is_shared = memory.is_for_groups
        buttons.append(button(keep, f"{KEEP}{memory.id}") if is_shared else button(share, f"{SHARE}{memory.id}"))
        lines.append(words.say("memories.shared") if is_shared else words.say("memories.kept"))
    buttons.append(button(words.say("memories.list"), f"{listing.letter}{listing.page}"))
    return CommandResponse(text=join_phrases(*lines, by="\n\n"), buttons=tuple(buttons), holds_outside=is_outside)


def _line(one: Memory | CuratedMemory, request: CommandRequest, most: int = LONGEST_LINE) -> Phrase:
    """Return a line of at most `most` characters with a memory, its date, and the chat in which it was said."""
    words, text = request.words, verbatim(abridge(visible(one.text), most))
    if isinstance(one, CuratedMemory):
        return words.say("memories.curated", text=text)
    day = short_day(one.changed_at, request)
    where = _where(one, request)
    if one.scope is MemoryScope.CHAT:
        return words.say("memories.of_chat", text=text, day=day, where=where)
    if one.scope is MemoryScope.AGENT:
        return words.say("memories.of_all", text=text, day=day, where=where)
    return words.say("memories.one", text=text, day=day, where=where)


def _where(memory: Memory, request: CommandRequest) -> str:
    """Return the name of the chat in which the fact was said, with a link if Telegram has one."""
    source, chat = memory.source, request.chat
    if not chat.key.is_private and source.place not in chat.places:
        return verbatim(chat.title)  # the fact was said here, too; a group does not learn where it was said first
    if not source.title:
        return request.words.say("memories.private")
    link, title = link_to(memory), verbatim(source.title)
    return f"[{title}]({link})" if link else title


def link_to(memory: Memory) -> str:
    """Return the address of the message from which a memory comes; "" outside of supergroups."""
    source = memory.source
    return message_link(replace(chat_of(source.place), topic_id=source.topic_id), source.message_id)


COMMAND = Command(
    name="memories",
    order=82,
    respond=respond,
    effect=read_page,
    press=ButtonHandler(respond=press, effect=act, is_for_any_conversation=True),
    needs=(FirestoreMemories, FirestoreOwners),
)
