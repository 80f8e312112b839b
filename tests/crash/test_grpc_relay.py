import itertools
import os
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.api_core import exceptions
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.tasks_v2 import CloudTasksAsyncClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport
from google.cloud.tasks_v2.types import HttpRequest, Task

from benchmarks.relay import naming
from benchmarks.relay.grpc_relay import grpc_relay
from benchmarks.relay.ledger import Blow, Ledger, Moment, Request, Step
from benchmarks.relay.line import Line
from local.cloud import LocalCloud
from tests.crash.caller import caller

_numbers = itertools.count(os.getpid() * 1000)
CREATE = """
import os
os.environ["FIRESTORE_EMULATOR_HOST"] = sys.argv[1]
from google.cloud.firestore import Client
Client(project=sys.argv[2]).document(sys.argv[3]).create({"a": 1})
"""


def firestore_at(address: str, project: str, monkeypatch: pytest.MonkeyPatch) -> AsyncClient:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", address)  # the official client's own setting
    return AsyncClient(project=project)


@pytest.fixture
async def ledger() -> Ledger:
    return Ledger()


@pytest.fixture
async def address(cloud: LocalCloud, ledger: Ledger) -> AsyncIterator[str]:
    """Yield the address of a relay in front of Firestore."""
    async with grpc_relay(cloud.firestore_host, Line(ledger, "tick", naming.firestore)) as port:
        yield f"127.0.0.1:{port}"


@pytest.fixture
async def relayed(cloud: LocalCloud, address: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[AsyncClient]:
    client = firestore_at(address, cloud.project, monkeypatch)
    yield client
    client.close()  # type: ignore[no-untyped-call]


@pytest.fixture
async def direct(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[AsyncClient]:
    client = firestore_at(cloud.firestore_host, cloud.project, monkeypatch)
    yield client
    client.close()  # type: ignore[no-untyped-call]


@pytest.fixture
def collection() -> str:
    return f"relayed{next(_numbers)}"


async def test_writes_and_streamed_reads_pass_whole(relayed: AsyncClient, collection: str, ledger: Ledger) -> None:
    batch = relayed.batch()
    for number in range(120):
        batch.set(relayed.document(f"{collection}/{number:03d}"), {"number": number, "text": "x" * 20_000})
    await batch.commit()
    found = [snapshot.get("number") async for snapshot in relayed.collection(collection).stream()]
    assert found == list(range(120))
    both = [s async for s in relayed.get_all([relayed.document(f"{collection}/{name}") for name in ("007", "none")])]
    assert {s.id: s.exists for s in both} == {"007": True, "none": False}
    counted = await relayed.collection(collection).count().get()  # type: ignore[no-untyped-call]
    assert counted[0][0].value == 120
    calls = ["Commit", "RunQuery", "BatchGetDocuments", "RunAggregationQuery"]
    assert [request.number for request in ledger.requests] == [1, 2, 3, 4]
    assert [request.step for request in ledger.requests] == [Step("tick", f"Firestore {c} {collection}") for c in calls]


async def test_refusals_are_what_the_server_says(relayed: AsyncClient, direct: AsyncClient, collection: str) -> None:
    await relayed.document(f"{collection}/there").create({"a": 1})

    async def refusals(client: AsyncClient) -> list[tuple[type, str]]:
        found = []
        for call in (
            client.document(f"{collection}/there").create({"a": 2}),
            client.document(f"{collection}/none").update({"a": 2}),
        ):
            with pytest.raises(exceptions.GoogleAPICallError) as refused:
                await call
            found.append((type(refused.value), refused.value.message))
        return found

    told = await refusals(relayed)
    assert [kind for kind, _ in told] == [exceptions.AlreadyExists, exceptions.NotFound]
    assert told == await refusals(direct)


async def test_one_ledger_counts_over_several_servers(cloud: LocalCloud, relayed: AsyncClient, ledger: Ledger) -> None:
    name = f"{cloud.queue}/tasks/relayed-{next(_numbers)}"
    line = Line(ledger, "webhook", naming.cloud_tasks)
    async with (
        grpc_relay(cloud.tasks_address, line) as port,
        grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        tasks = CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel))
        task = Task(name=name, http_request=HttpRequest(url="http://127.0.0.1:1/", body=b'{"reason": "soon"}'))
        await tasks.create_task(parent=cloud.queue, task=task)
        await relayed.document("relayed/none").get()
        with pytest.raises(exceptions.AlreadyExists):
            await tasks.create_task(parent=cloud.queue, task=task)
        await tasks.delete_task(name=name)
    assert ledger.requests == [
        Request(1, Step("webhook", "Cloud Tasks CreateTask soon")),
        Request(2, Step("tick", "Firestore BatchGetDocuments relayed")),
        Request(3, Step("webhook", "Cloud Tasks CreateTask soon", nth=2)),
        Request(4, Step("webhook", "Cloud Tasks DeleteTask")),
    ]


@pytest.mark.parametrize(("moment", "is_there"), [(Moment.BEFORE, False), (Moment.AFTER, True)])
async def test_a_kill_before_or_after_the_server_acted(
    direct: AsyncClient, address: str, collection: str, ledger: Ledger, moment: Moment, is_there: bool
) -> None:
    path, creation = f"{collection}/killed", Step("tick", f"Firestore Commit {collection}")
    async with caller(CREATE, address, str(direct.project), path) as one:
        ledger.start_over(Blow(creation, moment, one.strike))
        assert await one.goes() == (-9, "")
    assert await ledger.struck() == Request(1, creation)
    assert (await direct.document(path).get()).exists == is_there


async def test_without_a_blow_the_same_call_is_answered(direct: AsyncClient, address: str, collection: str) -> None:
    async with caller(CREATE, address, str(direct.project), f"{collection}/alive") as one:
        assert await one.goes() == (0, "answered\n")
    assert (await direct.document(f"{collection}/alive").get()).exists


class Teller(grpc.GenericRpcHandler):  # type: ignore[misc]
    """A service that returns its input with metadata before and after, and may refuse at the end."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        return grpc.stream_stream_rpc_method_handler(self._tell)

    async def _tell(
        self, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[bytes]:
        given = dict(context.invocation_metadata() or ())
        await context.send_initial_metadata((("first", given["own"]),))
        async for request in requests:
            yield request
        remaining = context.time_remaining()
        yield b"a deadline" if remaining is not None and remaining < 60 else b"no deadline"
        last = (("grpc-status-details-bin", b"\x00\x01"),)
        if given["own"] == "refuse":
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "it is not so", last)
        context.set_trailing_metadata((("last", "word"),))


@pytest.fixture
async def teller(ledger: Ledger) -> AsyncIterator[grpc.aio.Channel]:
    """Yield a channel to a Teller behind a relay."""
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((Teller(),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    line = Line(ledger, "tick", lambda method, body: f"{method} {body.decode()}")
    async with (
        grpc_relay(f"127.0.0.1:{port}", line) as relay,
        grpc.aio.insecure_channel(f"127.0.0.1:{relay}") as channel,
    ):
        yield channel
    await server.stop(0)


async def test_metadata_messages_and_deadline_pass_both_ways(teller: grpc.aio.Channel, ledger: Ledger) -> None:
    call = teller.stream_stream("/a.Teller/Tell")(iter((b"one", b"two")), metadata=(("own", "x"),), timeout=50)
    assert [message async for message in call] == [b"one", b"two", b"a deadline"]
    assert dict(await call.initial_metadata())["first"] == "x"
    assert dict(await call.trailing_metadata())["last"] == "word"
    assert ledger.requests == [Request(1, Step("tick", "/a.Teller/Tell one"))]


async def test_a_refusal_passes_with_its_details_after_the_messages_before_it(teller: grpc.aio.Channel) -> None:
    call = teller.stream_stream("/a.Teller/Tell")(metadata=(("own", "refuse"),))
    await call.write(b"one")
    await call.done_writing()
    assert [await call.read(), await call.read()] == [b"one", b"no deadline"]
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call.read()
    assert (refused.value.code(), refused.value.details()) == (grpc.StatusCode.FAILED_PRECONDITION, "it is not so")
    assert dict(refused.value.trailing_metadata())["grpc-status-details-bin"] == b"\x00\x01"
