"""Firestore's errors in lull's words."""

from collections.abc import Iterator
from contextlib import contextmanager

from google.api_core import exceptions, retry_async

from shared.errors import StoreUnavailable

#: seconds for one call with its retries: well inside Telegram's 60 s for a webhook
CALL_SECONDS = 10.0

#: a create or a guarded commit may be repeated: the second one finds the first
RETRY = retry_async.AsyncRetry(
    predicate=retry_async.if_exception_type(
        exceptions.ServiceUnavailable,
        exceptions.ResourceExhausted,
        exceptions.InternalServerError,
        exceptions.Aborted,  # too many at the same document at once; says nothing about its state
    ),
    initial=0.1,
    maximum=2.0,
    multiplier=2.0,
    timeout=CALL_SECONDS,
)

#: what a write says when the document is not in the state that it was read in
CHANGED = (exceptions.FailedPrecondition, exceptions.AlreadyExists, exceptions.NotFound)


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Raise StoreUnavailable for whatever Firestore does not answer; `what` names the call."""
    try:
        yield
    except (exceptions.GoogleAPICallError, exceptions.RetryError) as cause:
        raise StoreUnavailable(f"Firestore did not {what} ({type(cause).__name__})") from cause
