"""One component fails for a minute under steady traffic. Measures how many messages are lost and doubled, and the time
until recovery.

`python -m benchmarks.faults [FAULT…] [--seconds S] [--logs DIR]` runs only some faults, or shorter ones.
"""

import argparse
import asyncio
import json
import shutil
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_query import FieldFilter

from benchmarks import census
from benchmarks.known import known_of
from benchmarks.noted import NotedFigures, figures_of, noted_in, time_passes
from benchmarks.outages.naming import WITHOUT_MODEL, naming_model
from benchmarks.outages.nightly import Nightly, looked_after, nightly
from benchmarks.outages.outage import OF_FILES, OF_NOTES, OF_THE_ARCHIVE, OUTAGES, Site
from benchmarks.outages.queue import make_as_deployed
from benchmarks.outages.rim import rim
from benchmarks.outages.running import running
from benchmarks.outages.traffic import Traffic, open_traffic
from benchmarks.outages.watch import Watch, follow_watch
from benchmarks.town import Town, town
from local.cloud import CloudSpec
from shared.chat.store import paths
from shared.values.incident import IncidentKind

SECONDS = 60.0
#: seconds of traffic before the fault
LEAD_S = 10.0
#: seconds after a fault until an unanswered message counts as lost. They are many, since Telegram may wait two minutes
#: between two tries
PATIENCE_S = 420.0
LOOK_S = 0.5
#: seconds that a plan waits before its last message, so that outages also affect plans that continue in a later tick
PAUSE_S = 2
#: the seconds until group messages that ask nothing are read. They are few, so that this wait does not look like a slow
#: recovery
LATER = {"LULL_LATER_S": "5"}
#: for faults that affect notes: a conversation counts as resting so soon that it rests between two messages
RESTING = {"LULL_REST_S": "0.5"}
#: parts that also run if the fault affects the archive, which a nightly job writes
NIGHTLY = ("scheduler", "summarize", "storage")
#: parts that also run if the fault affects descriptions of files
DESCRIBING = ("scheduler", "summarize", "describe_media", "reader", "storage")
#: parts that also run if the fault affects notes
NOTING = ("scheduler", "summarize")
MORE = dict.fromkeys(OF_THE_ARCHIVE, NIGHTLY) | dict.fromkeys(OF_FILES, DESCRIBING) | dict.fromkeys(OF_NOTES, NOTING)
Figures = dict[str, int | float | str | None]


async def measure(faults: Sequence[str] = (), seconds: float = SECONDS, logs: Path | None = None) -> dict[str, object]:
    """Return the counts and seconds of each fault, by its name."""
    found = []
    for fault in faults or OUTAGES:
        print(f"  {fault} …", file=sys.stderr, flush=True)
        found.append(await _one(fault, seconds, logs))
        print(f"  {json.dumps(found[-1])}", file=sys.stderr, flush=True)
    return {"seconds": seconds, "faults": found}


async def _one(fault: str, seconds: float, logs: Path | None) -> Figures:
    """Measure one fault in a separate cloud."""
    async with _scene(fault) as (site, traffic, watch), _background_job(fault, site.place) as job:
        traffic.has_files, traffic.has_notes = fault in OF_FILES, fault in OF_NOTES
        stop = asyncio.Event()
        writing = asyncio.create_task(traffic.run(stop))
        await asyncio.sleep(LEAD_S)
        async with OUTAGES[fault](site, seconds):
            await asyncio.sleep(seconds)
        over = time.monotonic()
        stop.set()
        await writing
        recovery = await _recovery(traffic, watch, over, job)
        is_at_rest = await _rest(site.place)
        figures = {"fault": fault, **await _count(traffic, watch, job), **recovery, "at_rest": is_at_rest}
        if logs is not None:
            shutil.copytree(site.place.cloud.folder / "logs", logs / fault, dirs_exist_ok=True)
    return figures


@asynccontextmanager
async def _scene(fault: str) -> AsyncIterator[tuple[Site, Traffic, Watch]]:
    """Open a cloud whose functions make all calls through relays. Yield it with its traffic and with a watch over its
    webhook.
    """
    async with rim() as relays:
        env = {**relays.env, **LATER, **(RESTING if fault in OF_NOTES else {})}
        spec = CloudSpec(env=env, parts=(*WITHOUT_MODEL, *MORE.get(fault, ())))
        async with running(spec) as cloud:
            relays.lead_to(cloud)
            await asyncio.to_thread(cloud.add_part, naming_model(cloud, PAUSE_S))
            async with town(cloud) as place, census.firestore_of(cloud) as firestore:
                (await place.gemini.delete("/script")).raise_for_status()
                await make_as_deployed(place)
                traffic = await open_traffic(place)
                await place.rest()
                async with follow_watch(Watch(place, firestore, traffic.ids)) as watch:
                    yield Site(place, relays), traffic, watch


@asynccontextmanager
async def _background_job(fault: str, place: Town) -> AsyncIterator[Nightly | None]:
    """Run the scheduled job that a fault affects, if there is one. Yield the results of the archiving job, or None if
    that job does not run.
    """
    if fault in OF_THE_ARCHIVE:
        async with nightly(place) as job:
            yield job
    elif fault in OF_FILES | OF_NOTES:
        async with looked_after(place):
            yield None
    else:
        yield None


async def _recovery(traffic: Traffic, watch: Watch, over: float, job: Nightly | None) -> Figures:
    """Return the seconds from the end of the fault until Telegram delivered all updates, and until full recovery.

    The values are None if this did not happen within the time limit. Recovery includes the archive if the nightly job
    runs, and the notes if notes are made.
    """
    delivered_s: float | None = None
    while (since := time.monotonic() - over) < PATIENCE_S:
        is_delivered = len(watch.accepted) >= traffic.lines
        delivered_s = round(since, 1) if is_delivered and delivered_s is None else delivered_s
        if is_delivered and await _is_well(traffic, watch.firestore) and not (job and await job.missing()):
            return {"recovered_s": round(since, 1), "delivered_s": delivered_s}
        await asyncio.sleep(LOOK_S)
    return {"recovered_s": None, "delivered_s": delivered_s}


async def _is_well(traffic: Traffic, firestore: AsyncClient) -> bool:
    """Return whether all work is done: no chat is claimed by a tick, waits for one or has unread updates, everybody was
    answered, and every chat was told about its files.
    """
    now = datetime.now(UTC)
    async for chat in firestore.collection(paths.CHATS).stream():
        lease = chat.get("lease")
        if chat.get("due_at") is not None or (lease and lease["until"] > now):
            return False
    unread = firestore.collection_group(paths.INBOX).where(filter=FieldFilter("read", "==", False))
    if await unread.limit(1).get() or await _count_unanswered(traffic):
        return False
    if (await known_of(firestore, traffic.files)).untold:
        return False
    if traffic.has_notes:
        await time_passes(firestore)
    return not (await _noted_figures(traffic, firestore)).missing


async def _noted_figures(traffic: Traffic, firestore: AsyncClient) -> NotedFigures:
    """Return the figures of the notes on all messages; zeros if no notes are made."""
    return figures_of(await noted_in(firestore), traffic.written) if traffic.has_notes else NotedFigures()


async def _count_unanswered(traffic: Traffic) -> int:
    waiting = [census.unanswered_names(await traffic.lines_seen(key), wanted) for key, wanted in traffic.wanted.items()]
    return sum(map(len, waiting))


async def _count(traffic: Traffic, watch: Watch, job: Nightly | None) -> Figures:
    """Wait until all work has ended, or until a time limit. Return the figures of the census."""
    kept = await census.transcripts(watch.firestore)
    entries = [entry for chat in kept.values() for entry in chat]
    stored = census.compare(watch.accepted, census.updates_in(entries))
    seen = [line for key in traffic.ids for line in await traffic.lines_seen(key)]
    said = [line for line in seen if line.is_agent]
    twice = max(census.planned_twice(entries), census.said_twice(said))
    unwritten = traffic.lines - len(watch.accepted) + stored.lost
    unanswered = await _count_unanswered(traffic)
    unarchived = await job.missing() if job else 0
    files = await known_of(watch.firestore, traffic.files)
    noted = await _noted_figures(traffic, watch.firestore)
    incidents = await census.incidents(watch.firestore)
    return {
        "updates": traffic.lines,
        "lost": unwritten + unanswered + unarchived + len(files.untold) + noted.missing,
        "doubled": stored.doubled + twice + files.told_again + noted.observed_twice,
        "unknown": incidents[IncidentKind.UNKNOWN_DELIVERY],
        "unstored_200": len(watch.unstored),
        "unwritten": unwritten,
        "unanswered": unanswered,
        "refused": watch.refusals,
        "answers": len(said),
        "excuses": sum(census.is_excuse(line) for line in said),
        "unrecorded": len(said) - len(census.agent_said(entries)),
        "dropped": incidents[IncidentKind.DROPPED_PLAN],
        "unarchived": unarchived,
        "files": len(traffic.files),
        "untold": len(files.untold),
        "told_again": files.told_again,
        **asdict(noted),
    }


async def _rest(place: Town) -> bool:
    """Wait until no work is left. Return whether all work ended within the time limit."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            await place.rest()
    except TimeoutError:
        return False
    return True


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("faults", nargs="*", metavar="FAULT", help=f"one of: {', '.join(OUTAGES)}")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each fault lasts")
    parser.add_argument("--logs", type=Path, help="a folder to copy what each part said into")
    asked = parser.parse_args()
    unknown = sorted(set(asked.faults) - OUTAGES.keys())
    if unknown:
        parser.error(f"there is no fault {', '.join(unknown)}; there are: {', '.join(OUTAGES)}")
    print(json.dumps({"bench": "faults", **asyncio.run(measure(asked.faults, asked.seconds, asked.logs))}))


if __name__ == "__main__":
    main()
