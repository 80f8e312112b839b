"""Records of access requests, and how they are read."""

from collections.abc import Iterator
from datetime import timedelta

from shared.adapters.firestore import layout, paths
from shared.adapters.firestore.writes import Commit, Mode, Write, writes_of
from shared.models.access import AccessRequest
from shared.records import KeptAccessRequest

#: after it was made, or decided
KEPT = timedelta(days=90)


@writes_of.register
def _request(record: KeptAccessRequest, commit: Commit) -> Iterator[Write]:
    document = record.request.model_dump() | {layout.EXPIRES: commit.at + KEPT}
    yield Write(path=paths.request_path(record.request.id), document=document, mode=Mode.SET)


def decode_request(document: layout.Document) -> AccessRequest:
    """The request."""
    return AccessRequest.model_validate(document)
