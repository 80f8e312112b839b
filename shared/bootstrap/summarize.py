"""The scheduled function's parts: its jobs, by the names that Cloud Scheduler's bodies give them."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache, partial

from shared.adapters.cloud_tasks import CloudTasksQueue
from shared.adapters.firestore.sweep import FirestoreSweep
from shared.errors import SettingsWrong
from shared.flows.sweep import Occasion, Sweeper, sweep
from shared.logs import configure_logs
from shared.settings import summarize_settings

#: one job: what it did, as numbers by name
Job = Callable[[Occasion], Awaitable[Mapping[str, int]]]

SETTINGS = summarize_settings()
configure_logs(SETTINGS.log_format, SETTINGS.project)
AGENTS = SETTINGS.agent_names
if not AGENTS:
    raise SettingsWrong(f"LULL_AGENTS names no agent that has a persona in {SETTINGS.agents_path}")


def now() -> datetime:
    """The moment, in UTC."""
    return datetime.now(UTC)


@cache
def jobs() -> Mapping[str, Job]:
    """Every job by its name; made once per instance."""
    return {"sweep": partial(sweep, _sweeper()), "archive": _archive}


async def _archive(occasion: Occasion) -> Mapping[str, int]:
    # once a night: no other job waits for what this one imports
    from shared.bootstrap.archiving import archive, archiver

    return await archive(archiver(SETTINGS), occasion)


def _sweeper() -> Sweeper:
    left_overs = FirestoreSweep(SETTINGS.project)
    return Sweeper(
        left_overs=left_overs,
        finders={"unread": left_overs.unread, "overdue": left_overs.overdue},
        queue=CloudTasksQueue(SETTINGS.queue, SETTINGS.tick_url, SETTINGS.invoker, SETTINGS.tasks_endpoint),
        agents=AGENTS,
        grace=timedelta(seconds=SETTINGS.sweep_grace_s),
        clock=now,
    )
