"""The tool `list_reminders`: returns the ids and texts of the reminders in this chat that the asker may change."""

from collections.abc import Mapping
from typing import Final

from shared.base.errors import ChannelError, ToolFailed
from shared.base.text import abridge
from shared.llm.ports.world import MessagingChannel
from shared.reminders.store import FirestoreReminders
from shared.tools.tool import Tool, ToolContext, ToolOutput
from shared.values.agent import parse_zone
from shared.values.place import chat_of
from shared.values.reminder import Reminder

#: the most reminders of a chat to read, and to list
MOST_READ: Final = 200
MOST_TOLD: Final = 50
#: the most characters of one reminder's words
LONGEST: Final = 200
SEVERAL: Final = "Several people are answered at once: ask who means theirs, or have them use /reminders."
IN_WORDS: Final = "(Tell people a rule in words, such as every Friday at 9, and never as it is written here.)"
OUTSIDE: Final = "the words of reminders that were set after text from outside was seen"


async def _list(arguments: Mapping[str, object], context: ToolContext) -> ToolOutput:
    if context.asker is None:
        raise ToolFailed(SEVERAL)
    asker = context.asker.id
    chats = [context.chat.id, *(chat_of(place).id for place in context.places[1:])]
    found = await context.ports[FirestoreReminders].open_of_chat(chats, MOST_READ)
    if any(one.person != asker for one in found) and not await _is_administrator(context, asker):
        found = [one for one in found if one.person == asker]
    told = found[:MOST_TOLD]
    lines = [_line(one, asker) for one in told] or ["None of theirs is still to come here."]
    if any(one.rule for one in told):
        lines.append(IN_WORDS)
    if len(found) > len(told):
        lines.append(f"And {len(found) - len(told)} more, later ones: /reminders shows them.")
    return ToolOutput(("\n".join(lines),), OUTSIDE if any(one.saw_outside for one in told) else "")


async def _is_administrator(context: ToolContext, person: int) -> bool:
    """Return whether a person administers the group, and so may change all of its reminders."""
    if context.kind.is_of_one or person < 0:
        # an anonymous administrator writes in the group's name (core.telegram.org/bots/api#message)
        return person == context.chat.chat_id and not context.kind.is_of_one
    try:
        return await context.ports[MessagingChannel].is_administrator(context.chat.chat_id, person)
    except ChannelError:
        return False


def _line(reminder: Reminder, asker: int) -> str:
    assert reminder.next_at is not None
    civil = reminder.next_at.astimezone(parse_zone(reminder.zone))
    when = f"{civil:%A %Y-%m-%dT%H:%M} ({reminder.zone})"
    repeats = f", repeats {reminder.rule}" if reminder.rule else ""
    whose = f", of {reminder.name}" if reminder.person != asker else ""
    what = "says" if reminder.text else "you do"
    return f"- {reminder.short_id}: {when}{repeats}{whose}, {what}: {_words(reminder)}"


def _words(reminder: Reminder) -> str:
    return abridge(" ".join(reminder.words.split()), LONGEST)


TOOL: Final = Tool(
    name="list_reminders",
    description="The pending reminders of the person you answer in this chat: ids, times, rules and texts.",
    parameters={"type": "object", "properties": {}},
    run=_list,
    needs=(FirestoreReminders, MessagingChannel),
    stays_in_chat=True,
    is_retold=False,  # the list depends on the person and on the day
)
