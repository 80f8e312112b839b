"""Conversations: the list, a conversation with its header and transcript, and the buttons that change it."""

import json
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import Any, Final

from google.api_core.exceptions import NotFound as NoDocument
from google.cloud.firestore_v1 import DELETE_FIELD
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.transforms import SERVER_TIMESTAMP
from pydantic import TypeAdapter, ValidationError
from starlette.responses import Response

from shared.chat.lines import lines_of
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.commands.title import LONGEST_TITLE
from shared.console.conversations.listing import ConversationList
from shared.console.conversations.opened import ConversationReader, OpenedConversation, header_of, notes_in
from shared.console.conversations.rows import RowFilter
from shared.console.conversations.store import PAGES_AT_ONCE, ConsoleConversations, StoredPage
from shared.console.orders import give_order
from shared.console.posted import posted_click
from shared.console.records import Click
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.privacy.store.deletions import FirestoreDeletions
from shared.values.chat_key import ChatKey
from shared.values.console_order import ConsoleOrder
from shared.values.deletion import GRACE, Deletion, DeletionScope, deletion_id
from shared.values.message import AnyEntry
from shared.values.notes import Notes
from shared.values.transcript import Transcript
from shared.values.trust import TrustTier
from shared.values.wake import note_job

#: the kinds of chat behind a choice of the page
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "": (),
    "private": ("private",),
    "group": ("group", "supergroup"),
    "direct": ("direct",),
    "channel": ("channel",),
}
#: the times for which the page can mute the agent, as arguments of `/mute`; "" means until /unmute
MUTES: Final = frozenset({"", "1h", "8h", "1d", "1w"})
#: observations that are deleted in one commit
AT_ONCE: Final = 300
_ENTRY: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)
UNREADABLE: Final = "this entry has a form that this version of lull does not know"
#: fields that a file for people leaves out: numbers without meaning outside of the database
_LEFT_OUT: Final = frozenset({"embedding"})


async def transcript_file(stored: ConsoleConversations, opened: OpenedConversation) -> bytes:
    """Return the whole transcript as JSON Lines, as in an archive, followed by a line for each unreadable entry."""
    entries, unreadable = list[AnyEntry](), list[str]()
    async for page in every_page(stored, opened.stored.id):
        for number, one in enumerate(page.entries):
            try:
                entries.append(_ENTRY.validate_python(one))
            except ValidationError:
                unreadable.append(_unreadable(one, page.first + number))
    if opened.is_current:
        known = max((one.seq for one in entries), default=0)
        entries += [one for one in opened.chat.talk.unpaged if one.seq > known]
    document = {name: value for name, value in opened.stored.fields.items() if name not in _LEFT_OUT}
    transcript = Transcript(
        conversation=opened.stored.id, document=document, entries=tuple(entries), compression=opened.compression
    )
    return "".join(f"{line}\n" for line in (*lines_of(transcript), *unreadable)).encode()


async def every_page(stored: ConsoleConversations, conversation: str) -> AsyncIterator[StoredPage]:
    """Yield the pages of a transcript, the oldest first."""
    seq = 0
    while True:
        pages = await stored.pages_after(conversation, seq, PAGES_AT_ONCE)
        for page in pages:
            yield page
        if len(pages) < PAGES_AT_ONCE:
            return
        seq = pages[-1].first


def _unreadable(stored: Any, guessed: int) -> str:
    seq = stored.get("seq") if isinstance(stored, Mapping) else None
    told = {"type": "unreadable", "seq": seq if isinstance(seq, int) else guessed, "why": UNREADABLE}
    return json.dumps(told, separators=(",", ":"))


async def delete_conversation(
    services: ConsoleServices, key: ChatKey, conversation: str, language: str, now: datetime
) -> None:
    """Request the deletion of a conversation with everything derived from it, and hide it from lists at once.

    This is the deletion that `/forget` offers for a conversation, but no receipt is sent to the chat. The call may be
    repeated. Raises a StoreError or a QueueError.
    """
    deletion = Deletion(
        id=deletion_id(key.agent, DeletionScope.CONVERSATION, str(key.chat_id), conversation),
        scope=DeletionScope.CONVERSATION,
        chat=key.id,
        conversation=conversation,
        language=language,
        asked_at=now,
        due_at=now + GRACE,
        is_told=True,
    )
    await FirestoreDeletions(services.client, services.jobs).ask(deletion)
    # lists are sorted by this field, so they leave the conversation out
    await _update(services.client, conversation, {"updated_at": DELETE_FIELD})


async def make_abbreviation(services: ConsoleServices, conversation: str, notes: Notes, click: Click) -> None:
    """Request that the missing notes of a conversation are made now, such as its short version (the abbreviation).

    If no notes are missing, all notes are made again. Raises NotFound, a StoreError or a QueueError.
    """
    now = click.at
    if click.is_repeated and any(one.abbreviation and one.at >= now for one in notes.history):
        return  # it was made since then
    fields: layout.Document = {"due_at": now, "failures": 0, "needs_abbreviation": True}
    if notes.noted_seq >= notes.entries and not notes.needs_abbreviation:
        await _delete_observations(services.client, conversation)
        fields |= {"noted_seq": 0, "left_out": [], "embedding_model": "", "embedding": DELETE_FIELD}
    await _update(services.client, conversation, fields)
    await services.jobs.enqueue(note_job(conversation, _name_of(now), now))


def _name_of(now: datetime) -> str:
    return f"console {now.isoformat()}"


async def _update(client: AsyncClient, conversation: str, fields: layout.Document) -> None:
    document = client.document(paths.conversation_path(conversation))
    with translate_errors("change a conversation"):
        try:
            await document.update(fields | {"changed_at": SERVER_TIMESTAMP}, retry=RETRY, timeout=CALL_SECONDS)
        except NoDocument:
            raise NotFound from None


async def _delete_observations(client: AsyncClient, conversation: str) -> None:
    """Delete the observations about people in this conversation's notes, since new notes will contain them again."""
    below = client.collection(paths.observations_path(conversation))
    while True:
        with translate_errors("delete observations"):
            found = await below.select([]).limit(AT_ONCE).get(retry=RETRY, timeout=CALL_SECONDS)
            batch = client.batch()
            for one in found:
                batch.delete(one.reference)
            if found:
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
        if len(found) < AT_ONCE:
            return


async def list_conversations(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of conversations: those of the query's trust tier, or else all in which the agent answers."""
    query = request.query
    agents = [one for one in request.agents if query.get("agent", "") in {"", one}]
    kinds = KINDS.get(query.get("kind", ""))
    if kinds is None:
        raise OutdatedPage("There is no such kind of chat.")
    tier = query.get("tier", "")
    if tier and tier not in {one.value for one in TrustTier}:
        raise OutdatedPage("There is no such trust tier.")
    wanted = RowFilter(tier=TrustTier(tier) if tier else None)
    listed = ConversationList(services.client, services.access_lists)
    return await listed.page(agents, kinds, wanted, query.get("cursor", ""))


async def read_conversation(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a conversation: its header and the newest part of its transcript."""
    reader = _reader(services, request)
    opened = await reader.open(request.path["conversation"])
    header = await _header(services, reader, opened)
    if header is None:
        raise NotFound
    return {"header": header, **await reader.newest(opened)}


async def _header(
    services: ConsoleServices, reader: ConversationReader, opened: OpenedConversation
) -> dict[str, Any] | None:
    found = header_of(opened, await reader.plan(opened), models_of(services), services.clock())
    return found and {**found, "stored_kinds": services.stored_kinds}


async def read_entries(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the part of a transcript before an entry, or the entries after the last one that the browser has."""
    reader = _reader(services, request)
    opened = await reader.open(request.path["conversation"])
    before, after = request.query.get("before", ""), request.query.get("after", "")
    if before.isdecimal() and len(before) < 10:
        return await reader.before(opened, int(before))
    if not after.isdecimal() or len(after) > 9:
        raise OutdatedPage("`before` or `after` must be the number of an entry.")
    return {"header": await _header(services, reader, opened), **await reader.after(opened, int(after))}


async def download(services: ConsoleServices, request: ConsoleRequest) -> Response:
    """Return the transcript as a file of JSON Lines."""
    reader = _reader(services, request)
    opened = await reader.open(request.path["conversation"])
    content = await transcript_file(reader.stored, opened)
    await services.record_look(request, "download", opened.stored.id)
    name = "".join(one for one in opened.stored.id if one.isalnum() or one == "-")
    headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"', "Cache-Control": "no-store"}
    return Response(content, media_type="application/x-ndjson", headers=headers)


async def rename(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Give a conversation a title by hand. lull never changes such a title."""
    title = " ".join(str(request.body.get("title", "")).split())
    if not title:
        raise BadRequest("title_empty")
    if len(title) > LONGEST_TITLE:
        raise BadRequest("title_too_long", count=LONGEST_TITLE)
    return await _order(services, request, "title", title)


async def choose_model(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Choose the model of a conversation, as `/model` does."""
    model = str(request.body.get("model", ""))
    if model not in models_of(services):
        raise BadRequest("model_not_offered")
    return await _order(services, request, "model", model)


async def stop(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Stop the current answer, and the messages that its plan would still send."""
    return await _order(services, request, "stop")


async def begin_another(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Have the chat start a new conversation. The conversation in the path is kept."""
    return await _order(services, request, "new")


async def resume(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Have the chat continue the conversation in the path."""
    stored, key = await _reader(services, request).find(request.path["conversation"])
    order = ConsoleOrder(
        id=posted_click(request),
        owner=request.owner,
        command="resume",
        argument="go",
        conversation=stored.id,
        is_press=True,
        language=request.language,
    )
    return await _give(services, request, key, order)


async def mute(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Mute the chat for a duration; "" means until it is unmuted."""
    length = str(request.body.get("length", ""))
    if length not in MUTES:
        raise OutdatedPage("The duration is not one of the choices for muting.")
    return await _order(services, request, "mute", length, is_of_chat=True)


async def unmute(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Unmute the chat."""
    return await _order(services, request, "unmute", is_of_chat=True)


async def look(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Store that the owner has seen a conversation up to a turn."""
    turn = request.body.get("turn")
    if not isinstance(turn, int) or isinstance(turn, bool) or not 0 <= turn < 10**9:
        raise OutdatedPage("The turn must be a number.")
    reader = _reader(services, request)
    stored, _ = await reader.find(request.path["conversation"])
    await reader.stored.look(stored.id, turn)
    await services.record_look(request, "open", stored.id)
    return {}


async def abbreviate(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Request that the short version of a conversation (the abbreviation) is made now."""
    stored, _ = await _reader(services, request).find(request.path["conversation"])
    async with services.record_change(request, "abbreviate", stored.id) as click:
        await make_abbreviation(services, stored.id, notes_in(stored), click)
    return {}


async def delete(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Delete a conversation with everything derived from it."""
    stored, key = await _reader(services, request).find(request.path["conversation"])
    async with services.record_change(request, "delete", stored.id) as click:
        await delete_conversation(services, key, stored.id, request.language, click.at)
    return {}


def models_of(services: ConsoleServices) -> tuple[str, ...]:
    """Return the models that a conversation may use, the default first."""
    return services.knowledge.models


def _reader(services: ConsoleServices, request: ConsoleRequest) -> ConversationReader:
    return ConversationReader(services.client, services.access_lists, request.agents)


async def _order(
    services: ConsoleServices, request: ConsoleRequest, command: str, argument: str = "", *, is_of_chat: bool = False
) -> Mapping[str, Any]:
    """Give a command for the conversation in the path; with `is_of_chat`, for the whole chat."""
    stored, key = await _reader(services, request).find(request.path["conversation"])
    order = ConsoleOrder(
        id=posted_click(request),
        owner=request.owner,
        command=command,
        argument=argument,
        conversation="" if is_of_chat else stored.id,
        language=request.language,
    )
    return await _give(services, request, key, order)


async def _give(
    services: ConsoleServices, request: ConsoleRequest, key: ChatKey, order: ConsoleOrder
) -> Mapping[str, Any]:
    async with services.record_change(request, order.command, request.path["conversation"]):
        is_new = await give_order(services, key, order)
    return {"is_new": is_new}


_PLACE: Final = "/api/conversations/{conversation}"
ROUTES = (
    ConsoleRoute("GET", "/api/conversations", list_conversations),
    ConsoleRoute("GET", _PLACE, read_conversation),
    ConsoleRoute("GET", f"{_PLACE}/entries", read_entries),
    ConsoleRoute("GET", f"{_PLACE}/transcript.jsonl", download),
    ConsoleRoute("POST", f"{_PLACE}/rename", rename),
    ConsoleRoute("POST", f"{_PLACE}/model", choose_model),
    ConsoleRoute("POST", f"{_PLACE}/stop", stop),
    ConsoleRoute("POST", f"{_PLACE}/new", begin_another),
    ConsoleRoute("POST", f"{_PLACE}/resume", resume),
    ConsoleRoute("POST", f"{_PLACE}/mute", mute),
    ConsoleRoute("POST", f"{_PLACE}/unmute", unmute),
    ConsoleRoute("POST", f"{_PLACE}/look", look),
    ConsoleRoute("POST", f"{_PLACE}/abbreviate", abbreviate),
    ConsoleRoute("POST", f"{_PLACE}/delete", delete),
)
