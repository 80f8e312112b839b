"""Builds what the webhook needs.

After an idle time, a person waits while the webhook starts. So some modules are imported later: the queue's client
during the first write to Firestore, and the agents' names with the first group message that needs them.
"""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cache

from shared.chat.jobs.receive import UpdateReceiver
from shared.chat.jobs.warm import TickStart
from shared.chat.queue import JobQueue, TickQueue
from shared.chat.store.inbox import FirestoreInbox
from shared.telegram.inbound.urgency import AgentNames
from shared.values.wake import Job
from shared.wiring import begin
from shared.wiring.settings import WebhookSettings

SETTINGS = begin(WebhookSettings)
#: the agents that have a bot; no tick would read the updates of other agents
AGENTS = SETTINGS.agent_names
SECRET = SETTINGS.webhook_secret.get_secret_value()


@cache
def receiver() -> UpdateReceiver:
    """Return the receiver of updates; made once per instance."""
    jobs, inbox = _Jobs(), FirestoreInbox(SETTINGS.project)
    return UpdateReceiver(
        inbox=inbox,
        usernames=inbox,
        queue=TickQueue(jobs),
        tick_start=TickStart(jobs),
        names=_NamesOfAgents(),
        quiet=SETTINGS.quiet,
        later=timedelta(seconds=SETTINGS.later_s),
    )


class _Jobs:
    """The job queue. The client of Cloud Tasks is imported with the first job, during the first write to Firestore."""

    async def enqueue(self, job: Job) -> None:
        await _cloud_tasks().enqueue(job)


class _NamesOfAgents(Mapping[str, AgentNames]):
    """The names by which people call each agent. They are read from the personas on first use."""

    def __getitem__(self, agent: str) -> AgentNames:
        return _names()[agent]

    def __iter__(self) -> Iterator[str]:
        return iter(AGENTS)

    def __len__(self) -> int:
        return len(AGENTS)


@cache
def _cloud_tasks() -> JobQueue:
    from shared.cloud.cloud_tasks import CloudTasks

    return CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint)


@cache
def _names() -> Mapping[str, AgentNames]:
    from shared.planning.personas.files import load_fronts

    fronts = load_fronts(SETTINGS.agent_folders)
    return {
        name: AgentNames(usernames=(fronts[name].username,), called=fronts[name].names)
        for name in AGENTS
        if name in fronts
    }
