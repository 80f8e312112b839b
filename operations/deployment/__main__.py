"""`python -m operations.deployment deploy | register | canary | destroy`."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence

from operations.deployment.deploying import deploy
from operations.deployment.destroying import destroy
from operations.deployment.options import CannotDeploy, Options, options_from
from operations.deployment.proving import send_canary
from operations.deployment.registering import register_again

COMMANDS: Mapping[str, Callable[[Options], None]] = {
    "deploy": deploy,
    "register": register_again,
    "canary": send_canary,
    "destroy": destroy,
}


def main(argv: Sequence[str]) -> int:
    """Run a command; return 0 if it succeeded, or 1 with a message."""
    options = options_from(argv, os.environ)  # noqa: TID251  the shell's settings are this program's business
    try:
        COMMANDS[options.command](options)
    except CannotDeploy as problem:
        print(problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped. Run the same command again to continue.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
