"""Web conversations: the owner talks to an agent in the console itself.

Each posted message or press has a number that the page made. A repeated request (after a double click, or a lost
response) has the same number and changes nothing.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from shared.base.wording.words import words_in
from shared.console.orders import give_order
from shared.console.posted import posted_text
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.values.chat_key import WEB_TOPICS, ChatKey, ChatKind
from shared.values.console_order import ConsoleOrder
from shared.values.trust import TrustTier
from shared.values.update import InboxUpdate
from shared.webchat.ids import is_conversation_number, is_update_number, message_of_update, update_number
from shared.webchat.inbound import Posting
from shared.webchat.posting import post

OLD_PAGE: Final = "The page is older than the console."
#: the most bytes of a button's data, and of a reaction
LONGEST_DATA: Final = 64
#: the digits of a web conversation's number
LONGEST_NUMBER: Final = 13
_CONVERSATION: Final = re.compile(r"conv-[0-9A-Z]{26}", re.ASCII)


async def read_start(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the server's time, and the latest web conversation with each agent."""
    agents = []
    for agent in request.agents:
        newest = await services.web_talks.newest(agent, request.owner)
        last = {"number": newest[0].topic_id, "conversation": newest[1]} if newest is not None else None
        agents.append({"agent": agent, "last": last})
    return {"now": update_number(services.clock()), "agents": agents}


async def read_talk(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a web conversation's screen, and the owner's posts that no tick has read yet."""
    return {"now": update_number(services.clock()), **await services.web_talks.page_state(_key(request))}


async def list_commands(_: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the commands that the owner may use in a private chat, with their descriptions."""
    from shared.commands.registry import commands  # loads the commands of all features

    words = words_in(request.language)
    named = (one for one in commands() if one.is_named_to(TrustTier.OWNER, ChatKind.PRIVATE))
    return {"commands": [{"name": one.name, "description": one.description(words)} for one in named]}


async def write(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Post a message. `reply_to` is the id of the message that it replies to."""
    text = posted_text(request)
    posting = await posting_of(services, request)
    quoted = await load_quote(services, request, posting.key)
    is_new = await _post(services, posting.message(text, reply_to=quoted))
    return {"id": message_of_update(posting.update, posting.key.topic_id), "is_new": is_new}


async def edit(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Replace the text of a message of the owner."""
    text, message_id = posted_text(request), _number(request, "message")
    posting = await posting_of(services, request)
    return {"is_new": await _post(services, posting.edit(message_id, text))}


async def press(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Press a button under a message of the agent."""
    data = request.body.get("data")
    if not isinstance(data, str) or not 0 < len(data.encode()) <= LONGEST_DATA:
        raise OutdatedPage(OLD_PAGE)
    posting = await posting_of(services, request)
    return {"is_new": await _post(services, posting.press(_number(request, "message"), data))}


async def react(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """React to a message with an emoji; with "", remove the reaction."""
    emoji = request.body.get("emoji")
    if not isinstance(emoji, str) or len(emoji.encode()) > LONGEST_DATA:
        raise OutdatedPage("The reaction must be one emoji.")
    posting = await posting_of(services, request)
    return {"is_new": await _post(services, posting.reaction(_number(request, "message"), emoji))}


async def go_on(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Continue an earlier conversation of the owner in a new web conversation."""
    conversation, key = request.body.get("conversation"), _key(request)
    if not isinstance(conversation, str) or not _CONVERSATION.fullmatch(conversation):
        raise OutdatedPage(OLD_PAGE)
    order = ConsoleOrder(
        id=f"go-on-{conversation}",
        owner=request.owner,
        command="resume",
        argument=conversation,
        language=request.language,
    )
    async with services.record_change(request, "go-on", conversation):
        is_new = await give_order(services, key, order)
    return {"is_new": is_new}


def web_key(request: ConsoleRequest, agent: str, number: str) -> ChatKey:
    """Return the key of a web conversation of the owner with one of their agents. Raises NotFound."""
    topic = int(number) if number.isascii() and number.isdecimal() and len(number) <= LONGEST_NUMBER else 0
    if agent not in request.agents or topic not in WEB_TOPICS:
        raise NotFound
    return ChatKey(agent=agent, chat_id=request.owner, topic_id=topic)


def _key(request: ConsoleRequest) -> ChatKey:
    return web_key(request, request.path["agent"], request.path["number"])


async def posting_of(services: ConsoleServices, request: ConsoleRequest) -> Posting:
    """Return the Posting for a request's update, with the number that the page chose. Raises NotFound or BadRequest."""
    key, update, now = _key(request), _number(request, "id"), services.clock()
    if not is_update_number(update, now) or not is_conversation_number(key.topic_id, update):
        raise BadRequest("page_or_clock_wrong")
    author = await services.web_talks.author(key, request.language)
    return Posting(key=key, author=author, update=update, at=now)


async def _post(services: ConsoleServices, update: InboxUpdate) -> bool:
    return await post(services.web_talks.receiver, update)


async def load_quote(services: ConsoleServices, request: ConsoleRequest, key: ChatKey) -> dict[str, Any] | None:
    """Return the message that the posted one replies to; None if it is not a reply. Raises BadRequest."""
    if request.body.get("reply_to") is None:
        return None
    return await services.web_talks.load_quote(key, _number(request, "reply_to"))


def _number(request: ConsoleRequest, name: str) -> int:
    number = request.body.get(name)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < 2**53:
        raise OutdatedPage(OLD_PAGE)
    return number


_TALK: Final = "/api/talk/{agent}/{number}"
ROUTES = (
    ConsoleRoute("GET", "/api/talk", read_start),
    ConsoleRoute("GET", "/api/commands", list_commands),
    ConsoleRoute("GET", _TALK, read_talk),
    ConsoleRoute("POST", f"{_TALK}/messages", write),
    ConsoleRoute("POST", f"{_TALK}/edits", edit),
    ConsoleRoute("POST", f"{_TALK}/presses", press),
    ConsoleRoute("POST", f"{_TALK}/reactions", react),
    ConsoleRoute("POST", f"{_TALK}/go-on", go_on),
)
