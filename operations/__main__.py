"""Runs an operator's command (`python -m operations …`). First it prints whether the command works on a deployment or
on the local cloud.

The settings of that deployment or local cloud become this process's environment. So modules that read settings are
imported only afterwards.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from operations.arguments import parse
from operations.deployed import tick_settings
from operations.environment import surroundings
from operations.place import NoPlace, place_of


def main(argv: Sequence[str]) -> NoReturn:
    """Run a command and exit with its code, or with 1 and a message if no running lull is found."""
    asked = parse(argv)
    try:
        place = place_of(surroundings({}))
        is_replay = asked.command == "replay" and (asked.ids or asked.all)
        more = tick_settings(surroundings(place.settings)) if is_replay else {}
    except NoPlace as problem:
        sys.exit(str(problem))
    print(place.title, flush=True)
    env = surroundings({**place.settings, **more})
    os.environ.clear()  # noqa: TID251  the command's modules read these settings
    os.environ.update(env)  # noqa: TID251
    sys.exit(import_module("operations.commands").main(argv))


if __name__ == "__main__":
    main(sys.argv[1:])
