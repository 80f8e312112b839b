"""What a request asks, in words that are the same in each run: no id, no token, no text of anybody's."""

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

#: from a call's full method, or a URL's path, and its body
Naming = Callable[[str, bytes], str]


def firestore(method: str, body: bytes) -> str:
    """`Firestore Commit chats, plans`: the call and the collections of the documents that it is about."""
    name = method.rpartition("/")[2]
    about = ", ".join(_collections(name, body))
    return f"Firestore {name} {about}".rstrip()


def cloud_tasks(method: str, body: bytes) -> str:
    """`Cloud Tasks CreateTask soon`: the call and, of a wake, its reason; `warm`, or what is about a file."""
    name = method.rpartition("/")[2]
    if name != "CreateTask":
        return f"Cloud Tasks {name}"
    request = CreateTaskRequest.deserialize(body)
    job = json.loads(request.task.http_request.body)
    return f"Cloud Tasks {name} {job.get('reason') or job.get('job') or 'of a file'}"


def telegram(path: str, _: bytes) -> str:
    """`Telegram sendMessage`, or `Telegram file`; the token in the path is left out, and so is which file it is."""
    return f"Telegram {'file' if path.startswith('/file/') else _last_step(path)}"


def gemini(path: str, _: bytes) -> str:
    """`Gemini generateContent`."""
    return f"Gemini {_last_step(path).rpartition(':')[2]}"


def storage(path: str, _: bytes) -> str:
    """`Storage upload`, or `Storage ask`: the name of a file is left out."""
    return f"Storage {'upload' if urlsplit(path).path.startswith('/upload/') else 'ask'}"


def reader(path: str, _: bytes) -> str:
    """`Reader media`: what it makes."""
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
    """The collection that a document lies in, of its full name."""
    return document.split("/")[-2]


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
