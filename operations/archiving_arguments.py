"""The arguments of export, archive and restore (operations/archiving.py)."""

import argparse
from typing import Any

COMMANDS = ("export", "archive", "restore")
FOLDER = "export"
BUCKETS = ("gs://", "s3://")


def add_arguments(commands: Any) -> None:
    """Add these commands to the parser."""
    export = commands.add_parser("export", help="write conversations as JSONL, one file each")
    which = export.add_mutually_exclusive_group()
    which.add_argument("--conversation", metavar="CONV", help="one conversation alone: conv-…")
    which.add_argument("--chat", help="one chat's: Telegram's id of it, ID/TOPIC, or its document's name")
    which.add_argument("--forgotten", action="store_true", help="no conversation: who was forgotten, by their numbers")
    export.add_argument("--to", default=FOLDER, metavar="FOLDER", help=f"where to; else into {FOLDER}/")
    archive = commands.add_parser("archive", help="bring an archive up to date now")
    archive.add_argument("to", metavar="TO", type=_bucket, help="gs://bucket or s3://bucket")
    restoring = commands.add_parser("restore", help="rebuild a database from an archive")
    restoring.add_argument("place", metavar="FROM", help="a folder, gs://bucket or s3://bucket")
    restoring.add_argument("--add", action="store_true", help="into a database that is not empty: add what is missing")


def _bucket(place: str) -> str:
    if not place.startswith(BUCKETS) or not place.partition("://")[2]:
        raise argparse.ArgumentTypeError(f"{place} is no bucket (gs://… or s3://…); for files in a folder: export")
    return place
