"""The command line of the commands.

incidents [--kind KIND] [--all]    what went wrong; with --all also what was replayed
replay ID…                         have dead letters tried again; without an ID, list them
replay --all                       all that were not replayed yet, the oldest first
describe [--again]                 what is known of files, and have tried again what was given up
rebuild [--yes] [--without-model]  what is derived from transcripts, made from them again
export, archive, restore           conversations as files, and back (operations/archiving_arguments.py)
"""

import argparse
from collections.abc import Sequence

from operations.archiving_arguments import COMMANDS, add_arguments
from shared.values.incident import IncidentKind


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """What is asked for; ends the program with a sentence if it makes no sense."""
    parser = argparse.ArgumentParser(prog="python -m operations", description="What went wrong, and what was said.")
    named = " | ".join(("incidents", "replay", "describe", "rebuild", *COMMANDS))
    commands = parser.add_subparsers(dest="command", required=True, metavar=named)
    listing = commands.add_parser("incidents", help="list what went wrong")
    listing.add_argument("--kind", choices=[kind.value for kind in IncidentKind], help="one kind alone")
    listing.add_argument("--all", action="store_true", help="also what was replayed")
    again = commands.add_parser("replay", help="have dead letters tried again; without an ID, list them")
    again.add_argument("ids", nargs="*", metavar="ID")
    again.add_argument("--all", action="store_true", help="all that were not replayed yet")
    describing = commands.add_parser("describe", help="tell how many files are described, wait, or were given up")
    describing.add_argument("--again", action="store_true", help="have tried again what was given up")
    rebuilding = commands.add_parser("rebuild", help="make again what is derived from transcripts")
    rebuilding.add_argument("--yes", action="store_true", help="do not ask")
    rebuilding.add_argument("--without-model", action="store_true", help="only what costs no call of a model")
    add_arguments(commands)
    asked = parser.parse_args(argv)
    if asked.command == "replay" and asked.all and asked.ids:
        again.error("name dead letters, or say --all; not both")
    return asked
