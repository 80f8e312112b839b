"""Names of requests that are the same in each run: without ids, tokens and people's text."""

import json
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from google.cloud.firestore_v1.types import (
    BatchGetDocumentsRequest,
    CommitRequest,
    RunAggregationQueryRequest,
    RunQueryRequest,
)
from google.cloud.tasks_v2.types import CreateTaskRequest

#: returns the name of a request, given its body, and gRPC's full method or the path of the URL
Naming = Callable[[str, bytes], str]


def firestore(method: str, body: bytes) -> str:
    """Return a name such as `Firestore Commit chats, plans`: the call, and the collections of its documents."""
    name = method.rpartition("/")[2]
    about = ", ".join(_collections(name, body))
    return f"Firestore {name} {about}".rstrip()


def cloud_tasks(method: str, body: bytes) -> str:
    """Return a name such as `Cloud Tasks CreateTask soon`: the call, and for a new task the reason of a wake or the
    kind of the job.
    """
    name = method.rpartition("/")[2]
    if name != "CreateTask":
        return f"Cloud Tasks {name}"
    request = CreateTaskRequest.deserialize(body)
    job = json.loads(request.task.http_request.body)
    return f"Cloud Tasks {name} {job.get('reason') or job.get('job') or 'of a file'}"


def telegram(path: str, _: bytes) -> str:
    """Return a name such as `Telegram sendMessage`; `Telegram file` for a download. The token and the name of the file
    are left out.
    """
    return f"Telegram {'file' if path.startswith('/file/') else _last_step(path)}"


def gemini(path: str, _: bytes) -> str:
    """Return a name such as `Gemini generateContent`."""
    return f"Gemini {_last_step(path).rpartition(':')[2]}"


def storage(path: str, _: bytes) -> str:
    """Return `Storage upload`, or `Storage ask` for all other requests. The name of the file is left out."""
    return f"Storage {'upload' if urlsplit(path).path.startswith('/upload/') else 'ask'}"


def reader(path: str, _: bytes) -> str:
    """Return a name such as `Reader media`."""
    return f"Reader {_last_step(path) or 'page'}"


def _last_step(path: str) -> str:
    return urlsplit(path).path.rpartition("/")[2]


def _collections(name: str, body: bytes) -> Iterable[str]:
    match name:
        case "Commit":
            writes = CommitRequest.deserialize(body).writes
            return _once(_collection_of(w.update.name or w.delete or w.transform.document) for w in writes)
        case "BatchGetDocuments":
            return _once(map(_collection_of, BatchGetDocumentsRequest.deserialize(body).documents))
        case "RunQuery":
            query = RunQueryRequest.deserialize(body).structured_query
        case "RunAggregationQuery":
            query = RunAggregationQueryRequest.deserialize(body).structured_aggregation_query.structured_query
        case _:
            return ()
    return _once(selector.collection_id for selector in query.from_)


def _collection_of(document: str) -> str:
    """Return the collection of the document with this full name."""
    return document.split("/")[-2]


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
