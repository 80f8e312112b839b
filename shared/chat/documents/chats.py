"""Records of a chat: what it has read, its plans, its incidents, and its move to a new id. And how they are read."""

import json
from collections.abc import Iterator

from pydantic import TypeAdapter, ValidationError

from shared.base.errors import PlanUnreadable
from shared.base.logs import log
from shared.chat.records import CurrentPlan, MovedChat, NewIncident, ReadUpdates, ReplacedPlan
from shared.chat.store import layout, paths
from shared.chat.store.writes import Commit, Mode, Write, replace_seen, writes_of
from shared.tasks.plan import Plan
from shared.values.chat import Chat, parts_of_chat
from shared.values.chat_key import ChatKey
from shared.values.incident import Incident

#: what says how far a chat's conversation came; without one of these it begins another
_OF_CONVERSATION = {
    "conversation", "seq", "moved_seq", "shown_seq", "turn", "unpaged", "segment", "unmarked_seq", "waits_until",
    "is_answered", "is_behind", "keyboards", "conversation_title", "begun_by", "rests_at", "busy_since",
}  # fmt: skip
_INCIDENT = TypeAdapter(Incident)


@writes_of.register
def _read_updates(record: ReadUpdates, commit: Commit) -> Iterator[Write]:
    for update_id in record.update_ids:
        path = paths.update_path(commit.chat.key, update_id)
        yield Write(path=path, document=layout.as_read(commit.at), mode=Mode.UPDATE)


@writes_of.register
def _moved_chat(record: MovedChat, _: Commit) -> Iterator[Write]:
    # the precondition on the new chat's document keeps out a tick that claimed it meanwhile
    key = record.chat.key
    yield replace_seen(paths.chat_path(key), layout.encode_chat(record.chat), record.version)
    if record.plan is not None:
        yield Write(path=paths.plan_path(key), document=layout.encode_plan(record.plan), mode=Mode.SET)


@writes_of.register
def _current_plan(record: CurrentPlan, commit: Commit) -> Iterator[Write]:
    path = paths.plan_path(commit.chat.key)
    yield Write(path=path, document=layout.encode_plan(record.plan), mode=Mode.SET)


@writes_of.register
def _replaced_plan(record: ReplacedPlan, commit: Commit) -> Iterator[Write]:
    path = paths.past_plan_path(commit.chat.key, record.plan.id)
    yield Write(path=path, document=layout.encode_past_plan(record.plan), mode=Mode.SET)


@writes_of.register
def _incident(record: NewIncident, _: Commit) -> Iterator[Write]:
    path = paths.incident_path(record.incident.id)
    yield Write(path=path, document=layout.encode_incident(record.incident), mode=Mode.SET)


def decode_chat(key: ChatKey, document: layout.Document | None) -> Chat:
    """The chat; a new one, of generation 0, when there is no document.

    Of a document that somebody changed by hand, what is odd is missing: nobody would be answered there any more.
    """
    if document is None:
        return Chat(key=key)
    try:
        return Chat.model_validate(document)
    except ValidationError as wrong:
        places = [one["loc"] for one in wrong.errors(include_url=False, include_input=False)]
        odd = {str(place[1] if place[0] in parts_of_chat() else place[0]) for place in places}
    log("fields of a chat's document cannot be read and are left out", chat=key.id, fields=", ".join(sorted(odd)))
    # where it is not known how far a conversation came, nothing can be added to it
    odd |= set() if odd.isdisjoint(_OF_CONVERSATION) else _OF_CONVERSATION
    rest = {name: value for name, value in document.items() if name not in odd}
    return Chat.model_validate({**rest, "key": key, "generation": layout.generation_in(document)})


def decode_plan(document: layout.Document | None) -> Plan | None:
    """The plan; none if there is no document. Raises PlanUnreadable."""
    try:
        return Plan.model_validate(document) if document is not None else None
    except ValidationError:
        # its cause would tell what people wrote
        raise PlanUnreadable(json.dumps(document, default=str)) from None


def decode_incident(document: layout.Document | None) -> Incident:
    """The incident. Raises ValidationError for a shape that this version does not know."""
    return _INCIDENT.validate_python(document)
