"""Builds what the operator's commands need."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from google.auth.exceptions import DefaultCredentialsError

from shared.base.errors import InvalidSettings
from shared.chat.jobs.receive import UpdateReceiver
from shared.chat.queue import TickQueue
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.outbox import FirestoreOutbox
from shared.chat.store.transcripts import FirestoreTranscripts
from shared.cloud.cloud_tasks import CloudTasks
from shared.media.store.media import FirestoreMediaUpkeep
from shared.planning.personas.files import load_fronts
from shared.privacy.jobs.erase_again import NullQueue
from shared.privacy.jobs.erase_run import ArchiveDeletion, ChatLeaseSettings, Deleter, ExportDeletion
from shared.privacy.store.chat_deletion import FirestoreChatDeletion
from shared.privacy.store.deletion_lookup import FirestoreDeletionLookup
from shared.privacy.store.deletions import FirestoreDeletions
from shared.privacy.store.exports import FirestoreExports
from shared.privacy.store.media_deletion import FirestoreMediaDeletion
from shared.privacy.store.person_deletion import FirestorePersonDeletion
from shared.recall.store.rebuilding import FirestoreRebuilding
from shared.spending.store.accounts import FirestoreAccounts
from shared.telegram.inbound.urgency import AgentNames
from shared.upkeep.jobs.rebuild import Rebuilder, RebuildModels
from shared.upkeep.jobs.replay import Replayer
from shared.upkeep.store.incidents import FirestoreIncidents
from shared.wiring import now
from shared.wiring.settings import ProjectSettings, Settings
from shared.wiring.settings.model_functions import LITE, EmbeddingSettings, TickSettings

Kept = TypeVar("Kept")


def incidents() -> FirestoreIncidents:
    """Return the store of incidents. Raises InvalidSettings, also if Google's credentials are missing."""
    return _of_project(FirestoreIncidents)


def media() -> FirestoreMediaUpkeep:
    """Return the store of files for operators. Raises InvalidSettings, as `incidents` does."""
    return _of_project(FirestoreMediaUpkeep)


def rebuilder(*, with_model: bool) -> tuple[Rebuilder, RebuildModels]:
    """Return the rebuilder, and the names of the models that later make the notes and vectors again.

    These are lull's default models, since the settings of the deployment are not known here. Raises InvalidSettings, as
    `incidents` does.
    """
    chats = _of_project(FirestoreChats)
    usual = EmbeddingSettings.model_fields["embedding_model"].default
    found = Rebuilder(
        rebuilding=FirestoreRebuilding(chats.client),
        transcripts=_of_project(FirestoreTranscripts),
        chats=chats,
        window_entries=int(TickSettings.model_fields["context_messages"].default),
        clock=now,
        with_model=with_model,
    )
    return found, RebuildModels(notes=LITE, embedding=str(usual))


def restore_deleter() -> Deleter:
    """Return the deleter for a restored database. It deletes neither files nor archives, and sends no notices.

    Raises InvalidSettings, as `incidents` does.
    """
    chats = _of_project(FirestoreChats)
    client, queue = chats.client, NullQueue()
    return Deleter(
        log=FirestoreDeletions(client),
        finding=FirestoreDeletionLookup(client),
        of_chats=FirestoreChatDeletion(client),
        of_people=FirestorePersonDeletion(client),
        media=FirestoreMediaDeletion(client, None),
        rebuilding=FirestoreRebuilding(client),
        accounts=FirestoreAccounts(client),
        exports=ExportDeletion(store=FirestoreExports(client), bucket=None),
        chats=chats,
        archiving=ArchiveDeletion(archives=(), register=None, transcripts=_of_project(FirestoreTranscripts)),
        outbox=FirestoreOutbox(client),
        queue=queue,
        clock=now,
        holding=ChatLeaseSettings(window_entries=int(TickSettings.model_fields["context_messages"].default)),
    )


def _of_project(opened: Callable[[str], Kept]) -> Kept:
    try:
        return opened(ProjectSettings.from_environment().project)
    except DefaultCredentialsError as cause:
        advice = "run `gcloud auth application-default login`"
        raise InvalidSettings(f"there are no Google Cloud credentials here: {advice}") from cause


def replayer(kept: FirestoreIncidents) -> Replayer:
    """Return the replayer of incidents. Raises InvalidSettings or AgentUnreadable."""
    settings = Settings.from_environment()
    queue = TickQueue(CloudTasks(settings.routes, settings.tasks_endpoint))
    fronts = load_fronts(settings.agent_folders)
    inbox = FirestoreInbox(settings.project)
    receiver = UpdateReceiver(
        inbox=inbox,
        usernames=inbox,
        queue=queue,
        names={name: AgentNames(usernames=(front.username,), called=front.names) for name, front in fronts.items()},
        quiet=settings.quiet,
        later=timedelta(seconds=settings.later_s),
    )
    return Replayer(incidents=kept, receiver=receiver, clock=now)
