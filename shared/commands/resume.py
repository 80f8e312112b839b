"""/resume: returns to an earlier conversation, in the same commit that stores the response."""

import re
from collections.abc import Sequence
from typing import Final

from shared.base.wording.words import SILENCE, Phrase, join_phrases
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.conversations import FirestoreConversations
from shared.chat.store.people import FirestorePeople
from shared.commands.command import (
    Audience,
    ButtonHandler,
    Command,
    CommandRequest,
    CommandResponse,
    PlanCancellation,
    verbatim,
)
from shared.commands.conversations import first_page, page_response
from shared.commands.conversations import respond as listed
from shared.commands.pager import PAGE, ListPage, page_of, short_day
from shared.commands.read_budget import ReadBudget, ReadBudgetExceeded
from shared.llm.ports.world import PortRegistry
from shared.values.chat import ConversationInfo
from shared.values.chat_key import ChatKey

#: the maximum number of conversations that are searched for a title
MOST_SEARCHED = 60
_ID: Final = re.compile(r"conv-[0-9A-Z]{26}", re.ASCII)


async def find_conversations(request: CommandRequest, ports: PortRegistry) -> object:
    """Return the conversations whose id, title or first words match the argument; the first page if it is empty.

    The result is ReadBudgetExceeded if the person's read budget is used up.
    """
    words = request.argument.casefold()
    if not words:
        return await first_page(request, ports)
    budget = ReadBudget.of(request, ports[FirestorePeople])
    if not await budget.has_left():
        return ReadBudgetExceeded()
    found = await ports[FirestoreConversations].page(request.chat.ids, 0, MOST_SEARCHED)
    await budget.count(len(found))
    exact = [one for one in found if words in {one.id.casefold(), one.name.casefold()}]
    alike = exact or [one for one in found if words in one.name.casefold()]
    return alike or await _left_elsewhere(request, ports)


async def _left_elsewhere(request: CommandRequest, ports: PortRegistry) -> list[ConversationInfo]:
    """Return the person's conversation whose id is the argument, if its chat has moved on to another one; else []."""
    key = request.chat.key
    if not key.is_private or _ID.fullmatch(request.argument) is None:
        return []
    found = await ports[FirestoreConversations].find(request.argument)
    there = ChatKey.from_id(found.chat) if found is not None else key
    if found is None or (there.agent, there.chat_id) != (key.agent, key.chat_id):
        return []
    return [] if (await ports[FirestoreChats].see(there)).chat.conversation == found.id else [found]


async def find_pressed(request: CommandRequest, ports: PortRegistry) -> object:
    """Return a list with the conversation that a button names; [] if the conversation is not of this chat."""
    found = await ports[FirestoreConversations].find(request.named)
    return [found] if found is not None and found.chat in request.chat.ids else []


def respond(request: CommandRequest) -> CommandResponse:
    """Return the response that resumes a conversation, or the list of the matching conversations."""
    if isinstance(request.result, ListPage) or not isinstance(request.result, Sequence):
        return listed(request)
    found: Sequence[ConversationInfo] = request.result
    words = request.words
    if not found:
        return CommandResponse(text=words.say("resume.none", text=verbatim(request.argument[:80])))
    if len(found) > 1:
        several = words.say("resume.several", text=verbatim(request.argument[:80]))
        return page_response(page_of(found[:PAGE], 0), request, several)
    if found[0].id == request.chat.conversation:
        return CommandResponse(text=words.say("resume.already"))
    return CommandResponse(text=_resumed_text(found[0], request), resumes=found[0])


def press(request: CommandRequest) -> CommandResponse:
    """Return the response that resumes the conversation of the pressed button. If it is already the current one,
    nothing changes.
    """
    found = request.result
    if not isinstance(found, Sequence) or not found:
        return CommandResponse(notice=request.words.say("resume.gone"))
    kept: ConversationInfo = found[0]
    if kept.id == request.chat.conversation:
        return CommandResponse(notice=request.words.say("resume.already"))
    return CommandResponse(text=_resumed_text(kept, request), resumes=kept)


def _resumed_text(kept: ConversationInfo, request: CommandRequest) -> Phrase:
    words = request.words
    name = verbatim(kept.name) or words.say("conversations.untitled")
    date = short_day(kept.updated_at, request) if kept.updated_at else ""
    latest = words.say("resume.latest", date=date) if date else SILENCE
    return join_phrases(words.say("resume.done", title=name), latest, words.say("resume.kept"))


def ends_plan(argument: str) -> bool:
    """Return whether there is an argument. If so, the chat leaves its conversation, and the plan is cancelled."""
    return bool(argument)


COMMAND = Command(
    name="resume",
    order=34,
    takes_argument=True,
    audience=Audience.ADMINISTRATORS,
    plan_cancellation=PlanCancellation(ends=ends_plan, changes_conversation=True),
    respond=respond,
    effect=find_conversations,
    press=ButtonHandler(respond=press, effect=find_pressed, is_for_any_conversation=True),
    needs=(FirestoreConversations, FirestorePeople, FirestoreChats),
)
