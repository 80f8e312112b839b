"""The webhook's parts."""

from datetime import timedelta
from functools import cache

from shared.adapters.cloud_tasks import CloudTasks
from shared.adapters.firestore.inbox import FirestoreInbox
from shared.agents.files import load_fronts
from shared.flows.receive import Receiver
from shared.flows.warm import TickStart
from shared.logs import configure_logs
from shared.ports.chats import TickQueue
from shared.settings import WebhookSettings, read_settings
from shared.telegram.urgency import Names

SETTINGS = read_settings(WebhookSettings)
FRONTS = load_fronts(SETTINGS.agent_folders)
#: those that have a bot: nobody would ever read what comes for another
AGENTS = {name: FRONTS[name] for name in sorted(SETTINGS.agent_names)}
SECRET = SETTINGS.webhook_secret.get_secret_value()
configure_logs(SETTINGS.log_format, SETTINGS.project)


@cache
def receiver() -> Receiver:
    """What receiving needs; made once per instance."""
    jobs = CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint)
    return Receiver(
        inbox=FirestoreInbox(SETTINGS.project),
        queue=TickQueue(jobs),
        tick_start=TickStart(jobs),
        names={name: Names(username=front.username, called=front.names) for name, front in AGENTS.items()},
        quiet=SETTINGS.quiet,
        later=timedelta(seconds=SETTINGS.later_s),
    )
