"""A counting relay for gRPC that forwards any kind of call to any service as bytes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import grpc

from benchmarks.relay.ledger import Moment
from benchmarks.relay.line import Line
from local.ports import HOST

#: Firestore's answers may be larger than gRPC's default limit
UNLIMITED = (("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1))


class GrpcRelay(grpc.GenericRpcHandler):  # type: ignore[misc]
    """Forwards calls. All calls are handled as streams: on the wire, a call with a single message is a stream of one
    message.

    Metadata, deadline, status, details and trailing metadata are forwarded unchanged. A call is counted when its first
    message arrives.
    """

    def __init__(self, upstream: grpc.aio.Channel, line: Line) -> None:
        """`upstream` is a channel to the server."""
        self._upstream, self._line = upstream, line

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        """Return the handler of a call."""
        return grpc.stream_stream_rpc_method_handler(partial(self._relay, handler_call_details.method))

    async def _relay(
        self, method: str, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[bytes]:
        first = await anext(requests, b"")
        ledger, request = self._line.ledger, self._line.enter(method, first)
        if await ledger.falls(request, Moment.BEFORE):
            await _cut(context, ledger.status)
        is_withheld = ledger.is_due(request, Moment.AFTER)
        call = self._upstream.stream_stream(method)(
            _with_first(first, requests), metadata=context.invocation_metadata(), timeout=context.time_remaining()
        )
        failure: grpc.aio.AioRpcError | None = None
        try:
            initial = _pairs(await call.initial_metadata())
            if not is_withheld:
                await context.send_initial_metadata(initial)
            async for answer in call:
                if not is_withheld:
                    yield answer
        except grpc.aio.AioRpcError as error:
            failure = error
        if await ledger.falls(request, Moment.AFTER):
            await _cut(context, ledger.status)
        if failure is not None:
            await context.abort(failure.code(), failure.details() or "", _pairs(failure.trailing_metadata()))
        context.set_trailing_metadata(_pairs(await call.trailing_metadata()))


async def _with_first(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for request in rest:
        yield request


def _pairs(metadata: grpc.aio.Metadata | None) -> tuple[tuple[str, str | bytes], ...]:
    """Return metadata in the form that a server accepts."""
    return tuple(metadata or ())


async def _cut(context: grpc.aio.ServicerContext[Any, Any], status: str) -> None:
    await context.abort(grpc.StatusCode[status], "nobody is left to hear it")


@asynccontextmanager
async def grpc_relay(address: str, line: Line) -> AsyncIterator[int]:
    """Run a relay in front of the server at `address` (host:port), and yield the relay's port."""
    async with grpc.aio.insecure_channel(address, options=UNLIMITED) as upstream:
        server = grpc.aio.server(options=(*UNLIMITED, ("grpc.so_reuseport", 0)))
        server.add_generic_rpc_handlers((GrpcRelay(upstream, line),))
        port = server.add_insecure_port(f"{HOST}:0")
        await server.start()
        try:
            yield int(port)
        finally:
            await server.stop(0)
