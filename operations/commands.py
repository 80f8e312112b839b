"""Runs the operator's commands with the settings from the environment (operations/arguments.py lists them)."""

import argparse
import asyncio
import difflib
import sys
from collections.abc import Sequence

from rich.console import Console

from operations import archiving, describing, rebuilding
from operations.archiving_arguments import COMMANDS
from operations.arguments import parse
from operations.table import show
from shared.base.errors import LullError
from shared.base.logs import about, trace_of, traceparent_of
from shared.upkeep.jobs.replay import replay
from shared.upkeep.store.incidents import FirestoreIncidents
from shared.values.incident import IncidentKind
from shared.wiring import now
from shared.wiring import operations as parts

#: the most lines of a list, and the most dead letters of one replay
MOST = 500
HOW_TO_REPLAY = "`make replay ID=…` tries one of them again, `make replay ID=--all` tries all of them."


async def list_incidents(
    kept: FirestoreIncidents, kind: IncidentKind | None, console: Console, *, also_replayed: bool
) -> int:
    """Print the newest incidents of a kind (None: of all kinds), and return their number, at most MOST. Incidents that
    were replayed are included only if `also_replayed` is true.
    """
    found = await kept.newest(kind, MOST, also_replayed=also_replayed)
    what = kind.value.replace("_", " ") if kind else "incident"
    if not found:
        is_all = also_replayed or kind not in (None, IncidentKind.DEAD_LETTER)  # other kinds are never replayed
        console.print(f"There is no {what}{'' if is_all else ' that was not replayed'}.", markup=False)
        return 0
    show(found, console, also_replayed=also_replayed)
    if len(found) == MOST:
        console.print(f"These are the newest {MOST}; there may be more.", markup=False)
    return len(found)


async def replay_some(kept: FirestoreIncidents, ids: Sequence[str], console: Console) -> int:
    """Replay incidents and print the results; return the number of failures."""
    replayer = parts.replayer(kept)
    failed = 0
    for incident_id in ids:
        seen = await kept.find(incident_id)
        if seen is None:
            said, is_done = await _nothing_of(kept, incident_id), False
        else:
            traceparent = traceparent_of("")
            with about(trace=trace_of(traceparent), agent=seen.incident.agent):
                outcome = await replay(replayer, seen, traceparent)
            said, is_done = f"{outcome.said}.", outcome.is_done
        failed += not is_done
        console.print(f"{incident_id}: {said}", markup=False, soft_wrap=True)
    return failed


async def _nothing_of(kept: FirestoreIncidents, incident_id: str) -> str:
    known = [incident.id for incident in await kept.newest(None, MOST, also_replayed=True)]
    begun = [name for name in known if name.startswith(incident_id)]
    close = begun or difflib.get_close_matches(incident_id, known, n=1)
    meant = f" Did you mean {close[0]}?" if close else ""
    return f"there is no such incident.{meant} `make incidents` lists all incidents."


async def run(asked: argparse.Namespace, console: Console) -> int:
    """Run the command that the parsed command line `asked` names; return the exit code. Raises a LullError if the
    command fails.
    """
    if asked.command in COMMANDS:
        return await archiving.run(asked, console)
    if asked.command == "rebuild":
        rebuilder, models = parts.rebuilder(with_model=not asked.without_model)
        return await rebuilding.run(rebuilder, models, console, is_agreed=asked.yes)
    if asked.command == "describe":
        media = parts.media()
        return await (describing.again(media, now, console) if asked.again else describing.tell(media, console))
    kept = parts.incidents()
    if asked.command == "incidents":
        kind = IncidentKind(asked.kind) if asked.kind else None
        await list_incidents(kept, kind, console, also_replayed=asked.all)
        return 0
    dead = IncidentKind.DEAD_LETTER
    if not (asked.ids or asked.all):
        if await list_incidents(kept, dead, console, also_replayed=False):
            console.print(HOW_TO_REPLAY, markup=False, soft_wrap=True)
        return 0
    ids = asked.ids or [found.id for found in reversed(await kept.newest(dead, MOST, also_replayed=False))]
    if not ids:
        console.print("There are no dead letters to replay.")
    return 1 if await replay_some(kept, ids, console) else 0


def main(argv: Sequence[str]) -> int:
    """Run a command line; return 1 with a message if it fails."""
    asked = parse(argv)
    try:
        return asyncio.run(run(asked, Console(highlight=False)))
    except LullError as problem:
        Console(stderr=True, highlight=False).print(str(problem), markup=False, soft_wrap=True)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
