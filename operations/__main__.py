"""`python -m operations …`: find the lull that is meant, say which it is, and run the command there.

The command runs in this process's place, with the settings of that lull: settings are read once, from the environment.
"""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from operations.arguments import parse
from operations.deployed import tick_settings
from operations.environment import surroundings
from operations.place import NoPlace, place_of


def main(argv: Sequence[str]) -> NoReturn:
    """Ends with the command's own exit code, or with 1 and a sentence when there is no lull to speak to."""
    asked = parse(argv)
    try:
        place = place_of(surroundings({}))
        is_replay = asked.command == "replay" and (asked.ids or asked.all)
        more = tick_settings(surroundings(place.settings)) if is_replay else {}
    except NoPlace as problem:
        sys.exit(str(problem))
    print(place.title, flush=True)
    os.execve(
        sys.executable, [sys.executable, "-m", "operations.commands", *argv], surroundings({**place.settings, **more})
    )


if __name__ == "__main__":
    main(sys.argv[1:])
