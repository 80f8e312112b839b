"""The records of a chat: read updates, plans, incidents, moves."""

from dataclasses import asdict

from shared.chat.store.chats import MovedChat, ReadUpdates
from shared.chat.store.incidents import NewIncident
from shared.chat.store.layout import KEPT_INCIDENTS, KEPT_UPDATES, encode_chat
from shared.chat.store.plans import KEPT_PLANS, CurrentPlan, ReplacedPlan
from shared.chat.store.writes import CommitContext, Write, WriteMode
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.incident import Incident, IncidentKind
from tests.shared.chat.store.changes import written_by
from tests.shared.examples import KEY, NOW, plan_of, send

THERE = ChatKey(agent=KEY.agent, chat_id=-100)
PLAN = plan_of(send())


def test_a_read_update_may_be_deleted_from_then_on() -> None:
    change = {"read": True, "expires_at": NOW + KEPT_UPDATES}
    assert written_by(ReadUpdates((3, 11)), Chat(key=KEY)) == [
        ("update", f"chats/{KEY.id}/inbox/{3:020d}", change),
        ("update", f"chats/{KEY.id}/inbox/{11:020d}", change),
    ]


def test_a_moved_chat_is_written_only_where_it_was_seen_and_takes_its_plan_along() -> None:
    chat, plan, seen = Chat(key=THERE, title="Club"), plan_of(send()), object()
    moved = MovedChat(chat=chat, version=seen, plan=plan)
    assert list(moved.writes(CommitContext(chat=Chat(key=KEY), at=NOW))) == [
        Write(path=f"chats/{THERE.id}", document=encode_chat(chat), mode=WriteMode.UPDATE, version=seen),
        Write(path=f"plans/{THERE.id}", document=plan.model_dump(), mode=WriteMode.SET),
    ]
    first = MovedChat(chat=chat, version=None, plan=None)
    assert written_by(first, Chat(key=KEY)) == [("create", f"chats/{THERE.id}", encode_chat(chat))]


def test_a_chat_has_one_plan() -> None:
    assert written_by(CurrentPlan(PLAN), Chat(key=KEY)) == [("set", f"plans/{KEY.id}", PLAN.model_dump())]


def test_a_replaced_plan_is_kept_for_a_while() -> None:
    kept = PLAN.model_dump() | {"expires_at": PLAN.created_at + KEPT_PLANS}
    assert written_by(ReplacedPlan(PLAN), Chat(key=KEY)) == [("set", f"plans/{KEY.id}/past/{PLAN.id}", kept)]


def test_an_incident_is_kept_for_a_while_under_its_own_id() -> None:
    incident = Incident(id="i-1", kind=IncidentKind.DEAD_LETTER, at=NOW, why="w", agent="lull")
    kept = asdict(incident) | {"expires_at": NOW + KEPT_INCIDENTS}
    assert written_by(NewIncident(incident), Chat(key=KEY)) == [("set", "incidents/i-1", kept)]
