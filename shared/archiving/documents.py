"""The documents of one collection as a file of an archive: a line that says when it was made, and one for each.

For every collection it is decided here whether an archive has it, and so whether a restore brings it back: a test fails
until it is. What can be made again, or may not be done twice, is left out, and says why.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from shared.archiving.values import from_json, to_json
from shared.errors import TranscriptUnreadable
from shared.models.chat_key import ChatKey
from shared.models.erasure import Erasure, ErasureScope
from shared.models.transcript import StoredDocument


class Archived(StrEnum):
    """How an archive has what a collection holds."""

    #: in the file of its conversation
    WITH_CONVERSATION = "with_conversation"
    #: in one file with all documents of its kind
    WITH_KIND = "with_kind"
    #: not at all: `why` says what becomes of it
    NOT = "not"


@dataclass(frozen=True)
class ArchiveRule:
    """What an archive has of one collection."""

    collection: str
    archived: Archived
    why: str = ""
    #: of what is archived, what comes back otherwise, and why
    but: str = ""


def _not(collection: str, why: str) -> ArchiveRule:
    return ArchiveRule(collection, Archived.NOT, why)


RULES: Final = (
    ArchiveRule(
        "chats", Archived.WITH_CONVERSATION, but="what buttons offer, since nobody can tell what was pressed since"
    ),
    ArchiveRule("conversations", Archived.WITH_CONVERSATION),
    ArchiveRule("conversations/messages", Archived.WITH_CONVERSATION),
    ArchiveRule("conversations/compression", Archived.WITH_CONVERSATION),
    ArchiveRule("people", Archived.WITH_KIND),
    ArchiveRule("people/memories", Archived.WITH_KIND),
    ArchiveRule("chats/memories", Archived.WITH_KIND),
    ArchiveRule("bots", Archived.WITH_KIND),
    ArchiveRule("bots/memories", Archived.WITH_KIND),
    ArchiveRule("events", Archived.WITH_KIND),
    ArchiveRule("memberships", Archived.WITH_KIND),
    ArchiveRule("requests", Archived.WITH_KIND),
    _not("chats/inbox", "updates are kept for days; what was read of them is in the transcript"),
    _not("chats/window", "made again from the transcript"),
    _not("plans", "nothing may be sent twice, and nobody can tell what was sent since"),
    _not("plans/past", "what came of them is in the transcript"),
    _not("summaries", "made again from the transcript by the nightly job"),
    _not("entities", "Telegram is asked again"),
    _not("conversations/segments", "made again from the transcript: `make rebuild`"),
    _not("conversations/observations", "made again from the transcript: `make rebuild`"),
    _not("takeouts", "asked for again by /export; the copies are not archived"),
    _not("references", "the message that brought a file names it"),
    _not("media", "what a file shows and says is in its message; sent again, it is described again"),
    _not("lookups", "services are asked again"),
    _not("incidents", "of a database that is no more; `make incidents` has shown them"),
    _not("usage", "what an answer cost is in the transcript"),
    _not("accounts", "sums of the current month: limits begin anew"),
    _not("budgets", "sums of the current month: limits begin anew"),
    _not("notices", "an owner is told of a trouble once more"),
    _not("archives", "the next run archives everything anew"),
    _not("sweeps", "the next sweep begins anew"),
    _not("rebuilds", "the next rebuilding begins anew"),
    _not("erasures", "in files of their own, by which a restore erases again"),
    _not("canaries", "the next canary tells"),
)

#: the collections that have a file each, in the order in which they are restored
KINDS: Final = tuple(one.collection for one in RULES if one.archived is Archived.WITH_KIND)


def rule_of(collection: str) -> ArchiveRule | None:
    """Return what an archive has of a collection, or None if nobody has decided it."""
    return next((one for one in RULES if one.collection == collection), None)


_TYPE: Final = "documents"
#: of a bot's document, what each roster has of somebody who was forgotten: the numbers of owner and blocked stay
_UNNAMED: Final = {"name": "", "why": ""}


def documents_content(collection: str, made_at: datetime, documents: Iterable[StoredDocument]) -> bytes:
    """Return the file; the same documents make the same lines."""
    head = {"type": _TYPE, "collection": collection, "made": made_at.isoformat()}
    lines = [{"path": one.path, "fields": to_json(one.fields)} for one in sorted(documents, key=lambda one: one.path)]
    return "".join(f"{json.dumps(one, ensure_ascii=False, sort_keys=True)}\n" for one in (head, *lines)).encode()


def read_documents(content: bytes, warn: Callable[[int, str], None]) -> tuple[datetime, Sequence[StoredDocument]]:
    """Return when a file was made, and its documents; a corrupt line costs itself alone.

    Raises TranscriptUnreadable.
    """
    found, (first, *lines) = list[StoredDocument](), content.split(b"\n")
    try:
        head = json.loads(first)
        made_at, collection = datetime.fromisoformat(head["made"]), str(head["collection"])
        if head["type"] != _TYPE or made_at.tzinfo is None:
            raise ValueError("it is of another kind")
    except (ValueError, KeyError, TypeError) as wrong:
        raise TranscriptUnreadable(f"it holds no documents ({type(wrong).__name__})") from None
    for number, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        try:
            told = json.loads(line.decode())
            one = StoredDocument(str(told["path"]), from_json(told["fields"]))
            if one.collection != collection or not isinstance(one.fields, Mapping):
                raise ValueError("a document is in the collection of its file")
            found.append(one)
        except (ValueError, KeyError, TypeError, RecursionError) as wrong:
            warn(number, f"is corrupt ({type(wrong).__name__})")
    return made_at, found


def without_forgotten(
    document: StoredDocument, made_at: datetime, erasures: Iterable[Erasure]
) -> StoredDocument | None:
    """Return what may come back of a document of a file from before some erasures, or None if all of it is gone.

    An archive's own file is made anew by each erasure; this is for copies, and for archives that let nothing go.
    """
    kept: StoredDocument | None = document
    for one in erasures:
        if kept is not None and made_at <= (one.cut or one.asked_at):
            kept = _without(kept, one)
    return kept


def _without(document: StoredDocument, erasure: Erasure) -> StoredDocument | None:
    fields = dict(document.fields)
    if _is_of(document, erasure):
        return None
    if isinstance(memories := fields.get("memories"), Mapping):
        left = {name: one for name, one in memories.items() if not _comes_from(one, erasure)}
        if memories and not left:
            return None
        fields["memories"] = left
    if document.collection == "bots":
        fields |= _roster(fields, erasure)
    return StoredDocument(document.path, fields)


def _is_of(document: StoredDocument, erasure: Erasure) -> bool:
    """Return whether the whole document is of who or what was forgotten."""
    parts, fields = document.path.split("/"), document.fields
    match erasure.scope:
        case ErasureScope.PERSON:
            is_named = parts[0] == "people" and parts[1] == str(erasure.person)
            return is_named or erasure.person in (fields.get("person"), fields.get("chat_id"))
        case ErasureScope.GROUP:
            key = erasure.key
            is_group = fields.get("chat_id") == key.chat_id and fields.get("agent") == key.agent
            named = parts[1] if parts[0] == "chats" else str(fields.get("chat", ""))
            return is_group or _is_in(key, named)
        case ErasureScope.CONVERSATION:
            return fields.get("conversation") == erasure.conversation


def _is_in(group: ChatKey, chat: str) -> bool:
    """Return whether the chat of a document's id is a group, or a topic of it."""
    try:
        key = ChatKey.from_id(chat)
    except ValueError:
        return False
    return (key.agent, key.chat_id) == (group.agent, group.chat_id)


def _comes_from(memory: Any, erasure: Erasure) -> bool:
    source = memory.get("source") if isinstance(memory, Mapping) else None
    if not isinstance(source, Mapping):
        return False
    match erasure.scope:
        case ErasureScope.PERSON:
            return source.get("person") == erasure.person and not memory.get("also_by")
        case ErasureScope.GROUP:
            return source.get("place") == f"{erasure.key.agent}.{erasure.key.chat_id}"
        case ErasureScope.CONVERSATION:
            return source.get("conversation") == erasure.conversation


def _roster(fields: Mapping[str, Any], erasure: Erasure) -> dict[str, Any]:
    """Return the rosters without who was forgotten; a block stays, without a name, and so does that of a group."""
    changed = dict[str, Any]()
    if erasure.scope is ErasureScope.CONVERSATION:
        return changed
    name = str(erasure.person or erasure.key.chat_id)
    for roster, left in {"people": None, "waits": None, "blocked": _UNNAMED, "groups": {"title": ""}}.items():
        known = fields.get(roster)
        if isinstance(known, Mapping) and name in known:
            others = {other: value for other, value in known.items() if other != name}
            changed[roster] = others if left is None else {**others, name: {**known[name], **left}}
    return changed
