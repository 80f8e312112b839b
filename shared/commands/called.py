"""What people and groups are called, for an agent's owner: by its roster, or else in their chats with it."""

from typing import Final

from shared.models.chat_key import ChatKey
from shared.models.message import Message
from shared.models.trust import Roster
from shared.ports.chats import ChatStore

#: entries of somebody's chat among which their name is looked for
LOOKED_AT: Final = 20


def name_of(roster: Roster, which: int) -> str:
    """What somebody, or a group, is called as far as the roster tells; empty: it does not."""
    if which in roster.groups:
        return roster.groups[which].title
    entry = roster.people.get(which) or roster.blocked.get(which)
    return entry.name if entry is not None else ""


async def known_name(roster: Roster, which: int, agent: str, chats: ChatStore) -> str:
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


def called(roster: Roster, name: str) -> int:
    """The one person whose name has this in it; 0: there is none, or there are several."""
    found = {one.id for one in roster.people.values() if name.casefold() in one.name.casefold()}
    found |= {one.id for one in roster.blocked.values() if name.casefold() in one.name.casefold()}
    return found.pop() if len(found) == 1 else 0
