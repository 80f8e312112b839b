"""Each adapter serves its whole port, with the port's own signatures."""

import inspect

import pytest

from shared import ports
from shared.adapters.cloud_tasks import CloudTasksQueue
from shared.adapters.firestore_chats import FirestoreChats
from shared.adapters.firestore_inbox import FirestoreInbox
from shared.adapters.firestore_incidents import FirestoreIncidents
from shared.adapters.firestore_restoring import FirestoreRestoring
from shared.adapters.firestore_sweep import FirestoreSweep
from shared.adapters.firestore_transcripts import FirestoreTranscripts
from shared.adapters.folder_archive import FolderArchive
from shared.adapters.gemini import GeminiModel
from shared.adapters.s3_archive import S3Archive
from shared.adapters.storage_archive import StorageArchive
from shared.adapters.telegram import TelegramChannel
from shared.adapters.telegram_account import TelegramAccount

SERVED = [
    (ports.Inbox, FirestoreInbox),
    (ports.TickQueue, CloudTasksQueue),
    (ports.ChatStore, FirestoreChats),
    (ports.LeftOvers, FirestoreSweep),
    (ports.Incidents, FirestoreIncidents),
    (ports.Transcripts, FirestoreTranscripts),
    (ports.Restoring, FirestoreRestoring),
    (ports.Archive, FolderArchive),
    (ports.Archive, StorageArchive),
    (ports.Archive, S3Archive),
    (ports.Model, GeminiModel),
    (ports.Channel, TelegramChannel),
    (ports.BotAccount, TelegramAccount),
]


def calls_of(kind: type) -> dict[str, inspect.Signature]:
    return {name: inspect.signature(call) for name, call in vars(kind).items() if inspect.iscoroutinefunction(call)}


@pytest.mark.parametrize(("port", "adapter"), SERVED, ids=lambda kind: kind.__name__)
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    wanted, given = calls_of(port), calls_of(adapter)
    assert wanted
    for name, signature in wanted.items():
        assert list(given[name].parameters) == list(signature.parameters), name


def test_a_change_writes_nothing_but_the_chat_unless_it_is_told() -> None:
    unset = {name: field.default for name, field in ports.Change.__dataclass_fields__.items() if name != "chat"}
    nothing = {"read": (), "entries": (), "window": None, "plan": None, "conversation": False, "incidents": ()}
    assert unset == {**nothing, "left": (), "past": (), "moved": None}
