from google.cloud.firestore_v1.types import (
    BatchGetDocumentsRequest,
    CommitRequest,
    Document,
    RunAggregationQueryRequest,
    RunQueryRequest,
    StructuredAggregationQuery,
    StructuredQuery,
    Write,
)
from google.cloud.tasks_v2.types import CreateTaskRequest, HttpRequest, Task

from benchmarks.relay import naming

ROOT = "projects/p/databases/(default)/documents"
FIRESTORE = "/google.firestore.v1.Firestore/"
QUERY = StructuredQuery(from_=[StructuredQuery.CollectionSelector(collection_id="inbox")])


def test_a_commit_is_named_by_the_collections_that_it_writes_each_once() -> None:
    writes = [
        Write(update=Document(name=f"{ROOT}/chats/7")),
        Write(update=Document(name=f"{ROOT}/chats/7/inbox/1")),
        Write(delete=f"{ROOT}/chats/7/inbox/2"),
    ]
    body = CommitRequest.serialize(CommitRequest(writes=writes))
    assert naming.firestore(f"{FIRESTORE}Commit", body) == "Firestore Commit chats, inbox"


def test_reads_are_named_by_what_they_read() -> None:
    get = BatchGetDocumentsRequest(documents=[f"{ROOT}/plans/7"])
    query = RunQueryRequest(parent=f"{ROOT}/chats/7", structured_query=QUERY)
    count = RunAggregationQueryRequest(
        structured_aggregation_query=StructuredAggregationQuery(structured_query=QUERY), parent=f"{ROOT}/chats/7"
    )
    named = [
        naming.firestore(f"{FIRESTORE}BatchGetDocuments", BatchGetDocumentsRequest.serialize(get)),
        naming.firestore(f"{FIRESTORE}RunQuery", RunQueryRequest.serialize(query)),
        naming.firestore(f"{FIRESTORE}RunAggregationQuery", RunAggregationQueryRequest.serialize(count)),
        naming.firestore(f"{FIRESTORE}ListCollectionIds", b""),
    ]
    assert named == [
        "Firestore BatchGetDocuments plans",
        "Firestore RunQuery inbox",
        "Firestore RunAggregationQuery inbox",
        "Firestore ListCollectionIds",
    ]


def test_a_task_is_named_by_the_reason_of_its_wake() -> None:
    request = CreateTaskRequest(parent="q", task=Task(http_request=HttpRequest(body=b'{"reason": "due"}')))
    body = CreateTaskRequest.serialize(request)
    service = "/google.cloud.tasks.v2.CloudTasks/"
    assert naming.cloud_tasks(f"{service}CreateTask", body) == "Cloud Tasks CreateTask due"
    assert naming.cloud_tasks(f"{service}ListTasks", b"") == "Cloud Tasks ListTasks"


def test_a_task_for_a_file_has_no_reason() -> None:
    request = CreateTaskRequest(parent="q", task=Task(http_request=HttpRequest(body=b'{"reference": {"agent": "x"}}')))
    body = CreateTaskRequest.serialize(request)
    named = naming.cloud_tasks("/google.cloud.tasks.v2.CloudTasks/CreateTask", body)
    assert named == "Cloud Tasks CreateTask of a file"


def test_no_token_is_in_the_name_of_a_call() -> None:
    assert naming.telegram("/bot123456:SECRET/sendMessage", b"") == "Telegram sendMessage"
    assert naming.gemini("/v1beta/models/gemini-x:generateContent", b"") == "Gemini generateContent"


def test_no_file_is_in_the_name_of_a_download_or_of_a_call_of_the_reader() -> None:
    assert naming.telegram("/file/bot123456:SECRET/photos/AQADx.jpg", b"") == "Telegram file"
    assert naming.reader("/media?kind=photo", b"bytes") == "Reader media"
    assert naming.reader("/", b"{}") == "Reader page"


def test_no_file_is_in_the_name_of_a_call_to_cloud_storage() -> None:
    assert naming.storage("/upload/storage/v1/b/a-bucket/o", b"{}") == "Storage upload"
    assert naming.storage("/storage/v1/b/a-bucket/o/a-file", b"") == "Storage ask"
