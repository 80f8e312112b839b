"""Replays dead letters (updates that could not be processed) for the console."""

from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from shared.chat.jobs.receive import UpdateReceiver
from shared.chat.store.inbox import FirestoreInbox
from shared.console.services import ConsoleServices
from shared.telegram.inbound.urgency import AgentNames
from shared.upkeep.jobs.replay import Replayer
from shared.upkeep.store.incidents import FirestoreIncidents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from shared.values.agent import FrontMatter

#: the time to wait for further messages: none, as replayed messages are old
_NO_WAIT: Final = {"private": timedelta(), "group": timedelta()}


def replayer_of(services: ConsoleServices) -> Replayer:
    """Return a Replayer for dead letters that uses the console's database client and queue."""
    fronts = agent_fronts(services.agent_folders)
    receiver = UpdateReceiver(
        inbox=FirestoreInbox(services.project, services.client),
        queue=services.ticks,
        names={name: AgentNames(usernames=(one.username,), called=one.names) for name, one in fronts.items()},
        quiet=_NO_WAIT,
        later=timedelta(),
    )
    incidents = FirestoreIncidents(services.project, services.client)
    return Replayer(incidents=incidents, receiver=receiver, clock=services.clock)


@lru_cache(maxsize=4)
def agent_fronts(folders: tuple[Path, ...]) -> "Mapping[str, FrontMatter]":
    """Return the front matter of the personas in these folders, by agent; read once per instance."""
    from shared.planning.personas.files import load_fronts  # loaded only when names are needed

    return load_fronts(folders)
