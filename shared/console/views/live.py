"""Server-sent events of conversations, chats and screens while the console is open: one stream for each tab."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from starlette.responses import Response, StreamingResponse

from shared.chat.archive_names import began_at
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import decode_console_off, decode_owner
from shared.chat.store.paths import BOTS, CHATS, CONVERSATIONS, bot_path, chat_path, screen_path
from shared.console.conversations.opened import ConversationReader
from shared.console.conversations.rows import row_of
from shared.console.conversations.store import ConsoleConversations, ListedConversation
from shared.console.listening import DocumentChange, Listener, next_change
from shared.console.route import ConsoleRequest, ConsoleRoute
from shared.console.services import ConsoleServices
from shared.console.views.talk import web_key
from shared.values.chat_key import Channel, ChatKey

#: seconds between two signs of life, so that nothing between the function and the browser closes the stream
BEAT_S: Final = 20.0
#: how long one stream lasts: less than the function's time limit. After that, the page opens another one
LONGEST: Final = timedelta(minutes=9)
#: how many missed changes are sent to a tab one by one; if there are more, it reads everything again
MOST_MISSED: Final = 100
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


async def follow(services: ConsoleServices, request: ConsoleRequest) -> Response:
    """Stream the changes of the agents' conversations, and of one chat that the tab shows.

    The query names the chat by the id of a `conversation` in it. A web conversation without messages is named by `talk`
    (agent and number). `after` is the id of the last event that the tab received; later events are sent first.
    """
    conversation, follows = request.query.get("conversation", ""), [bot_path(agent) for agent in request.agents]
    lists = FirestoreAccessLists(services.client, services.clock)
    if conversation:
        _, key = await ConversationReader(services.client, lists, request.agents).find(conversation)
        follows += _paths_of(key)
    elif request.query.get("talk"):
        agent, _, number = request.query["talk"].rpartition("/")
        follows += _paths_of(web_key(request, agent, number))
    tab = _Tab(services=services, owner=request.owner, agents=request.agents, lists=lists, since=services.clock())
    events = tab.events(request.query.get("after", ""), follows)
    return StreamingResponse(events, media_type="text/event-stream", headers=_HEADERS)


def _paths_of(key: ChatKey) -> list[str]:
    """Return the documents to follow for a chat: its own, and for a web conversation also its screen."""
    return [chat_path(key), *([screen_path(key)] if key.channel is Channel.WEB else [])]


@dataclass
class _Tab:
    """The event stream of one tab, with the state that the tab already knows."""

    services: ConsoleServices
    owner: int
    agents: Sequence[str]
    lists: FirestoreAccessLists
    since: datetime
    #: by conversation, the title and the number of turns that the tab knows
    known: dict[str, tuple[object, object]] = field(default_factory=dict)

    async def events(self, after: str, follows: Sequence[str]) -> AsyncIterator[str]:
        """Yield server-sent events in their text form."""
        async with self.services.changes.listening(follows) as listener:
            with self.services.streams.hold(self.owner, listener):
                async for text in self._events(listener, after):
                    yield text

    async def _events(self, listener: Listener, after: str) -> AsyncIterator[str]:
        yield f"retry: 2000\n{_event('hello', {}, self.since.isoformat())}"
        async for text in self._missed_events(after):
            yield text
        async for text in self._changes(listener):
            yield text

    async def _missed_events(self, after: str) -> AsyncIterator[str]:
        try:
            moment = datetime.fromisoformat(after)
        except ValueError:
            return
        if moment.tzinfo is None:
            return
        stored = ConsoleConversations(self.services.client)
        # several conversations may have changed at the same time, although only one was sent
        found = await stored.changed_since(self.agents, moment - timedelta(microseconds=1), MOST_MISSED + 1)
        if len(found) > MOST_MISSED:
            yield _event("missed", {})
            return
        for one in found:
            yield await self._conversation_event(one.id, one.fields)

    async def _changes(self, listener: Listener) -> AsyncIterator[str]:
        while self.services.clock() - self.since < LONGEST:
            change = await next_change(listener, BEAT_S)
            if listener.is_ended:  # the tab connects again once it is visible
                yield _event("paused", {})
                return
            # the end of a sign-in may be among the dropped changes, so the tab must connect again
            if listener.is_behind:
                yield _event("missed", {})
                return
            if change is not None and change.path.startswith(f"{BOTS}/") and self._is_out(change):
                return
            text = await self._text_of(change) if change is not None else ": beat\n\n"
            if text:
                yield text

    async def _text_of(self, change: DocumentChange) -> str:
        """Return the event for a change; "" if the change is not for this tab."""
        collection, _, name = change.path.partition("/")
        if collection == CHATS and "/" in name:
            return _event("screen", {"chat": name.partition("/")[0]})
        if collection == CHATS:
            return self._chat_event(name, change)
        if collection != CONVERSATIONS:
            return ""
        if change.agent not in self.agents:
            return ""
        if change.fields is None:
            return _event("conversation", {"kind": "deleted", "id": name})
        return await self._conversation_event(name, change.fields)

    def _is_out(self, change: DocumentChange) -> bool:
        """Return whether the person no longer owns the agent, or has signed out everywhere since the stream began."""
        stored = dict(change.fields or {})
        off_at = decode_console_off(stored)
        return decode_owner(stored) != self.owner or (off_at is not None and off_at > self.since)

    async def _conversation_event(self, conversation: str, fields: Mapping[str, Any]) -> str:
        access_list = await self.lists.access_list(str(fields.get("agent")))
        row = row_of(ListedConversation(id=conversation, fields=dict(fields)), access_list)
        told = {"kind": self._kind_of(conversation, fields), "id": conversation, "row": row}
        changed_at = fields.get("changed_at")
        return _event("conversation", told, changed_at.isoformat() if isinstance(changed_at, datetime) else "")

    def _kind_of(self, conversation: str, fields: Mapping[str, Any]) -> str:
        """Return the kind of a conversation's change: `created`, `renamed`, `turn`, `updated` or `deleted`."""
        if fields.get("updated_at") is None:  # lists leave it out
            return "deleted"
        known, now = self.known.get(conversation), (fields.get("title") or None, fields.get("turns"))
        self.known[conversation] = now
        if known is None:
            began = began_at(conversation)
            is_new = began is not None and began >= self.since - timedelta(minutes=1)
            return "created" if is_new and fields.get("turns") == 1 else "updated"
        if known[0] != now[0]:
            return "renamed"
        return "turn" if known[1] != now[1] else "updated"

    def _chat_event(self, chat: str, change: DocumentChange) -> str:
        fields = change.fields or {}
        lease = fields.get("lease")
        until = lease.get("until") if isinstance(lease, Mapping) else None
        told = {
            "chat": chat,
            "conversation": fields.get("conversation", ""),
            "is_running": isinstance(until, datetime) and until > self.services.clock(),
            "seq": fields.get("seq", 0),
            "title": fields.get("conversation_title", ""),
            "model": fields.get("model", ""),
        }
        return _event("chat", told)


def _event(name: str, told: Mapping[str, Any], event_id: str = "") -> str:
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {json.dumps(told, separators=(',', ':'))}\n\n"


ROUTES = (ConsoleRoute("GET", "/api/live", follow),)
