"""The webhook's parts."""

from datetime import timedelta
from functools import cache

from shared.adapters.cloud_tasks import CloudTasks
from shared.adapters.firestore.inbox import FirestoreInbox
from shared.agents.load import load_agents
from shared.flows.receive import Receiver
from shared.logs import configure_logs
from shared.ports import TickQueue
from shared.settings import WebhookSettings, read_settings
from shared.telegram.urgency import Names

SETTINGS = read_settings(WebhookSettings)
LOADED = load_agents(SETTINGS.agent_folders)
#: those that have a bot: nobody would ever read what comes for another
AGENTS = {name: LOADED[name] for name in sorted(SETTINGS.agent_names)}
SECRET = SETTINGS.webhook_secret.get_secret_value()
configure_logs(SETTINGS.log_format, SETTINGS.project)


@cache
def receiver() -> Receiver:
    """What receiving needs; made once per instance."""
    return Receiver(
        inbox=FirestoreInbox(SETTINGS.project),
        queue=TickQueue(CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint)),
        names={agent.id: Names(username=agent.front.username, called=agent.names) for agent in AGENTS.values()},
        quiet=SETTINGS.quiet,
        later=timedelta(seconds=SETTINGS.later_s),
    )
