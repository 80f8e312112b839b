"""lull's own Cloud Tasks: a local server of the v2 API, for the official clients."""

from local.cloud_tasks.dispatcher import Pace
from local.cloud_tasks.server import Running, ServerSettings, serve

__all__ = ["Pace", "Running", "ServerSettings", "serve"]
