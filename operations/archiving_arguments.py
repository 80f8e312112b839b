"""The arguments of export, archive and restore (operations/archiving.py)."""

import argparse
from typing import Any

COMMANDS = ("export", "archive", "restore")
FOLDER = "export"
BUCKETS = ("gs://", "s3://")


def add_arguments(commands: Any) -> None:
    """Add the commands export, archive and restore to the parser."""
    export = commands.add_parser("export", help="write conversations as JSONL, one file each")
    which = export.add_mutually_exclusive_group()
    which.add_argument("--conversation", metavar="CONV", help="only this conversation: conv-…")
    which.add_argument("--chat", help="only this chat: its Telegram id, ID/TOPIC, or the name of its document")
    which.add_argument(
        "--forgotten", action="store_true", help="write only the ids of forgotten people, no conversations"
    )
    export.add_argument("--to", default=FOLDER, metavar="FOLDER", help=f"the folder to write to; default: {FOLDER}/")
    archive = commands.add_parser("archive", help="bring an archive up to date now")
    archive.add_argument("to", metavar="TO", type=_bucket, help="gs://bucket or s3://bucket")
    restoring = commands.add_parser("restore", help="rebuild a database from an archive")
    restoring.add_argument("place", metavar="FROM", help="a folder, gs://bucket or s3://bucket")
    restoring.add_argument(
        "--add", action="store_true", help="allow a database that is not empty, and add what is missing"
    )


def _bucket(place: str) -> str:
    if not place.startswith(BUCKETS) or not place.partition("://")[2]:
        raise argparse.ArgumentTypeError(
            f"{place} is not a bucket (gs://… or s3://…); to write to a folder, use export"
        )
    return place
