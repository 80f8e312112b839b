"""Runs a Cloud Function on this machine, behind the guard that every server of the local cloud has (`local/guard.py`).

`python -m local.function --source FILE --target NAME --host H --port P` works like `python -m functions_framework`. The
application of functions_framework is wrapped, so the function's code is the same here and in the cloud.
"""

import argparse
import sys
from collections.abc import Sequence

import functions_framework
from functions_framework._http import create_server

from local.guard import LocalOnly
from local.ports import HOST
from local.server_config import KEEP_ALIVE_S


def main(arguments: Sequence[str]) -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(prog="python -m local.function", description="Runs one function on this machine.")
    parser.add_argument("--source", required=True, help="the Python file that defines the function")
    parser.add_argument("--target", required=True, help="the name of the Python function in that file")
    parser.add_argument("--host", default=HOST)
    parser.add_argument("--port", type=int, required=True)
    asked = parser.parse_args(arguments)
    app = functions_framework.create_app(asked.target, asked.source, "http")  # type: ignore[no-untyped-call]
    server = create_server(LocalOnly(app), debug=False, keepalive=KEEP_ALIVE_S)  # type: ignore[no-untyped-call]
    server.run(asked.host, asked.port)


if __name__ == "__main__":
    main(sys.argv[1:])
