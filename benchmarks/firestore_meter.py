"""A meter in front of Firestore: forwards every call, and counts the documents that are read and written as Firestore
bills them.
"""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import grpc
from google.cloud.firestore_v1.types import (
    BatchGetDocumentsResponse,
    CommitRequest,
    ListenRequest,
    ListenResponse,
    RunQueryResponse,
)

SERVICE = "/google.firestore.v1.Firestore/"


class FirestoreMeter(grpc.GenericRpcHandler):  # type: ignore[misc]
    """Forwards any call as bytes. All calls are handled as streams: on the wire, a call with a single message is a
    stream of one message.
    """

    def __init__(self, upstream: grpc.aio.Channel) -> None:
        """`upstream` is a channel to Firestore."""
        self.upstream = upstream
        self.counts: Counter[str] = Counter()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        """Return the handler of a call."""
        return grpc.stream_stream_rpc_method_handler(partial(self._relay, handler_call_details.method))

    async def _relay(
        self, method: str, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[bytes]:
        call = self.upstream.stream_stream(method)(
            self._count_writes(method, requests), metadata=context.invocation_metadata()
        )
        documents = 0
        try:
            async for response in call:
                documents += _documents_in(method, response)
                if method == f"{SERVICE}Listen":  # such a stream stays open
                    self.counts["reads"] += int("document_change" in ListenResponse.deserialize(response))
                yield response
        except grpc.aio.AioRpcError as error:
            await context.abort(error.code(), error.details() or "", tuple(error.trailing_metadata() or ()))
        if method in {f"{SERVICE}RunQuery", f"{SERVICE}RunAggregationQuery"}:
            documents = max(1, documents)  # a query that finds nothing is billed as one read
        self.counts["reads"] += documents

    async def _count_writes(self, method: str, requests: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        async for request in requests:
            if method == f"{SERVICE}Commit":
                self.counts["writes"] += len(CommitRequest.deserialize(request).writes)
            if method == f"{SERVICE}Listen":  # a query is billed as one read at least
                self.counts["reads"] += int("query" in ListenRequest.deserialize(request).add_target)
            yield request


def _documents_in(method: str, response: bytes) -> int:
    match method.removeprefix(SERVICE):
        case "BatchGetDocuments":  # a missing document is billed as well
            found = BatchGetDocumentsResponse.deserialize(response)
            return int("found" in found or "missing" in found)
        case "RunQuery":
            return int("document" in RunQueryResponse.deserialize(response))
        case _:
            return 0


@asynccontextmanager
async def run_meter(firestore_host: str) -> AsyncIterator[tuple[FirestoreMeter, str]]:
    """Run a meter. Yield the meter, and the `host:port` that a function has to use in place of Firestore's."""
    async with grpc.aio.insecure_channel(firestore_host) as upstream:
        meter = FirestoreMeter(upstream)
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((meter,))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        try:
            yield meter, f"127.0.0.1:{port}"
        finally:
            await server.stop(1)
