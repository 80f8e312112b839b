"""Each adapter serves its whole port."""

import pytest

from shared.adapters.cloud_tasks import CloudTasks
from shared.adapters.firestore.bots import FirestoreFloods
from shared.adapters.firestore.chats import FirestoreChats, FirestoreCompressions
from shared.adapters.firestore.inbox import FirestoreInbox
from shared.ports import chats
from tests.shared.ports.serving import assert_serves

SERVED = [
    (chats.Inbox, FirestoreInbox),
    (chats.JobQueue, CloudTasks),
    (chats.ChatStore, FirestoreChats),
    (chats.Compressions, FirestoreCompressions),
    (chats.FloodStore, FirestoreFloods),
]


@pytest.mark.parametrize(("port", "adapter"), SERVED, ids=lambda kind: kind.__name__)
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)


def test_a_change_writes_nothing_but_the_chat_unless_it_is_told() -> None:
    unset = {name: field.default for name, field in chats.Change.__dataclass_fields__.items() if name != "chat"}
    assert unset == {"records": ()}
