"""The commands of `make dev` and related targets: run, show, restart and stop the local cloud.

    python -m local.up dev                 in this terminal, until Ctrl-C
    python -m local.up up                  in the background; returns once it is ready
    python -m local.up status              shows the parts
    python -m local.up logs [PART]         follows the parts' logs
    python -m local.up restart [PART]      one part, or all of them
    python -m local.up down                stops it
    python -m local.up clean               stops it and deletes its data

Options come from the environment: `local/options.py`.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial

from rich.console import Console

from local.background import clean, down, follow_logs, restart, show_status, start_in_background
from local.foreground import run
from local.model_choice import with_local_model
from local.options import CannotStart, LocalOptions, options_from
from local.own_folder import check_usable, take_folder
from local.question import asked_of_a_person
from local.run_record import AlreadyRuns

COMMANDS = ("dev", "up", "status", "logs", "restart", "down", "clean")


def main(argv: Sequence[str]) -> int:
    """Run the command line. Return 1 and print a message if the command fails."""
    parser = argparse.ArgumentParser(prog="python -m local.up", description="Runs all of lull on this machine.")
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("part", nargs="?", default="", help="for logs and restart: only this part")
    parser.add_argument("--behind", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(argv)
    console = Console(highlight=False)
    try:
        return _run_command(asked.command, asked.part, console, is_behind=asked.behind)
    except KeyboardInterrupt:
        console.print("Stopped.", style="dim")
        return 0
    except (CannotStart, AlreadyRuns) as problem:
        Console(stderr=True, highlight=False).print(str(problem), markup=False, soft_wrap=True)
        return 1


def _run_command(command: str, part: str, console: Console, *, is_behind: bool) -> int:
    options = options_from(os.environ)
    if command in ("dev", "up"):
        check_usable(options.data)
        was_there = options.data.is_dir()
        options = chosen_model(options, console)
        take_folder(options.data, was_there=was_there)
    match command:
        case "dev":
            return run(options, console, is_behind=is_behind)
        case "up":
            return start_in_background(options, console)
        case "logs":
            return follow_logs(options, part, console)
        case "restart":
            return restart(options, part, console)
        case "status":
            return show_status(options, console)
        case "down":
            return down(options, console)
        case _:
            return clean(options, console)


def chosen_model(options: LocalOptions, console: Console) -> LocalOptions:
    """Return the options with the local model that is to be used. If there is a choice, a person at a terminal is
    asked.
    """

    def say(sentence: str) -> None:
        console.print(sentence, style="yellow", markup=False, soft_wrap=True)

    is_there = sys.stdin.isatty() and console.is_terminal
    return with_local_model(options, say, partial(asked_of_a_person, console) if is_there else None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
