"""`python -m local.gemini`: a test server with Gemini's API that returns scripted answers."""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from starlette.applications import Starlette

from local.gemini.scripted import ScriptedBackend
from local.model.server import build_app
from local.model.serving import recorder_in, run_server
from local.openai.server import openai_routes


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until stopped. Return 1 and print a message if the server cannot start."""
    parser = argparse.ArgumentParser(prog="python -m local.gemini", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="the port; 0: a free one, which is printed")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--data", type=Path, help="the folder in which exchanges are stored")
    args = parser.parse_args(arguments)
    return run_server(partial(_app, args.data), args.host, args.port)


def _app(folder: Path | None) -> Starlette:
    scripted, recorder = ScriptedBackend(), recorder_in(folder)
    return build_app(scripted, recorder, [*scripted.routes(), *openai_routes(scripted, recorder)])


if __name__ == "__main__":
    sys.exit(main())
