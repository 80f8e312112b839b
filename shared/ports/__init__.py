"""The ports: what the flows need of the world. Small, and each served by one adapter in `shared/adapters`."""

from shared.ports.chats import (
    Change,
    ChatStore,
    Compressions,
    FloodStore,
    Inbox,
    JobQueue,
    Owners,
    Seen,
    SeenCompression,
    TickQueue,
)
from shared.ports.outside import BotAccount, Channel, Model, Models
from shared.ports.upkeep import (
    Archive,
    Incidents,
    LeftOver,
    LeftOvers,
    Mark,
    Restoring,
    SeenIncident,
    Stretch,
    Transcripts,
)

__all__ = [
    "Archive",
    "BotAccount",
    "Change",
    "Channel",
    "ChatStore",
    "Compressions",
    "FloodStore",
    "Inbox",
    "Incidents",
    "JobQueue",
    "LeftOver",
    "LeftOvers",
    "Mark",
    "Model",
    "Models",
    "Owners",
    "Restoring",
    "Seen",
    "SeenCompression",
    "SeenIncident",
    "Stretch",
    "TickQueue",
    "Transcripts",
]
