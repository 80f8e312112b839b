"""Cloud Storage on this machine: an emulator from PyPI (gcp-storage-emulator) over a folder, with the archive's bucket.

`python -m local.storage --port P --data DIR` runs until it is ended; a file is on the disk when its upload is answered.
"""

import argparse
import logging
import sys
from functools import partial
from http.server import HTTPServer
from pathlib import Path

from gcp_storage_emulator.handlers.buckets import create_bucket  # type: ignore[import-untyped]
from gcp_storage_emulator.server import RequestHandler  # type: ignore[import-untyped]
from gcp_storage_emulator.storage import Storage  # type: ignore[import-untyped]

from local.parts import ARCHIVE_BUCKET
from local.ports import HOST


def serve(port: int, folder: Path) -> None:
    """Serve the folder's buckets; one request at a time, as its files are not locked."""
    logging.getLogger("gcp_storage_emulator").setLevel(logging.ERROR)
    folder.mkdir(parents=True, exist_ok=True)
    storage = Storage(data_dir=str(folder))
    create_bucket(ARCHIVE_BUCKET, storage)  # one that is there stays as it is
    with HTTPServer((HOST, port), partial(RequestHandler, storage)) as server:
        server.serve_forever()


def main(argv: list[str]) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m local.storage", description="Cloud Storage's emulator.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder that keeps the buckets")
    asked = parser.parse_args(argv)
    serve(asked.port, asked.data)


if __name__ == "__main__":
    main(sys.argv[1:])
