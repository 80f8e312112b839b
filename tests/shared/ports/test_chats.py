"""Each adapter serves its whole port."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.adapters.cloud_tasks import CloudTasks
from shared.adapters.firestore.bots import FirestoreFloods, FirestoreOwners
from shared.adapters.firestore.chats import FirestoreChats, FirestoreCompressions
from shared.adapters.firestore.inbox import FirestoreInbox
from shared.ports import chats
from tests.shared.ports.serving import assert_serves
from tests.shared.values import NOW

SERVED = [
    (chats.Inbox, FirestoreInbox),
    (chats.JobQueue, CloudTasks),
    (chats.ChatStore, FirestoreChats),
    (chats.Compressions, FirestoreCompressions),
    (chats.FloodStore, FirestoreFloods),
    (chats.Owners, FirestoreOwners),
]


@pytest.mark.parametrize(("port", "adapter"), SERVED, ids=lambda kind: kind.__name__)
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)


def test_a_change_writes_nothing_but_the_chat_unless_it_is_told() -> None:
    unset = {name: field.default for name, field in chats.Change.__dataclass_fields__.items() if name != "chat"}
    assert unset == {"records": ()}


def test_a_day_has_one_notice_of_each_agent_and_kind() -> None:
    midnight = NOW.replace(hour=0, minute=0)
    notice = chats.OwnerNotice(agent="lull", kind="money", at=midnight)
    assert replace(notice, at=midnight + timedelta(hours=23, minutes=59)).id == notice.id
    others = [
        replace(notice, at=midnight + timedelta(days=1)), replace(notice, kind="quota"), replace(notice, agent="moss"),
    ]  # fmt: skip
    assert len({notice.id, *(other.id for other in others)}) == 4
