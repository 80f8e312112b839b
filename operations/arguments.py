"""The command line of `python -m operations`.

incidents [--kind KIND] [--all]    list failures; with --all also those that were replayed
replay ID…                         replay dead letters; without an ID, list them
replay --all                       replay all dead letters that have not been replayed, oldest first
describe [--again]                 count described files, or retry files whose description failed for good
rebuild [--yes] [--without-model]  derive notes, summaries and other data from the transcripts again
export, archive, restore           write conversations to files, and read them back (operations/archiving.py)
"""

import argparse
from collections.abc import Sequence

from operations.archiving_arguments import COMMANDS, add_arguments
from shared.values.incident import IncidentKind


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the parsed arguments; exit with a message if they are wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m operations", description="Handles incidents and stored conversations."
    )
    named = " | ".join(("incidents", "replay", "describe", "rebuild", *COMMANDS))
    commands = parser.add_subparsers(dest="command", required=True, metavar=named)
    listing = commands.add_parser("incidents", help="list what went wrong")
    listing.add_argument("--kind", choices=[kind.value for kind in IncidentKind], help="only this kind")
    listing.add_argument("--all", action="store_true", help="also incidents that were replayed")
    again = commands.add_parser("replay", help="try dead letters again; without an ID, list them")
    again.add_argument("ids", nargs="*", metavar="ID")
    again.add_argument("--all", action="store_true", help="all dead letters that were not replayed yet")
    describing = commands.add_parser("describe", help="show how many files are described, waiting or given up")
    describing.add_argument("--again", action="store_true", help="try again the files that were given up")
    rebuilding = commands.add_parser("rebuild", help="recreate the data that is derived from transcripts")
    rebuilding.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    rebuilding.add_argument("--without-model", action="store_true", help="skip everything that needs a model call")
    add_arguments(commands)
    asked = parser.parse_args(argv)
    if asked.command == "replay" and asked.all and asked.ids:
        again.error("give the IDs of dead letters or --all, not both")
    return asked
