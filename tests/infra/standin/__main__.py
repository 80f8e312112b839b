"""`python -m tests.infra.standin COMMAND…` runs a command with the stand-in as its Google provider.

Without a command it serves until its standard input ends, which is when whoever started it is gone, and says on the
first line of its output what TF_REATTACH_PROVIDERS must be.
"""

import os
import subprocess
import sys

from tests.infra.standin.provider import reattach, serve


def main(command: list[str]) -> int:
    """Serve for a command, or for as long as somebody holds this process's standard input."""
    server, port = serve()
    known = reattach(port, os.getpid())
    try:
        if command:
            return subprocess.run(command, env={**os.environ, "TF_REATTACH_PROVIDERS": known}, check=False).returncode
        print(known, flush=True)
        sys.stdin.buffer.read()
        return 0
    finally:
        server.stop(grace=None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
