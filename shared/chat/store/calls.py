"""Calls of Firestore: time limits, retries, and the translation of errors."""

from collections.abc import Iterator
from contextlib import contextmanager

from google.api_core import exceptions, retry_async
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.base.errors import StoreRefused, StoreUnavailable

#: seconds for one call with its retries; Telegram waits 60 s for the webhook
CALL_SECONDS = 10.0

#: a create or a guarded commit may be repeated: the second try finds what the first one wrote
RETRY = retry_async.AsyncRetry(
    predicate=retry_async.if_exception_type(
        exceptions.ServiceUnavailable,
        exceptions.ResourceExhausted,
        exceptions.InternalServerError,
        exceptions.Aborted,  # too many simultaneous writes of one document; it need not have changed
    ),
    initial=0.1,
    maximum=2.0,
    multiplier=2.0,
    timeout=CALL_SECONDS,
)

#: errors of a request that is wrong or too large, and so would fail again
REFUSED = (exceptions.InvalidArgument, exceptions.OutOfRange)

#: errors of a write whose document changed since it was read
CHANGED = (exceptions.FailedPrecondition, exceptions.AlreadyExists, exceptions.NotFound)


class FirestoreStore:
    """A store of documents in Firestore."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` must have been made inside the running event loop."""
        self.client = client


class ProjectStore(FirestoreStore):
    """A store that can open its own client."""

    def __init__(self, project: str, client: AsyncClient | None = None) -> None:
        """Open a client, unless one is given. The client itself reads the emulator's address from the environment."""
        super().__init__(client or AsyncClient(project=project))


@contextmanager
def translate_errors(what: str) -> Iterator[None]:
    """Translate Firestore's errors: raise StoreRefused if a retry would fail again, and StoreUnavailable otherwise.
    `what` names the call.
    """
    try:
        yield
    except REFUSED as cause:
        raise StoreRefused(f"Firestore will never {what} as it is ({type(cause).__name__})") from cause
    except (exceptions.GoogleAPICallError, exceptions.RetryError) as cause:
        raise StoreUnavailable(f"Firestore did not {what} ({type(cause).__name__})") from cause
