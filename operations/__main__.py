"""`python -m operations …`: choose the lull to use, print which one it is, and run the command for it.

The command replaces this process, with the settings of that lull. Modules that read settings are imported afterwards.
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
    """Run a command and exit with its code, or with 1 and a message if there is no lull to use."""
    asked = parse(argv)
    try:
        place = place_of(surroundings({}))
        is_replay = asked.command == "replay" and (asked.ids or asked.all)
        more = tick_settings(surroundings(place.settings)) if is_replay else {}
    except NoPlace as problem:
        sys.exit(str(problem))
    print(place.title, flush=True)
    env = surroundings({**place.settings, **more})
    os.environ.clear()  # noqa: TID251  what follows is as if it had been started so
    os.environ.update(env)  # noqa: TID251
    sys.exit(import_module("operations.commands").main(argv))


if __name__ == "__main__":
    main(sys.argv[1:])
