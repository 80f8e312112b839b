"""`python -m local.gemini`: the local server of Gemini's API."""

import argparse
import logging
import os
import socket
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import psutil
import uvicorn
from starlette.applications import Starlette

from local.gemini.download import models_folder, named_sources, sources
from local.gemini.engine import EngineOptions
from local.gemini.fetch import fetch
from local.gemini.google import UPSTREAM, GoogleBackend
from local.gemini.minilm import MiniLm
from local.gemini.minilm_files import fetched, named
from local.gemini.model_file import QWEN, checked_gguf
from local.gemini.recorder import Recorder
from local.gemini.remote import ModelServer, ServerBackend
from local.gemini.scripted import ScriptedBackend
from local.gemini.server import build_app
from local.gemini.small import SmallBackend
from local.gemini.state import Progress
from local.gemini.with_vectors import WithVectors
from local.guard import LocalOnly
from local.openai.server import openai_routes
from local.ports import listen
from shared.base.errors import LullError


class CannotStart(LullError):
    """The server cannot start; the text says why and what to do."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until stopped. Return 1 and print a message if the server cannot start."""
    args = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # httpx logs whole URLs
    try:
        app, listener = _app(args), _listener(args.host, args.port)
    except LullError as why:
        print(why, file=sys.stderr)
        return 1
    print(f"http://{args.host}:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        LocalOnly(app), log_level="warning", access_log=False, timeout_graceful_shutdown=1, ws="none"
    )
    uvicorn.Server(config).run(sockets=[listener])
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m local.gemini", description=__doc__)
    parser.add_argument("--backend", choices=("google", "small", "server", "scripted"), required=True)
    parser.add_argument("--port", type=int, default=0, help="0: a free one, which is printed")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--data", type=Path, help="a folder to keep the exchanges in")
    parser.add_argument("--model-file", type=Path, help="a GGUF file to use instead of the model that is downloaded")
    parser.add_argument("--server", default="", help="the address of a server with OpenAI's API, for its backend")
    parser.add_argument("--server-name", default="The server", help="what people call it")
    parser.add_argument("--model", default="", help="the server's model")
    parser.add_argument("--models", type=Path, default=models_folder(), help="the folder that keeps downloaded models")
    parser.add_argument("--source", choices=("hub", "packages"), default="", help="download from this source only")
    parser.add_argument("--context", type=int, default=8_192, help="tokens of prompt and answer together")
    parser.add_argument("--threads", type=int, default=_cores(), help="threads of the model")
    parser.add_argument("--embedding-files", type=Path, help="a folder that has the files of the model of embeddings")
    parser.add_argument(
        "--embed-ahead", action="store_true", help="fetch that model at the start, not when it is wanted"
    )
    parser.add_argument("--upstream", default=UPSTREAM, help="the API that the google backend passes calls to")
    return parser


def _cores() -> int:
    return psutil.cpu_count(logical=False) or os.cpu_count() or 1


def _listener(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as cause:
        reason = os.strerror(cause.errno or 0)
        why = f"Port {port} of {host} cannot be used ({reason}). Choose another --port."
        raise CannotStart(why) from cause


def _recorder(folder: Path | None) -> Recorder:
    try:
        return Recorder(folder)
    except OSError as cause:
        why = f"Exchanges cannot be kept in {folder} ({cause.strerror}). Choose another --data."
        raise CannotStart(why) from cause


def _app(args: argparse.Namespace) -> Starlette:
    recorder = _recorder(args.data)
    if args.backend == "google":
        return build_app(GoogleBackend(args.upstream), recorder)
    if args.backend == "server":
        key = os.environ.get("LULL_LOCAL_MODEL_KEY", "")
        server = ModelServer(name=args.server_name, url=args.server.rstrip("/"), model=args.model, key=key)
        return build_app(WithVectors(ServerBackend(server), _vectors(args)), recorder)
    if args.backend == "scripted":
        scripted = ScriptedBackend()
        return build_app(scripted, recorder, [*scripted.routes(), *openai_routes(scripted, recorder)])
    small = _small(args)
    return build_app(WithVectors(small, _vectors(args)), recorder, small.routes())


def _vectors(args: argparse.Namespace) -> MiniLm:
    folder: Path | None = args.embedding_files
    get_files = named(folder) if folder else fetched(args.models, named_sources(args.source))
    return MiniLm(get_files, is_ahead=args.embed_ahead)


def _small(args: argparse.Namespace) -> SmallBackend:
    options = EngineOptions(context=args.context, threads=args.threads, kept=args.models / "read")
    if args.model_file is None:
        get_file = partial(fetch, QWEN, args.models, sources=sources(args.source))
        return SmallBackend(QWEN.name, get_file, Progress(QWEN.size), options)
    named = checked_gguf(args.model_file)

    async def the_named_one(_: Progress) -> Path:
        return named

    return SmallBackend(named.stem, the_named_one, Progress(0), options)


if __name__ == "__main__":
    sys.exit(main())
