"""Prepares the start of a local cloud: checks everything and downloads missing files."""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from local.checks import (
    RealBot,
    check_bots,
    check_gemini_key,
    check_machine,
    check_personas,
    check_settings,
    check_usernames,
    unknown_settings,
)
from local.download import DownloadFailed, download
from local.emulator_jar import Asset, bring_jar
from local.options import CannotStart, LocalOptions
from local.question import ask_for_consent


def prepare(options: LocalOptions, console: Console) -> list[RealBot]:
    """Check everything and download missing files. Return the bots of the real Telegram. Raises CannotStart."""

    def warn(sentence: str) -> None:
        console.print(sentence, style="yellow", markup=False, soft_wrap=True)

    check_machine(options)
    agents = check_personas(options)
    check_settings(options)
    for sentence in unknown_settings():
        warn(sentence)
    check_gemini_key(options, warn)
    if options.provider is not None:
        console.print(f"{options.provider.label} answers.", markup=False, soft_wrap=True)
    bots = check_bots(options, agents, warn, _asker(console))
    check_usernames(bots, agents, warn)
    try:
        bring_jar(os.environ, lambda asset, target: _download_shown(asset, target, console))
    except DownloadFailed as failed:
        raise CannotStart(str(failed)) from failed
    return bots


def _asker(console: Console) -> Callable[[str], bool] | None:
    if not (sys.stdin.isatty() and console.is_terminal):
        return None
    return partial(ask_for_consent, console)


def _download_shown(asset: Asset, target: Path, console: Console) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(f"{asset.what}, once", total=asset.size_bytes)
        download(asset, target, lambda have: bar.update(task, completed=have))
