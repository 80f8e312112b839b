"""`python -m tests.infra.standin COMMAND…` runs a command with the stand-in as its Google provider.

Without a command it prints the value for TF_REATTACH_PROVIDERS as its first line, and serves until its standard input
ends, as it does when the process that started it is gone.
"""

import os
import subprocess
import sys

from tests.infra.standin.provider import reattach, serve


def main(command: list[str]) -> int:
    """Serve for a command, or until this process's standard input ends."""
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
