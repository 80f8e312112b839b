"""Builds the jobs of the function `summarize`, by name."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from functools import cache, partial
from typing import TYPE_CHECKING

from shared.base.errors import InvalidSettings
from shared.chat.jobs.sweep import Sweeper, sweep
from shared.chat.store.queries import PageQuery, StalledChat
from shared.chat.store.sweep import FirestoreSweep
from shared.cloud.cloud_tasks import CloudTasks
from shared.llm.ports.embedding import vector_mark
from shared.recall.jobs.find_notes import NotesFinder, find_notes
from shared.upkeep.job_record import with_records
from shared.upkeep.jobs.probe import Probe, answer_prompt, ask_models, embed_words, store_export, store_file
from shared.upkeep.store.job_results import FirestoreJobResults
from shared.values.canary import CanaryStep, ProbeOrder
from shared.values.job_run import JobRun
from shared.values.question_vector import QuestionVector, VectorOrder
from shared.wiring import begin, now
from shared.wiring.settings.model_functions import SummarizeSettings

if TYPE_CHECKING:
    from shared.privacy.jobs.gather_export import ExportGatherer
    from shared.recall.jobs.note import NoteTaker

#: a job takes its run, and returns by name how many things it handled
ScheduledJob = Callable[[JobRun], Awaitable[Mapping[str, int]]]

SETTINGS = begin(SummarizeSettings)
AGENTS = SETTINGS.agent_names
if not AGENTS:
    raise InvalidSettings(f"LULL_AGENTS names no agent that has a persona in {SETTINGS.agents_path}")


@cache
def jobs() -> Mapping[str, ScheduledJob]:
    """Return every job by the name in infra/schedules.yaml; made once per instance."""
    found = FirestoreSweep(SETTINGS.project)
    known: dict[str, ScheduledJob] = {
        "sweep": partial(sweep, _sweeper(found)),
        "notes": partial(find_notes, _finder(found)),
        "note": _note,
        "title": _title,
        "summarize": _summarize,
        "archive": _archive,
        "take_out": _gather_export,
    }
    return with_records(FirestoreJobResults(found.client), now, known)


def probes(order: ProbeOrder) -> Sequence[Probe]:
    """Return the probes of this function: its models, and the buckets that it writes."""
    from shared.wiring.archiving import archives

    found, notes = [Probe(CanaryStep.ARCHIVE, partial(store_file, place)) for place in archives(SETTINGS)], _noter()
    if notes.model:
        asked = answer_prompt("Name this in one word.")
        found.append(Probe(CanaryStep.NOTING, partial(ask_models, notes.models, [notes.model], asked)))
    if notes.embedder is not None:
        found.append(Probe(CanaryStep.VECTORS, partial(embed_words, notes.embedder)))
    if SETTINGS.takeout_bucket:
        found.append(Probe(CanaryStep.EXPORTS, partial(store_export, _gatherer().bucket, order.run)))
    return found


async def question_vector(order: VectorOrder) -> QuestionVector:
    """Return the vector of the text that the owner searches for in the console. Raises a ModelError."""
    from shared.recall.jobs.question_vector import make_vector

    return await make_vector(_noter().embedder, order)


async def _archive(job_run: JobRun) -> Mapping[str, int]:
    # imported here because archiving runs once a night, and no other job needs these modules
    from shared.upkeep.jobs.archive import archive
    from shared.wiring.archiving import archiver

    return await archive(archiver(SETTINGS), job_run)


async def _note(job_run: JobRun) -> Mapping[str, int]:
    from shared.recall.jobs.note import note

    return await note(_noter(), job_run)


async def _title(job_run: JobRun) -> Mapping[str, int]:
    from shared.recall.jobs.note import title

    return await title(_noter(), job_run)


async def _summarize(job_run: JobRun) -> Mapping[str, int]:
    from shared.recall.jobs.summarize import summarize

    summarizer = _noter().summarizer
    return await summarize(summarizer, job_run) if summarizer is not None else {}


async def _gather_export(job_run: JobRun) -> Mapping[str, int]:
    from shared.privacy.jobs.gather_export import gather_export

    return await gather_export(_gatherer(), job_run) if SETTINGS.takeout_bucket else {}


@cache
def _gatherer() -> "ExportGatherer":
    # imported here because the client of its bucket takes a quarter of a second to import
    from shared.wiring.exports import gatherer

    return gatherer(SETTINGS)


@cache
def _noter() -> "NoteTaker":
    # imported here because the sweep, which runs all day, needs none of these modules
    from shared.wiring.notes import noter

    return noter(SETTINGS)


def _finder(found: FirestoreSweep) -> NotesFinder:
    return NotesFinder(
        store=found,
        queue=CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint),
        embedding_model=vector_mark(SETTINGS.embedding_model),
        clock=now,
    )


def _sweeper(left_overs: FirestoreSweep) -> Sweeper:
    async def chats_with_expired_leases(wanted: PageQuery) -> Sequence[StalledChat]:
        if not SETTINGS.limits:
            return ()
        # imported here because the other finders do not need these modules
        from shared.wiring.spending import budget_accounts, spending_policy

        return await budget_accounts(left_overs.client, spending_policy(SETTINGS, {})).overdue(wanted)

    return Sweeper(
        left_overs=left_overs,
        finders={
            "unread": left_overs.unread,
            "overdue": left_overs.overdue,
            "reminders": left_overs.reminders,
            "lent": chats_with_expired_leases,
        },
        queue=CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint),
        agents=AGENTS,
        grace=timedelta(seconds=SETTINGS.sweep_grace_s),
        clock=now,
        embedding_model=vector_mark(SETTINGS.embedding_model),
    )
