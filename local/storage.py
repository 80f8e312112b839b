"""Cloud Storage on this machine: an emulator from PyPI (gcp-storage-emulator) that stores lull's buckets in a folder.

`python -m local.storage --port P --data DIR` runs until the process is ended. An upload is answered only after the file
is on the disk.
"""

import argparse
import logging
import sys
from functools import partial
from http import HTTPStatus
from http.server import HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from gcp_storage_emulator.handlers.buckets import create_bucket  # type: ignore[import-untyped]
from gcp_storage_emulator.server import RequestHandler  # type: ignore[import-untyped]
from gcp_storage_emulator.storage import Storage  # type: ignore[import-untyped]

from local.guard import refusal
from local.parts import ARCHIVE_BUCKET, ERASURE_BUCKET, MEDIA_BUCKET, TAKEOUT_BUCKET
from local.ports import HOST


class Exists(Exception):
    """An object with this name exists, although the upload must create a new one."""


class Buckets(Storage):  # type: ignore[misc]  # the library has no types
    """The emulator's buckets. As in Cloud Storage, an upload can demand that no existing object is overwritten."""

    #: whether the current upload must not overwrite an existing object
    wants_new = False

    def create_file(self, bucket_name: str, file_name: str, *rest: Any, **more: Any) -> None:
        """Create a file in a bucket. Raises Exists if the upload must create a new file, but the bucket has one with
        this name.
        """
        if self.wants_new and file_name in self.objects.get(bucket_name, {}):
            raise Exists
        super().create_file(bucket_name, file_name, *rest, **more)


class Handler(RequestHandler):  # type: ignore[misc]
    """The emulator's request handler, with support for the one precondition that lull uses
    (cloud.google.com/storage/docs/request-preconditions).
    """

    def parse_request(self) -> bool:
        """Parse the head of a request, and return whether the request may be served. Requests of web pages are
        refused.
        """
        if not super().parse_request():
            return False
        if why := refusal(self.command, self.headers.items()):
            self.send_error(HTTPStatus.FORBIDDEN, explain=why)
            return False
        return True

    def do_POST(self) -> None:
        """Serve an upload. Answer 412 if an object with this name exists and the upload must not overwrite it."""
        self.storage.wants_new = parse_qs(urlsplit(self.path).query).get("ifGenerationMatch") == ["0"]
        try:
            super().do_POST()
        except Exists:
            self.send_error(HTTPStatus.PRECONDITION_FAILED)
        finally:
            self.storage.wants_new = False


def serve(port: int, folder: Path) -> None:
    """Serve the folder's buckets. Requests are served one at a time, since the emulator does not lock files."""
    # otherwise the emulator logs a failed precondition as an error
    logging.getLogger("gcp_storage_emulator").setLevel(logging.CRITICAL)
    folder.mkdir(parents=True, exist_ok=True)
    storage = Buckets(data_dir=str(folder))
    for bucket in (ARCHIVE_BUCKET, ERASURE_BUCKET, MEDIA_BUCKET, TAKEOUT_BUCKET):
        create_bucket(bucket, storage)  # an existing bucket is left as it is
    with HTTPServer((HOST, port), partial(Handler, storage)) as server:
        server.serve_forever()


def main(argv: list[str]) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m local.storage", description="Runs an emulator of Cloud Storage.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder that keeps the buckets")
    asked = parser.parse_args(argv)
    serve(asked.port, asked.data)


if __name__ == "__main__":
    main(sys.argv[1:])
