"""Explains why a message was answered or not, for every turn of every conversation of the owner's agents."""

from collections.abc import Mapping
from typing import Any

from shared.console.logs_link import logs_url
from shared.console.route import ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.console.why.events import history_view
from shared.console.why.history import history_of, plan_id_of
from shared.upkeep.store.recorded_pages import FirestoreRecordedPages, StoredConversation


async def read_turn(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the history of a message. The path has the entry number of the message, or of an entry about it."""
    store, seq = FirestoreRecordedPages(services.client), number_in(request)
    conversation = await conversation_of(store, request)
    pages = await store.pages_around(conversation.id, seq)
    plan_id = plan_id_of(seq, pages)
    stored = await store.plan(conversation.key, plan_id) if plan_id else None
    history = history_of(seq, pages, stored)
    if history is None:
        raise NotFound
    view = history_view(history)
    logs = None if services.is_local else logs_url(services.project, view["trace"], history.subject.at)
    return {
        "conversation": conversation.id,
        "agent": conversation.agent,
        "chat": conversation.chat,
        "title": conversation.title,
        "chat_title": conversation.chat_title,
        "seq": seq,
        "logs": logs or "",
        "is_local": services.is_local,
        **view,
    }


def number_in(request: ConsoleRequest) -> int:
    """Return the entry number in the request's path. Raises BadRequest."""
    seq = request.path.get("seq", "")
    if not seq.isdecimal() or len(seq) > 9:
        raise OutdatedPage("The address must contain the number of one of the turn's entries.")
    return int(seq)


async def conversation_of(store: FirestoreRecordedPages, request: ConsoleRequest) -> StoredConversation:
    """Return the conversation in the request's path. Raises NotFound unless it belongs to an agent of the owner."""
    found = await store.conversation(request.path.get("conversation", ""))
    if found is None or found.agent not in request.agents:
        raise NotFound
    return found


ROUTES = (ConsoleRoute("GET", "/api/conversations/{conversation}/turns/{seq}", read_turn),)
